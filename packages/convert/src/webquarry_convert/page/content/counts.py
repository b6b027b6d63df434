"""Counts next to authors' names and posts: reputations, badges and votes, without a word for what is counted."""

import re

from webquarry_convert.page.content.blocks import Block
from webquarry_convert.page.content.names import MAX_NAME
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import Node, Tree, drop_child, read_texts

MAX_TOKENS = 16
"""Maximum number of tokens in a text that contains a name and counts."""
MAX_CHARS = 24
_COUNT = re.compile(r"[\s+\-–−●•·]*+\d[\d.,\s]*+[kKmM]?[\s●•·]*+")
_REPUTATION = re.compile(r"reputation|karma|badge-?count|user-?(?:score|points|rank)|(?<![a-z])rep(?![a-z])")
_VOTES = re.compile(rf"{_REPUTATION.pattern}|(?<![a-z])(?:up)?vot(?:e|es|ing)|score|likes?(?![a-z])|points?(?![a-z])")


def drop_counts(selection: Selection) -> None:
    """In a thread, drop kept texts that are only a number of votes, and numbers next to names."""
    if not selection.is_thread:
        return
    blocks = selection.blocks
    for number, block in enumerate(blocks.all):
        if selection.kept[number] and block.tokens <= MAX_TOKENS and any(map(str.isdigit, block.text)):
            if _COUNT.fullmatch(block.text[:MAX_CHARS]):
                if _is_named(blocks.tree, block.place):
                    selection.drop((number,))
            else:
                _drop_parts(blocks.tree, block)


def _is_named(tree: Tree, place: int) -> bool:
    """Return whether the class names of an element or its parent suggest votes."""
    return any(_VOTES.search(_read_names(node)) for node in (tree[place], tree[max(tree[place].up, 0)]))


def _drop_parts(tree: Tree, block: Block) -> None:
    node = tree[block.place]
    for at in range(block.first, block.last):
        child = node.children[at]
        is_named = isinstance(child, Node) and _REPUTATION.search(_read_names(child))
        if is_named and _COUNT.fullmatch("".join(read_texts([child]))[:MAX_CHARS]):
            drop_child(node, at)


def _read_names(node: Node) -> str:
    return (node.attributes.get("class") or "")[:MAX_NAME].lower()
