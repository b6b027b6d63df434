"""Headings in documents without heading styles. They are short bold lines followed by text."""

from itertools import pairwise
from typing import Final

from webquarry_convert.file.text.line import Content
from webquarry_convert.tree import Node

MAX_LENGTH: Final = 90
MAX_SHARE: Final = 0.4
"""Maximum share of bold lines among the blocks. If there are more, bold lines are not headings."""
MAX_TOGETHER: Final = 2
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ENDINGS: Final = tuple('.,;:!?…)"”»')


def make_headings(blocks: Content) -> None:
    """Turn the short bold lines of a document without headings into headings.

    A line in the first block becomes the title, and other lines become headings one level below.
    """
    nodes = [block for block in blocks if isinstance(block, Node)]
    if any(node.tag in _HEADINGS for node in nodes):
        return
    candidates = [_is_line(node) for node in nodes]
    if sum(candidates) > MAX_SHARE * len(nodes):
        return
    together = 0
    for at, (is_candidate, is_followed) in enumerate(pairwise(candidates)):
        together = together + 1 if is_candidate else 0
        if is_candidate and not is_followed and together <= MAX_TOGETHER:
            for back in range(at - together + 1, at + 1):
                nodes[back].tag = "h2" if back else "h1"
                nodes[back].children = _strip_marks(nodes[back])


def _is_line(node: Node) -> bool:
    """Return whether a paragraph is one short line that is entirely bold."""
    if node.tag != "p" or not node.children:
        return False
    length = 0
    last = ""
    for child in node.children:
        if isinstance(child, str):
            if not child.isspace():
                return False
        elif child.tag != "strong" or not all(isinstance(part, str) for part in child.children):
            return False
        else:
            last = "".join(child.children)  # type: ignore[arg-type]  # strings only, as was seen
            length += len(last)
    last = last.rstrip()
    return 0 < length <= MAX_LENGTH and any(map(str.isalpha, last)) and not last.endswith(_ENDINGS)


def _strip_marks(node: Node) -> Content:
    return [part for child in node.children for part in ([child] if isinstance(child, str) else child.children)]
