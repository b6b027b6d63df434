"""OpenDocument slides."""

from support.office import odf
from webquarry_convert.file.text.odp import read


def p(content: str) -> str:
    return f"<text:p>{content}</text:p>"


def frame(content: str, kind: str = "", y: float | None = None) -> str:
    place = "" if y is None else f'svg:y="{y}cm" svg:height="1cm"'
    named = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {named} {place}><draw:text-box>{content}</draw:text-box></draw:frame>"


def slides(*contents: str) -> str:
    return read(odf("presentation", "".join(f"<draw:page>{one}</draw:page>" for one in contents))).markdown


def test_a_slide_is_its_title_its_content_and_its_notes() -> None:
    outline = frame("<text:list><text:list-item>" + p("a") + "</text:list-item></text:list>", "outline")
    notes = f"<presentation:notes>{frame(p('say it'), 'notes')}{frame(p('7'), 'page-number')}</presentation:notes>"
    around = frame(p("footer"), "footer") + frame(p("1"), "page-number")
    slide = outline + frame(p("One") + p("two"), "title") + around + notes
    assert slides(slide) == "## One two\n\n- a\n\n> Notes:\n>\n> say it\n"


def test_slides_without_a_title_are_set_apart() -> None:
    assert slides(frame(p("a")), frame(p("b")), frame(p("c"), "title")) == "a\n\n---\n\nb\n\n## c\n"


def test_a_line_above_all_else_is_a_title() -> None:
    assert slides(frame(p("below"), y=5) + frame(p("Top"), y=1)) == "## Top\n\nbelow\n"
    assert slides(frame(p("beside"), y=1.2) + frame(p("Top"), y=1)) == "beside\n\nTop\n"
    assert slides(frame(p("a") + p("b"), y=1) + frame(p("c"), y=5)) == "a\n\nb\n\nc\n"


def test_groups_and_tables() -> None:
    table = "<table:table>" + "".join(
        f"<table:table-row>{''.join(f'<table:table-cell>{p(one)}</table:table-cell>' for one in row)}</table:table-row>"
        for row in ("ab", "cd")
    ) + "</table:table>"  # fmt: skip
    group = f"<draw:g><draw:custom-shape>{p('x')}</draw:custom-shape></draw:g>"
    assert slides(group + f"<draw:frame>{table}</draw:frame>") == "x\n\n| a | b |\n| --- | --- |\n| c | d |\n"


def test_pages_are_counted() -> None:
    assert read(odf("presentation", "<draw:page/><draw:page/>")).pages == 2
