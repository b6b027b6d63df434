"""Features of OpenDocument texts, each in a document with a few lines."""

import pytest

from convert_support.office import odf, open_part
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.odt import read


def p(content: str, style: str = "") -> str:
    return f"<text:p{f' text:style-name={style!r}' if style else ''}>{content}</text:p>"


def h(content: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{content}</text:h>'


def span(content: str, style: str) -> str:
    return f'<text:span text:style-name="{style}">{content}</text:span>'


def style(name: str, properties: str = "", *, family: str = "text", more: str = "", content: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" {more}><style:text-properties {properties}/>'
        f"{content}</style:style>"
    )


def items(*contents: str, attributes: str = "") -> str:
    return (
        f"<text:list {attributes}>{''.join(f'<text:list-item>{one}</text:list-item>' for one in contents)}</text:list>"
    )


def row(*cells: str, attributes: str = "") -> str:
    inner = "".join(
        one if one.startswith("<table") else f"<table:table-cell>{p(one)}</table:table-cell>" for one in cells
    )
    return f"<table:table-row {attributes}>{inner}</table:table-row>"


def table(*rows: str) -> str:
    return f"<table:table>{''.join(rows)}</table:table>"


def text(*args: str, automatic: str = "", styles: str = "") -> str:
    return read(odf("text", "".join(args), automatic=automatic, styles=styles)).markdown


def test_headings_are_written_with_their_level() -> None:
    styles = style("Title", family="paragraph") + style("Heading_20_3", family="paragraph")
    automatic = style("P1", family="paragraph", more='style:parent-style-name="Heading_20_3"')
    body = [p("t", "Title"), h("one", 1), h("two", 2), p("three", "P1")]
    assert text(*body, automatic=automatic, styles=styles) == "# t\n\n# one\n\n## two\n\n### three\n"


def test_undeclared_styles_are_recognized_by_name() -> None:
    automatic = style("P1", family="paragraph", more='style:parent-style-name="Heading_20_2"')
    body = [p("t", "Title"), p("one", "Heading_20_1"), p("two", "P1"), p(f"call {span('f()', 'Source_20_Text')}")]
    assert text(*body, automatic=automatic) == "# t\n\n# one\n\n## two\n\ncall `f()`\n"


def test_headings_are_numbered_if_the_outline_is() -> None:
    outline = (
        '<text:outline-style><text:outline-level-style text:level="1" style:num-format="I"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2" style:num-suffix="."/>'
        "</text:outline-style>"
    )
    body = [h("a", 1), h("b", 2), h("c", 2), h("d", 1), h("e", 2)]
    assert text(*body, styles=outline) == "# I a\n\n## I.1. b\n\n## I.2. c\n\n# II d\n\n## II.1. e\n"


LISTS = (
    '<text:list-style style:name="N">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-bullet text:level="2" text:bullet-char="-"/></text:list-style>'
    '<text:list-style style:name="S">'
    '<text:list-level-style-number text:level="1" style:num-format="1" text:start-value="4"/></text:list-style>'
    '<text:list-style style:name="A"><text:list-level-style-number text:level="1" style:num-format="A"'
    ' style:num-prefix="Part "/></text:list-style>'
    '<text:list-style style:name="E"><text:list-level-style-number text:level="1" style:num-format=""/>'
    "</text:list-style>"
)


def test_lists_are_nested_by_level() -> None:
    inner = items(p("b"), p("c"))
    assert text(items(p("a") + inner + p("more"), p("d"), attributes='text:style-name="N"'), automatic=LISTS) == (
        "1. a\n   - b\n   - c\n\n   more\n2. d\n"
    )


def test_lists_restart_and_continue() -> None:
    first = items(p("a"), attributes='text:style-name="N" xml:id="l1"')
    goes_on = items(p("b"), attributes='text:style-name="N" text:continue-numbering="true"')
    of_id = items(p("c"), attributes='text:style-name="N" text:continue-list="l1"')
    anew = items(p("d"), attributes='text:style-name="S"')
    own = (
        '<text:list text:style-name="N"><text:list-item text:start-value="9">'
        + p("e")
        + "</text:list-item></text:list>"
    )
    body = f"{first}{p('x')}{goes_on}{p('y')}{of_id}{p('z')}{anew}{p('-')}{own}"
    assert text(body, automatic=LISTS) == "1. a\n\nx\n\n2. b\n\ny\n\n2. c\n\nz\n\n4. d\n\n\\-\n\n9. e\n"


def test_lists_with_and_without_labels_are_read() -> None:
    body = items(p("a"), p("b"), attributes='text:style-name="A"') + items(p("c"), attributes='text:style-name="E"')
    assert text(body, automatic=LISTS) == "- Part A a\n- Part B b\n\nc\n"


def test_list_that_only_contains_a_nested_list_is_read() -> None:
    assert text(items(items(p("a"), p("b")), attributes='text:style-name="N"'), automatic=LISTS) == "- a\n- b\n"


def test_list_header_has_no_label() -> None:
    inner = f"<text:list-header>{p('a')}</text:list-header><text:list-item>{p('b')}</text:list-item>"
    body = f'<text:list text:style-name="N">{inner}</text:list>'
    assert text(body, automatic=LISTS) == "a\n\n1. b\n"


def test_text_styles_become_marks() -> None:
    automatic = (
        style("B", 'fo:font-weight="bold"')
        + style("I", 'fo:font-style="italic"')
        + style("S", 'style:text-line-through-style="solid"')
        + style("U", 'style:text-position="super 58%"')
        + style("L", 'style:text-position="-33% 58%"')
        + style("N", 'fo:font-weight="normal"', more='style:parent-style-name="B"')
        + style("H", 'text:display="none"')
        + style("C", 'style:font-name="Liberation Mono"')
    )
    body = p(
        f"a {span('b', 'B')} {span('i', 'I')} {span('s', 'S')} m{span('2', 'U')} H{span('2', 'L')}O {span('n', 'N')}"
        f"{span('hidden', 'H')} {span('x=1', 'C')}"
    )
    assert text(body, automatic=automatic) == "a **b** *i* ~~s~~ m² H₂O n `x=1`\n"


def test_white_space_and_breaks_are_read() -> None:
    assert text(p('a<text:s text:c="2000000000"/>b<text:tab/>c<text:line-break/>d')) == "a b c  \nd\n"


def test_only_external_links_are_kept() -> None:
    assert text(p('<text:a xlink:href="https://example.com/">out</text:a> <text:a xlink:href="#a">in</text:a>')) == (
        "[out](https://example.com/) in\n"
    )


def test_code_paragraphs_become_code_blocks() -> None:
    automatic = style("P1", family="paragraph", more='style:parent-style-name="Preformatted_20_Text"')
    styles = style("Preformatted_20_Text", family="paragraph")
    assert text(p("a = 1", "P1"), p('<text:s text:c="2"/>b', "P1"), automatic=automatic, styles=styles) == (
        "```\na = 1\n  b\n```\n"
    )


def test_quoted_paragraphs_become_quotes() -> None:
    styles = style("Quotations", family="paragraph")
    assert text(p("a", "Quotations"), p("b", "Quotations"), p("c"), styles=styles) == "> a\n>\n> b\n\nc\n"


def test_notes_follow_the_text() -> None:
    note = (
        f"<text:note><text:note-citation>1</text:note-citation><text:note-body>{p('said')}</text:note-body></text:note>"
    )
    assert text(p(f"a{note}b")) == "a[^1]b\n\n[^1]: said\n"


def test_comments_become_notes_with_their_author() -> None:
    comment = (
        f"<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-03-01</dc:date>{p('why?')}</office:annotation>"
    )
    assert text(p(f"a{comment}b")) == "a[^1]b\n\n[^1]: Comment of Ada: why?\n"


def test_letter_labels_of_a_list_are_kept() -> None:
    style = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="a" '
        'style:num-prefix="(" style:num-suffix=")"/></text:list-style>'
    )
    items = "".join(f"<text:list-item>{p(said)}</text:list-item>" for said in ("first", "second"))
    assert text(f'<text:list text:style-name="L">{items}</text:list>', styles=style) == "- (a) first\n- (b) second\n"


