"""Headings before what is kept."""

import pytest

from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.headings import mend
from webquarry.convert.page.markup import parse
from webquarry.convert.page.tree import copied


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        ("<h2>Head</h2><p>text", ["text"], ["Head", "text"]),
        ("<h2>Head</h2><ul><li>text</ul>", ["text"], ["Head", "text"]),
        ("<h2>Head</h2><p>menu<p>text", ["text"], ["text"]),
        ("<p>text<h2>Head</h2>", ["text"], ["text"]),
        ("<h2>Head</h2><h3>Lower</h3><p>text", ["text"], ["Lower", "text"]),
        ("<h1>Title</h1><p>text", ["text"], ["text"]),
    ],
    ids=["before a text", "before a list", "before another text", "after it", "before a heading", "of the page"],
)
def test_headings_right_before_a_kept_text_are_kept(html: str, kept: list[str], left: list[str]) -> None:
    blocks = Blocks(copied(parse(html)))
    is_kept = [block.text in kept for block in blocks.all]
    mend(blocks, is_kept)
    assert [block.text for block, keeps in zip(blocks.all, is_kept, strict=True) if keeps] == left
