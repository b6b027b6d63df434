"""Excel workbooks since 2007."""

import pytest

from support.sheets import xlsx, zipped
from webquarry.convert.file.sheets.xlsx import read
from webquarry.errors import ConversionFailed


def cells(body: bytes) -> list[list[str]]:
    """The cells of the first table."""
    lines = [line for line in read(body).markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for index, line in enumerate(lines) if index != 1]


def test_values_of_each_type() -> None:
    row = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1.50</v></c><c r="C1" t="b"><v>1</v></c>'
        '<c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="str"><f>A1</f><v>made</v></c>'
        '<c r="F1" t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c></row>'
    )
    strings = "<si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb='0' eb='1'><t>reading</t></rPh></si>"
    assert cells(xlsx(row, strings=strings)) == [["rich", "1.5", "TRUE", "#DIV/0!", "made", "inline"]]


def test_numbers_are_shown_by_their_formats() -> None:
    row = (
        '<row r="1"><c r="A1" s="1"><v>0.25</v></c><c r="B1" s="2"><v>45000</v></c><c r="C1" s="99"><v>1</v></c></row>'
    )
    assert cells(xlsx(row, codes=["0.0%", "yyyy-mm-dd"])) == [["25.0%", "2023-03-15", "1"]]


def test_dates_may_be_counted_from_1904_or_written_out() -> None:
    row = '<row><c s="1"><v>0</v></c><c s="1" t="d"><v>2023-03-15</v></c><c t="d"><v>2023-03-15T10:00:00</v></c></row>'
    assert cells(xlsx(row, codes=["m/d/yyyy"], from_1904=True)) == [["1/1/1904", "3/15/2023", "2023-03-15T10:00:00"]]


def test_texts_pass_through_their_format() -> None:
    assert cells(xlsx('<row><c t="s" s="1"><v>0</v></c></row>', strings="<si><t>a</t></si>", codes=['"x: "@'])) == [
        ["x: a"]
    ]


def test_a_formula_is_shown_only_when_its_value_is_unknown() -> None:
    row = (
        '<row><c><f>1+1</f><v>2</v></c><c t="str"><f>T("")</f><v></v></c><c><f>SUM(A1:B1)</f></c>'
        '<c><f t="shared" si="0"/></c></row>'
    )
    assert cells(xlsx(row)) == [["2", "=SUM(A1:B1)"]]


def test_references_may_be_missing_or_in_no_order() -> None:
    row = '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c r="A5"><v>4</v></c></row>'
    assert cells(xlsx(row)) == [["1", "2", ""], ["4", "", "3"]]


def test_of_a_cell_that_is_there_twice_the_last_one_counts() -> None:
    row = '<row><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c><c r="B1"><v>3</v></c></row><row><c><v>4</v></c></row>'
    assert cells(xlsx(row)) == [["2", "3"], ["4", ""]]


def test_control_characters_are_written_as_escapes() -> None:
    row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    strings = "<si><t>a_x000D_b_x0041_</t></si><si><t>_x005F_x0041_</t></si>"
    assert cells(xlsx(row, strings=strings)) == [["a bA", r"_x0041\_"]]


def test_hidden_sheets_are_read_and_marked() -> None:
    row = "<row><c><v>1</v></c></row>"
    read_one = read(xlsx(row, row, row, names=["A", "B", "C"], states=["visible", "hidden", "veryHidden"]))
    assert [line for line in read_one.markdown.splitlines() if line.startswith("#")] == [
        "## A",
        "## B (hidden)",
        "## C (hidden)",
    ]


def test_a_missing_sheet_is_told_and_the_others_are_read() -> None:
    row = "<row><c><v>1</v></c></row>"
    listed = (
        '<workbook xmlns="x" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        '<sheet name="A" r:id="r1"/><sheet name="B" r:id="gone"/></sheets></workbook>'
    )
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="gone" Type="x/worksheet" Target="worksheets/sheet9.xml"/></Relationships>'
    )
    document = read(xlsx(row, more={"xl/workbook.xml": listed, "xl/_rels/workbook.xml.rels": rels}))
    assert document.markdown == "## A\n\n| 1 |\n| --- |\n"
    assert document.warnings == ("The sheet 'B' is listed but not in the file.",)


def test_the_strict_variant_is_read() -> None:
    assert cells(xlsx('<row><c t="s"><v>0</v></c></row>', strings="<si><t>a</t></si>", is_strict=True)) == [["a"]]


def test_merged_cells_are_there_once() -> None:
    row = '<row r="1"><c r="A1"><v>5</v></c><c r="B1"/></row><row r="2"><c r="A2"/><c r="B2"><v>6</v></c></row>'
    merged = row + "</sheetData><mergeCells count='1'><mergeCell ref='A1:XFD1048576'/></mergeCells><sheetData>"
    assert cells(xlsx(merged)) == [["5", ""], ["", "6"]]


def test_title_and_author_are_the_files_own() -> None:
    core = (
        "<cp:coreProperties xmlns:cp='http://schemas.openxmlformats.org/package/2006/metadata/core-properties' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>T</dc:title><dc:creator>A</dc:creator></cp:coreProperties>"
    )
    rels = (
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='c' "
        "Type='http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties' "
        "Target='docProps/core.xml'/></Relationships>"
    )
    read_one = read(xlsx("<row><c><v>1</v></c></row>", more={"docProps/core.xml": core, "_rels/.rels": rels}))
    assert (read_one.title, read_one.author) == ("T", "A")
    assert read_one.markdown  # the workbook is found where it usually is


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        ('<row><c r="XFE1"><v>1</v></c></row>', "limits"),
        ('<row><c r="ZZZZZZZ1"><v>1</v></c></row>', "limits"),
        ('<row><c r="a1"><v>1</v></c></row>', "corrupt"),
        ("<row><c><v>1</v></row>", "corrupt"),
        ("<row/>" * 1_048_577, "limits"),
    ],
)
def test_what_no_sheet_has_is_refused(sheet: str, reason: str) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(xlsx(sheet))
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"]
)
def test_entities_are_refused_wherever_they_are(part: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><x>&a;&b;</x>'
    body = xlsx("<row><c><v>1</v></c></row>", more={part: bomb})
    with pytest.raises(ConversionFailed) as refused:
        read(body)
    assert refused.value.reason == "corrupt"


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    with pytest.raises(ConversionFailed):
        read(zipped({"word/document.xml": "<x/>"}))
