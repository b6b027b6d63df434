"""Reads the cells of a worksheet part."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.sheets.formats import Format
from webquarry_convert.file.sheets.links import find_address, link_areas, link_text
from webquarry_convert.file.sheets.table import Area, Budget, Table, escape_cell
from webquarry_convert.file.sheets.xlsx.plain import Cell, filter_plain_rows
from webquarry_convert.file.sheets.xlsx.references import parse_area, parse_column
from webquarry_convert.file.sheets.xlsx.strings import unescape
from webquarry_convert.file.sheets.xlsx.styles import CellStyle, Styles
from webquarry_convert.file.xml import get_local_name, resolve_references, walk

MAX_ROWS = 1_048_576
_EPOCH_1900 = datetime(1899, 12, 30, tzinfo=UTC)
_EPOCH_1904 = datetime(1904, 1, 1, tzinfo=UTC)
_TRUTH = {"1": "TRUE", "0": "FALSE"}


class SharedStrings:
    """The shared strings as displayed in cells. Each string is escaped only once."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = strings
        self._shown: list[str | None] = [None] * len(strings)

    def plain(self, index: int) -> str:
        return self._strings[index]

    def shown(self, index: int) -> str:
        text = self._shown[index]
        if text is None:
            text = self._shown[index] = escape_cell(self._strings[index])
        return text

    def __len__(self) -> int:
        return len(self._strings)


