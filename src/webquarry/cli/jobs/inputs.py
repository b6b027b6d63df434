"""The inputs of a job, from a file or standard input.

Only the form is checked here: the service checks every input before the job begins.
"""

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from webquarry.cli.asking import STDIN, Failure
from webquarry.cli.catalogue import Entry

Form = str
FORMS: Final = ("csv", "tsv", "ndjson", "json", "lines")
_ENDINGS: Final[Mapping[str, Form]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "json",
}
MAX_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a file of inputs. The service accepts no larger body."""
Input = dict[str, Any]


def read_inputs(source: str, form: Form | None, entry: Entry) -> list[Input]:
    """Return the inputs of a file, or of standard input for `-`. Raises Failure that names the line.

    form: one of `FORMS`. By default, the file's extension decides, and other files have one input per line.
    """
    body = _read(source)
    form = form or _ENDINGS.get(Path(source).suffix.lower(), "lines")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{source} is not UTF-8 text: byte {error.start:,} is invalid.", "invalid_params") from error
    if form in ("csv", "tsv"):
        inputs = list(_read_table(text, "," if form == "csv" else "\t", source, entry))
    elif form == "ndjson":
        inputs = [_read_object(line, f"Line {n}") for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    elif form == "json":
        inputs = _read_list(text, source)
    else:
        inputs = _read_lines(text, entry)
    if not inputs:
        raise Failure(f"{source} has no inputs.", "invalid_params")
    return inputs


def find_subject(entry: Entry, given: Mapping[str, Any]) -> str:
    """Return the value that names an input in messages and file names, or ""."""
    for name in entry.subjects:
        if given.get(name):
            return str(given[name])
    return " ".join(str(value) for value in given.values() if value is not None)


def _read(source: str) -> bytes:
    try:
        if source == STDIN:
            body = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                body = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Failure(f"Can't read {source}: {error.strerror}.", "invalid_params") from error
    if len(body) > MAX_BYTES:
        raise Failure(f"{source} is larger than {MAX_BYTES:,} bytes. Split it into several jobs.", "file_too_large")
    return body


def _read_table(text: str, delimiter: str, source: str, entry: Entry) -> Iterator[Input]:
    """Yield the rows of a table by the names in its first row. Empty cells are left out."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(rows, [])]
        _check_names(names, source, entry)
        for row in rows:
            if len(row) > len(names):
                raise Failure(
                    f"Line {rows.line_num} of {source} has {len(row)} columns, but the first line has {len(names)}.",
                    "invalid_params",
                )
            if given := {name: cell for name, cell in zip(names, row, strict=False) if cell}:
                yield given
    except csv.Error as error:
        raise Failure(f"Line {rows.line_num} of {source} is not valid: {error}.", "invalid_params") from error


def _check_names(names: Sequence[str], source: str, entry: Entry) -> None:
    """Raise Failure unless each column is a parameter of the endpoint."""
    known = [each.name for each in entry.parameters]
    for name in names:
        if name not in known or names.count(name) > 1:
            fault = "twice" if name in known else f"but {entry.name} has no such parameter"
            raise Failure(
                f"The first line of {source} must name the parameters. It has '{name[:60]}', {fault}. "
                f"Parameters are {', '.join(known)}.",
                "invalid_params",
            )


def _read_lines(text: str, entry: Entry) -> list[Input]:
    if not entry.subjects:
        raise Failure(f"{entry.name} takes no text. Send the inputs as CSV or JSON lines.", "invalid_params")
    return [{entry.subjects[0]: line.strip()} for line in text.split("\n") if line.strip()]


def _read_list(text: str, source: str) -> list[Input]:
    """Return the objects of a JSON list, or of the list `inputs` of an object."""
    found = _parse(text, source)
    if isinstance(found, dict):
        found = found.get("inputs")
    if not isinstance(found, list):
        raise Failure(f"{source} must be a JSON list of objects with parameters.", "invalid_params")
    for n, given in enumerate(found):
        if not isinstance(given, dict):
            raise Failure(f"Input {n} of {source} is not a JSON object.", "invalid_params")
    return found


def _read_object(line: str, where: str) -> Input:
    found = _parse(line, where)
    if not isinstance(found, dict):
        raise Failure(f"{where} is not a JSON object.", "invalid_params")
    return found


def _parse(text: str, where: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise Failure(f"{where} is not valid JSON: {error}.", "invalid_params") from error
