"""External content cannot act on the site's pages: no script, no form, no loading, no class or id of the styles."""

import json
from collections.abc import Callable
from html import unescape
from urllib.parse import urlsplit

import orjson
import pytest
from selectolax.lexbor import LexborHTMLParser

from attacks.attack import Page
from attacks.attacks import values
from convert_support.effort import assert_linear
from support.hostile import HOSTILE
from webquarry.web.playground import answer_job, folding
from webquarry.web.playground.allowed import SCHEMES
from webquarry.web.playground.answer_job import show
from webquarry.web.playground.answer_reply import SHOW
from webquarry.web.playground.safe_markdown import MAX_MARKS, render
from webquarry.workers.job import ReplyError
from webquarry_convert.page import to_markdown

PICTURES = "https://w.example/logos/"
ENVELOPE = {"extractor": "search", "id": "cv_1", "creditsCharged": 1, "cached": False}
ALLOWED = {"a": {"href", "rel", "target"}, "ol": {"start"}, "td": {"align"}, "th": {"align"}}


def judge(html: str) -> None:
    """Assert that HTML holds only text, in passive elements, and links to other sites."""
    tree = LexborHTMLParser(f"<!doctype html><body>{html}</body>")
    assert tree.body is not None
    for node in tree.body.css("*"):
        if node.tag == "body":
            continue
        assert node.tag in render_tags(), node.html
        assert set(node.attributes) <= ALLOWED.get(node.tag or "", set()), node.html
        if node.tag == "a":
            parts = urlsplit(unescape(node.attributes.get("href") or "https://x/"))
            assert parts.scheme in SCHEMES
            assert parts.netloc or parts.scheme == "mailto"
            assert node.attributes["rel"] == "nofollow noopener noreferrer"
            assert node.attributes["target"] == "_blank"


