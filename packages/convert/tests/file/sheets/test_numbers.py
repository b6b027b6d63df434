"""Conversion of Apple Numbers documents."""

import gzip
from datetime import datetime

import pytest

from convert_support import sheets as made
from convert_support.sheets import Wire, number_cell, numbers, text_cell
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.sheets.numbers import read
from webquarry_convert.file.sheets.numbers.dates import format_date
from webquarry_convert.file.sheets.numbers.durations import format_duration
from webquarry_convert.file.sheets.numbers.wire import Message


def style(kind: int, **fields: int | float | str) -> Wire:
    """Build a format. Fields are given by number: `_2=3` means three decimal places."""
    wire = Wire().put(1, kind)
    for name, value in fields.items():
        wire.put(int(name[1:]), value)
    return wire


def shown(value: str, *formats: Wire, custom: list[tuple[int, Wire]] | None = None) -> str:
    """Return a number as displayed with the first of the formats."""
    body = numbers([[number_cell(value, 1 if formats else None)]], formats=formats, custom=custom or [])
    found = [line for line in read(body).markdown.splitlines() if line.startswith("|")]
    return found[0].strip("| ") if found else ""


def test_texts_and_numbers_are_in_their_cells() -> None:
    body = numbers(
        [[text_cell(1), None, text_cell(2)], [number_cell("1.50"), number_cell("-3"), None]], strings=["a", "b"]
    )
    document = read(body)
    assert document.markdown == ("## Sheet 1\n\n### Table 1\n\n| a |  | b |\n| --- | --- | --- |\n| 1.5 | -3 |  |\n")
    assert document.language == "en"
    assert [(sheet.name, sheet.rows, sheet.columns) for sheet in document.sheets or ()] == [("Sheet 1", 2, 3)]


@pytest.mark.parametrize(
    ("value", "format_", "text"),
    [
        ("1234.5", style(256, _2=2, _5=1), "1,234.50"),
        ("1234.5", style(256, _2=253), "1234.5"),
        ("-5", style(256, _2=0, _4=2), "(5)"),
        ("2.5", style(256, _2=0), "3"),
        ("0.125", style(258, _2=1), "12.5%"),
        ("5", style(257, _2=2, _3="EUR"), "€5.00"),
        ("-5", style(257, _2=2, _3="XYZ", _6=1), "XYZ (5.00)"),
        ("1234", style(259, _2=2), "1.23E+03"),
        ("1234.56", style(259, _2=253), "1.23456E+03"),
        ("1.5", style(262, _11=4), "1 2/4"),
        ("0.333333", style(262, _11=0xFFFF_FFFF), "1/3"),
        ("255", style(269, _8=16), "FF"),
        ("-1", style(269, _8=2, _10=0), "1" * 32),
        ("-255", style(269, _8=16, _9=4, _10=1), "-00FF"),
        ("3", style(267), "★★★"),
        ("1", style(263), "☑"),
        ("1e6000", style(256, _2=2), "1E+6000"),
    ],
)
def test_numbers_are_shown_by_their_formats(value: str, format_: Wire, text: str) -> None:
    assert shown(value, format_) == text


@pytest.mark.parametrize(
    ("value", "pattern", "more", "text"),
    [
        ("1234.5", "'about '#,##0.00' m'", {"_5": 1, "_29": 1, "_30": 1}, "about 1,234.50 m"),
        ("-2", "#,##0.00", {"_29": 1, "_30": 1}, "-2.00"),
        ("5", "0000", {"_29": 4}, "0005"),
        ("0.25", "0%", {"_29": 1}, "25%"),
        ("5", "0.##", {"_29": 1}, "5"),
        ("5", "'it''s'", {}, "it's"),
        ("1200", "0.0k", {"_29": 1, "_30": 1, "_19": 0.001}, "1.2k"),
    ],
)
def test_custom_formats_are_found(value: str, pattern: str, more: dict[str, int | float], text: str) -> None:
    own = Wire().put(1, "mine").put(3, style(270, _18=pattern, **more))
    assert shown(value, style(270).put(41, Wire().put(1, 5).put(2, 7)), custom=[(4, own), (5, own)]) == text


def test_a_rule_may_replace_a_custom_format() -> None:
    own = Wire().put(3, style(270, _18="0")).put(4, Wire().put(1, 1).put(4, 0.0).put(3, style(270, _18="'less'")))
    assert shown("-2", style(270).put(41, Wire().put(1, 5).put(2, 7)), custom=[(5, own)]) == "less"


def test_dates_durations_and_booleans_are_formatted() -> None:
    row = [
        made.date_cell(0.0, 1),
        made.double_cell(7, 93_784.0, 0x10000, 2),
        made.double_cell(6, 1.0, 0x40000, 3),
        made.double_cell(6, 0.0, 0x40000, 4),
    ]
    formats = [style(261, _14="EEEE, d. MMMM yyyy"), style(268, _7=1, _15=2, _16=16), style(263), style(1)]
    assert "| Monday, 1. January 2001 | 1d 2h 3m 4s | ☑ | FALSE |" in read(numbers([row], formats=formats)).markdown


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd HH:mm:ss.SSS", "2022-02-05 00:22:11.500"),
        ("EEE d MMM yy, h:mm a", "Sat 5 Feb 22, 12:22 AM"),
        ("'day' D 'o''clock' k K", "day 36 o'clock 24 0"),
        ("QQQ MMMMM z", "Q1 F "),
    ],
)
def test_date_patterns_are_applied(pattern: str, text: str) -> None:
    assert format_date(datetime(2022, 2, 5, 0, 22, 11, 500_000), pattern) == text


