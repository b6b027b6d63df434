import pytest

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.features import COLUMNS, Features
from webquarry_convert.page.content.names import TAGS, Names
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.kind import KINDS
from webquarry_convert.tree import build_tree

NAMES = {"post": 20, "menu": -30, "role=main": 8}
WORDING = {"related": -16}
KIND_CHANCES = bytes(range(len(KINDS)))
PROSE = "A sentence that is long enough to be taken for the text of a page, with a comma and an end."
ITEMS = "<ul><li>one</li><li>two</li><li class=x>three</li><li>four</li></ul>"


def columns(html: str, about: tuple[str, str] = ("", "")) -> dict[str, list[int]]:
    features = Features(Blocks(build_tree(html)), about, KIND_CHANCES, Names(NAMES), Wording(WORDING))
    assert all(len(column) == len(features.judged) for column in features.columns)
    return dict(zip(COLUMNS, map(list, features.columns), strict=True))


@pytest.mark.parametrize(
    ("html", "name", "values"),
    [
        ("<p>word<p>two words<p>日本語です", "words", [1, 2, 5]),
        ("<p>a<p><a href=1>b</a> c<p><a href=1>d</a>", "linked", [0, 32, 64]),
        (f"<p>{PROSE} {PROSE} <p>One. Two. Three.", "sentences", [1, 0]),
        ("<p>a.<p>b:<p>c<p>3", "ending", [5, 3, 1, 2]),
        ("<h2>a</h2><p>b<div><ul><li>c</ul></div>", "tag", [TAGS["h2"], TAGS["p"], TAGS["li"]]),
        ("<h2>a</h2><p>b<section><ul><li>c</ul></section>", "top_tag", [TAGS["h2"], TAGS["p"], TAGS["section"]]),
        ("<p>a<div class=post><p class='menu x'>b</div>", "names", [128, 118]),
        (ITEMS, "like_it", [3, 3, 1, 3]),
        ("<p>a<p>b<p>a<p>a", "copies", [3, 1, 3, 3]),
        ("<p>a<p>b<p>a<p>a", "copy", [0, 0, 1, 2]),
        ("<p>Related stories<p>Other stories", "wording", [112, 128]),
        ("<p>a<p>b<p>c<p>d", "place", [0, 63, 127, 191]),
        ("<p>a<p>b<h1>c</h1><p>d", "h1s", [0, 0, 0, 1]),
        ("<p>a<p>b<h2>c</h2><p>d<p>e", "since_heading", [255, 255, 255, 1, 2]),
        ("<p>a<h2>c</h2><p>d<h3>e</h3><p>f", "heading_tag", [0, 0, TAGS["h2"], TAGS["h2"], TAGS["h3"]]),
        ("<p>a<h2>four</h2><p>d", "heading_length", [0, 0, 8]),
        ("<p>a<h2>Related</h2><p>d", "heading_wording", [0, 0, 112]),
        ("<p>a<p>bc<p>d", "length+1", [5, 4, 0]),
        ("<p>a<p>bc<p>d", "length-1", [0, 4, 5]),
        ("<p>a<p>b", f"kind_{KINDS[2]}", [2, 2]),
        ("<p>a<p>b", "page_paragraphs", [255, 255]),
    ],
)
def test_columns_describe_the_blocks(html: str, name: str, values: list[int]) -> None:
    assert columns(html)[name] == values


@pytest.mark.parametrize(
    ("html", "name", "values"),
    [
        ("<article><p>a<div><p>b<p>c</div></article>", "within_article", [0, 1, 1]),
        ("<p>a<div class='comment-list'><p>b<p>c</div>", "within_comments", [255, 0, 0]),
        ("<p>a<div hidden><p>b<p>c</div>", "within_hidden", [255, 0, 0]),
        ("<p>a<div><p>b<div><p>c<p>d</div></div>", "depth", [1, 2, 3, 3]),
        ("<p>a<div class=post><p>b<div class=menu><p>c<p>d</div></div>", "path", [128, 138, 123, 123]),
        ("<p>a<div class=post><p>b<div class=menu><p>c<p>d</div></div>", "path_worst", [128, 128, 98, 98]),
        ("<p>a<div class=post><p>b<div class=menu><p>c<p>d</div></div>", "path_best", [128, 148, 148, 148]),
        ("<div><section><p>a<p>b</section></div><p>c", "tag_1", [TAGS["div"], TAGS["div"], TAGS["body"]]),
        ("<div><section><p>a<p>b</section></div><p>c", "tag_2", [TAGS["body"], TAGS["body"], 0]),
        (f"<div><p>{PROSE}<p>{PROSE}</div><ul><li>a<li>b</ul>", "off_trunk", [0, 0, 1, 1]),
        (f"<div><p>{PROSE}<p>{PROSE}</div><ul><li>a<li>b</ul>", "branch_tag", [14, 14, TAGS["ul"], TAGS["ul"]]),
        ("<div><h1>a</h1><p>b</div><div><p>c<p>d</div>", "off_anchor", [0, 0, 1, 1]),
        ("<div><h1>a</h1><p>b</div><div><p>c<p>d</div>", "above_anchor", [1, 1, 2, 2]),
        ("<p>a<p>b", "off_anchor", [255, 255]),
        ("<ul><li><p>a<p>b<li><p>c<p>d<li><div><p>e<p>f</div></ul>", "alike", [3] * 6),
        ("<ul><li><p>a<p>b<li><p>c<p>d<li>g<div><p>e<p>f</div></ul>", "alike_level", [0, 0, 0, 0, 0, 1, 1]),
    ],
)
def test_columns_describe_the_surroundings(html: str, name: str, values: list[int]) -> None:
    assert columns(html)[name] == values


@pytest.mark.parametrize(
    ("about", "name", "values"),
    [
        (("Head | Site", ""), "from_title", [126, 127, 128, 129]),
        (("", ""), "from_title", [126, 127, 128, 129]),
        (("", PROSE), "from_description", [125, 126, 127, 128]),
        (("", "Something that stands nowhere on the whole page."), "from_description", [255, 255, 255, 255]),
    ],
)
def test_distances_are_counted_from_the_anchor(about: tuple[str, str], name: str, values: list[int]) -> None:
    assert columns(f"<p>a<p>b<h1>Head</h1><p>{PROSE}", about)[name] == values


def test_heading_that_matches_the_title_is_found() -> None:
    html = "<h1>The Journal</h1><p>a<h1>Head</h1><p>b"
    assert columns(html, ("Head | Journal", ""))["from_title"] == [126, 127, 128, 129]
    assert columns(html, ("Something else", ""))["from_title"] == [128, 129, 130, 131]


def test_distance_to_repeated_elements_does_not_depend_on_the_order_of_reading() -> None:
    """The block is nine levels deep in the item.

    The innermost level is read first, which must not affect the result.
    """
    deep = "<div>" * 8 + "<p>a<p>b</div>" + "<p>c" + "</div>" * 7
    levels = columns(f"<ul><li>{deep}<p>d<li><p>e<p>f<li><p>g<p>h</ul>")["alike_level"]
    assert levels[:4] == [255, 255, 7, 0]
