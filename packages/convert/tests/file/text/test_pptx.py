import pytest

from convert_support.office import P, pptx, relations, slide_part
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.text.pptx import read

MASTER = slide_part(
    "sldMaster",
    '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr></p:sp>',
    '<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="-"/></a:lvl2pPr>'
    "</p:bodyStyle></p:txStyles>",
)
LAYOUT = slide_part(
    "sldLayout",
    '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="50"/>'
    '<a:ext cx="100" cy="50"/></a:xfrm></p:spPr></p:sp><p:sp><p:nvSpPr><p:nvPr><p:ph type="subTitle" idx="2"/></p:nvPr>'
    "</p:nvSpPr><p:txBody><a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle></p:txBody></p:sp>",
)
LAID_OUT = {
    "ppt/layout.xml": LAYOUT,
    "ppt/_rels/layout.xml.rels": relations(("m", "slideMaster", "master.xml")),
    "ppt/master.xml": MASTER,
}
TO_LAYOUT = ("l", "slideLayout", "../layout.xml")


def run(text: str, properties: str = "") -> str:
    return f"<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>"


def par(content: str, properties: str = "") -> str:
    return f"<a:p><a:pPr {properties}/>{content if '<' in content else run(content)}</a:p>"


def shape(content: str, kind: str = "", place: tuple[int, int, int, int] | None = None) -> str:
    holder = f"<p:ph {kind}/>" if kind else ""
    frame = ""
    if place is not None:
        x, y, cx, cy = place
        frame = f'<p:spPr><a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{cx}" cy="{cy}"/></a:xfrm></p:spPr>'
    named = f'<p:nvSpPr><p:cNvPr id="1" name="s"/><p:nvPr>{holder}</p:nvPr></p:nvSpPr>'
    return f"<p:sp>{named}{frame}<p:txBody>{content}</p:txBody></p:sp>"


def test_slide_is_written_with_title_content_and_notes() -> None:
    notes = shape(par("say it"), 'type="body" idx="1"') + shape(par("7"), 'type="sldNum" idx="4"')
    body = pptx(
        shape(par("a"), 'type="body" idx="1"') + shape(par("One") + par("two"), 'type="title"'),
        links={1: (("n", "notesSlide", "../notes.xml"),)},
        more={"ppt/notes.xml": slide_part("notes", notes)},
    )
    made = read(body)
    assert made.markdown == "## One two\n\na\n\n> Notes:\n>\n> say it\n"
    assert made.pages == 1


def test_content_repeated_on_every_slide_is_dropped() -> None:
    around = "".join(shape(par("x"), f'type="{kind}"') for kind in ("dt", "ftr", "sldNum", "hdr"))
    assert read(pptx(around + shape(par("a")))).markdown == "a\n"


def test_slides_are_read_in_the_order_of_the_presentation() -> None:
    assert read(pptx(shape(par("a")), shape(par("b")))).markdown == "a\n\n---\n\nb\n"


def test_bullets_are_inherited_from_the_layout_and_master() -> None:
    content = par("a") + par("b", 'lvl="1"') + par("c")
    body = pptx(
        shape(content, 'type="body" idx="1"') + shape(par("d"), 'type="subTitle" idx="2"') + shape(par("e")),
        links={1: (TO_LAYOUT,)},
        more=LAID_OUT,
    )
    assert read(body).markdown == "- a\n  - b\n- c\n\nd\n\ne\n"


def test_numbered_items_are_counted_by_level() -> None:
    def numbered(text: str, kind: str, level: int = 0, start: str = "") -> str:
        return f'<a:p><a:pPr lvl="{level}"><a:buAutoNum type="{kind}" {start}/></a:pPr>{run(text)}</a:p>'

    content = (
        numbered("a", "arabicPeriod", start='startAt="3"')
        + numbered("b", "alphaLcParenR", 1)
        + numbered("c", "alphaLcParenR", 1)
        + numbered("d", "arabicPeriod", start='startAt="3"')
        + numbered("e", "romanUcParenBoth", 1)
    )
    assert read(pptx(shape(content))).markdown == "3. a\n   - a) b\n   - b) c\n4. d\n   - (I) e\n"


def test_runs_keep_their_formatting_and_links() -> None:
    line = (
        run("plain ")
        + run("bold", 'b="1"')
        + run("2", 'baseline="30000"')
        + '<a:br/><a:r><a:rPr><a:hlinkClick r:id="h"/></a:rPr><a:t>here</a:t></a:r>'
        + '<a:fld type="slidenum"><a:t>9</a:t></a:fld><a:fld type="datetime1"><a:t> today</a:t></a:fld>'
    )
    body = pptx(shape(par(line)), links={1: (("h", "hyperlink", "https://a.example/"),)})
    assert read(body).markdown == "plain **bold**²  \n[here](https://a.example/) today\n"


