"""Sheets: one artifact of an answer, cleaned of what is invisible and cut into the parts that a client is given.

`prepare` is pure and linear; of long artifacts it runs in a child.
"""

import re
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, Literal

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
    """parts: texts of at most `PART_CHARACTERS` each. removed: invisible characters that were taken out.

    headings: the first ones of a text that was cut, each as one line.
    """

    parts: tuple[str, ...]
    removed: int
    headings: tuple[str, ...] = ()

    @classmethod
    def of(cls, parcel: Parcel) -> "Sheet":
        """The sheet that `prepare` has packed."""
        facts = parcel.facts
        return cls(tuple(part.decode() for part in parcel.pieces), facts["removed"], tuple(facts["headings"]))

    @property
    def size_bytes(self) -> int:
        """About what it holds in memory."""
        return 2 * sum(map(len, self.parts)) + 500


def prepare(body: bytes, *, form: Form, limit: int = PART_CHARACTERS) -> Parcel:
    """The parts of an artifact in UTF-8, as pieces of a parcel."""
    if form == "json":
        text, removed = remove_invisible_from_json(body.decode())
        return _pack(cut_json(text, limit), removed)
    text, removed = remove_invisible(body.decode())
    parts = cut(text, limit)
    return _pack(parts, removed, list_headings(text) if len(parts) > 1 else [])


def prepare_section(body: bytes, *, heading: str, limit: int = PART_CHARACTERS) -> Parcel:
    """The parts of the section below a heading; none where there is no such heading."""
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
    facts: dict[str, Any] = {"removed": removed, "headings": headings or []}
    return Parcel(facts, tuple(part.encode() for part in parts))