def test_deleted_and_hidden_content_is_dropped() -> None:
    deleted = f"<text:changed-region><text:deletion>{p('old')}</text:deletion></text:changed-region>"
    deleted = f"<text:tracked-changes>{deleted}</text:tracked-changes>"
    hidden = f'<text:section text:display="none">{p("hidden")}</text:section>'
    source = f"<text:table-of-content-source>{p('template')}</text:table-of-content-source>"
    index = f"<text:table-of-content>{source}<text:index-body>{p('entry 1')}</text:index-body></text:table-of-content>"
    shown = f"<text:section>{p('shown')}</text:section>"
    assert text(deleted, p("a"), hidden, shown, index) == "a\n\nshown\n\nentry 1\n"


def test_tables_with_spans_and_a_header_are_read() -> None:
    wide = f'<table:table-cell table:number-columns-spanned="2">{p("B")}</table:table-cell><table:covered-table-cell/>'
    head = f"<table:table-header-rows>{row('A', wide)}</table:table-header-rows>"
    tall = f'<table:table-cell table:number-rows-spanned="2">{p("c")}</table:table-cell>'
    body = table(head, row(tall, "d", "e"), row("<table:covered-table-cell/>", "f", "g"))
    assert text(body) == "| A | B |  |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |\n"


def test_layout_tables_become_ordinary_content() -> None:
    one = f"<table:table-cell>{h('a', 1)}{p('b')}</table:table-cell>"
    assert text(table(f"<table:table-row>{one}</table:table-row>")) == "# a\n\nb\n"
    long = f"<table:table-cell>{h('a', 1)}{p('b') * 9}</table:table-cell>"
    assert text(table(row("x", long))) == "x\n\n# a\n\n" + "\n\n".join("b" * 9) + "\n"
    inner = table(row("a", "b", "c"), row("d", "e", "f"))
    assert text(table(row("x", f"<table:table-cell>{inner}</table:table-cell>"))) == (
        "x\n\n| a | b | c |\n| --- | --- | --- |\n| d | e | f |\n"
    )