def render_tags() -> set[str]:
    text = {"p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "s", "ul", "ol", "li", "a"}
    return text | {"table", "thead", "tbody", "tr", "th", "td"} | {f"h{level}" for level in range(1, 7)}


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("around", ["{}", "> - {}", "a {} b", "# {}", "| {} |\n|---|\n| x |", "1. a\n\n   {}"])
def test_hostile_markdown_becomes_text(text: str, around: str) -> None:
    judge(render(around.format(text) if "{}" in around else text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_pages_stay_harmless_through_the_converter(text: str) -> None:
    judge(render(to_markdown(f"<!doctype html><title>t</title><main><h1>t</h1><p>Words of a page. {text}</p></main>")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_values_of_json_become_text(text: str) -> None:
    html, _ = folding.fold({text: [text, {"a": {text: text}}]})
    for node in LexborHTMLParser(f"<!doctype html><body>{html}</body>").css("body *"):
        assert node.tag in {"details", "summary", "ul", "li", "span", "bdi"}
        assert set(node.attributes) <= {"class", "open"}


def test_markdown_formatting_is_kept() -> None:
    html = render(
        "# A\n\nb *c* **d** ~~e~~ `f`\n\n3. g\n\n| h | i |\n|--:|:-:|\n| 1 | 2 |\n\n[j](https://k.example/?l=m&n=o)"
    )
    for piece in ("<h1>A</h1>", "<em>c</em>", "<strong>d</strong>", "<s>e</s>", "<code>f</code>", '<ol start="3">'):
        assert piece in html
    assert '<th align="right">' in html
    assert '<td align="center">' in html
    assert 'href="https://k.example/?l=m&amp;n=o"' in html


def test_pictures_become_links_or_text_within_links() -> None:
    assert ">Picture: a</a>]" in render("![a](https://b.example/c.png)")
    assert "<img" not in render("![a](https://b.example/c.png)")
    assert render("[![a](https://b.example/c.png)](https://d.example)").count("<a ") == 1


SMALL = {attack.name: attack.way.makes for attack in values.attacks() if isinstance(attack.way, Page)}


@pytest.mark.parametrize("name", SMALL)
def test_attack_pages_of_the_doctor_become_text(name: str) -> None:
    judge(render(to_markdown(SMALL[name]().decode())[: answer_job.MAX_RENDERED]))


SHAPES: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "[" * size,
    "links begun": lambda size: "[a](<" * (size // 5),
    "emphasis": lambda size: "*a **b _" * (size // 8),
    "backticks": lambda size: "".join(" a " + "`" * (at % 300) for at in range(size // 150)),
    "crowded blocks": lambda size: "\n\n".join(["[" * MAX_MARKS] * (size // MAX_MARKS)),
    "definitions": lambda size: "[a]: /b\n" * (size // 8),
    "quotes": lambda size: "> " * (size // 2),
    "lists": lambda size: "".join(" " * (at % 60) + "- a\n" for at in range(size // 34)),
    "table": lambda size: "|a|b|\n|-|-|\n" + "|a|b|\n" * (size // 6),
    "wide table": lambda size: "|" * (size // 2) + "\n" + "|-" * (size // 4),
    "entities": lambda size: "&" * size,
    "angles": lambda size: "<" * size,
    "addresses": lambda size: "<a@" * (size // 3),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_rendering_takes_linear_time(shape: str) -> None:
    assert_linear(lambda size: lambda: render(SHAPES[shape](size)), 2_000)


def pieces(markdown: bytes, data: bytes) -> tuple[dict[str, bool], list[str]]:
    parcel = show(markdown + data, markdown_bytes=len(markdown), pictures=PICTURES, envelope=ENVELOPE)
    return parcel.facts, [piece.decode() for piece in parcel.pieces]


def test_the_shown_part_of_a_large_response_is_limited_and_marked() -> None:
    data = orjson.dumps({"rows": [{"a": "x" * 5000, "b": list(range(200))} for _ in range(200)]})
    facts, shown = pieces(b"A paragraph of words.\n\n" * 20_000, data)
    assert all(facts.values())
    assert sum(map(len, shown)) < 400_000
    assert shown[1].endswith("words.")


def test_small_results_are_shown_completely() -> None:
    facts, (html, markdown, text, tree, figures) = pieces(b"# a\n", b'{"a":[1,null,true,"b"]}')
    assert not any(facts.values())
    assert (html, markdown) == ("<h1>a</h1>\n", "# a\n")
    assert json.loads(text) == {**ENVELOPE, "data": {"a": [1, None, True, "b"]}, "markdown": "# a\n"}
    assert "details" in tree
    assert figures == ""


def test_nested_json_is_shown_to_a_limited_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    for depth in (200, 900, 5000):
        facts, (_, _, text, tree, _) = pieces(b"a", b"[" * depth + b"]" * depth)
        assert facts["tree_cut"]
        assert "[" in text
        assert tree.count("<details") <= folding.MAX_DEPTH
    monkeypatch.setattr(answer_job, "MAX_FOLDED", 10)
    facts, (_, _, text, tree, _) = pieces(b"a", b'{"a":"bbbbbbbbbbbbbb"}')
    assert (facts["tree_cut"], tree, text) == (True, "", '{"a":"bbbbbbbbbbbbbb"}')


async def accept(html: str, tree: str = "", figures: str = "") -> None:
    """Raise ReplyError if the service would refuse to show this."""
    cuts = ("rendered_cut", "markdown_cut", "json_cut", "tree_cut")
    await SHOW.read(dict.fromkeys(cuts, False), (html.encode(), b"", b"", tree.encode(), figures.encode()))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "around", ["{}", "> - {}", "| {} |\n|:-:|\n| x |", "3. a\n\n   {}", "[{}](https://a.example/?a=1&b)"]
)
async def test_output_for_hostile_text_passes_the_check(text: str, around: str) -> None:
    await accept(render(around.replace("{}", text)), folding.fold({text: [text, {"a": {text: [1, None, True]}}]})[0])


@pytest.mark.parametrize("name", SMALL)
async def test_output_for_small_attacks_passes_the_check(name: str) -> None:
    markdown = to_markdown(SMALL[name]().decode()).encode()
    made = show(markdown, markdown_bytes=len(markdown), pictures=PICTURES, envelope=ENVELOPE)
    await SHOW.read(made.facts, made.pieces)


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        '<p onclick="x">a</p>',
        '<p class="ours">a</p>',
        '<p style="color:red">a</p>',
        '<a href="javascript:x">a</a>',
        '<a href="java&#115;cript:x">a</a>',
        '<a href="/account/keys">a</a>',
        '<a href="https://a.example/" target="_top">a</a>',
        '<meta http-equiv="refresh" content="0;url=https://a.example/">',
        "<form><input></form>",
        '<img src="https://a.example/">',
        "</main>",
        "<p>",
        "<p></main></p>",
        "<!-- a -->",
        "<p <b>",
        "<",
        "<p/onclick=x>a</p>",
        '<p\tonclick="x">a</p>',
        "<P>a</P>",
        '<ol start="x"></ol>',
        "<details open></details>",
    ],
)
async def test_html_that_the_renderer_never_writes_is_refused(html: str) -> None:
    with pytest.raises(ReplyError):
        await accept(html)
    with pytest.raises(ReplyError):
        await accept("", html.replace("<details open></details>", '<details open="x"></details>'))
    with pytest.raises(ReplyError):
        await accept("", "", html)


@pytest.mark.parametrize(
    "html",
    [
        '<img class="picture" src="https://w.example/logos/0123456789abcdef0123456789abcdef.png" alt="">',
        '<img class="picture" src="/logos/../account" alt="Picture from the response">',
        '<svg viewBox="0 0 1 1"><script>x</script></svg>',
        '<svg viewBox="0 0 1 1" onload="x"></svg>',
        '<polyline class="line-9" points="1,1"/>',
        '<polyline class="line-0" points="nan,1"/>',
        '<rect class="series-0" width="1" fill="url(https://a.example/)"/>',
        '<title id="main">a</title>',
        '<a href="https://a.example/">a</a>',
        "<foreignObject></foreignObject>",
    ],
)
async def test_figures_that_the_renderer_never_writes_are_refused(html: str) -> None:
    with pytest.raises(ReplyError):
        await accept("", "", html)
