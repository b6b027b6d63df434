"""Sheets of a product: tables of two columns, definition lists, and lists whose items are a label and its value.

<tr><th>Weight</th><td>610 g</td></tr>    <dt>Weight</dt><dd>610 g</dd>    <li>Weight: 610 g</li>
<li><span>Weight</span><span>610 g</span></li>
"""

import re
from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.tree import Node

MIN_ROWS = 3
MAX_BLOCKS = 400
MAX_LABEL = 6
MAX_LABEL_CHARS = 60
MAX_VALUE = 40
"""Tokens of a label and of a value."""
SHARE = 0.8
"""Of the rows that are a label and a value."""
_LISTS = frozenset({"ul", "ol"})
_SHEETS = _LISTS | {"table", "dl"}
_COLON = re.compile(r"\w[^:：\n]{1,40}[:：]\s?\S")


def keep_sheets(blocks: Blocks, is_kept: list[bool], judged: Sequence[int]) -> None:
    """Keep the sheets of a page that is about one product. judged: numbers of the blocks in no menu."""
    tree, starts, ends = blocks.tree, blocks.starts, blocks.ends
    weighed = set(judged)
    for place, node in enumerate(tree):
        if node.tag not in _SHEETS:
            continue
        start, end = starts[place], ends[place]
        if MIN_ROWS <= end - start <= MAX_BLOCKS and start in weighed and _is_sheet(blocks, place):
            is_kept[start:end] = [True] * (end - start)


def _is_sheet(blocks: Blocks, place: int) -> bool:
    """Whether nearly all rows of the element are a label and a value."""
    tree, starts, ends = blocks.tree, blocks.starts, blocks.ends
    found = blocks.all
    start, end = starts[place], ends[place]
    if tree[place].tag in _LISTS:
        texts = found[start:end]
        rows = len(texts)
        good = sum([block.tokens <= MAX_VALUE and _is_item(block, tree[block.place]) for block in texts])
    elif tree[place].tag == "dl":
        pairs = [
            (found[number], found[number + 1])
            for number in range(start, end - 1)
            if tree[found[number].place].tag == "dt" and tree[found[number + 1].place].tag == "dd"
        ]
        rows = (end - start + 1) // 2
        good = sum([_is_row(*pair) for pair in pairs])
    else:
        inner = range(place + 1, tree[place].end)
        if any(tree[at].tag == "table" for at in inner):
            return False
        lines = [at for at in inner if tree[at].tag == "tr" and ends[at] > starts[at]]
        rows = len(lines)
        good = sum([ends[at] - starts[at] == 2 and _is_row(*found[starts[at] : ends[at]]) for at in lines])
    return rows >= MIN_ROWS and good >= SHARE * rows


def _is_item(block: Block, node: Node) -> bool:
    """Whether an item is a label and a value: with a colon between, or each in a `span`."""
    if _COLON.match(block.text) is not None:
        return True
    parts = [child for child in node.children if not isinstance(child, str) or not child.isspace()]
    if len(parts) != 2 or not all(isinstance(part, Node) and part.tag == "span" for part in parts):
        return False
    return block.text[0].isalpha()


def _is_row(label: Block, value: Block) -> bool:
    return (
        label.tokens <= MAX_LABEL
        and label.size <= MAX_LABEL_CHARS
        and not label.links
        and value.tokens <= MAX_VALUE
        and not label.text[0].isdigit()
    )
