"""Conversion of Excel workbooks up to 2003."""

import struct

import pytest

from convert_support.compound import filled
from convert_support.locked import crypto_api, obfuscated, standard, with_filepass
from convert_support.sheets import biff5, biff8, biff_link, biff_note
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.readers import convert
from webquarry_convert.file.sheets.xls import read
from webquarry_convert.file.sheets.xls.encryption import remove_encryption


def test_values_are_shown_by_their_formats() -> None:
    rows: list[list[object]] = [["Größe", "日本"], [1.5, True], [(0.25, 0), (45000, 1)], [None, "end"]]
    document = read(biff8(rows, codes=["0.0%", "yyyy-mm-dd"], name="Blatt"))
    assert document.markdown == (
        "## Blatt\n\n| Größe | 日本 |\n| --- | --- |\n| 1.5 | TRUE |\n| 25.0% | 2023-03-15 |\n|  | end |\n"
    )
    assert [(sheet.name, sheet.rows, sheet.columns) for sheet in document.sheets or ()] == [("Blatt", 4, 2)]


def test_stream_names_are_case_insensitive() -> None:
    body = filled({"WORKBOOK": biff8([["Name", 12.5]]).ljust(5000, b"\0")})
    assert convert(body)[1].markdown == "## Sheet1\n\n| Name | 12.5 |\n| --- | --- |\n"


def test_hidden_rows_and_columns_are_named() -> None:
    row = (0x208, struct.pack("<6HI", 1, 0, 2, 255, 0, 0, 0x120))  # the row has no height
    column = (0x7D, struct.pack("<6H", 1, 9, 2304, 15, 1, 0))
    document = read(biff8([["a", "b"], ["c", "d"], ["e", "f"]], more=[row, column]))
    assert document.warnings == (
        "Hidden rows of the sheet 'Sheet1' are included: 2.",
        "Hidden columns of the sheet 'Sheet1' are included: B.",
    )


def test_dates_may_be_counted_from_1904() -> None:
    assert "1904-01-02" in read(biff8([[(1, 0)]], codes=["yyyy-mm-dd"], mode=1)).markdown


def test_workbook_with_the_default_password_is_read() -> None:
    plain = biff8([["secret of nobody " * 100, 42.0]], codes=["0"])
    for method in (obfuscated, standard, crypto_api):
        locked = method(plain)
        assert b"n\0o\0b\0o\0d\0y" not in locked
        assert read(locked).markdown == read(plain).markdown


def test_different_password_is_rejected() -> None:
    locked = standard(biff8([["a"]]), password="other")
    assert remove_encryption(locked) is None
    with pytest.raises(ConversionFailed) as refused:
        read(locked)
    assert refused.value.reason == "encrypted"


@pytest.mark.parametrize("about", [b"", b"\0\0\1", b"\1\0\1\0\1\0" + b"x" * 20, b"\1\0\2\0\2\0" + b"\xff" * 80])
def test_unknown_encryption_is_rejected(about: bytes) -> None:
    assert remove_encryption(with_filepass(biff8([["a"]]), about)) is None


@pytest.mark.parametrize(
    "body", [b"", b"\x09\x08", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 2000, b"PK\3\4" * 99]
)
def test_non_workbook_is_rejected(body: bytes) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(body)
    assert refused.value.reason == "corrupt"


def test_links_are_written_in_their_cells() -> None:
    links = [
        biff_link((0, 1, 0, 0), "https://a.example/x", "part"),
        biff_link((1, 1, 1, 1), "mailto:ada@b.example"),
        biff_link((2, 2, 0, 0), "file:///etc/passwd"),
    ]
    assert read(biff8([["a", "b"], ["c", "d"], ["e"]], more=links)).markdown.splitlines()[2:] == [
        "| [a](https://a.example/x#part) | b |",
        "| --- | --- |",
        "| [c](https://a.example/x#part) | [d](mailto:ada@b.example) |",
        "| e |  |",
    ]


def test_link_formula_becomes_a_link() -> None:
    address = "https://a.example"
    tokens = struct.pack("<BBB", 0x17, len(address), 0) + address.encode() + b"\x17\1\0x" + b"\x42\2\x67\1"
    formula = struct.pack("<3HdHIH", 0, 0, 1, 5.0, 0, 0, len(tokens)) + tokens
    assert "[5](https://a.example)" in read(biff8([], more=[(0x06, formula)])).markdown


def test_link_on_all_cells_affects_only_non_empty_cells() -> None:
    links = [biff_link((0, 0xFFFF, 0, 255), f"https://a.example/{number}") for number in range(20)]
    assert "[a](https://a.example/0)" in read(biff8([["a"]], more=links)).markdown


def test_notes_follow_the_table() -> None:
    notes = [*biff_note(1, 1, "Bob", "no ", "way"), *biff_note(0, 0, "Ada", "Ada:\nsee *this*")]
    assert read(biff8([["a", "b"], ["c", "d"]], more=notes)).markdown.endswith(
        '| c | d |\n\nNotes:\n\n- A1 "a" (Ada): see *this\\*\n- B2 "d" (Bob): no way\n'
    )


@pytest.mark.parametrize(
    ("codepage", "encoding", "text"),
    [
        (1251, "cp1251", "Сумма"),
        (932, "cp932", "合計"),
        (10_000, "mac-roman", "façade"),
        (None, "cp1252", "façade"),
        (9_999, "cp1252", "façade"),
    ],
)
def test_excel_95_text_is_decoded_with_its_code_page(codepage: int | None, encoding: str, text: str) -> None:
    body = text.encode(encoding)
    notes = [
        (0x1C, struct.pack("<3H", 0, 1, len(body) + 3) + body),
        (0x1C, struct.pack("<3H", 0xFFFF, 0, 3) + b" 95"),
    ]
    assert read(biff5([[body, 1.5]], codepage, more=notes)).markdown == (
        f'## S\n\n| {text} | 1.5 |\n| --- | --- |\n\nNotes:\n\n- B1 "1.5": {text} 95\n'
    )


def test_text_boxes_follow_the_table() -> None:
    *box, _ = biff_note(5, 5, "", "Read this ", "first.")
    assert read(biff8([["a"]], more=box)).markdown.endswith("Drawn on the sheet:\n\n- Read this first.\n")


def test_text_is_used_for_only_one_note() -> None:
    *text, note = biff_note(0, 0, "", "long " * 1_000)
    body = biff8([["a"]], more=[*text, *[note] * 1_000])
    assert read(body).markdown.count("long") == 1_000


@pytest.mark.parametrize("kind", [0x1C, 0x5D, 0x1B6, 0x1B8, 0x800])
def test_damaged_note_or_link_does_not_affect_the_cells(kind: int) -> None:
    for length in range(60):
        assert "| a |" in read(biff8([["a"]], more=[(kind, b"\xff" * length)])).markdown
