"""Inputs of a job as people paste them: a value on each line, CSV with a heading, or JSON lines."""

import asyncio
import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec, shown, specs
from webquarry.jobs.inputs import BATCH_SIZE, FAULTS_TOLD, MAX_INPUTS, Input, Judge, read_input
from webquarry.jobs.records import NewItem

Layout = Literal["lines", "csv", "json"]
LAYOUTS: Final[tuple[Layout, ...]] = get_args(Layout)
_SEPARATORS: Final = (",", ";", "\t")
_FAULT_CHARACTERS: Final = 300


@dataclass(frozen=True, slots=True)
class Line:
    """An input with the number of its line, from 1, or the fault of the line."""

    number: int
    input: Input | InvalidParams


@dataclass(frozen=True, slots=True)
class Judged:
    """Inputs that were checked. `faults` are sentences that begin with the line, at most 20."""

    inputs: Sequence[Input]
    items: Sequence[NewItem]
    faults: Sequence[str]


def find_main(extractor: Extractor) -> ParamSpec:
    """Return the parameter that a line of plain text is: the first one that an endpoint needs."""
    found = specs(extractor.params)
    needed = [spec for spec in found if spec.required]
    either = [spec for spec in found if extractor.params.one_of and spec.name in extractor.params.one_of[0]]
    return next(iter([*needed, *either, *found]))


def read_lines(text: str, layout: Layout, extractor: Extractor) -> list[Line]:
    """Return the inputs of a text. Raises InvalidParams if there are too many, or for an invalid heading."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if layout == "csv":
        found = list(_read_csv(lines, extractor))
    else:
        found = [_read_line(n, line.strip(), layout, extractor) for n, line in enumerate(lines, 1) if line.strip()]
    if len(found) > MAX_INPUTS:
        raise InvalidParams(
            f"There are {len(found):,} inputs, and this form takes {MAX_INPUTS:,}. Send more with POST /jobs as JSON "
            "lines."
        )
    return found


async def judge_lines(judge: Judge, lines: Iterable[Line]) -> Judged:
    """Check inputs. Other requests are served meanwhile. It ends after 20 faults."""
    inputs: list[Input] = []
    items: list[NewItem] = []
    faults: list[str] = []
    for count, line in enumerate(lines):
        try:
            if isinstance(line.input, InvalidParams):
                raise line.input
            items.append(judge.check(count, line.input))
            inputs.append(line.input)
        except InvalidParams as fault:
            faults.append(f"Line {line.number}: {fault.message[:_FAULT_CHARACTERS]}")
        if len(faults) == FAULTS_TOLD:
            break
        if count % BATCH_SIZE == BATCH_SIZE - 1:
            await asyncio.sleep(0)
    return Judged(inputs, items, faults)


def _read_line(number: int, line: str, layout: Layout, extractor: Extractor) -> Line:
    if layout == "lines":
        return Line(number, {find_main(extractor).name: line})
    try:
        return Line(number, read_input(line.encode()))
    except InvalidParams as fault:
        return Line(number, fault)


def _read_csv(lines: Sequence[str], extractor: Extractor) -> Iterator[Line]:
    """Yield the input of each row. Empty cells and empty rows are left out."""
    heading = next((line for line in lines if line.strip()), "")
    separator = max(_SEPARATORS, key=heading.count)
    reader = csv.reader([f"{line}\n" for line in lines], delimiter=separator, strict=True)
    names: list[str] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not names:
                names = _check_heading(cells, extractor)
            elif len(cells) > len(names):
                yield Line(reader.line_num, InvalidParams(f"It has {len(cells)} cells, and the heading {len(names)}."))
            else:
                yield Line(reader.line_num, {name: cell for name, cell in zip(names, cells, strict=False) if cell})
    except csv.Error as exc:
        raise InvalidParams(f"Line {reader.line_num} is not valid CSV: {exc}.") from exc


def _check_heading(cells: Sequence[str], extractor: Extractor) -> list[str]:
    known: Mapping[str, object] = extractor.fields
    for cell in cells:
        if cell not in known:
            raise InvalidParams(
                f"The first line must name parameters of {extractor.name}. It has no parameter '{shown(cell)}', only "
                f"{', '.join(known)}."
            )
    if len(set(cells)) < len(cells):
        raise InvalidParams("The first line names a parameter twice.")
    return list(cells)
