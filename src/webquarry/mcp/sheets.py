"""Sheets: one artifact of an answer, cleaned of what is invisible and cut into the parts that a client is given.

`prepare` is pure and linear; of long artifacts it runs in a child.
"""

import re
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from webquarry.errors import ConversionFailed
from webquarry.mcp.clean import make_line, remove_invisible, remove_invisible_from_json
from webquarry.mcp.parts import LEAST, cut, find_section, read_headings
from webquarry.workers.parcel import Parcel

Form = Literal["markdown", "json"]
PART_CHARACTERS: Final = 50_000
"""What a result may have before it is cut."""
_HEADINGS: Final = 30
_HEADING_CHARACTERS: Final = 80
_STRING_OR_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|,')


@dataclass(frozen=True, slots=True)
class Sheet:
    """body: all parts in UTF-8, one after the other. ends: where each part ends in it, in bytes. removed: how many
    invisible characters were removed. headings: the first ones of a text that was cut, each as one line."""

    body: bytes
    ends: tuple[int, ...]
    removed: int
    headings: tuple[str, ...] = ()

    @classmethod
    def of(cls, parcel: object) -> Self:
        """Return the sheet that `prepare` has packed. A child may have packed it: ConversionFailed unless it fits."""
        if not isinstance(parcel, Parcel):
            raise _make_broken_error()
        try:
            facts, (body,) = _Facts.model_validate(parcel.facts), parcel.pieces
        except ValueError as exc:
            raise _make_broken_error() from exc
        sheet = cls(body, tuple(accumulate(facts.lengths)), facts.removed, tuple(facts.headings))
        if sum(facts.lengths) != len(body):
            raise _make_broken_error()
        try:
            for number in range(1, sheet.parts + 1):
                sheet.read_part(number)
        except UnicodeDecodeError as exc:
            raise _make_broken_error() from exc
        return sheet

    @property
    def parts(self) -> int:
        """How many parts there are; 0 for a section that does not exist."""
        return len(self.ends)

    @property
    def size_bytes(self) -> int:
        """About what it holds in memory."""
        return len(self.body) + 36 * len(self.ends) + 500

    def read_part(self, number: int) -> str:
        """Return the text of a part; the first one is number 1."""
        start = self.ends[number - 2] if number > 1 else 0
        return self.body[start : self.ends[number - 1]].decode()


class _Facts(BaseModel):
    """What `_pack` tells of a sheet. lengths: bytes of each part."""

    model_config = ConfigDict(strict=True, extra="forbid")

    removed: NonNegativeInt
    headings: Annotated[list[Annotated[str, Field(max_length=_HEADING_CHARACTERS)]], Field(max_length=_HEADINGS)]
    lengths: list[NonNegativeInt]


def prepare(body: bytes, *, form: Form, limit: int = PART_CHARACTERS) -> Parcel:
    """Clean an artifact in UTF-8, cut it into parts and pack them for `Sheet.of`."""
    if form == "json":
        text, removed = remove_invisible_from_json(body.decode())
        return _pack(cut_json(text, limit), removed)
    text, removed = remove_invisible(body.decode())
    parts = cut(text, limit)
    return _pack(parts, removed, list_headings(text) if len(parts) > 1 else [])


def prepare_section(body: bytes, *, heading: str, limit: int = PART_CHARACTERS) -> Parcel:
    """Do the same with the section below a heading. The sheet has no parts when there is no such heading."""
    text, removed = remove_invisible(body.decode())
    found = find_section(text, remove_invisible(heading)[0])
    return _pack(() if found is None else cut(found, limit), removed)


def list_headings(markdown: str) -> list[str]:
    texts = (make_line(text, _HEADING_CHARACTERS) for _, _, text in read_headings(markdown))
    return list(islice((text for text in texts if text), _HEADINGS))


def cut_json(text: str, limit: int) -> tuple[str, ...]:
    """JSON text in pieces which, one behind the other, are the text: cut behind commas outside of strings; within a
    string only where it alone is longer than a piece, and never within an escape."""
    if limit < LEAST:
        raise ValueError(f"a part has at least {LEAST} characters")
    if len(text) <= limit:
        return (text,)
    parts: list[str] = []
    start = comma = 0
    tokens = ((token.end(), token[0] == ",") for token in _STRING_OR_COMMA.finditer(text))
    for at, is_comma in chain(tokens, [(len(text), False)]):
        while at - start > limit:
            end = comma if comma > start else _step_back(text, start + limit)
            parts.append(text[start:end])
            start = end
        if is_comma:
            comma = at
    return (*parts, text[start:])


def _step_back(text: str, end: int) -> int:
    """The place up to `end` that is in no escape."""
    at = text.rfind("\\", end - 6, end)
    if at == -1:
        return end
    while text[at - 1] == "\\" and end - at < LEAST // 2:
        at -= 1
    return at


def _pack(parts: tuple[str, ...], removed: int, headings: list[str] | None = None) -> Parcel:
    """Pack all parts as one piece: how many they are has no bound but the size of an answer."""
    encoded = [part.encode() for part in parts]
    facts = {"removed": removed, "headings": headings or [], "lengths": [len(part) for part in encoded]}
    return Parcel(facts, (b"".join(encoded),))


def _make_broken_error() -> ConversionFailed:
    return ConversionFailed("The result cannot be cut into parts.", reason="corrupt")
