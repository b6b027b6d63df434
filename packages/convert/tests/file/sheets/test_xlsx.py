"""Conversion of Excel workbooks since 2007."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from convert_support.sheets import xlsx, zipped
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.sheets.xlsx import read
from webquarry_convert.file.sheets.xlsx.plain import Cell, filter_plain_rows


def cells(body: bytes) -> list[list[str]]:
    """Return the cells of a workbook's first table."""
    lines = [line for line in read(body).markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for index, line in enumerate(lines) if index != 1]


def test_values_of_each_type_are_shown() -> None:
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


def test_dates_counted_from_1904_and_iso_dates_are_shown() -> None:
    row = '<row><c s="1"><v>0</v></c><c s="1" t="d"><v>2023-03-15</v></c><c t="d"><v>2023-03-15T10:00:00</v></c></row>'
    assert cells(xlsx(row, codes=["m/d/yyyy"], from_1904=True)) == [["1/1/1904", "3/15/2023", "2023-03-15T10:00:00"]]


def test_text_formats_are_applied() -> None:
    assert cells(xlsx('<row><c t="s" s="1"><v>0</v></c></row>', strings="<si><t>a</t></si>", codes=['"x: "@'])) == [
        ["x: a"]
    ]


def test_formula_is_shown_only_if_its_value_is_unknown() -> None:
    row = (
        '<row><c><f>1+1</f><v>2</v></c><c t="str"><f>T("")</f><v></v></c><c><f>SUM(A1:B1)</f></c>'
        '<c><f t="shared" si="0"/></c></row>'
    )
    assert cells(xlsx(row)) == [["2", "=SUM(A1:B1)"]]


@pytest.mark.parametrize("place", ['r="A1" ', ""])
@pytest.mark.parametrize("value", ["", "<v/>", "<v></v>"])
def test_formulas_without_a_value_are_counted(place: str, value: str) -> None:
    """place: a cell reference. If it is given, the row is read without a parser."""
    row = f'<row r="1"><c {place}t="n"><f>SUM(B1:C1)</f>{value}</c></row>'
    document = read(xlsx(row))
    assert "| =SUM(B1:C1) |" in document.markdown
    assert document.warnings == (
        "1 formula has no stored value. To include the values, open the workbook in a spreadsheet program and save it.",
    )
    row = f'<row r="1"><c {place}t="n"><f t="shared" si="0"/>{value}</c><c><f>A1</f>{value}</c></row>'
    assert "2 formulas have no stored value" in read(xlsx(row)).warnings[0]


@pytest.mark.parametrize("place", ['r="A1" ', ""])
def test_formula_with_an_empty_text_gives_an_empty_cell(place: str) -> None:
    document = read(xlsx(f'<row r="1"><c {place}t="str"><f>T("")</f><v></v></c><c r="B1"><v>7</v></c></row>'))
    assert (document.markdown, document.warnings) == ("## Sheet1\n\n| 7 |\n| --- |\n", ())


def test_long_numbers_keep_their_digits() -> None:
    assert cells(xlsx('<row r="1"><c r="A1"><v>4006381333931</v></c><c r="B1"><v>412000000000</v></c></row>')) == [
        ["4006381333931", "412000000000"]
    ]


def test_missing_and_unordered_references_are_accepted() -> None:
    row = '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c r="A5"><v>4</v></c></row>'
    assert cells(xlsx(row)) == [["1", "2", ""], ["4", "", "3"]]


def test_last_value_of_a_repeated_cell_counts() -> None:
    row = '<row><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c><c r="B1"><v>3</v></c></row><row><c><v>4</v></c></row>'
    assert cells(xlsx(row)) == [["2", "3"], ["4", ""]]


def test_escaped_control_characters_are_decoded() -> None:
    row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    strings = "<si><t>a_x000D_b_x0041_</t></si><si><t>_x005F_x0041_</t></si>"
    assert cells(xlsx(row, strings=strings)) == [["a<br>bA", r"_x0041\_"]]