def test_repeated_empty_cells_and_rows_are_not_expanded() -> None:
    many = 'table:number-columns-repeated="2000000000"'
    body = table(
        row("a", "b", f"<table:table-cell {many}/>"),
        row("c", f"<table:covered-table-cell {many}/>", "d"),
        row("", attributes='table:number-rows-repeated="2000000000"'),
    )
    assert text(body) == "| a | b |  |\n| --- | --- | --- |\n| c |  | d |\n"
    twice = f'<table:table-cell table:number-columns-repeated="2">{p("x")}</table:table-cell>'
    assert text(table(row(twice, "y"), row("a", "b", "c", attributes='table:number-rows-repeated="2"'))) == (
        "| x | x | y |\n| --- | --- | --- |\n| a | b | c |\n| a | b | c |\n"
    )


def test_too_much_repeated_content_is_rejected() -> None:
    large = f'<table:table-cell table:number-columns-repeated="100">{p("x" * 3000)}</table:table-cell>'
    with pytest.raises(ConversionFailed) as failed:
        text(table(row(large, attributes='table:number-rows-repeated="100"')))
    assert failed.value.reason == "limits"


def test_text_boxes_and_pictures_in_frames_are_read() -> None:
    box = f"<draw:frame><draw:text-box>{p('box')}</draw:text-box></draw:frame>"
    described = "<svg:title>t</svg:title><svg:desc>A duck</svg:desc>"
    picture = f'<draw:frame><draw:image xlink:href="Pictures/1.png"/>{described}</draw:frame>'
    shape = f"<draw:custom-shape>{p('shape')}</draw:custom-shape>"
    assert text(p(f"a{box}b{picture}"), p(f"c{shape}")) == "ab ![A duck](1.png)\n\nbox\n\nc\n\nshape\n"


def test_formulas_and_charts_are_read() -> None:
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>'
        '<annotation encoding="StarMath 5.0">a over b</annotation></semantics></math>'
    )
    drawn = f"<chart:title>{p('Sales')}</chart:title>{table(row('', 'x'), row('r', '1'))}"
    chart = open_part(
        "document-content",
        f"<office:body><office:chart><chart:chart>{drawn}</chart:chart></office:chart></office:body>",
    )
    frame = '<draw:frame><draw:object xlink:href="./Object {}"/><draw:image xlink:href="r"/></draw:frame>'
    document = odf(
        "text",
        p(f"so {frame.format(1)}") + p(frame.format(2)) + p(frame.format(3)),
        more={"Object 1/content.xml": formula, "Object 2/content.xml": chart, "Object 3/content.xml": "<broken"},
    )
    assert read(document) == Document(
        "so $\\frac{a}{b}$\n\nSales\n\n|  | x |\n| --- | --- |\n| r | 1 |\n",
        warnings=("The embedded objects of the document are damaged and omitted.",),
    )


