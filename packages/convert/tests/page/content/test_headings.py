"""Headings that precede kept text."""

import pytest

from convert_support.choice import list_kept, make_selection
from webquarry_convert.page.content.headings import NEAR, NEARLY, keep_headings


def mended(html: str, kept: list[str], near: list[str]) -> list[str]:
    nearness: dict[int, float] = {}
    selection = make_selection(html, lambda block: block.text in kept, nearness=nearness)
    nearness |= {number: NEARLY for number, block in enumerate(selection.blocks.all) if block.text in near}
    keep_headings(selection)
    return list_kept(selection)


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        ("<h2>Head</h2><p>text", ["text"], ["Head", "text"]),
        ("<h2>Head</h2><ul><li>text</ul>", ["text"], ["Head", "text"]),
        ("<h2>Head</h2><p>menu<p>text", ["text"], ["text"]),
        ("<p>text<h2>Head</h2>", ["text"], ["text"]),
        ("<h2>Head</h2><h3>Lower</h3><p>text", ["text"], ["Head", "Lower", "text"]),
        ("<h2>Menu</h2><h2>Head</h2><p>text", ["text"], ["Head", "text"]),
        ("<h2>Menu</h2><h3>menu</h3><h2>Head</h2><p>text", ["text"], ["Head", "text"]),
        ("<h1>Title</h1><p>text", ["text"], ["text"]),
    ],
    ids=[
        "before a text",
        "before a list",
        "before another text",
        "after it",
        "before a lower heading",
        "before one of its rank",
        "of another section",
        "of the page",
    ],
)
def test_headings_directly_before_kept_text_are_kept(html: str, kept: list[str], left: list[str]) -> None:
    assert mended(html, kept, []) == left


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<h2>Head</h2><p>menu<p>text", ["Head", "text"]),
        ("<h2>Head</h2>" + "<p>menu" * (NEAR - 1) + "<p>text", ["Head", "text"]),
        ("<h2>Head</h2>" + "<p>menu" * NEAR + "<p>text", ["text"]),
        ("<h2>Head</h2><p>menu<h2>Other</h2><p>text", ["Other", "text"]),
        ("<p>text<h2>Head</h2><p>menu", ["text"]),
        ("<h1>Head</h1><p>menu<p>text", ["text"]),
        ("<h3>Head</h3><p>menu<p>text<h3>Head</h3><p>menu<p>text", ["text", "text"]),
    ],
    ids=[
        "near it",
        "nearly too far",
        "too far",
        "before another section",
        "behind it",
        "of the page",
        "again and again",
    ],
)
def test_headings_close_to_the_cut_are_kept_near_kept_text(html: str, left: list[str]) -> None:
    assert mended(html, ["text"], ["Head"]) == left
