"""Keeps headings together with their section."""

from collections import Counter
from collections.abc import Sequence

from webquarry_convert.page.content.selection import Selection

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
NEARLY = 0.5
"""Minimum nearness of a heading that counts as close to the cut."""
NEAR = 8
"""Number of blocks after a heading that are searched for kept text."""


def keep_headings(selection: Selection) -> None:
    """Keep each heading that directly precedes a kept text or a kept lower heading, and headings of kept sections that
    are close to the cut.

    A heading that is close to the cut is kept if any text in its section is kept. Headings that repeat in the same
    position, such as the headings of posts, need more evidence. The page's own heading is weighed separately.
    """
    tree, found, kept = selection.blocks.tree, selection.blocks.all, selection.kept
    tags = [tree[block.place].tag for block in found]
    counts = _count_headings(selection, tags)
    total = len(tags)
    nowhere = total + NEAR
    text = nowhere  # the next kept text before the following heading
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
    """Return how often each heading occurs on the page.

    tags: the tag of each block's element.
    """
    return Counter([block.text for block, tag in zip(selection.blocks.all, tags, strict=True) if tag in _HEADINGS])


def _is_nearly_chosen(selection: Selection, number: int) -> bool:
    return selection.get_nearness(number) >= NEARLY