def test_controls_of_forms_show_their_state() -> None:
    forms = """
        <form:text form:id="c1" form:value="" form:current-value="Ada"/>
        <form:checkbox form:id="c2" form:state="unchecked" form:current-state="checked" form:label="Agreed"/>
        <form:radio form:id="c3" form:selected="true"/><form:radio form:id="c4"/>
        <form:listbox form:id="c5"><form:option form:label="Oslo" form:selected="true"/><form:option form:label="Bergen"
        form:current-selected="true" form:selected="false"/><form:option form:label="Moss"/></form:listbox>
        <form:fixed-text form:id="c6" form:label="Your answer:"/><form:password form:id="c7" form:value="secret"/>
        <form:button form:id="c8" form:label="Send"/>
    """
    drawn = '<draw:control draw:control="{}" text:anchor-type="{}"/>'
    line = p("yes " + drawn.format("c3", "as-char") + ", no " + drawn.format("c4", "as-char"))
    body = f"<office:forms><form:form>{forms}</form:form></office:forms>"
    body += p("Name " + drawn.format("c1", "as-char") + drawn.format("c2", "paragraph")) + line
    body += "".join(drawn.format(name, "page") for name in ("c5", "c6", "c7", "c8", "c9"))
    assert text(body) == "Name Ada\n\n☒ Agreed\n\nyes ☒, no ☐\n\nOslo, Bergen\n\nYour answer:\n"


def test_controls_that_are_drawn_too_often_are_rejected() -> None:
    forms = f'<office:forms><form:form><form:text form:id="c" form:value="{"x" * 100_000}"/></form:form></office:forms>'
    with pytest.raises(ConversionFailed, match="more than"):
        text(forms, p('<draw:control draw:control="c" text:anchor-type="as-char"/>' * 1000))


def test_fields_of_forms_show_their_state() -> None:
    box = '<field:fieldmark field:type="vnd.oasis.opendocument.field.FORMCHECKBOX">{}</field:fieldmark>'
    ticked = box.format('<field:param field:name="Checkbox_Checked" field:value="true"/>')
    entries = "".join(f'<field:param field:name="Dropdown_ListEntry" field:value="{name}"/>' for name in "ab")
    choice = '<field:fieldmark field:type="vnd.oasis.opendocument.field.FORMDROPDOWN">{}</field:fieldmark>'
    chosen = '<field:param field:name="Dropdown_Selected" field:value="{}"/>'
    said = [choice.format(entries + chosen.format(number)) for number in ("1", "7", "x")]
    assert text(p(f"yes {ticked} no {box.format('')} {' '.join(said)}.")) == "yes ☒ no ☐ b .\n"
    typed = '<field:fieldmark-start field:type="vnd.oasis.opendocument.field.FORMTEXT"/>Ada<field:fieldmark-end/>'
    assert text(p(f"Name: {typed}")) == "Name: Ada\n"


def test_objects_of_other_programs_are_dropped_with_a_warning() -> None:
    sheet = open_part("document-content", "<office:body><office:spreadsheet/></office:body>")
    objects = '<draw:object xlink:href="./Object 1"/>', '<draw:object-ole xlink:href="./Object 2"/>'
    frames = "".join(f"<draw:frame>{one}</draw:frame>" for one in objects)
    made = read(odf("text", p(f"a{frames}"), more={"Object 1/content.xml": sheet}))
    assert (made.markdown, made.warnings) == ("a\n", ("Embedded documents in the document are omitted: 2.",))


def test_metadata_is_read() -> None:
    meta = open_part(
        "document-meta",
        "<office:meta><dc:title>T</dc:title><meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bob</dc:creator></office:meta>",
    )
    answer = '<style:text-properties fo:language="pt" fo:country="BR"/>'
    default = f'<style:default-style style:family="paragraph">{answer}</style:default-style>'
    document = read(odf("text", p("a"), styles=default, more={"meta.xml": meta}))
    assert (document.title, document.author, document.language) == ("T", "Ann", "pt-BR")


@pytest.mark.parametrize(("said", "is_told"), [("Letter of 5 May", True), ("7", False)])
def test_headers_with_text_are_quoted(said: str, is_told: bool) -> None:
    page = f"<style:master-page><style:header>{p(said)}</style:header></style:master-page>"
    around = open_part("document-styles", f"<office:master-styles>{page}</office:master-styles>")
    made = read(odf("text", p("a"), more={"styles.xml": around}))
    assert made.warnings == (("Headers and footers are omitted: Letter of 5 May",) if is_told else ())


def test_encrypted_file_is_rejected() -> None:
    manifest = '<manifest:manifest xmlns:manifest="m"><manifest:encryption-data/></manifest:manifest>'
    with pytest.raises(ConversionFailed) as failed:
        read(odf("text", p("a"), more={"META-INF/manifest.xml": manifest}))
    assert failed.value.reason == "encrypted"
