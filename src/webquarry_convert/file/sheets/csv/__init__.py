"""Delimited text (`.csv`, `.tsv`) in any encoding and with any of the usual delimiters."""

from webquarry_convert.file.document import Document, Sheet
from webquarry_convert.file.sheets.csv.delimiter import delimiter_of, said
from webquarry_convert.file.sheets.csv.encoding import text_of
from webquarry_convert.file.sheets.csv.fields import records
from webquarry_convert.file.sheets.table import Budget, Table, dense


def read(body: bytes, *, is_tsv: bool = False) -> Document:
    """is_tsv: whether its name says that tabs divide it, which counts where the text does not tell."""
    text = text_of(body).replace("\r\n", "\n").replace("\r", "\n")
    statement = said(text)
    if statement is not None:
        delimiter, text = statement[1], text[statement.end() :]
    else:
        usual = "\t" if is_tsv else ","
        delimiter = delimiter_of(text, usual) or usual
    table = Table(Budget())
    for number, fields in enumerate(records(text, delimiter)):
        table.add(number, *dense(fields))
    return Document(table.markdown(), sheets=(Sheet("", table.rows, table.columns),))