def test_hidden_rows_are_read_and_named() -> None:
    plain = '<row r="{0}"><c r="A{0}"><v>{0}</v></c></row>'
    hidden = '<row r="{0}" hidden="1"><c r="A{0}"><v>{0}</v></c></row>'
    body = plain.format(1) + hidden.format(2) + plain.format(3) + '<row r="4" hidden="true"/>'
    document = read(xlsx(body, names=["A"]))
    assert [line for line in document.markdown.splitlines() if line[2:3].isdigit()] == ["| 1 |", "| 2 |", "| 3 |"]
    assert document.warnings == ("Hidden rows of the sheet 'A' are included: 2.",)


def test_non_empty_hidden_columns_are_named() -> None:
    row = '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>2</v></c><c r="AA1"><v>3</v></c></row>'
    columns = '<cols><col min="2" max="3" hidden="1"/><col min="27" max="16384" hidden="true"/></cols>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    part = f'<worksheet xmlns="{main}">{columns}<sheetData>{row}</sheetData></worksheet>'
    document = read(xlsx(row, names=["A"], more={"xl/worksheets/sheet1.xml": part}))
    assert document.warnings == ("Hidden columns of the sheet 'A' are included: C, AA.",)


def test_hidden_sheets_are_read_and_marked() -> None:
    row = "<row><c><v>1</v></c></row>"
    read_one = read(xlsx(row, row, row, names=["A", "B", "C"], states=["visible", "hidden", "veryHidden"]))
    assert [line for line in read_one.markdown.splitlines() if line.startswith("#")] == [
        "## A",
        "## B (hidden)",
        "## C (hidden)",
    ]


def test_missing_sheet_is_named_and_others_are_read() -> None:
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
    assert document.warnings == ("The sheet 'B' is listed but missing from the file.",)


def test_the_strict_variant_is_read() -> None:
    assert cells(xlsx('<row><c t="s"><v>0</v></c></row>', strings="<si><t>a</t></si>", is_strict=True)) == [["a"]]


def test_merged_cells_occur_once() -> None:
    row = '<row r="1"><c r="A1"><v>5</v></c><c r="B1"/></row><row r="2"><c r="A2"/><c r="B2"><v>6</v></c></row>'
    merged = row + "</sheetData><mergeCells count='1'><mergeCell ref='A1:XFD1048576'/></mergeCells><sheetData>"
    assert cells(xlsx(merged)) == [["5", ""], ["", "6"]]


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def beside(links: str = "", *targets: tuple[str, str], parts: dict[str, str] | None = None) -> bytes:
    """Build a workbook with the cells A1 to B2 and links on them.

    targets: the types and targets of the relationships r1, r2 etc.
    """
    rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="inlineStr"><is><t>[b]|</t></is></c></row>'
    rows += '<row r="2"><c r="A2"><v>3</v></c><c r="B2" t="inlineStr"><is><t>d</t></is></c></row>'
    related = "".join(
        f'<Relationship Id="r{number}" Type="x/{kind}" Target="{target}" '
        f'TargetMode="{"External" if kind == "hyperlink" else "Internal"}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    rels = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>'
    )
    return xlsx(
        f'{rows}</sheetData><hyperlinks xmlns:r="{OFFICE}">{links}</hyperlinks><sheetData>',
        more={"xl/worksheets/_rels/sheet1.xml.rels": rels, **(parts or {})},
    )


def table(body: bytes) -> list[str]:
    return [line for line in read(body).markdown.splitlines() if line.startswith("|")]


def test_links_are_written_in_their_cells() -> None:
    links = '<hyperlink ref="A1:A2" r:id="r1" location="part"/>'
    links += '<hyperlink ref="B1" r:id="r2"/><hyperlink ref="B2" r:id="r3"/>'
    targets = [("hyperlink", address) for address in ("https://a.example/x", "mailto:a@b.example", "file.txt")]
    assert table(beside(links, *targets)) == [
        r"| [1](https://a.example/x#part) | [\[b\]\|](mailto:a@b.example) |",
        "| --- | --- |",
        "| [3](https://a.example/x#part) | d |",
    ]


