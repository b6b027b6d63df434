"""Keeps tables, lists, code and quotes whole, because a part could have a different meaning.

Example: the cells of a table are weighed one by one, and six of ten cells are kept. If these six contain at least
`TABLE_SHARE` of the table's tokens, all ten are kept.
"""

from collections.abc import Callable, Mapping, Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection

MAX_TOKENS = 60
"""Maximum number of tokens in one block of a table or list.

A table or list with longer blocks lays out a page, and its blocks are judged separately.
"""
TABLE_SHARE = 0.5
LIST_SHARE = 0.3
"""Minimum share of a list's tokens that must be kept for the whole list to be kept."""
MAX_TEXTS = 2
"""Maximum number of blocks in a list item. Items with more blocks are cards, or comments with names and dates."""
MIN_CELLS = 4
"""Minimum number of blocks in a table that makes sense without context."""
MAX_LABEL = 3
MAX_LABELS = 2
"""Maximum number of tokens in a label, and of labels on each side of code or a table.

Labels are, for example, the language or a copy button.
"""
_COLONS = (":", "：")  # the second is the full-width colon of Chinese and Japanese
_LISTS = frozenset({"ul", "ol"})
_WHOLE = _LISTS | {"table", "pre", "blockquote", "dl", "details"}
_SOURCES = frozenset({"footer", "figcaption"})
"""Elements inside a quote that name its source."""


def complete_wholes(selection: Selection) -> None:
    """Keep all blocks of a table, list, quote or code block if enough of them are kept.

    Table: `TABLE_SHARE` of its tokens must be kept. A table with at least `MIN_CELLS` blocks is also kept if the blocks
    before and after it are kept. List: `LIST_SHARE` of its tokens must be kept, or a text before it that ends
    with a colon. In other lists, the blocks between the first and the last kept block are kept. Code: one of its blocks
    must be kept, or the blocks before and after it. Definition list: `TABLE_SHARE` of its tokens must be kept, unless
    it is a list of links. Quote: its source is kept with its last text. Collapsible text: its summary is kept with its
    first text. Tables and lists that contain another of their kind, or a block of more than `MAX_TOKENS`, are not
    completed, because they lay out a page. Lists of cards or comments, whose items contain names, dates and buttons,
    are not completed either.
    """
    blocks = selection.blocks
    tree, tags, starts, ends = blocks.tree, blocks.tags, blocks.starts, blocks.ends
    following: dict[str, int] = {}  # the index of the next element of each kind
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
"""Kinds of elements that lay out a page if they contain another element of the same kind."""
_COMPLETERS: Mapping[str, Callable[[Selection, range, int], None]] = {
    "table": _complete_table,
    "list": _complete_list,
    "dl": _complete_terms,
    "details": _complete_details,
    "blockquote": _complete_quote,
}


def _get_tag(selection: Selection, number: int) -> str:
    """Return the tag of a block's element."""
    return selection.blocks.tags[selection.blocks.all[number].place]


def _complete(selection: Selection, texts: range, share: float) -> bool:
    """Keep all blocks if at least `share` of their tokens are kept and no block is long.

    If the share is 0, no kept text is needed.
    """
    kept = selection.kept[texts.start : texts.stop]
    if share and True not in kept:
        return False
    tokens = [block.tokens for block in selection.blocks.all[texts.start : texts.stop]]
    kept_tokens = sum([count for count, keeps in zip(tokens, kept, strict=True) if keeps])
    if kept_tokens < share * sum(tokens) or max(tokens, default=0) > MAX_TOKENS:
        return False
    selection.keep(selection.weighed.intersection(texts))
    return True


def _is_menu(texts: Sequence[Block], tags: Sequence[str]) -> bool:
    """Return whether the terms of a definition list are links, or most of the list's text is linked."""
    return any(block.links for block in texts if tags[block.place] == "dt") or (
        2 * sum([block.linked for block in texts]) > sum([block.size for block in texts])
    )


def _is_between(selection: Selection, texts: range) -> bool:
    """Return whether the blocks before and after the range are kept. Labels between them and the range are skipped."""
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
    """Return whether the block before the range is kept and announces what follows."""
    before = texts.start - 1
    return before >= 0 and selection.kept[before] and selection.blocks.all[before].text.endswith(_COLONS)


def _is_plain(blocks: Blocks, place: int) -> bool:
    """Return whether a list's items are plain blocks."""
    items = sum(child.__class__ is not str for child in blocks.tree[place].children)
    return blocks.ends[place] - blocks.starts[place] <= MAX_TEXTS * items


def _fill(selection: Selection, texts: range) -> None:
    """Keep the blocks between the first and the last kept text."""
    kept = [number for number in texts if selection.kept[number]]
    if kept:
        selection.keep(range(kept[0], kept[-1]))
