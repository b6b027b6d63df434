import pytest

from convert_support.sheets import ods
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.sheets.ods import read


def sheet(*rows: str, name: str = "S", style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'


def row(*cells: str, repeated: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{repeated}">{"".join(cells)}</table:table-row>'


def cell(text: str = "", attributes: str = "", tag: str = "table-cell") -> str:
    return f"<table:{tag} {attributes}>{f'<text:p>{text}</text:p>' if text else ''}</table:{tag}>"


def lines(tables: str) -> list[str]:
    return [line for line in read(ods(tables)).markdown.splitlines() if line.startswith("|")]


def test_cells_contain_the_displayed_text() -> None:
    shown = cell("12.5 %", 'office:value-type="percentage" office:value="0.125"')
    assert lines(sheet(row(cell("a"), shown))) == ["| a | 12.5 % |", "| --- | --- |"]


def test_spaces_breaks_and_paragraphs_are_read() -> None:
    text = "a<text:s text:c='2'/>b<text:tab/>c<text:line-break/><text:span>d</text:span></text:p><text:p>e"
    assert lines(sheet(row(cell(text))))[0] == "| a b c<br>d<br>e |"


@pytest.mark.parametrize(
    ("rows", "table"),
    [
        (row(cell("a"), row(cell("b"), cell("c"))), ["| a |  |", "| --- | --- |", "| b | c |"]),
        (row(cell("a"), cell(f"b</text:p>{row(cell('c'))}<text:p>")), ["| a | b<br>c |", "| --- | --- |"]),
        (row(cell(f"a</text:p>{sheet(row(cell('b'), cell('c')))}<text:p>d")), ["| a<br>b<br>c<br>d |", "| --- |"]),
    ],
)
def test_nested_rows_and_tables_lose_no_text(rows: str, table: list[str]) -> None:
    assert lines(sheet(rows)) == table


def test_comments_and_pictures_are_not_part_of_the_cell_text() -> None:
    aside = "</text:p><office:annotation><text:p>remark</text:p></office:annotation><text:p>b"
    drawn = "<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>"
    assert lines(sheet(row(cell(f"a{drawn}{aside}"))))[0] == "| a<br>b |"


CHART = (
    '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:c="urn:oasis:names:tc:opendocument:xmlns:chart:1.0" '
    'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
    "<o:body><o:chart><c:chart><c:title><t:p>Visits</t:p></c:title></c:chart></o:chart></o:body></o:document-content>"
)


def test_text_boxes_and_chart_titles_follow_the_table() -> None:
    box = "<draw:frame><draw:text-box><text:p>Read this</text:p><text:p>first.</text:p></draw:text-box></draw:frame>"
    chart = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    body = sheet(row(cell(f"a{box}{chart}{chart}")))
    made = read(ods(body, more={"Object 1/content.xml": CHART}))
    assert made.markdown.endswith("Drawn on the sheet:\n\n- Read this first.\n- Chart: Visits\n")
    damaged = read(ods(body, more={"Object 1/content.xml": CHART[:-9]}))
    assert damaged.warnings == ("Damaged charts are omitted: 1.",)


def test_only_external_links_are_kept() -> None:
    link = "<text:a xlink:href='https://a.example/x|y'>all</text:a>"
    part = (
        "see <text:a xlink:href='mailto:a@b.example'>Ada</text:a>, not <text:a xlink:href='#S.A1'>here|there</text:a>"
    )
    formula = "of:=HYPERLINK(&quot;https://c.example&quot;;&quot;c&quot;)"
    body = sheet(row(cell(link), cell(part), cell("c", f'table:formula="{formula}"')))
    assert lines(body)[0] == (
        r"| [all](https://a.example/x%7Cy) | see [Ada](mailto:a@b.example), not here\|there | [c](https://c.example) |"
    )


def test_notes_follow_the_table() -> None:
    def note(text: str, author: str) -> str:
        return (
            f"</text:p><office:annotation><dc:creator>{author}</dc:creator><dc:date>2020-01-01</dc:date>"
            f"<text:p>{text}</text:p><text:p>more</text:p></office:annotation><text:p>"
        )

    body = sheet(row(cell("a"), cell(f"b{note('why?', 'Ada')}")), row(cell()), row(cell(note("empty", ""))))
    assert read(ods(body)).markdown.endswith('| --- | --- |\n\nNotes:\n\n- B1 "b" (Ada): why? more\n- A3: empty more\n')


@pytest.mark.parametrize(
    ("attributes", "shown"),
    [
        ('office:value-type="float" office:value="1.50"', "1.5"),
        ('office:value-type="percentage" office:value="0.125"', "12.5%"),
        ('office:value-type="percentage" office:value="x"', ""),
        ('office:value-type="date" office:date-value="2023-03-15T10:00:00"', "2023-03-15 10:00:00"),
        ('office:value-type="boolean" office:boolean-value="true"', "TRUE"),
        ('office:value-type="string" office:string-value="s"', "s"),
    ],
)
def test_value_without_text_is_shown_in_a_simple_format(attributes: str, shown: str) -> None:
    assert lines(sheet(row(cell("a"), cell("", attributes), cell("z")))) == [
        f"| a | {shown} | z |" if shown else "| a | z |",
        "| --- | --- | --- |" if shown else "| --- | --- |",
    ]


def test_repeated_cells_and_rows_are_expanded_if_they_are_not_empty() -> None:
    body = sheet(
        row(
            cell("a", 'table:number-columns-repeated="2"'), cell("", 'table:number-columns-repeated="16000"'), cell("b")
        ),
        row(cell(), repeated=1000),
        row(cell("c"), repeated=2),
        row(cell("", 'table:number-columns-repeated="16384"'), repeated=1_040_000),
    )
    assert lines(body) == ["| a | a | b |", "| --- | --- | --- |", "| c |  |  |", "| c |  |  |"]


def test_covered_cells_are_empty() -> None:
    body = sheet(row(cell("a", 'table:number-columns-spanned="2"'), cell("b", tag="covered-table-cell"), cell("c")))
    assert lines(body)[0] == "| a | c |"


def test_hidden_rows_are_read_and_named() -> None:
    hidden = row(cell("b")).replace("<table:table-row", '<table:table-row table:visibility="filter"')
    document = read(ods(sheet(row(cell("a")), hidden, row(cell("c")))))
    assert "| b |" in document.markdown
    assert document.warnings == ("Hidden rows of the sheet 'S' are included: 2.",)


def test_hidden_columns_are_named() -> None:
    columns = (
        '<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="1000"/>'
    )
    document = read(ods(sheet(columns, row(cell("a"), cell("b")))))
    assert document.warnings == ("Hidden columns of the sheet 'S' are included: B.",)


def test_hidden_sheets_are_marked() -> None:
    styles = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    tables = sheet(row(cell("a")), name="A") + sheet(row(cell("b")), name="B", style="h")
    document = read(ods(tables, styles=styles))
    assert [line for line in document.markdown.splitlines() if line.startswith("#")] == ["## A", "## B (hidden)"]
    assert [one.is_hidden for one in document.sheets or ()] == [False, True]


def test_metadata_comes_from_the_file() -> None:
    meta = "<m xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>T</dc:title><dc:language>de-AT</dc:language></m>"
    document = read(ods(sheet(row(cell("a"))), more={"meta.xml": meta}))
    assert (document.title, document.language) == ("T", "de-AT")


def test_encrypted_file_is_rejected() -> None:
    manifest = "<m><manifest:encryption-data xmlns:manifest='m'/></m>"
    with pytest.raises(ConversionFailed) as refused:
        read(ods("", more={"META-INF/manifest.xml": manifest}))
    assert refused.value.reason == "encrypted"


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        (sheet(row(cell("a", 'table:number-columns-repeated="16385"'))), "limits"),
        (sheet(row(cell("a"), repeated=1_048_577)), "limits"),
        (sheet(row(cell("a", 'table:number-columns-repeated="16384"'), repeated=1_048_576)), "limits"),
        (sheet(row(cell("a", 'table:number-columns-repeated="2000000000"'), repeated=2_000_000_000)), "limits"),
        (sheet("<table:table-row>"), "corrupt"),
    ],
)
def test_too_many_cells_are_rejected(tables: str, reason: str) -> None:
    with pytest.raises(ConversionFailed) as refused:
        read(ods(tables))
    assert refused.value.reason == reason


def test_nested_lists_do_not_hang() -> None:
    nested = "<text:list><text:list-item>" * 900 + "x" + "</text:list-item></text:list>" * 900
    assert read(ods(nested)).markdown == ""