@pytest.mark.parametrize(
    "link",
    [
        '<hyperlink ref="A1" location="Sheet2!A1"/>',
        '<hyperlink ref="A1" r:id="none"/>',
        '<hyperlink ref="nowhere" r:id="r1"/>',
        '<hyperlink ref="C7" r:id="r1"/>',
        '<hyperlink ref="A1" r:id="r2"/>',
    ],
)
def test_link_without_a_target_becomes_text(link: str) -> None:
    targets = ("hyperlink", "https://a.example"), ("hyperlink", "javascript:alert(1)")
    assert table(beside(link, *targets)) == table(beside())


def test_url_equal_to_the_text_is_not_repeated() -> None:
    row = '<row r="1"><c r="A1" t="str"><f>HYPERLINK("https://a.example/x_")</f><v>https://a.example/x_</v></c></row>'
    assert cells(xlsx(row)) == [[r"https://a.example/x\_"]]


def test_link_formulas_become_links() -> None:
    row = (
        '<row r="1"><c r="A1" t="str"><f>HYPERLINK("https://a.example/?q=""x""","text")</f><v>text</v></c>'
        '<c r="B1" t="str"><f> hyperlink("#A1","text")</f><v>text</v></c>'
        '<c r="C1" t="str"><f>HYPERLINK(A1)</f><v>t</v></c></row>'
    )
    assert cells(xlsx(row)) == [['[text](https://a.example/?q="x")', "text", "t"]]


def test_link_on_a_whole_column_affects_only_non_empty_cells() -> None:
    links = '<hyperlink ref="A1:XFD1048576" r:id="r1"/>' * 50
    assert table(beside(links, ("hyperlink", "https://a.example")))[0].startswith("| [1](https://a.example) |")


def test_overlong_url_is_not_a_link() -> None:
    links = '<hyperlink ref="A1" r:id="r1" location="x"/>' * 2_000
    assert table(beside(links, ("hyperlink", "https://a.example/" + "x" * 1_000_000))) == table(beside())


def test_overlong_name_is_truncated() -> None:
    noted = '<comment ref="A1" authorId="0"><text><t>x</t></text></comment>' * 2_000
    made = f"<comments><authors><author>{'long ' * 200_000}</author></authors>{noted}</comments>"
    assert len(read(beside("", ("comments", "../c.xml"), parts={"xl/c.xml": made})).markdown) < 2_000 * 300


COMMENTS = (
    "<comments><authors><author>Ada</author><author>tc={1}</author></authors><commentList>"
    '<comment ref="B2" authorId="0"><text><r><t>Ada:</t></r><r><t>\n_see_ it</t></r>'
    "<rPh><t>reading</t></rPh></text></comment>"
    '<comment ref="A1" authorId="1"><text><t>[Threaded comment] Your version of Excel …</t></text></comment>'
    '<comment ref="C9" authorId="7"><text><t>lonely</t></text></comment>'
    '<comment ref="A2" authorId="0"><text><t>Ada:</t></text></comment></commentList></comments>'
)
THREADS = (
    '<ThreadedComments><threadedComment ref="A1" personId="{p}"><text>why 1?</text></threadedComment>'
    '<threadedComment ref="A1" personId="{q}" parentId="x"><text>why not</text></threadedComment></ThreadedComments>'
)


def test_notes_follow_the_table() -> None:
    parts = {"xl/comments1.xml": COMMENTS, "xl/threads.xml": THREADS}
    targets = ("comments", "../comments1.xml"), ("threadedComment", "/xl/threads.xml")
    assert read(beside("", *targets, parts=parts)).markdown.endswith(
        '| 3 | d |\n\nNotes:\n\n- A1 "1": why 1?\n- A1 "1": why not\n- B2 "d" (Ada): _see\\_ it\n- C9: lonely\n'
    )


def test_threaded_comments_have_author_names() -> None:
    book = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="p" Type="x/person" Target="persons/person.xml"/></Relationships>'
    )
    people = '<personList><person displayName="Bob" id="{p}"/></personList>'
    parts = {"xl/threads.xml": THREADS, "xl/_rels/workbook.xml.rels": book, "xl/persons/person.xml": people}
    assert (
        '- A1 "1" (Bob): why 1?\n- A1 "1": why not\n'
        in read(beside("", ("threadedComment", "../threads.xml"), parts=parts)).markdown
    )


