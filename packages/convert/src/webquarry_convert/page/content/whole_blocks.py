"""Keeps tables, lists, code and quotes whole: with some of their texts missing they would say something else.

Example: the cells of a table are weighed one by one, and six of ten are chosen. If these six hold `TABLE_SHARE` of the
table's tokens or more, all ten are kept.
"""

from collections.abc import Callable, Mapping, Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection

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


def complete_wholes(selection: Selection) -> None:
    """Keep all blocks of a table, list, quote or piece of code when enough of them are kept.

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
    blocks = selection.blocks
    tree, tags, starts, ends = blocks.tree, blocks.tags, blocks.starts, blocks.ends
    following: dict[str, int] = {}  # by kind, the place of the next one
    for place in reversed([place for place, tag in enumerate(tags) if tag in _WHOLE]):
        tag = tree[place].tag
        kind = "list" if tag in _LISTS else tag
        is_innermost = following.get(kind, len(tree)) >= tree[place].end
        following[kind] = place
        if is_innermost or kind not in _PLACING:
            _COMPLETERS.get(kind, _complete_code)(selection, range(starts[place], ends[place]), place)


def _complete_table(selection: Selection, texts: range, place: int) -> None:
    is_enough = len(texts) >= MIN_CELLS and _is_between(selection, texts)
    _complete(selection, texts, 0.0 if is_enough else TABLE_SHARE)


def _complete_list(selection: Selection, texts: range, place: int) -> None:
    if not _is_plain(selection.blocks, place):
        return
    share = 0.0 if _is_announced(selection, texts) else LIST_SHARE
    if not _complete(selection, texts, share):
        _fill(selection, texts)


def _complete_terms(selection: Selection, texts: range, place: int) -> None:
    if not _is_menu(selection.blocks.all[texts.start : texts.stop], selection.blocks.tags):
        _complete(selection, texts, TABLE_SHARE)


def _complete_details(selection: Selection, texts: range, place: int) -> None:
    if len(texts) > 1 and selection.kept[texts[1]] and _get_tag(selection, texts[0]) == "summary":
        selection.keep(texts[:1])


def _complete_quote(selection: Selection, texts: range, place: int) -> None:
    if len(texts) > 1 and selection.kept[texts[-2]] and _get_tag(selection, texts[-1]) in _SOURCES:
        selection.keep(texts[-1:])


def _complete_code(selection: Selection, texts: range, place: int) -> None:
    if True in selection.kept[texts.start : texts.stop] or _is_between(selection, texts):
        selection.keep(texts)


_PLACING = frozenset({"table", "list"})
"""Kinds of which those that hold others lay out a page."""
_COMPLETERS: Mapping[str, Callable[[Selection, range, int], None]] = {
    "table": _complete_table,
    "list": _complete_list,
    "dl": _complete_terms,
    "details": _complete_details,
    "blockquote": _complete_quote,
}


def _get_tag(selection: Selection, number: int) -> str:
    """Return the tag of the element of a block."""
    return selection.blocks.tags[selection.blocks.all[number].place]


def _complete(selection: Selection, texts: range, share: float) -> bool:
    """Keep all texts when this share of their tokens is kept (0: even without a kept one), and none is long."""
    kept = selection.kept[texts.start : texts.stop]
    if share and True not in kept:
        return False
    tokens = [block.tokens for block in selection.blocks.all[texts.start : texts.stop]]
    kept_tokens = sum([count for count, keeps in zip(tokens, kept, strict=True) if keeps])
    if kept_tokens < share * sum(tokens) or max(tokens, default=0) > MAX_TOKENS:
        return False
    selection.keep(texts)
    return True


def _is_menu(texts: Sequence[Block], tags: Sequence[str]) -> bool:
    """Whether the terms of a list of definitions are links, or most of its text is."""
    return any(block.links for block in texts if tags[block.place] == "dt") or (
        2 * sum([block.linked for block in texts]) > sum([block.size for block in texts])
    )


def _is_between(selection: Selection, texts: range) -> bool:
    """Whether the texts before and behind are kept, past labels."""
    before = range(texts.start - 1, max(-1, texts.start - 2 - MAX_LABELS), -1)
    behind = range(texts.stop, min(len(selection.kept), texts.stop + 1 + MAX_LABELS))
    return _is_next_kept(selection, before) and _is_next_kept(selection, behind)


def _is_next_kept(selection: Selection, way: range) -> bool:
    for number in way:
        if selection.kept[number]:
            return True
        if selection.blocks.all[number].tokens > MAX_LABEL:
            return False
    return False


def _is_announced(selection: Selection, texts: range) -> bool:
    """Whether the text before is kept and says that something follows."""
    before = texts.start - 1
    return before >= 0 and selection.kept[before] and selection.blocks.all[before].text.endswith(_COLONS)


def _is_plain(blocks: Blocks, place: int) -> bool:
    """Whether the items of a list are texts."""
    items = sum(child.__class__ is not str for child in blocks.tree[place].children)
    return blocks.ends[place] - blocks.starts[place] <= MAX_TEXTS * items


def _fill(selection: Selection, texts: range) -> None:
    """Keep the texts between the first and the last kept one."""
    kept = [number for number in texts if selection.kept[number]]
    if kept:
        selection.keep(range(kept[0], kept[-1]))
