"""Delimited text (`.csv`, `.tsv`) in any encoding and with any of the usual delimiters."""

from webquarry.convert.file.detect import READ
from webquarry.convert.file.document import Document, Sheet
from webquarry.convert.file.sheets.csv.delimiter import delimiter_of, said
from webquarry.convert.file.sheets.csv.encoding import text_of
from webquarry.convert.file.sheets.csv.fields import records
from webquarry.convert.file.sheets.csv.prose import is_prose
from webquarry.convert.file.sheets.table import Budget, Table, dense
from webquarry.errors import UnsupportedType


def read(body: bytes, *, is_tsv: bool = False) -> Document:
    """is_tsv: whether its name says that tabs divide it, which counts where the text does not tell.

    Raises `UnsupportedType` for a text that is no table: as one it would be torn apart at its commas.
    """
    text = text_of(body).replace("\r\n", "\n").replace("\r", "\n")
    statement = said(text)
    if statement is not None:
        delimiter, text = statement[1], text[statement.end() :]
    else:
        usual = "\t" if is_tsv else ","
        found = delimiter_of(text, usual)
        if is_prose(text, found):
            raise UnsupportedType(f"The file is plain text without a table, which is not read: {READ}.")
        delimiter = found or usual
    table = Table(Budget())
    for number, fields in enumerate(records(text, delimiter)):
        table.add(number, *dense(fields))
    return Document(table.markdown(), sheets=(Sheet("", table.rows, table.columns),))
