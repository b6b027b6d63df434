"""The docs show any content as text: prose, trees of JSON, and highlighted code."""

import json
from html import escape

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.hostile import HOSTILE
from webquarry.web.docs.prose import write_html
from webquarry.web.docs.tree import fold_json
from webquarry.web.highlight import LANGUAGES, highlight
from webquarry.web.texts import fence

TEXT = {"h1", "h2", "h3", "p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "img", "hr", "br"}
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
OURS = {"div", "figure", "figcaption", "span", "input", "label", "details", "summary", "wbr"}
ATTRIBUTES = {"class", "id", "href", "title", "src", "alt", "tabindex", "role", "open", "type", "name", "value", "for"}
ATTRIBUTES |= {"checked", "style", "aria-label", "start"}


def judge(html: str) -> LexborHTMLParser:
    """Assert that the HTML has only elements and attributes that our own code writes."""
    tree = LexborHTMLParser(f"<!doctype html><body>{html}</body>")
    for node in tree.css("body *"):
        assert node.tag in TEXT | TABLES | OURS, node.html
        for name, value in node.attributes.items():
            assert name in ATTRIBUTES or name.startswith("data-"), node.html
            assert name != "style" or str(value).startswith("text-align:"), node.html
            assert name not in ("href", "src") or not _runs(str(value)), node.html
    return tree


def _runs(address: str) -> bool:
    scheme = address.partition(":")[0].strip().lower()
    return scheme in ("javascript", "vbscript", "file") or (scheme == "data" and not address.startswith("data:image/"))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "## {}",
        "## Head {{: #head rows}}\n\n| Name |\n| --- |\n| `{}` |",
        "> [!warn] {}",
        "```json tab={}\n1\n```\n\n```json tab=b\n2\n```",
        "```{}\n1\n```",
        "```json title={}\n1\n```",
    ],
)
def test_prose_shows_hostile_text_as_text(text: str, around: str) -> None:
    judge(str(write_html(around.format(text)).html))


@pytest.mark.parametrize("text", HOSTILE)
def test_trees_show_hostile_text_as_text(text: str) -> None:
    value = {text: [text, {text: text}, text * 3]}
    tree = judge(str(fold_json(value)))
    assert tree.body is not None
    assert json.loads(tree.body.text()) == json.loads(json.dumps(value))
    fenced = fence(json.dumps(value), "json fold")
    judge(str(write_html(fenced).html))


@pytest.mark.parametrize("language", [*LANGUAGES, "unknown", ""])
def test_highlighted_code_is_text_in_every_language(language: str) -> None:
    for text in HOSTILE:
        html = str(highlight(text, language))
        tree = LexborHTMLParser(f"<!doctype html><body><pre>x{html}</pre></body>")
        assert {node.tag for node in tree.css("pre *")} <= {"span"}
        assert all(set(node.attributes) <= {"class"} for node in tree.css("pre *"))
        plain = LexborHTMLParser(f"<!doctype html><body><pre>x{escape(text)}</pre></body>")
        shown, meant = (each.css_first("pre").text() for each in (tree, plain))  # type: ignore[union-attr]
        assert shown.rstrip("\n") == meant.rstrip("\n")
