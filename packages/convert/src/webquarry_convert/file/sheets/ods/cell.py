"""The content of an open cell: its text with links, and its note."""

from collections.abc import Iterator, Mapping
from typing import Final

from webquarry_convert.file.sheets.formats import GENERAL
from webquarry_convert.file.sheets.links import find_address, link_pieces, link_text
from webquarry_convert.file.sheets.ods.names import (
    ADDRESS,
    COLUMNS_REPEATED,
    LINE_BREAK,
    OFFICE,
    PARAGRAPHS,
    SPACES,
    TAB,
    TABLE,
    TEXT,
    parse_repeats,
)
from webquarry_convert.file.sheets.table import escape_cell

MAX_SPACES: Final = 1_000
"""Maximum number of spaces that one `text:s` element adds."""
_AUTHOR: Final = "{http://purl.org/dc/elements/1.1/}creator"
_LINK: Final = f"{TEXT}a"


class Cell:
    """Collects a cell's text."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self._attributes = attributes
        self._pieces: list[str] = []
        self._paragraphs = 0
        self._links: list[tuple[int, int, str]] = []
        """The cell's links: the index of the first piece, the index after the last piece, and the address."""

    @property
    def repeats(self) -> int:
        return parse_repeats(self._attributes.get(COLUMNS_REPEATED))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in PARAGRAPHS:
            if self._paragraphs:
                self._pieces.append("\n")
            self._paragraphs += 1
        elif tag == SPACES:
            self._pieces.append(" " * min(parse_repeats(attributes.get(f"{TEXT}c")), MAX_SPACES))
        elif tag == TAB:
            self._pieces.append(" ")
        elif tag == LINE_BREAK:
            self._pieces.append("\n")
        elif tag == _LINK:
            self._links.append((len(self._pieces), len(self._pieces), attributes.get(ADDRESS, "")))

    def data(self, text: str) -> None:
        if self._paragraphs:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        if tag == _LINK and self._links:
            start, _, address = self._links[-1]
            self._links[-1] = (start, len(self._pieces), address)

    def write(self) -> str:
        """Return the cell's displayed text, escaped."""
        if self._links:
            return link_pieces(list(self._split_parts()))
        text = escape_cell("".join(self._pieces) if self._paragraphs else _format_value(self._attributes))
        formula = self._attributes.get(f"{TABLE}formula")
        return link_text(text, find_address(formula)) if formula else text

    def _split_parts(self) -> Iterator[tuple[str, str | None]]:
        """Yield the text in parts, each with its link address."""
        at = 0
        for start, stop, address in self._links:
            yield "".join(self._pieces[at:start]), None
            yield "".join(self._pieces[start:stop]), address
            at = max(stop, at)
        yield "".join(self._pieces[at:]), None


class NoteText:
    """Collects a note's paragraphs and author."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.author: list[str] = []
        self._into: list[str] | None = None

    def start(self, tag: str) -> None:
        if tag in PARAGRAPHS:
            self.text.append("\n")
            self._into = self.text
        elif tag == _AUTHOR:
            self._into = self.author
        elif tag in (SPACES, TAB, LINE_BREAK):
            self.text.append(" ")

    def data(self, text: str) -> None:
        if self._into is not None:
            self._into.append(text)

    def end(self, tag: str) -> None:
        if tag in PARAGRAPHS or tag == _AUTHOR:
            self._into = None


def _format_value(attributes: Mapping[str, str]) -> str:
    """Format a cell that has a value but no text. The simplest format is used."""
    match attributes.get(f"{OFFICE}value-type"):
        case "float" | "currency":
            return GENERAL.written(attributes.get(f"{OFFICE}value", ""))
        case "percentage":
            try:
                return f"{GENERAL.number(float(attributes.get(f'{OFFICE}value', '')) * 100)}%"
            except ValueError:
                return ""
        case "date":
            return attributes.get(f"{OFFICE}date-value", "").replace("T", " ")
        case "time":
            return attributes.get(f"{OFFICE}time-value", "")
        case "boolean":
            return attributes.get(f"{OFFICE}boolean-value", "").upper()
        case "string":
            return attributes.get(f"{OFFICE}string-value", "")
        case _:
            return ""
