"""The number formats of a workbook, by the style numbers of its cells."""

from webquarry.convert.file.sheets.formats import GENERAL, Format, builtin
from webquarry.convert.file.sheets.markup import local
from webquarry.convert.file.xml import parse


class Styles:
    """What the cells of a workbook look like. A format is made when the first cell has it: most are never used."""

    def __init__(self, part: bytes | None, *, from_1904: bool) -> None:
        self._from_1904 = from_1904
        self._codes: dict[int, str] = {}
        self._numbers: list[int] = []
        self._by_code: dict[str, Format] = {}
        self._by_style: dict[str, Format] = {}
        for group in () if part is None else parse(part):
            match local(group.tag):
                case "numFmts":
                    self._codes = {_number(entry.get("numFmtId")): entry.get("formatCode", "") for entry in group}
                case "cellXfs":
                    self._numbers = [_number(entry.get("numFmtId")) for entry in group]

    def format(self, style: str) -> Format:
        """style: as a cell names it; one that is not there is `General`."""
        found = self._by_style.get(style)
        if found is None:
            found = self._by_style[style] = self._made(_number(style))
        return found

    def _made(self, style: int) -> Format:
        if style >= len(self._numbers):
            return GENERAL
        number = self._numbers[style]
        code = self._codes.get(number) or builtin(number)
        if code not in self._by_code:
            self._by_code[code] = Format(code, from_1904=self._from_1904)
        return self._by_code[code]


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
