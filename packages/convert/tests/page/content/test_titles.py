"""A title in a plain element, on a page without an `h1`."""

import pytest

from convert_support.choice import make_kinds, make_selection
from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.titles import keep_title

HEADER = """<header><a class="logo" href="/">Ane's notes</a><nav><ul>
<li><a href="/a">Archive</a></li><li><a href="/b">About</a></li><li><a href="/c">Plans</a></li></ul></nav></header>"""
FOOTER = """<footer><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li></ul>
<p>© Ane, all rights reserved.</p></footer>"""
TEXT = """<div class="post"><p>A loom that runs at half speed breaks fewer threads and can be built from roof battens.
</p><p>See <a href="/plans">the plans</a> before you buy wood, and ask whoever has built one its weight.</p></div>"""
TITLE = "<title>Slow looms | Ane's notes</title>"
SHARED = '<meta property="og:title" content="Slow looms">'
MASTHEAD = '<div class="masthead"><div class="big">Slow looms</div></div>'


def read(head: str, body: str) -> str:
    return to_markdown(f"<head>{head}</head><body>{HEADER}{body}{FOOTER}</body>", "https://notes.example/slow-looms")


@pytest.mark.parametrize("head", [TITLE, SHARED, TITLE + SHARED, "<title>Slow Looms</title>"])
def test_title_directly_above_the_text_becomes_a_heading(head: str) -> None:
    assert read(head, MASTHEAD + TEXT).startswith("# Slow looms\n\nA loom that runs")


def test_title_in_another_element_is_kept_unchanged() -> None:
    assert read(TITLE, f"<table><tr><td>Slow looms</table>{TEXT}").startswith("Slow looms\n\nA loom that runs")


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", MASTHEAD + TEXT),
        (TITLE, '<div class="masthead"><div class="big">Looms</div></div>' + TEXT),
        (TITLE, '<div class="masthead"><div class="big"><a href="/">Slow looms</a></div></div>' + TEXT),
        (TITLE, f"<nav><div>Slow looms</div></nav>{TEXT}"),
        (
            '<title>Slow looms</title><meta property="og:site_name" content="Slow looms">',
            MASTHEAD + TEXT,
        ),
    ],
    ids=["no title", "another text", "a link", "in a menu", "the site's name"],
)
def test_site_name_is_removed_from_the_title(head: str, body: str) -> None:
    assert read(head, body).startswith("A loom that runs")


def test_page_with_a_heading_gets_no_other_heading() -> None:
    assert "# Slow looms" not in read(TITLE, f"{MASTHEAD}{TEXT}<h1>Looms</h1>{TEXT}")


@pytest.mark.parametrize(("kind", "left"), [("listing", [0, 1]), ("article", [1]), ("documentation", [1])])
def test_heading_directly_above_the_text_is_kept_despite_a_low_score(kind: str, left: list[int]) -> None:
    selection = make_selection(
        "<h1>Slow looms</h1><p>A loom that runs at half speed breaks fewer threads.</p>",
        lambda block: block.tokens > 2,
        kinds=make_kinds(**{kind: 255}),
        titles=["Slow looms | Ane's notes"],
    )
    keep_title(selection)
    assert [number for number, keeps in enumerate(selection.kept) if keeps] == left
