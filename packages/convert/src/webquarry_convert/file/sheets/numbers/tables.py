"""The tables of a Numbers document and their cells."""

import struct
from collections.abc import Iterable, Iterator
from itertools import pairwise

from webquarry_convert.file import properties
from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_COLUMNS
from webquarry_convert.file.sheets.numbers import cell as cells
from webquarry_convert.file.sheets.numbers.cell import LONGEST
from webquarry_convert.file.sheets.numbers.formats import MAX_STYLE, CellFormat, CustomFormats
from webquarry_convert.file.sheets.numbers.objects import Objects
from webquarry_convert.file.sheets.numbers.wire import Message
from webquarry_convert.file.sheets.table import Budget, Table, escape_cell

_DOCUMENT = 1
MAX_ROWS = 1_048_576
_USUAL_TILE = 256
_ABSENT = 0xFFFF
_ATTACHED = str.maketrans("", "", "\ufffc")  # the character represents a picture in a text


def read_sheets(objects: Objects) -> Iterator[tuple[str, bool, list[Message]]]:
    """Yield the name of each sheet, whether it is hidden, and its table models."""
    seen: set[int] = set()
    for identifier in _drop_repeats(objects.get(_DOCUMENT).references(1)):
        sheet = objects.get(identifier)
        yield (
            sheet.text(1),
            bool(sheet.number(25)),
            [objects.get(model) for model in _find_models(objects, sheet, seen)],
        )


def read_custom_formats(objects: Objects) -> CustomFormats:
    return CustomFormats(objects.get(_get_base_document(objects).reference(12)))


def read_language(objects: Objects) -> str | None:
    """Return the document's language as a BCP 47 tag."""
    return properties.normalise_language(_get_base_document(objects).text(3))


def _get_base_document(objects: Objects) -> Message:
    """Return the part of the document that all iWork programs share."""
    return objects.get(_DOCUMENT).message(8)


def _drop_repeats(identifiers: Iterable[int]) -> Iterable[int]:
    """Return the distinct identifiers.

    Only damaged documents have repeated ones, and each repetition would be read again.
    """
    return dict.fromkeys(identifiers)


def _find_models(objects: Objects, sheet: Message, seen: set[int]) -> Iterator[int]:
    """Yield the identifiers of the table models on a sheet, including those in groups.

    seen: the identifiers of models on other sheets.
    """
    waiting = list(reversed(sheet.references(2)))
    while waiting:
        identifier = waiting.pop()
        if identifier in seen:
            continue
        seen.add(identifier)
        match objects.kind(identifier):
            case 6000:  # a table
                model = objects.get(identifier).reference(2)
                if model not in seen:
                    seen.add(model)
                    yield model
            case 3008:  # a group
                waiting += reversed(objects.get(identifier).references(2))


class TableReader:
    """Reads the cells of one table model."""

    def __init__(self, objects: Objects, model: Message, custom: CustomFormats) -> None:
        store = model.message(4)
        self._objects = objects
        self._store = store
        self._width = model.number(7)
        self._strings = {entry.number(1): entry.text(3) for entry in self._read_entries(store.reference(4))}
        self._rich = {entry.number(1): entry.reference(9) for entry in self._read_entries(store.reference(17))}
        self._formats = {
            entry.number(1): CellFormat(entry.message(6), custom)
            for entry in self._read_entries(store.reference(22))
            if len(entry.raw(6)) <= MAX_STYLE
        }
        self._unformatted = CellFormat(Message(b""), custom)
        self._shown: dict[tuple[int, int | None, int | None], str] = {}
        """Displayed text by the cell's type, the text's key and the format's key."""

    def table(self, budget: Budget) -> Table:
        table = Table(budget)
        for row, stored in sorted(self._read_rows().items()):
            columns: list[int] = []
            texts: list[str] = []
            for column, body in _cut_cells(stored):
                text = self._format_cell(cells.decode_cell(body), budget)
                if text:
                    columns.append(column)
                    texts.append(text)
            table.add(row, columns, texts)
        return table

    def _read_entries(self, identifier: int) -> Iterator[Message]:
        """Yield the entries in a list of strings or formats. Long lists are split into segments."""
        if not identifier:
            return
        data = self._objects.get(identifier)
        yield from data.messages(3)
        for segment in _drop_repeats(data.references(4)):
            yield from self._objects.get(segment).messages(3)

    def _read_rows(self) -> dict[int, Message]:
        tiles = self._store.message(3)
        height = tiles.number(2) or _USUAL_TILE
        found: dict[int, Message] = {}
        first_rows = {entry.reference(2): entry.number(1) * height for entry in tiles.messages(1)}
        for tile, first in first_rows.items():
            for row in self._objects.get(tile).messages(5):
                number = first + row.number(1)
                if number >= MAX_ROWS:
                    raise make_limit_error(f"more than {MAX_ROWS:,} rows")
                if 6 not in row and 3 in row and row.raw(3):
                    raise make_corrupt_error("it was saved by a version of Numbers before 2018")
                found[number] = row
        return found

    def _format_cell(self, cell: cells.Cell, budget: Budget) -> str:
        """Return a cell's displayed text, escaped."""
        if cell.kind not in (cells.TEXT, cells.RICH_TEXT):
            return escape_cell(self._format_value(cell))
        key = cell.kind, cell.rich_text if cell.kind == cells.RICH_TEXT else cell.string, cell.format
        text = self._shown.get(key)
        if text is None:
            whole = self._format_value(cell)
            budget.share(len(whole))
            text = self._shown[key] = escape_cell(whole)
        return text

    def _format_value(self, cell: cells.Cell) -> str:
        match cell.kind:
            case cells.RICH_TEXT:
                return self._read_rich_text(cell.rich_text)
            case cells.TEXT:
                text = self._strings.get(cell.string or 0, "")
            case _:
                text = ""
        style = self._unformatted if cell.format is None else self._formats.get(cell.format, self._unformatted)
        return style.text(text) if cell.kind == cells.TEXT else style.value(cell)

    def _read_rich_text(self, key: int | None) -> str:
        payload = self._objects.get(self._rich.get(key or 0, 0))
        return "".join(self._objects.get(payload.reference(1)).texts(3)).translate(_ATTACHED)


def _cut_cells(row: Message) -> Iterator[tuple[int, bytes]]:
    """Yield the column and bytes of each cell in a row."""
    body, offsets = row.raw(6), row.raw(7)
    if len(offsets) // 2 > MAX_COLUMNS:
        raise make_limit_error(f"more than {MAX_COLUMNS:,} columns")
    unit = 4 if row.number(8) else 1
    places = struct.unpack(f"<{len(offsets) // 2}H", offsets[: len(offsets) // 2 * 2])
    starts = [(column, place * unit) for column, place in enumerate(places) if place != _ABSENT]
    for (column, start), (_, end) in pairwise([*starts, (0, len(body))]):
        yield column, body[start : min(end, start + LONGEST)]