def test_positions_determine_the_reading_order() -> None:
    first = shape(par("below"), place=(0, 500, 900, 100)) + shape(par("Top"), place=(0, 0, 900, 100))
    assert read(pptx(first)).markdown == "## Top\n\nbelow\n"
    sentence = shape(par("below"), place=(0, 500, 900, 100)) + shape(par("It rains."), place=(0, 0, 900, 100))
    assert read(pptx(sentence)).markdown == "It rains.\n\nbelow\n"
    inherited = shape(par("above"), place=(0, 0, 100, 10)) + shape(par("c"), place=(0, 20, 100, 10))
    body = pptx(
        shape(par("a"), 'type="body" idx="1"') + inherited + shape(par("T"), 'type="title"'),
        links={1: (TO_LAYOUT,)},
        more=LAID_OUT,
    )
    assert read(body).markdown == "## T\n\nabove\n\nc\n\n- a\n"


def test_tables_charts_diagrams_and_pictures_are_read() -> None:
    def cell(text: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody>{par(text)}</a:txBody></a:tc>"

    def frame(content: str) -> str:
        return f"<p:graphicFrame><a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"

    table = (
        f'<a:tbl><a:tblPr firstRow="1"/><a:tr>{cell("h", "gridSpan=" + chr(34) + "2" + chr(34))}<a:tc hMerge="1"/>'
        f"{cell('k')}</a:tr><a:tr>{cell('a')}{cell('b')}{cell('c')}</a:tr>"
        f'<a:tr><a:tc vMerge="1"/>{cell("d")}{cell("e")}</a:tr></a:tbl>'
    )
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="1" name="p" descr="A map"/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="i"/></p:blipFill></p:pic>'
    )
    c = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    d = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    chart = (
        f"<c:chartSpace {c}><c:chart><c:ser><c:tx><c:v>S</c:v></c:tx><c:val><c:pt idx='0'><c:v>5</c:v></c:pt></c:val>"
        "</c:ser></c:chart></c:chartSpace>"
    )
    points = f"<dgm:dataModel {d} {a}><dgm:ptLst><dgm:pt><a:t>step</a:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    body = pptx(
        frame(table)
        + picture
        + frame('<c:chart r:id="c"/>')
        + frame('<dgm:relIds r:dm="d"/>')
        + frame("<a:other/>")
        + frame('<p:oleObj progId="Equation.3"/>'),
        links={
            1: (
                ("i", "image", "../media/map.png"),
                ("c", "chart", "../chart.xml"),
                ("d", "diagramData", "../data.xml"),
            )
        },
        more={"ppt/chart.xml": chart, "ppt/data.xml": points},
    )
    made = read(body)
    assert made.markdown == (
        "| h |  | k |\n| --- | --- | --- |\n| a | b | c |\n|  | d | e |\n\n![A map](map.png)\n\n"
        "|  | S |\n| --- | --- |\n|  | 5 |\n\n- step\n"
    )
    assert made.warnings == (
        "Formulas embedded as objects are omitted: 1.",
        "Embedded documents in the presentation are omitted: 1.",
    )


def test_first_alternative_of_a_shape_is_read() -> None:
    forms = (
        f'<mc:AlternateContent><mc:Choice Requires="x">{shape(par("new"))}</mc:Choice>'
        f"<mc:Fallback>{shape(par('old'))}</mc:Fallback></mc:AlternateContent>"
    )
    assert read(pptx(forms)).markdown == "new\n"


def test_comments_follow_their_slide() -> None:
    comments = slide_part("cmLst", "", '<p:cm authorId="0"><p:text>Is this right?</p:text></p:cm>')
    authors = slide_part("cmAuthorLst", "").replace("<p:cSld>", '<p:cmAuthor id="0" name="Ada"/><p:cSld>')
    body = pptx(
        shape(par("a")),
        links={1: (("c", "comments", "../comments.xml"),)},
        more={"ppt/comments.xml": comments, "ppt/authors.xml": authors},
        main_links=(("a", "commentAuthors", "authors.xml"),),
    )
    assert read(body).markdown == "a\n\n> Comment of Ada: Is this right?\n"


def test_hidden_slides_are_named() -> None:
    made = read(pptx(shape(par("a")), slide_part("sld", shape(par("b")), attributes='show="0"')))
    assert made.markdown == "a\n\n---\n\nb\n"
    assert made.warnings == ("Hidden slides are included: 2.",)


def test_damaged_slide_does_not_affect_other_slides() -> None:
    made = read(pptx(shape(par("a")), f'<p:sld xmlns:p="{P}"><p:cSld>'))
    assert made.markdown == "a\n"
    assert made.warnings == ("The slides of the document are damaged and omitted.",)


def test_slides_beyond_the_limit_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.text.pptx.presentation.MAX_PAGES", 1)
    with pytest.raises(ConversionFailed) as caught:
        read(pptx("", ""))
    assert caught.value.reason == "limits"
