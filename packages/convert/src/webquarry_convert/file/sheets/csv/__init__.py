"""Conversion of delimited text (`.csv`, `.tsv`) with any encoding and any common delimiter."""

from typing import Final

from webquarry_convert.file.document import Document, Sheet
from webquarry_convert.file.sheets.csv.delimiter import find_delimiter, find_statement
from webquarry_convert.file.sheets.csv.encoding import decode_text
from webquarry_convert.file.sheets.csv.fields import read_filled_records
from webquarry_convert.file.sheets.regions import write_table
from webquarry_convert.file.sheets.table import Budget, Table, build_row

_TABS: Final = (".tsv", ".tab")
"""Extensions of tab-delimited text files."""


def read(body: bytes, name: str = "") -> Document:
    """Convert delimited text.

    name: the file's name, whose extension decides between tabs and commas if the text does not show its delimiter.
    """
    text = decode_text(body).replace("\r\n", "\n").replace("\r", "\n")
    statement = find_statement(text)
    if statement is not None:
        delimiter, text = statement[1], text[statement.end() :]
    else:
        usual = "\t" if name.lower().endswith(_TABS) else ","
        delimiter = find_delimiter(text, usual) or usual
    table = Table(Budget())
    for number, fields in read_filled_records(text, delimiter):
        table.add(number, *build_row(fields))
    return Document(write_table(table, is_plain=True), sheets=(Sheet("", table.rows, table.columns),))