class Sheet:
    """Fills a table from a sheet. Plain rows are added as a whole, and other rows element by element.

    addresses: the link targets of the sheet, by relationship identifier.
    """

    def __init__(
        self, texts: SharedStrings, styles: Styles, budget: Budget, addresses: Mapping[str, str], *, from_1904: bool
    ) -> None:
        self.table = Table(budget)
        self._budget = budget
        self._texts = texts
        self._styles = styles
        self._addresses = addresses
        self._links: list[tuple[Area, str]] = []
        self._epoch = _EPOCH_1904 if from_1904 else _EPOCH_1900
        self._row = 0
        self._rows = 0
        self._column = -1
        self._columns: list[int] = []
        self._shown: list[str] = []
        self._unordered: dict[int, str] | None = None
        """The cells of a row in which cells are out of order or repeated. If a cell is repeated, the last one counts.
        """
        self._columns_of: dict[str, int] = {}
        self._looks: dict[str, CellStyle] = {}
        self._cell_tag = self._value_tag = self._row_tag = ""
        self._kind = self._style = ""
        self._into: list[str] | None = None
        self._value: list[str] = []
        self._formula = ""
        self._is_formula = self._is_cached = False
        self._aside = 0
        self.hidden_rows: list[int] = []
        """The numbers, from 1, of non-empty hidden rows."""
        self._is_hidden_row = False
        self.hidden_columns: list[range] = []
        """The indexes, from 0, of hidden columns."""
        self.unknown = 0
        """Number of formulas without a stored value."""

    def take_plain_row(self, number: int, cells: list[Cell]) -> bool:
        columns: list[int] = []
        texts: list[str] = []
        last = -1
        columns_of, looks = self._columns_of, self._looks
        for letters, style, kind, value, inline, odd in cells:
            if odd:
                return False
            if not letters:
                continue
            column = columns_of.get(letters)
            if column is None:
                column = columns_of[letters] = parse_column(letters)
            if column <= last:
                return False
            last = column
            if content := value or inline:
                if not kind:
                    look = looks.get(style) or self._look(style)
                    text = look.number(resolve_references(content))
                else:
                    text = self._format_text(kind, style, resolve_references(content))
                if text:
                    columns.append(column)
                    texts.append(text)
        self._count_row(number)
        self.table.add(number, columns, texts)
        return True

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == self._cell_tag:
            self._start_cell(attributes)
        elif tag == self._value_tag:
            self._into = self._value
            self._is_cached = True
        elif tag == self._row_tag:
            self._start_row(attributes.get("r", ""), is_hidden=attributes.get("hidden") in ("1", "true"))
        else:
            self._start_other(get_local_name(tag), tag, attributes)

    def _start_cell(self, attributes: Mapping[str, str]) -> None:
        letters = attributes.get("r", "").rstrip("0123456789")
        column = self._columns_of.get(letters) if letters else self._column + 1
        if column is None:
            column = self._columns_of[letters] = parse_column(letters)
        self._column = column
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._value = []
        self._formula = ""
        self._is_formula = self._is_cached = False

    def _start_other(self, name: str, tag: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "worksheet" | "macrosheet":
                namespace = tag.removesuffix(name)
                self._cell_tag, self._value_tag, self._row_tag = (f"{namespace}{name}" for name in ("c", "v", "row"))
            case "t" if not self._aside:
                self._into = self._value
                self._is_cached = True
            case "f":
                self._into = []
                self._is_formula = True
            case "rPh":
                self._aside += 1
            case "hyperlink":
                self._link(attributes)
            case "col" if attributes.get("hidden") in ("1", "true"):
                self._hide_columns(attributes.get("min", ""), attributes.get("max", ""))

    def _hide_columns(self, first: str, last: str) -> None:
        if first.isdecimal() and last.isdecimal() and max(len(first), len(last)) < 9:
            self.hidden_columns.append(range(int(first) - 1, int(last)))

    def _start_row(self, number: str, *, is_hidden: bool) -> None:
        self._is_hidden_row = is_hidden
        self._count_row(int(number) - 1 if number.isdecimal() and len(number) < 9 else self._row + 1)
        self._column = -1

    def _count_row(self, number: int) -> None:
        self._row = number
        self._rows += 1
        if self._rows > MAX_ROWS:
            raise make_limit_error(f"more than {MAX_ROWS:,} rows")

    def _link(self, attributes: Mapping[str, str]) -> None:
        area = parse_area(attributes.get("ref", ""))
        identifier = next((value for name, value in attributes.items() if get_local_name(name) == "id"), "")
        address = self._addresses.get(identifier)
        if area is None or address is None:
            return
        place = attributes.get("location")
        self._links.append((area, f"{address}#{place}" if place and "#" not in address else address))

    def data(self, text: str) -> None:
        if self._into is not None:
            self._into.append(text)

    def end(self, tag: str) -> None:
        if tag == self._value_tag:
            self._into = None
        elif tag == self._cell_tag:
            text = self._format_cell()
            if text:
                self._put(text)
        elif tag == self._row_tag:
            self._end_row()
        else:
            self._end_other(get_local_name(tag))

    def _end_other(self, name: str) -> None:
        match name:
            case "t":
                self._into = None
            case "f":
                self._formula = "".join(self._into or ())
                self._into = None
            case "rPh":
                self._aside -= 1

    def _put(self, text: str) -> None:
        columns = self._columns
        if self._unordered is None and columns and columns[-1] >= self._column:
            self._unordered = dict(zip(columns, self._shown, strict=True))
        if self._unordered is not None:
            self._unordered[self._column] = text
            return
        columns.append(self._column)
        self._shown.append(text)

    def _end_row(self) -> None:
        if self._unordered is not None:
            self._columns = sorted(self._unordered)
            self._shown = [self._unordered[column] for column in self._columns]
        self.table.add(self._row, self._columns, self._shown)
        if self._is_hidden_row and self._shown:
            self.hidden_rows.append(self._row + 1)
        self._columns, self._shown, self._unordered = [], [], None

    def _format_cell(self) -> str:
        """Return the displayed text of the cell that has just ended."""
        value = "".join(self._value)
        if not value:
            if not self._is_formula or (self._is_cached and self._kind == "str"):  # the value may be an empty text
                return ""
            self.unknown += 1
            return escape_cell(f"={self._formula}") if self._formula else ""
        text = self._format_text(self._kind, self._style, value)
        return link_text(text, find_address(self._formula)) if self._formula else text

    def _format_text(self, kind: str, style: str, value: str) -> str:
        """Return the displayed text of a cell. kind: the type as written in the file. value: a non-empty value."""
        look = self._looks.get(style) or self._look(style)
        match kind:
            case "n":
                return look.number(value)
            case "s":
                return self._format_shared_text(value, look)
            case "b":
                return _TRUTH.get(value, escape_cell(value))
            case "e":
                return escape_cell(value)
            case "str" | "inlineStr":
                self._budget.share(len(value) * (look.format.text_places - 1))
                return escape_cell(look.format.text(unescape(value)))
            case "d":
                return escape_cell(self._format_date(value, look.format))
            case _:
                return look.number(value)

    def _format_shared_text(self, value: str, look: CellStyle) -> str:
        """Return one of the strings that cells share.

        value: the string's index as written in the file.
        """
        index = int(value) if value.isdecimal() and len(value) < 9 else -1
        if not 0 <= index < len(self._texts):
            return ""
        if look.is_general:
            return self._texts.shown(index)
        text = self._texts.plain(index)
        self._budget.share(len(text) * look.format.text_places)
        return escape_cell(look.format.text(text))

    def _look(self, style: str) -> CellStyle:
        """Return a cell's style.

        style: the style index as written in the file, or "" if missing.
        """
        look = self._looks[style] = self._styles.look(style or "0")
        return look

    def _format_date(self, value: str, style: Format) -> str:
        """Format an ISO 8601 date with the format of the cell."""
        try:
            instant = datetime.fromisoformat(value)
        except ValueError:
            return value
        serial = (instant.replace(tzinfo=UTC) - self._epoch).total_seconds() / 86_400
        return value if style.is_general else style.number(serial)

    def finished(self) -> Table:
        """Return the table of all rows, with links."""
        link_areas(self.table, self._links)
        return self.table


def read_sheet(source: Iterable[bytes], sheet: Sheet) -> Table:
    walk(filter_plain_rows(source, sheet), sheet)
    return sheet.finished()
