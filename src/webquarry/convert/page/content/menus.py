"""Menus, footers and questions for consent: what is marked as such is not weighed at all, unless it is all there is."""

import re

from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.names import MAX_NAME
from webquarry.convert.page.content.sums import Sums
from webquarry.convert.tree import Attributes

_TAGS = frozenset({"nav", "footer"})
_WHOLE = frozenset({"html", "body", "main"})
_ROLES = frozenset({"navigation", "contentinfo"})
MOST = 4
"""Menus and footers with more than a fourth of the page's prose are not what they say; nor is one that is half prose
itself."""
MOST_ASKED = 0.85
"""Share of a page's text from which what seems to ask for consent is the page itself."""
_CONSENT = re.compile(
    r"(?<![a-z])(?:cookie|consent|gdpr|truste(?![a-z])|cmp(?:box|[-_]|$))|onetrust|didomi|usercentrics|cybot"
)
_HINTS = ("cookie", "consent", "gdpr", "trust", "cmp", "didomi", "usercentrics", "cybot")
"""One of them is in all that the pattern finds, and they are found faster."""

Span = tuple[int, int]


def outside(blocks: Blocks, sums: Sums) -> list[int]:
    """Numbers of the blocks that are in none of them."""
    menus, questions = _spans(blocks)
    count = len(blocks.all)
    size, prose = sums.size, sums.prose
    menus = [(start, end) for start, end in menus if 2 * (prose[end] - prose[start]) <= size[end] - size[start]]
    if sum([size[end] - size[start] for start, end in questions]) > MOST_ASKED * size[-1]:
        questions = []
    in_questions = sum([prose[end] - prose[start] for start, end in questions])
    if MOST * sum([prose[end] - prose[start] for start, end in menus]) > prose[-1] - in_questions:
        menus = []
    left: list[int] = []
    at = 0
    for start, end in sorted(menus + questions):
        left += range(at, start)
        at = end
    left += range(at, count)
    return left or list(range(count))


def _spans(blocks: Blocks) -> tuple[list[Span], list[Span]]:
    """The ranges of blocks in the outermost menus and footers, and in the outermost questions for consent."""
    tree, starts, ends = blocks.tree, blocks.starts, blocks.ends
    menus: list[Span] = []
    questions: list[Span] = []
    place = 0
    while place < len(tree):
        start, end = starts[place], ends[place]
        node = tree[place]
        if start == end:  # no block in it
            place = node.end
            continue
        attributes = node.attributes
        if node.tag in _TAGS or (attributes and attributes.get("role") in _ROLES):
            spans = menus
        elif end - start > 1 and attributes and node.tag not in _WHOLE and _asks_for_consent(attributes):
            spans = questions
        else:
            place += 1
            continue
        spans.append((start, end))
        place = node.end
    return menus, questions


def _asks_for_consent(attributes: Attributes) -> bool:
    names = f"{attributes.get('id')} {attributes.get('class')}"[:MAX_NAME].lower()
    for hint in _HINTS:
        if hint in names:
            return _CONSENT.search(names) is not None
    return False
