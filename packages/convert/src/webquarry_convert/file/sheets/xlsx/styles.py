"""A workbook's number formats, by the cells' style index."""

from webquarry_convert.file.sheets.formats import GENERAL, Format, builtin
from webquarry_convert.file.sheets.formats.general import WIDTH
from webquarry_convert.file.sheets.table import escape_cell
from webquarry_convert.file.xml import get_local_name, parse

MAX_KEPT = 20_000
"""Maximum number of formatted numbers that are cached per style.

The same numbers, especially dates, occur many times on a sheet.
"""


class CellStyle:
    """A style of cells, which formats their values as escaped strings."""

    __slots__ = ("_numbers", "format", "is_general")

    def __init__(self, style: Format) -> None:
        self.format = style
        self.is_general = style.is_general
        self._numbers: dict[str, str] = {}

    def number(self, digits: str) -> str:
        """Format a number.

        digits: the number as stored in the file.
        """
        if self.is_general and len(digits) < WIDTH and digits.isascii() and digits.isdecimal() and digits[0] != "0":
            return digits
        known = self._numbers.get(digits)
        if known is None:
            known = escape_cell(self.format.written(digits))
            if len(self._numbers) < MAX_KEPT:
                self._numbers[digits] = known
        return known


class Styles:
    """The styles of a workbook. Each format is built on first use, because most are never used."""

    def __init__(self, part: bytes | None, *, from_1904: bool) -> None:
        self._from_1904 = from_1904
        self._codes: dict[int, str] = {}
        self._numbers: list[int] = []
        self._by_code: dict[str, CellStyle] = {}
        for group in () if part is None else parse(part):
            match get_local_name(group.tag):
                case "numFmts":
                    self._codes = {_parse_number(entry.get("numFmtId")): entry.get("formatCode", "") for entry in group}
                case "cellXfs":
                    self._numbers = [_parse_number(entry.get("numFmtId")) for entry in group]

    def look(self, style: str) -> CellStyle:
        """Return a style. style: the style index as written in a cell. A missing style is `General`."""
        number = _parse_number(style)
        key = self._numbers[number] if number < len(self._numbers) else 0
        code = self._codes.get(key) or builtin(key)
        if code not in self._by_code:
            self._by_code[code] = CellStyle(GENERAL if code == "General" else Format(code, from_1904=self._from_1904))
        return self._by_code[code]


def _parse_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
