"""Tables with holes are mended, or left alone."""

import pytest

from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.tables import MAX_CELL, mend
from webquarry.convert.page.markup import parse
from webquarry.convert.page.tree import copied

TABLE = "<p>before<table><tr><td>one<td>two<tr><td>three<td>four</table><p>after"


def mended(html: str, kept: str) -> list[str]:
    blocks = Blocks(copied(parse(html)))
    is_kept = [block.text in kept.split() for block in blocks.all]
    mend(blocks, is_kept)
    return [block.text for block, keeps in zip(blocks.all, is_kept, strict=True) if keeps]


@pytest.mark.parametrize(
    ("html", "kept", "left"),
    [
        (TABLE, "one four", ["one", "two", "three", "four"]),
        (TABLE, "before one two after", ["before", "one", "two", "three", "four", "after"]),
        (TABLE, "before one", ["before", "one"]),
        (TABLE, "before", ["before"]),
        (TABLE.replace("four", "four " * (MAX_CELL + 1)), "one two three", ["one", "two", "three"]),
        (f"<table><tr><td>menu<td>{TABLE}</table>", "before one two", ["before", "one", "two", "three", "four"]),
    ],
    ids=["half of it", "beside texts", "less than half", "nothing of it", "a table for layout", "a table in another"],
)
def test_tables_of_which_half_is_kept_are_kept_whole(html: str, kept: str, left: list[str]) -> None:
    assert mended(html, kept) == left