def test_damaged_notes_do_not_affect_the_cells() -> None:
    document = read(beside("", ("comments", "../comments1.xml"), parts={"xl/comments1.xml": COMMENTS[:-9]}))
    assert document.markdown == read(beside()).markdown
    assert document.warnings == ("Links, notes or drawings of the sheet 'Sheet1' are damaged and omitted.",)


PIECES = [
    "<v>1.5</v>",
    "<v>7</v>",
    "<v></v>",
    "<v/>",
    "<v>&lt;a&#38;&amp;b</v>",
    "<f>A1&lt;2</f><v>2</v>",
    "<f>A1</f>",
    '<f t="shared" si="0"/><v>3</v>',
    "<is><t xml:space='preserve'> x </t></is>",
    '<is><t xml:space="preserve"> x </t></is>',
    "<is><r><t>ri</t></r><r><t>ch</t></r></is>",
    "",
]


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["A", "B", "C", "AA"]),
                st.sampled_from(["", ' s="1"', ' s="99"']),
                st.sampled_from(["", ' t="s"', ' t="str"', ' t="b"', ' t="e"', ' t="inlineStr"', ' t="d"', ' cm="1"']),
                st.sampled_from(PIECES),
            ),
            max_size=5,
        ),
        max_size=4,
    )
)
def test_rows_are_the_same_with_and_without_the_parser(rows: list[list[tuple[str, str, str, str]]]) -> None:
    made = "".join(
        f'<row r="{number}" spans="1:3">'
        + "".join(f'<c r="{column}{number}"{style}{kind}>{inside}</c>' for column, style, kind, inside in row)
        + "</row>"
        for number, row in enumerate(rows, 1)
    )
    strings = "<si><t>a&amp;</t></si><si/><si><r><t>b</t></r><rPh><t>no</t></rPh><r><t>c</t></r></si>" * 3
    parsed = "<?a comment or an instruction is for the parser?>"
    assert (
        read(xlsx(made, strings=strings, codes=["0.00"])).markdown
        == read(xlsx(parsed + made, strings=parsed + strings, codes=["0.00"])).markdown
    )


def test_only_plain_rows_are_read_without_the_parser() -> None:
    class Taken:
        def __init__(self) -> None:
            self.rows: list[tuple[int, list[str]]] = []

        def take_plain_row(self, number: int, cells: list[Cell]) -> bool:
            if any(odd for *_, odd in cells):
                return False
            self.rows.append((number, [value or inline for _, _, _, value, inline, _ in cells]))
            return True

    plain = '<row r="{0}" spans="1:2"><c r="A{0}" s="1" t="s"><v>{0}</v></c><c r="B{0}"/></row>'
    odd = '<row r="2"><c r="A2"><v>2</v><extLst/></c></row>'
    rest = f'<row r="3" ht="9"/> <row r="4"/>{plain.format(5)}'
    body = f"<worksheet><sheetData>{plain.format(1)}{odd}\n{rest}</sheetData></worksheet>".encode()
    for size in (1, 50, 1_000):
        taken = Taken()
        left = b"".join(filter_plain_rows((body[at : at + size] for at in range(0, len(body), size)), taken))
        assert taken.rows == [(0, ["1", ""]), (4, ["5", ""])]
        assert left == f"<worksheet><sheetData>{odd}</sheetData></worksheet>".encode()


@pytest.mark.parametrize(
    "piece", ["<row r='1'/>", '<row r="1"/>', '<row r="1" ', "<c ", '<c r="A1">', '<c r="A1"><f ', "<f>", "<is>"]
)
def test_rows_take_linear_time(piece: str) -> None:
    def prepared(count: int) -> Callable[[], object]:
        body = xlsx(f'<row r="1"><c r="A1"><v>1</v></c></row>{piece * count}</row>')

        def work() -> None:
            with suppress(ConversionFailed):
                read(body)

        return work

    assert_linear(prepared, 40_000)


