"""Headings stand by what they head."""

from collections import Counter
from collections.abc import Sequence

from webquarry_convert.page.content.selection import Selection

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
NEARLY = 0.5
"""Share of the least chance to keep from which a heading was nearly chosen."""
NEAR = 8
"""Texts after a heading among which one that is kept speaks for it."""


def keep_headings(selection: Selection) -> None:
    """Keep each heading right before a text, or a lower heading, that is kept; and each that was nearly chosen before
    a section of which something is kept.

    Headings that stand there again and again, as those of posts, need more than that. Whether the page's own heading is
    part of its content is weighed by itself.
    """
    tree, found, kept = selection.blocks.tree, selection.blocks.all, selection.kept
    tags = [tree[block.place].tag for block in found]
    counts = _count_headings(selection, tags)
    total = len(tags)
    nowhere = total + NEAR
    text = nowhere  # the first that is kept from here on, before any heading
    for number in range(total - 1, -1, -1):
        tag = tags[number]
        if tag not in _HEADINGS:
            if kept[number]:
                text = number
            continue
        follows = number + 1
        if tag != "h1" and not kept[number] and follows < total:
            is_above = tags[follows] in _HEADINGS and tags[follows] > tag and kept[follows]
            is_alone = text - number <= NEAR and counts[found[number].text] == 1
            if text == follows or is_above or (is_alone and _is_nearly_chosen(selection, number)):
                selection.keep((number,))
        text = nowhere


def _count_headings(selection: Selection, tags: Sequence[str]) -> Counter[str]:
    """Return how often each heading stands on the page. tags: of the blocks' elements."""
    return Counter([block.text for block, tag in zip(selection.blocks.all, tags, strict=True) if tag in _HEADINGS])


def _is_nearly_chosen(selection: Selection, number: int) -> bool:
    return selection.get_nearness(number) >= NEARLY
