"""Excel workbooks until 2003."""

import pytest

from support.locked import crypto_api, obfuscated, standard, with_filepass
from support.sheets import biff8
from webquarry.convert.file.sheets.xls import read
from webquarry.convert.file.sheets.xls.unlock import unlocked
from webquarry.errors import ConversionFailed


def test_values_are_shown_by_their_formats() -> None:
    rows: list[list[object]] = [["Größe", "日本"], [1.5, True], [(0.25, 0), (45000, 1)], [None, "end"]]
    document = read(biff8(rows, codes=["0.0%", "yyyy-mm-dd"], name="Blatt"))
    assert document.markdown == (
        "## Blatt\n\n| Größe | 日本 |\n| --- | --- |\n| 1.5 | TRUE |\n| 25.0% | 2023-03-15 |\n|  | end |\n"
    )
    assert [(sheet.name, sheet.rows, sheet.columns) for sheet in document.sheets or ()] == [("Blatt", 4, 2)]


def test_dates_may_be_counted_from_1904() -> None:
    assert "1904-01-02" in read(biff8([[(1, 0)]], codes=["yyyy-mm-dd"], mode=1)).markdown


def test_a_workbook_with_the_password_that_everybody_knows_is_read() -> None:
    plain = biff8([["secret of nobody " * 100, 42.0]], codes=["0"])
    for method in (obfuscated, standard, crypto_api):
        locked = method(plain)
        assert b"n\0o\0b\0o\0d\0y" not in locked
        assert read(locked).markdown == read(plain).markdown


def test_another_password_is_refused() -> None:
    locked = standard(biff8([["a"]]), password="other")
    assert unlocked(locked) is None
    with pytest.raises(ConversionFailed) as refused:
        read(locked)
    assert refused.value.reason == "encrypted"


@pytest.mark.parametrize("about", [b"", b"\0\0\1", b"\1\0\1\0\1\0" + b"x" * 20, b"\1\0\2\0\2\0" + b"\xff" * 80])
def test_a_strange_encryption_is_refused(about: bytes) -> None:
    assert unlocked(with_filepass(biff8([["a"]]), about)) is None


@pytest.mark.parametrize(
    "body", [b"", b"\x09\x08", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 2000, b"PK\3\4" * 99]
)
def test_what_is_no_workbook_is_refused(body: bytes) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(body)
    assert refused.value.reason == "corrupt"
