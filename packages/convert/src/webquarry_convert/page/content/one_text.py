"""Pages that say little of what they are, and whose prose stands in one place: they are read like articles.

Kinds are told by words of addresses, heads and names of elements. Old or plain pages have few of these, whatever their
language, and their text says more than the average over all kinds.
"""

from math import exp

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.kind import KINDS

UNSURE = 128
"""Of 255, up to which no kind is certain."""
MIN_PROSE = 60
"""Characters of a text from which it reads like prose."""
MIN_TEXT = 800
"""Characters of prose in one element."""
SHARE = 0.4
"""Of the prose of the page that it is."""
MAX_SUMS = 2
"""Sums of money on such a page: there are more of them in shops."""
EVIDENCE = exp(2)
"""How many times as likely such a page is one of `_TEXTS`: of 1, e, e², e⁴ the best on half of the hosts."""
_TEXTS = frozenset({"article", "documentation"})


def lean_to_text(kinds: bytes, blocks: Blocks) -> bytes:
    """kinds: how likely the page is each of `KINDS`, 255 for certain; so is what comes back."""
    if max(kinds) >= UNSURE or not _holds_one_text(blocks) or _is_priced(blocks):
        return kinds
    odds = [(chance or 0.5) * (EVIDENCE if kind in _TEXTS else 1) for kind, chance in zip(KINDS, kinds, strict=True)]
    whole = sum(odds)
    return bytes([int(255 * each / whole) for each in odds])


def _holds_one_text(blocks: Blocks) -> bool:
    """Whether much of the prose of the page stands within one element."""
    sizes: dict[int, int] = {}
    for block in blocks.all:
        if block.size >= MIN_PROSE and 3 * block.linked < block.size:
            above = blocks.tree[block.place].up
            sizes[above] = sizes.get(above, 0) + block.size
    most = max(sizes.values(), default=0)
    return most >= MIN_TEXT and most >= SHARE * sum(sizes.values())


def _is_priced(blocks: Blocks) -> bool:
    return sum([has_sum(block.text) for block in blocks.all]) > MAX_SUMS
