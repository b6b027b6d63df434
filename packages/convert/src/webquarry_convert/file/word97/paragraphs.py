"""Paragraph formatting, read from modifiers: the style, the list, the table, and a row's description at its end."""

import struct
from copy import copy
from dataclasses import dataclass, fields
from typing import Final

from webquarry_convert.file.word97 import sprms

BODY: Final = 9
"""The outline level of body text. Levels are counted from 0."""
_MAX_CELLS: Final = 64
_NUMBER_TEXT: Final = 20
_HUGE: Final = 4
"""Maximum total size of modifiers that are read from the stream `Data`, as a multiple of its length.

Modifiers may overlap.
"""


@dataclass(frozen=True, slots=True)
class OldNumber:
    """A label as specified in Word 6: the number format, the text before and after the number, and the first number."""

    form: int
    before: str
    after: str
    start: int


@dataclass(slots=True, eq=False)
class ParagraphProperties:
    """The formatting of a paragraph; None where not specified.

    level: the level in the list, from 0. list: the list's identifier, or 0 for no list. depth: number of enclosing
    tables. edges: edges of the cells in a row, in twentieths of a point; merged cells are not distinguished, because
    all of them except the first are empty. drop_cap: the kind and size, if the paragraph is the next paragraph's drop
    cap. left: indent of all lines but the first, in twentieths of a point.
    """

    style: int | None = None
    outline: int | None = None
    list: int | None = None
    level: int | None = None
    number: OldNumber | None = None
    number_level: int | None = None
    is_in_table: bool | None = None
    is_row_end: bool | None = None
    depth: int | None = None
    is_inner_cell: bool | None = None
    is_inner_row_end: bool | None = None
    is_head: bool | None = None
    drop_cap: int | None = None
    left: int | None = None
    edges: tuple[int, ...] | None = None

    def over(self, below: "ParagraphProperties") -> "ParagraphProperties":
        if below is NOTHING:
            return self
        if self is NOTHING:
            return below
        whole = copy(self)
        for name in _FIELDS:
            if getattr(whole, name) is None:
                setattr(whole, name, getattr(below, name))
        return whole


_FIELDS: Final = tuple(one.name for one in fields(ParagraphProperties))
NOTHING: Final = ParagraphProperties()


class Paragraphs:
    """Paragraph formatting, cached by modifiers.

    data: the stream with modifiers that are too long to be stored with the paragraph.
    """

    def __init__(self, data: bytes, *, is_old: bool) -> None:
        self._data = data
        self._left = _HUGE * len(data)
        self._is_old = is_old
        self._known: dict[bytes, ParagraphProperties] = {b"": NOTHING}

    def read_properties(self, raw: bytes) -> ParagraphProperties:
        """Return the formatting that modifiers describe."""
        known = self._known.get(raw)
        if known is None:
            known = self._known[raw] = self._read(raw)
        return known

    def styled(self, raw: bytes) -> ParagraphProperties:
        """Return a paragraph's formatting. raw: its style's index in two bytes, followed by modifiers."""
        properties = self.read_properties(raw[2:])
        style = sprms.parse_number(raw[:2])
        return properties if properties.style is not None else ParagraphProperties(style=style).over(properties)

    def _read(self, raw: bytes) -> ParagraphProperties:
        properties = ParagraphProperties()
        for code, operand in sprms.read_sprms(raw, is_old=self._is_old):
            if code in sprms.ELSEWHERE:
                for further, its_operand in sprms.read_sprms(
                    self._read_elsewhere(sprms.parse_number(operand)), is_old=False
                ):
                    self._say(properties, further, its_operand)
            else:
                self._say(properties, code, operand)
        return properties

    def _read_elsewhere(self, at: int) -> bytes:
        if at + 2 > len(self._data) or self._left <= 0:
            return b""
        (length,) = struct.unpack_from("<H", self._data, at)
        self._left -= length
        return self._data[at + 2 : at + 2 + length]

    def _say(self, properties: ParagraphProperties, code: int, operand: bytes) -> None:
        plain = _PLAIN.get(code)
        if plain is not None:
            setattr(properties, plain, sprms.parse_number(operand))
        elif code in _CLAIMS:
            setattr(properties, _CLAIMS[code], bool(operand[0]))
        elif code in sprms.LEFT:
            properties.left = int.from_bytes(operand, "little", signed=True)
        elif code == sprms.DEEPER:
            properties.depth = (properties.depth or 0) + sprms.parse_number(operand) & 0xFFFF_FFFF
        elif code == sprms.ROW:
            properties.edges = _read_edges(operand)
        elif code == sprms.OLD_NUMBER and len(operand) >= _NUMBER_TEXT and self._is_old:
            before, after = operand[1], operand[2]
            text = operand[_NUMBER_TEXT:].decode("cp1252", "replace")
            start = sprms.parse_number(operand[10:12])
            properties.number = OldNumber(operand[0], text[:before], text[before : before + after], start)


_PLAIN: Final = {
    sprms.PARAGRAPH_STYLE: "style", sprms.OUTLINE: "outline", sprms.LIST: "list", sprms.LIST_LEVEL: "level",
    sprms.DEPTH: "depth", sprms.DROP_CAP: "drop_cap", sprms.OLD_NUMBER_LEVEL: "number_level",
}  # fmt: skip
_CLAIMS: Final = {
    sprms.IN_TABLE: "is_in_table", sprms.ROW_END: "is_row_end", sprms.INNER_CELL: "is_inner_cell",
    sprms.INNER_ROW_END: "is_inner_row_end", sprms.ROW_HEAD: "is_head",
}  # fmt: skip


def _read_edges(operand: bytes) -> tuple[int, ...] | None:
    """Return the edges of the cells in a row. The operand begins with the number of cells."""
    count = min(operand[0], _MAX_CELLS) if operand else 0
    if not count or len(operand) < 1 + 2 * (count + 1):
        return None
    return struct.unpack_from(f"<{count + 1}h", operand, 1)
