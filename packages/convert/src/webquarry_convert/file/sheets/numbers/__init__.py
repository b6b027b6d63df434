"""Conversion of Apple Numbers documents (`.numbers`): protocol buffer messages in compressed parts.

objects.py     parts → objects by identifier
wire.py        the wire format of messages, in which fields only have numbers
tables.py      document → sheets → table models → rows → bytes of cells
cell.py        bytes of a cell → its value and the keys of its format
formats.py     formatting of values; dates.py and durations.py: of dates and durations
"""

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document, make_corrupt_error
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.numbers import legacy
from webquarry_convert.file.sheets.numbers.objects import Objects
from webquarry_convert.file.sheets.numbers.tables import TableReader, read_custom_formats, read_language, read_sheets
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.workbook import Tab, build_document


def read(body: bytes) -> Document:
    archive = Archive(body)
    if legacy.is_legacy(archive):
        return build_document(legacy.read_tabs(archive))
    objects = Objects(archive)
    custom = read_custom_formats(objects)
    budget = Budget()
    tabs: list[Tab] = []
    for name, is_hidden, models in read_sheets(objects):
        tables = [(model.text(8), TableReader(objects, model, custom).table(budget)) for model in models]
        tabs.append(Tab(name, tables, is_hidden))
    if not tabs:
        raise make_corrupt_error("it has no sheets")
    return build_document(tabs, Properties(language=read_language(objects)))
