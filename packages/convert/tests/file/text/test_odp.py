from convert_support.office import odf
from webquarry_convert.file.text.odp import read


def p(content: str) -> str:
    return f"<text:p>{content}</text:p>"


def frame(content: str, kind: str = "", y: float | None = None, x: float | None = None) -> str:
    place = "" if y is None else f'svg:y="{y}cm" svg:height="1cm"'
    place += "" if x is None else f' svg:x="{x}cm" svg:width="5cm"'
    named = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {named} {place}><draw:text-box>{content}</draw:text-box></draw:frame>"


def slides(*contents: str) -> str:
    return read(odf("presentation", "".join(f"<draw:page>{one}</draw:page>" for one in contents))).markdown


def test_slide_is_written_with_title_content_and_notes() -> None:
    outline = frame("<text:list><text:list-item>" + p("a") + "</text:list-item></text:list>", "outline")
    notes = f"<presentation:notes>{frame(p('say it'), 'notes')}{frame(p('7'), 'page-number')}</presentation:notes>"
    around = frame(p("footer"), "footer") + frame(p("1"), "page-number")
    slide = outline + frame(p("One") + p("two"), "title") + around + notes
    assert slides(slide) == "## One two\n\n- a\n\n> Notes:\n>\n> say it\n"


def test_controls_of_forms_show_their_state() -> None:
    forms = '<office:forms><form:form><form:checkbox form:id="c" form:label="Agreed"/></form:form></office:forms>'
    assert slides(forms + frame(p("One"), "title") + '<draw:control draw:control="c"/>') == "## One\n\n☐ Agreed\n"


def test_slides_without_a_title_are_separated_by_a_rule() -> None:
    assert slides(frame(p("a")), frame(p("b")), frame(p("c"), "title")) == "a\n\n---\n\nb\n\n## c\n"


def test_line_above_all_other_content_becomes_the_title() -> None:
    assert slides(frame(p("below"), y=5) + frame(p("Top"), y=1)) == "## Top\n\nbelow\n"
    assert slides(frame(p("beside"), y=1.2) + frame(p("Top"), y=1)) == "beside\n\nTop\n"
    assert slides(frame(p("a") + p("b"), y=1) + frame(p("c"), y=5)) == "a\n\nb\n\nc\n"


def test_groups_and_tables_are_read() -> None:
    table = "<table:table>" + "".join(
        f"<table:table-row>{''.join(f'<table:table-cell>{p(one)}</table:table-cell>' for one in row)}</table:table-row>"
        for row in ("ab", "cd")
    ) + "</table:table>"  # fmt: skip
    group = f"<draw:g><draw:custom-shape>{p('x')}</draw:custom-shape></draw:g>"
    assert slides(group + f"<draw:frame>{table}</draw:frame>") == "x\n\n| a | b |\n| --- | --- |\n| c | d |\n"


def test_pages_are_counted() -> None:
    assert read(odf("presentation", "<draw:page/><draw:page/>")).pages == 2


def test_shapes_are_read_by_position_and_groups_together() -> None:
    group = f"<draw:g>{frame(p('third'), y=4, x=7)}{frame(p('second'), y=4, x=1)}</draw:g>"
    slide = frame(p("fourth"), y=9, x=1) + group + frame(p("first") + p("line"), y=1, x=1)
    assert slides(slide) == "first\n\nline\n\nsecond\n\nthird\n\nfourth\n"


def test_sentence_above_all_other_content_is_not_a_title() -> None:
    assert slides(frame(p("A sentence."), y=1) + frame(p("b"), y=5)) == "A sentence.\n\nb\n"


def test_comments_follow_their_slide() -> None:
    comment = f"<office:annotation><dc:creator>Ada</dc:creator>{p('why?')}</office:annotation>"
    assert slides(comment + frame(p("a"))) == "a\n\n> Comment of Ada: why?\n"


def test_hidden_slides_are_named_in_a_warning() -> None:
    style = (
        '<style:style style:name="off" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    pages = f'<draw:page>{frame(p("a"))}</draw:page><draw:page draw:style-name="off">{frame(p("b"))}</draw:page>'
    made = read(odf("presentation", pages, automatic=style))
    assert made.markdown == "a\n\n---\n\nb\n"
    assert made.warnings == ("Hidden slides are included: 2.",)


def test_line_above_a_group_becomes_the_title() -> None:
    group = f"<draw:g>{frame(p('a'), y=4, x=1)}{frame(p('b'), y=4, x=7)}</draw:g>"
    assert slides(group + frame(p("Top"), y=1, x=1)) == "## Top\n\na\n\nb\n"
    assert slides(frame(p("Below"), y=9, x=1) + group) == "a\n\nb\n\nBelow\n"
