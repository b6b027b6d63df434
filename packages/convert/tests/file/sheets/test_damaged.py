"""Valid files in which bytes are changed, cut off or repeated.

The result is a document or a clear error, and never an unexpected error.
"""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.locked import obfuscated
from convert_support.sheets import (
    Wire,
    biff5,
    biff8,
    biff_link,
    biff_note,
    number_cell,
    numbers,
    numbers_objects,
    ods,
    packed,
    text_cell,
    xlsx,
    zipped,
)
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import Document
from webquarry_convert.file.sheets import numbers as numbers_reader
from webquarry_convert.file.sheets import ods as ods_reader
from webquarry_convert.file.sheets import xls as xls_reader
from webquarry_convert.file.sheets import xlsx as xlsx_reader

XLSX = xlsx('<row><c t="s"><v>0</v></c><c s="1"><v>2</v></c></row>', strings="<si><t>a</t></si>", codes=["0%"])
CELL = (
    "<table:table-cell><office:annotation><text:p>note</text:p></office:annotation>"
    "<text:p><text:a xlink:href='https://a.example'>a</text:a> b</text:p></table:table-cell>"
)
ODS = ods(f"<table:table><table:table-row>{CELL}</table:table-row></table:table>")
ASIDES = [biff_link((0, 1, 0, 1), "https://a.example", "b"), *biff_note(1, 0, "Ada", "a ", "note")]
XLS = biff8([["text", 1.5], [(0.25, 0), True]], codes=["0.0%"], more=ASIDES)
XLS_95 = biff5([[b"text", 1.5]], 1251, more=[(0x1C, b"\0\0\0\0\4\0note")])
NUMBERS = numbers([[text_cell(1), number_cell("1.5", 1)]], strings=["a"], formats=[Wire().put(1, 256).put(2, 2)])
MADE: list[tuple[str, bytes, Callable[[bytes], Document]]] = [
    ("xlsx", XLSX, xlsx_reader.read),
    ("ods", ODS, ods_reader.read),
    ("xls", XLS, xls_reader.read),
    ("xls 95", XLS_95, xls_reader.read),
    ("numbers", NUMBERS, numbers_reader.read),
]
BY_NAME = {name: (body, read) for name, body, read in MADE}


def survives(read: Callable[[bytes], Document], body: bytes) -> None:
    with suppress(ConversionFailed):
        assert isinstance(read(body).markdown, str)


@pytest.mark.parametrize("name", BY_NAME)
def test_truncated_files_give_a_document_or_a_clear_error(name: str) -> None:
    body, read = BY_NAME[name]
    for length in range(0, len(body), max(1, len(body) // 150)):
        survives(read, body[:length])


@given(st.sampled_from(sorted(BY_NAME)), st.lists(st.tuples(st.integers(0), st.integers(0, 255)), max_size=8))
def test_files_with_changed_bytes_give_a_document_or_a_clear_error(name: str, changes: list[tuple[int, int]]) -> None:
    body, read = BY_NAME[name]
    damaged = bytearray(body)
    for at, byte in changes:
        damaged[at % len(damaged)] = byte
    survives(read, bytes(damaged))


@given(st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1, max_size=4))
def test_encrypted_workbooks_with_changed_bytes_give_a_document_or_a_clear_error(
    changes: list[tuple[int, int]],
) -> None:
    damaged = bytearray(obfuscated(XLS))
    for at, byte in changes:
        damaged[40 + at % (len(damaged) - 40)] = byte
    survives(xls_reader.read, bytes(damaged))


@given(st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1, max_size=4), st.integers(0, 3))
def test_numbers_objects_with_changed_bytes_give_a_document_or_a_clear_error(
    changes: list[tuple[int, int]], part: int
) -> None:
    """The changes are made before compression, because otherwise the archive's checksum would detect them."""
    objects = numbers_objects(
        [[text_cell(1), number_cell("1.5", 1)]], ["a"], [Wire().put(1, 270).put(2, 9)], [], "S", "T"
    )
    name = list(objects)[part]
    for number, (at, byte) in enumerate(changes):
        identifier, kind, message = objects[name][number % len(objects[name])]
        body = bytearray(message.body or b"\0")
        body[at % len(body)] = byte
        changed = Wire()
        changed.body = bytes(body)
        objects[name][number % len(objects[name])] = identifier, kind, changed
    survives(numbers_reader.read, zipped({f"Index/{name}.iwa": packed(held) for name, held in objects.items()}))


@given(st.text("<>/abcrowv&;\"'= 0123456789A:tsn", max_size=60))
def test_sheets_with_any_markup_give_a_document_or_a_clear_error(markup: str) -> None:
    survives(xlsx_reader.read, xlsx(f'<row><c r="A1" t="s"><v>{markup}</v></c></row>'))
    survives(xlsx_reader.read, xlsx(f"<row>{markup}</row>"))
    survives(xlsx_reader.read, xlsx('<row><c t="s"><v>0</v></c></row>', strings=f"<si>{markup}</si>"))
