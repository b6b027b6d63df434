"""Removes repeated blocks, such as copies for narrow and wide screens, or a first post that is repeated above its
thread.
"""

import re

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.names import MAX_NAME
from webquarry_convert.page.content.selection import Selection

MIN_TOKENS = 8
"""Minimum number of tokens in a repeated text. Shorter blocks are names, days and the like."""
LEVELS = 4
"""Number of ancestors that are searched for a quote."""
_APART = frozenset({"td", "th", "pre", "dt", "code", "blockquote", "q", "h1", "h2", "h3", "h4", "h5", "h6"})
"""Elements whose text may legitimately repeat other text: tables, code, headings and quotes."""
_QUOTE = re.compile(r"quot|cite|citation|zitat|bb-?code|bbc|signature|spoiler")


def drop_copies(selection: Selection) -> None:
    """Drop the less likely of two kept blocks that have the same text and different positions on the page.

    Texts may repeat in the same position of several cards, posts or rows.
    """
    blocks, kept = selection.blocks, selection.kept
    first_of: dict[str, int] = {}
    for number, block in enumerate(blocks.all):
        if not kept[number] or block.tokens < MIN_TOKENS:
            continue
        first = first_of.setdefault(" ".join(block.text.split()), number)
        if first == number or _is_apart(blocks, number):
            continue
        if blocks.series.make_key(blocks.all[first].place) != blocks.series.make_key(block.place):
            selection.drop([min(number, first, key=selection.get_nearness)])


def _is_apart(blocks: Blocks, number: int) -> bool:
    place = blocks.all[number].place
    for _ in range(LEVELS):
        if place < 0:
            return False
        names = blocks.tree[place].attributes.get("class")
        if blocks.tags[place] in _APART or (names and _QUOTE.search(names[:MAX_NAME].lower())):
            return True
        place = blocks.tree[place].up
    return False
