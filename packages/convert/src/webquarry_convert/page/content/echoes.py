"""Removes repetitions of a phrase within one text: `<a>Pears</a><span hidden-by-css>Pears</span>`.

Pages contain such copies for narrow and wide screens, for screen readers and for animated text.
"""

from typing import Final

from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import Node, drop_child, read_texts, walk

MIN_CHARS: Final = 6
"""Minimum number of letters in a repeated phrase."""
MAX_TIMES: Final = 4
MAX_CHARS: Final = 600
"""Maximum length, in characters, of a text that is checked."""
_BEGINNING: Final = 3
"""Number of leading characters that are compared first, which rules out most blocks quickly."""
MAX_WRAPPERS: Final = 12


def drop_echoes(selection: Selection) -> None:
    """Drop parts of kept blocks that only repeat another part of the same text."""
    blocks = selection.blocks
    for block, keeps in zip(blocks.all, selection.kept, strict=True):
        if not keeps or not 2 * MIN_CHARS <= block.size <= MAX_CHARS:
            continue
        text = block.text
        if text.find(text[:_BEGINNING], MIN_CHARS) > 0 and (said := _find_repeated(_squeeze(text))):
            _keep_one(blocks.tree[block.place], block.first, block.last, said)


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _find_repeated(text: str) -> str:
    """Return the phrase that a text repeats, or "" if it does not consist of one repeated phrase."""
    for times in range(MAX_TIMES, 1, -1):
        unit = text[: len(text) // times]
        if len(unit) >= MIN_CHARS and unit * times == text and any(map(str.isalpha, unit)):
            return unit
    return ""


def _keep_one(node: Node, first: int, last: int, said: str) -> None:
    """Keep only one of the parts that contain the phrase.

    The part with the most words is preferred, because some copies are split. Among equal parts, a part with a link is
    preferred.
    """
    for _ in range(MAX_WRAPPERS):
        parts = _read_parts(node, first, last)
        if len(parts) != 1 or isinstance(only := node.children[next(iter(parts))], str):
            break
        node, first, last = only, 0, len(only.children)
    if len(parts) < 2 or any(_squeeze(text).replace(said, "") for text in parts.values()):
        return
    whole = {at: text for at, text in parts.items() if _squeeze(text) == said}
    if not whole:
        return
    best = max(whole, key=lambda at: (len(whole[at].split()), _holds_link(node.children[at]), -at))
    for at in parts:
        if at != best:
            drop_child(node, at)


def _read_parts(node: Node, first: int, last: int) -> dict[int, str]:
    """Return the child nodes' non-empty strings by index."""
    texts = {at: "".join(read_texts([node.children[at]])) for at in range(first, last)}
    return {at: text for at, text in texts.items() if text and not text.isspace()}


def _holds_link(child: Node | str) -> bool:
    return any(isinstance(current, Node) and current.tag == "a" for current in walk([child]))
