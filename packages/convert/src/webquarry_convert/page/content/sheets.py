"""Product sheets: tables with two columns, definition lists, and lists of labels and values.

<tr><th>Weight</th><td>610 g</td></tr> <dt>Weight</dt><dd>610 g</dd> <li>Weight: 610 g</li>
<li><span>Weight</span><span>610 g</span></li>
"""

import re
from itertools import pairwise

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import Node

MIN_ROWS = 3
MAX_BLOCKS = 400
MAX_LABEL = 6
MAX_LABEL_CHARS = 60
MAX_VALUE = 40
"""Maximum number of tokens in a label, and in a value."""
SHARE = 0.8
"""Minimum share of rows that are a label and its value."""
_LISTS = frozenset({"ul", "ol"})
_SHEETS = _LISTS | {"table", "dl"}
_COLON = re.compile(r"\w[^:：\n]{1,40}[:：]\s?\S")


def keep_sheets(selection: Selection) -> None:
    """Keep the product sheets on a page about one product."""
    if not selection.is_product:
        return
    blocks = selection.blocks
    starts, ends = blocks.starts, blocks.ends
    weighed = set(selection.judged)
    for place, node in enumerate(blocks.tree):
        if node.tag not in _SHEETS:
            continue
        start, end = starts[place], ends[place]
        if MIN_ROWS <= end - start <= MAX_BLOCKS and start in weighed and _is_sheet(blocks, place):
            selection.keep(range(start, end))


def _is_sheet(blocks: Blocks, place: int) -> bool:
    """Return whether nearly all rows of an element are a label and its value."""
    tag = blocks.tree[place].tag
    count = _count_items if tag in _LISTS else _count_terms if tag == "dl" else _count_lines
    good, rows = count(blocks, place)
    return rows >= MIN_ROWS and good >= SHARE * rows


def _count_items(blocks: Blocks, place: int) -> tuple[int, int]:
    """Return the number of blocks in a list that are a label and its value, and the number of all blocks."""
    texts = blocks.all[blocks.starts[place] : blocks.ends[place]]
    tree = blocks.tree
    return sum([block.tokens <= MAX_VALUE and _is_item(block, tree[block.place]) for block in texts]), len(texts)


def _count_terms(blocks: Blocks, place: int) -> tuple[int, int]:
    """Return how many pairs in a definition list are a label and its value, and the number of possible pairs."""
    texts, tags = blocks.all[blocks.starts[place] : blocks.ends[place]], blocks.tags
    good = [
        tags[term.place] == "dt" and tags[value.place] == "dd" and _is_row(term, value)
        for term, value in pairwise(texts)
    ]
    return sum(good), (len(texts) + 1) // 2


def _count_lines(blocks: Blocks, place: int) -> tuple[int, int]:
    """Return the number of table rows that are a label and its value, and the number of all rows.

    Returns (0, 0) for a table that contains tables.
    """
    tags, starts, ends = blocks.tags, blocks.starts, blocks.ends
    inner = range(place + 1, blocks.tree[place].end)
    if any(tags[at] == "table" for at in inner):
        return 0, 0
    lines = [at for at in inner if tags[at] == "tr" and ends[at] > starts[at]]
    return sum([ends[at] - starts[at] == 2 and _is_row(*blocks.all[starts[at] : ends[at]]) for at in lines]), len(lines)


def _is_item(block: Block, node: Node) -> bool:
    """Return whether an item is a label and its value, which are separated by a colon or are in one `span` each."""
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