@pytest.mark.parametrize(
    ("seconds", "format_", "text"),
    [
        (3723.0, style(268, _7=0, _15=4, _16=16), "1:02:03"),
        (3.25, style(268, _7=0, _15=16, _16=32), "03.250"),
        (604_801.0, style(268, _7=2, _15=1, _16=16), "1 week 0 days 0 hours 0 minutes 1 second"),
        (7200.0, style(268, _7=1, _40=1), "2h"),
        (0.0, style(268, _7=1, _40=1), "0d"),
        (-60.0, style(268, _7=1, _15=8, _16=8), "-1m"),
        (float("nan"), style(268), ""),
    ],
)
def test_durations_are_formatted(seconds: float, format_: Wire, text: str) -> None:
    assert format_duration(seconds, Message(format_.body)) == text


def test_document_may_contain_a_nested_archive() -> None:
    objects = made.numbers_objects([[text_cell(1)]], ["a"], [], [], "S", "T")
    inner = made.zipped({f"Index/{name}.iwa": made.packed(held) for name, held in objects.items()})
    assert "| a |" in read(made.zipped({"x.numbers/Index.zip": inner})).markdown


def test_document_with_a_password_is_rejected_as_encrypted() -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(made.zipped({".iwpv2": b"x", "Index/Document.iwa": b""}))
    assert refused.value.reason == "encrypted"


def test_frame_is_not_inflated_beyond_its_limit() -> None:
    frame = b"\xff\xff\xff\x7f" + b"x"  # the frame declares a size of 256 MB
    with pytest.raises(ConversionFailed) as refused:
        read(made.zipped({"Index/Document.iwa": b"\0" + len(frame).to_bytes(3, "little") + frame}))
    assert refused.value.reason == "limits"


def test_sheets_that_refer_to_themselves_do_not_hang() -> None:
    document = [(1, 1, Wire().refer(1, 10)), (10, 2, Wire().put(1, "S").refer(2, 11)), (11, 3008, Wire().refer(2, 11))]
    assert read(made.zipped({"Index/Document.iwa": made.packed(document)})).markdown == ""


def test_row_without_cells_is_ignored() -> None:
    assert "| a |" in read(numbers([[None], [text_cell(1)], []], strings=["a"])).markdown


def test_repeated_sheet_is_read_once() -> None:
    objects = made.numbers_objects([[text_cell(1)]], ["a"], [], [], "S", "T")
    objects["Document"][0][2].body += Wire().refer(1, 10).body * 1000
    body = made.zipped({f"Index/{name}.iwa": made.packed(held) for name, held in objects.items()})
    assert len(read(body).sheets or ()) == 1


def test_cells_of_an_unknown_version_are_rejected() -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(numbers([[b"\4" + bytes(11)]]))
    assert refused.value.reason == "corrupt"


LEGACY = """<ls:document xmlns:ls="http://developer.apple.com/namespaces/ls"
    xmlns:sf="http://developer.apple.com/namespaces/sf" xmlns:sfa="http://developer.apple.com/namespaces/sfa">
  <ls:workspace-array><ls:workspace ls:workspace-name="Old"><ls:page-info>
    <sf:tabular-model sf:name="T"><sf:grid sf:numcols="3" sf:numrows="3"><sf:datasource>
      <sf:t sf:col-span="2"><sf:ct sfa:s="wide"/></sf:t><sf:n sf:v="1.50"/>
      <sf:g/><sf:d sf:cell-date="86400"/><sf:f><sf:fo sf:fs="=1+1"/><sf:r><sf:rn sf:v="2"/></sf:r></sf:f>
      <sf:t><sf:ct><sf:so><sf:p>rich</sf:p></sf:so></sf:ct></sf:t>
    </sf:datasource></sf:grid></sf:tabular-model>
  </ls:page-info></ls:workspace></ls:workspace-array></ls:document>"""
OLD_MARKDOWN = """## Old

### T

| wide |  | 1.5 |
| --- | --- | --- |
|  | 2001-01-02 00:00:00 | 2 |
| rich |  |  |
"""


@pytest.mark.parametrize("parts", [{"index.xml": LEGACY}, {"index.xml.gz": gzip.compress(LEGACY.encode())}])
def test_xml_documents_before_2013_are_read(parts: dict[str, str | bytes]) -> None:
    assert read(made.zipped(parts)).markdown == OLD_MARKDOWN


@pytest.mark.parametrize("length", [0, 5, 100, 300])
def test_truncated_compressed_document_is_rejected_as_corrupt(length: int) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(made.zipped({"index.xml.gz": gzip.compress(LEGACY.encode())[:length]}))
    assert refused.value.reason == "corrupt"
