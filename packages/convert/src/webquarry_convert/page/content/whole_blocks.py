"""Keeps tables, lists, code and quotes whole: with some of their texts missing they would say something else.

Example: the cells of a table are weighed one by one, and six of ten are chosen. If these six hold `TABLE_SHARE` of the
table's tokens or more, all ten are kept.
"""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Block, Blocks

MAX_TOKENS = 60
"""Of a text from which on a table or a list lays out a page: its texts are judged one by one."""
TABLE_SHARE = 0.5
LIST_SHARE = 0.3
"""Share of the tokens that must be kept for all to be."""
MAX_TEXTS = 2
"""Texts for each item of a list: items of more are cards and comments, with names, dates and buttons in them."""
MIN_CELLS = 4
"""Texts of a table from which it says something by itself."""
MAX_LABEL = 3
MAX_LABELS = 2
"""Tokens of a label, and labels on each side of code or a table: its language, a button that copies it."""
_COLONS = (":", "：")  # the wide colon of Chinese and Japanese texts
_LISTS = frozenset({"ul", "ol"})
_WHOLE = _LISTS | {"table", "pre", "blockquote", "dl", "details"}
_SOURCES = frozenset({"footer", "figcaption"})
"""Elements within a quote that say whose words it holds."""


def complete_wholes(blocks: Blocks, is_kept: list[bool]) -> None:
    """Keep all blocks of a table, list, quote or piece of code when enough of them are kept. Changes `is_kept`.

    Table: `TABLE_SHARE` of its tokens must be kept; from `MIN_CELLS` texts on, it is enough that the texts before and
    behind it are.
    List: `LIST_SHARE` of its tokens, or the text before it when that ends with a colon. Of other lists, the blocks
    between the first and the last kept one are kept.
    Code: any of its blocks, or the texts before and behind it.
    List of terms and definitions: `TABLE_SHARE` of its tokens, unless it is one of links.
    Quote: whose it is, when its last text is kept. Text that a reader opens: what it is called, when its first is kept.
    Not completed: tables and lists that hold others of their kind or a text of more than `MAX_TOKENS`, as they lay out
    a page, and lists of cards or comments, whose items hold names, dates and buttons.
    """
    tree, tags = blocks.tree, blocks.tags
    table = lists = len(tree)  # places of the next ones
    for place in reversed([place for place, tag in enumerate(tags) if tag in _WHOLE]):
        node = tree[place]
        tag = node.tag
        start, end = blocks.starts[place], blocks.ends[place]
        if tag == "table":
            is_innermost, table = table >= node.end, place
            if is_innermost:
                share = 0.0 if end - start >= MIN_CELLS and _is_between(blocks, is_kept, start, end) else TABLE_SHARE
                _complete(blocks, is_kept, start, end, share)
        elif tag in _LISTS:
            is_innermost, lists = lists >= node.end, place
            if is_innermost and _is_plain(blocks, place):
                share = 0.0 if _is_announced(blocks, is_kept, start) else LIST_SHARE
                if not _complete(blocks, is_kept, start, end, share):
                    _fill(is_kept, start, end)
        elif tag == "dl":
            if not _is_menu(blocks.all[start:end], tags):
                _complete(blocks, is_kept, start, end, TABLE_SHARE)
        elif tag == "details":
            if end - start > 1 and is_kept[start + 1] and tags[blocks.all[start].place] == "summary":
                is_kept[start] = True
        elif tag == "blockquote":
            if end - start > 1 and is_kept[end - 2] and tags[blocks.all[end - 1].place] in _SOURCES:
                is_kept[end - 1] = True
        elif True in is_kept[start:end] or _is_between(blocks, is_kept, start, end):
            is_kept[start:end] = [True] * (end - start)


def _complete(blocks: Blocks, is_kept: list[bool], start: int, end: int, share: float) -> bool:
    """Keep all blocks from start to end when this share of their tokens is kept (0: even of none), and none is long."""
    if share and True not in is_kept[start:end]:
        return False
    tokens = [block.tokens for block in blocks.all[start:end]]
    kept = sum([count for count, keeps in zip(tokens, is_kept[start:end], strict=True) if keeps])
    if kept < share * sum(tokens) or max(tokens, default=0) > MAX_TOKENS:
        return False
    is_kept[start:end] = [True] * (end - start)
    return True


def _is_menu(texts: Sequence[Block], tags: Sequence[str]) -> bool:
    """Whether the terms of a list of definitions are links, or most of its text is."""
    return any(block.links for block in texts if tags[block.place] == "dt") or (
        2 * sum([block.linked for block in texts]) > sum([block.size for block in texts])
    )


def _is_between(blocks: Blocks, is_kept: list[bool], start: int, end: int) -> bool:
    """Whether the texts before and behind are kept, past labels."""
    before = range(start - 1, max(-1, start - 2 - MAX_LABELS), -1)
    behind = range(end, min(len(is_kept), end + 1 + MAX_LABELS))
    return _is_next_kept(blocks, is_kept, before) and _is_next_kept(blocks, is_kept, behind)


def _is_next_kept(blocks: Blocks, is_kept: list[bool], way: range) -> bool:
    for number in way:
        if is_kept[number]:
            return True
        if blocks.all[number].tokens > MAX_LABEL:
            return False
    return False


def _is_announced(blocks: Blocks, is_kept: list[bool], start: int) -> bool:
    """Whether the text before is kept and says that something follows."""
    return start > 0 and is_kept[start - 1] and blocks.all[start - 1].text.endswith(_COLONS)


def _is_plain(blocks: Blocks, place: int) -> bool:
    """Whether the items of a list are texts."""
    items = sum(child.__class__ is not str for child in blocks.tree[place].children)
    return blocks.ends[place] - blocks.starts[place] <= MAX_TEXTS * items


def _fill(is_kept: list[bool], start: int, end: int) -> None:
    """Keep the blocks between the first and the last kept one."""
    own = is_kept[start:end]
    if True in own:
        first, last = start + own.index(True), end - own[::-1].index(True)
        is_kept[first:last] = [True] * (last - first)
