"""Pages that are treated as articles, because they have few signs of their kind, and most of their prose is in one
place.

The kind of a page is derived from words in its URL, head and element names. Old or plain pages have few such words, so
their text is better evidence than the average over all kinds.
"""

from math import exp

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.kind import KINDS

UNSURE = 128
"""Maximum chance, of 255, of a kind that counts as uncertain."""
MIN_PROSE = 60
"""Minimum length, in characters, of a text that reads like prose."""
MIN_TEXT = 800
"""Minimum amount of prose in one element, in characters."""
SHARE = 0.4
"""Minimum share of the page's prose that this element must contain."""
MAX_SUMS = 2
"""Maximum number of amounts of money on such a page. Shops have more."""
EVIDENCE = exp(2)
"""Factor by which the odds of `_TEXTS` are raised.

Of the values 1, e, e² and e⁴, this one gave the best results on half of the hosts.
"""
_TEXTS = frozenset({"article", "documentation"})


def lean_to_text(kinds: bytes, blocks: Blocks) -> bytes:
    """Return the chances of the kinds, shifted towards text if the page consists of one text.

    kinds: chance of each of `KINDS`; 255 is certain. The result has the same form.
    """
    if max(kinds) >= UNSURE or not _holds_one_text(blocks) or _is_priced(blocks):
        return kinds
    odds = [(chance or 0.5) * (EVIDENCE if kind in _TEXTS else 1) for kind, chance in zip(KINDS, kinds, strict=True)]
    whole = sum(odds)
    return bytes([int(255 * each / whole) for each in odds])


def _holds_one_text(blocks: Blocks) -> bool:
    """Return whether one element contains much of the page's prose."""
    sizes: dict[int, int] = {}
    for block in blocks.all:
        if block.size >= MIN_PROSE and 3 * block.linked < block.size:
            above = blocks.tree[block.place].up
            sizes[above] = sizes.get(above, 0) + block.size
    most = max(sizes.values(), default=0)
    return most >= MIN_TEXT and most >= SHARE * sum(sizes.values())


def _is_priced(blocks: Blocks) -> bool:
    return sum([has_sum(block.text) for block in blocks.all]) > MAX_SUMS