def test_rows_in_an_xml_comment_are_ignored() -> None:
    row = '<row r="1"><c r="A1"><v>1</v></c></row>'
    assert read(xlsx(f"<!-- {row} -->")).markdown == ""
    assert read(xlsx(f"{row}<!-- {row} -->")).markdown == read(xlsx(row)).markdown
    assert read(xlsx(f"<row><c t='str'><v><![CDATA[{row}]]></v></c></row>")).markdown.count("\\<row") == 1


def test_rows_are_read_in_the_encoding_of_the_part() -> None:
    sheet = (
        '<?xml version="1.0" encoding="{}"?><worksheet><sheetData><row r="1">'
        '<c r="A1" t="inlineStr"><is><t>é</t></is></c></row></sheetData></worksheet>'
    )
    for encoding in ("utf-8", "UTF-8", "iso-8859-1", "utf-16"):
        part = sheet.format(encoding).encode(encoding)
        assert cells(xlsx("", more={"xl/worksheets/sheet1.xml": part})) == [["é"]]


def test_part_that_arrives_in_chunks_is_read_completely() -> None:
    row = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}" t="inlineStr"><is><t>ä&lt;</t></is></c></row>'
    body = xlsx("".join(row.format(number) for number in range(1, 20_000)))
    assert len(read(body).markdown.splitlines()) == 20_002
    assert read(body).markdown.endswith("| 19999 | ä< |\n")


def test_title_and_author_come_from_the_file() -> None:
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
    assert read_one.markdown  # the workbook is found at its usual path


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
def test_invalid_or_oversized_sheet_is_rejected(sheet: str, reason: str) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(xlsx(sheet))
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "part", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"]
)
def test_entities_are_rejected_in_every_part(part: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><x>&a;&b;</x>'
    body = xlsx("<row><c><v>1</v></c></row>", more={part: bomb})
    with pytest.raises(ConversionFailed) as refused:
        read(body)
    assert refused.value.reason == "corrupt"


def test_archive_without_a_workbook_is_rejected() -> None:
    with pytest.raises(ConversionFailed):
        read(zipped({"word/document.xml": "<x/>"}))


def drawn_shape(*paragraphs: str) -> str:
    text = "".join(f"<a:p><a:r><a:t>{one}</a:t></a:r></a:p>" for one in paragraphs)
    return f"<d:sp><d:txBody>{text}</d:txBody></d:sp>"


DRAWING = (
    '<d:wsDr xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="urn:a" '
    'xmlns:c="urn:c" xmlns:r="urn:r" xmlns:m="urn:m">'
    f"<d:twoCellAnchor>{drawn_shape('Read this', 'first.')}</d:twoCellAnchor>"
    f"<m:AlternateContent><m:Choice>{drawn_shape('new')}</m:Choice><m:Fallback>{drawn_shape('old')}</m:Fallback>"
    '</m:AlternateContent><d:graphicFrame><c:chart r:id="r1"/></d:graphicFrame></d:wsDr>'
)
CHART = (
    '<c:chartSpace xmlns:c="urn:c" xmlns:a="urn:a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Visits</a:t></a:r>'
    "</a:p></c:rich></c:tx></c:title></c:chart></c:chartSpace>"
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
CHART_OF_DRAWING = (
    f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{OFFICE}/chart" Target="../c.xml"/></Relationships>'
)


def test_text_boxes_and_chart_titles_follow_the_table() -> None:
    parts = {"xl/d/d.xml": DRAWING, "xl/d/_rels/d.xml.rels": CHART_OF_DRAWING, "xl/c.xml": CHART}
    made = read(beside("<row><c><v>1</v></c></row>", ("drawing", "../d/d.xml"), parts=parts))
    assert made.markdown.endswith("Drawn on the sheet:\n\n- Read this first.\n- new\n- Chart: Visits\n")
    damaged = read(beside("", ("drawing", "../d/d.xml"), parts={**parts, "xl/d/d.xml": DRAWING[:-9]}))
    assert damaged.warnings == ("Links, notes or drawings of the sheet 'Sheet1' are damaged and omitted.",)
