"""Rows with a label and its value in product tables and cards, and numbers with the nouns that they count.

Such rows are kept or dropped as a whole and written as list items.

    <div class="row"><div>Publisher</div><div>Kestrel House</div></div>                  - **Publisher**: Kestrel House
    <div><span class="name">Publisher</span><span class="value">Kestrel</span></div>    - **Publisher**: Kestrel
    <div class="stat"><div>1,200</div><div>members</div></div>                          - **1,200** members

Two pairs do not form a row: `Language English` is not the label of `Year 2013`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.names import MAX_NAME
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.siblings import SeriesKey, read_names
from webquarry_convert.tree import FACT_ROW, Node, Tree, read_texts

MAX_LABEL = 4
MAX_LABEL_CHARS = 40
MAX_VALUE = 30
"""Maximum number of tokens in a label, and in a value."""
MAX_COUNTED = 6
"""Maximum number of tokens in the noun that a number counts."""
MAX_PARTS = 12
MAX_WRAPPERS = 6
"""Maximum number of examined parts of a text, and of elements around these parts."""
MIN_ROWS = 2
MIN_SHEET = 3
"""Minimum number of adjacent rows that are marked as rows or form a product sheet."""
NEAR = 0.7
"""Minimum average nearness of a sheet's blocks if the sheet is next to a kept text."""
MIN_CARDS = 3
"""Minimum number of cards that must have a row with the same label and different values."""
SHARE = 0.5
"""Minimum share of rows with the same label among the rows that have the same position in their cards."""
MAX_CARD_VALUE = 6
"""Maximum number of tokens in a card's value."""
_ROWS = frozenset({"div", "section"})
_NO_LABELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption"})
_PAIR = re.compile(r"\w\s?[:：]\s*\w")
_LABEL_NAME = re.compile(r"name|label|key|title|term|prop|attr|field|caption|(?<![a-z])(?:head|th|dt)(?![a-z])")
_VALUE_NAME = re.compile(r"val|data|detail|content|desc|(?<![a-z])(?:text|info|td|dd)(?![a-z])")
_FIGURE = re.compile(r"[~≈<>+$€£]? ?\d[\d.,]{0,11} ?(?:%|[+]|[kKmM]\+?)?|\d{1,2}[:h]\d{2}(?: ?[AaPp][Mm])?")
"""Matches a number, a percentage, an amount of money or a time of day."""


def mark_fact_rows(selection: Selection) -> None:
    """Tag rows as `FACT_ROW` if several are adjacent, or if each card has a row with the same label.

    Keeps both blocks of a row if one of them is kept. Keeps a sheet that is between kept blocks, that is next to a kept
    text and close to the cut, or that is on a page about one product.
    """
    blocks, kept = selection.blocks, selection.kept
    starts = blocks.starts
    single: list[int] = []
    for group in _group_rows(selection):
        if len(group) < MIN_ROWS:
            single += group
            continue
        _mark_group(selection, group)
    kept_rows = [place for place in single if kept[starts[place]] and kept[starts[place] + 1]]
    for place in _find_in_cards(blocks, kept_rows):
        blocks.tree[place].tag = FACT_ROW
    for place in _find_inline_rows(selection):
        blocks.tree[place].tag = FACT_ROW


def _find_inline_rows(selection: Selection) -> Iterator[int]:
    """Yield elements in a series whose only text is a label and its value, in inline elements with matching class
    names.
    """
    blocks, kept = selection.blocks, selection.kept
    found: defaultdict[SeriesKey, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks.all):
        place = block.place
        if (
            kept[number]
            and block.tokens <= MAX_LABEL + MAX_VALUE
            and not block.links
            and blocks.tags[place] in _ROWS
            and blocks.ends[place] - blocks.starts[place] == 1
            and _names_pair(_list_parts(blocks.tree, block))
        ):
            found[blocks.series.make_key(place)].append(place)
    for places in found.values():
        if len(places) >= MIN_ROWS:
            yield from places


def _names_pair(parts: Sequence[Node | str]) -> bool:
    """Return whether the class names of two elements mean label and value."""
    names = [(part.attributes.get("class") or "")[:MAX_NAME].lower() for part in parts if isinstance(part, Node)]
    if len(parts) != 2 or len(names) != 2:
        return False
    return bool(_LABEL_NAME.search(names[0]) and _VALUE_NAME.search(names[1]))


def _list_parts(tree: Tree, block: Block) -> list[Node | str]:
    """Return a text's parts: its elements and strings, or those of its only element."""
    children = tree[block.place].children[block.first : block.last]
    for _ in range(MAX_WRAPPERS):
        parts = [child for child in children[:MAX_PARTS] if _has_text(child)]
        if len(parts) != 1 or isinstance(only := parts[0], str):
            break
        children = only.children
    return parts


def _has_text(child: Node | str) -> bool:
    return not child.isspace() if isinstance(child, str) else any(not text.isspace() for text in read_texts([child]))


def _mark_group(selection: Selection, rows: Sequence[int]) -> None:
    """Mark a kept sheet's rows, or otherwise only the rows that contain a kept text."""
    blocks, kept = selection.blocks, selection.kept
    is_sheet = _is_kept_sheet(selection, rows)
    for place in rows:
        label = blocks.starts[place]
        if is_sheet or kept[label] or kept[label + 1]:
            selection.keep((label, label + 1))
            blocks.tree[place].tag = FACT_ROW


def _group_rows(selection: Selection) -> Iterable[list[int]]:
    """Return the indexes of rows with the same parent and the same names."""
    blocks, tree = selection.blocks, selection.blocks.tree
    starts, ends = blocks.starts, blocks.ends
    weighed = selection.weighed
    groups: dict[tuple[int | str, ...], list[int]] = {}
    for place in blocks.holders:
        if ends[place] - starts[place] == 2 and blocks.tags[place] in _ROWS and starts[place] in weighed:
            pair = blocks.all[starts[place]], blocks.all[starts[place] + 1]
            if _is_row(tree, *pair, place) or _is_counted(tree, *pair, place):
                groups.setdefault((tree[place].up, *read_names(tree[place])), []).append(place)
    return groups.values()


def _is_kept_sheet(selection: Selection, rows: Sequence[int]) -> bool:
    """Return whether adjacent rows form a sheet that is part of the content."""
    if len(rows) < MIN_SHEET:
        return False
    return selection.is_product or _stands_between(selection, rows) or _is_near(selection, rows)


def _is_near(selection: Selection, rows: Sequence[int]) -> bool:
    """Return whether rows next to a kept text come close to the cut on average."""
    kept, starts = selection.kept, selection.blocks.starts
    numbers = [number for place in rows for number in (starts[place], starts[place] + 1)]
    before, behind = numbers[0] - 1, numbers[-1] + 1
    is_beside = (before >= 0 and kept[before]) or (behind < len(kept) and kept[behind])
    return is_beside and sum([selection.get_nearness(number) for number in numbers]) >= NEAR * len(numbers)


def _stands_between(selection: Selection, rows: Sequence[int]) -> bool:
    """Return whether the rows are between a kept text or the page's heading and another kept text."""
    blocks, kept = selection.blocks, selection.kept
    before, behind = blocks.starts[rows[0]] - 1, blocks.ends[rows[-1]]
    if before < 0 or behind >= len(kept) or not kept[behind]:
        return False
    return kept[before] or blocks.tags[blocks.all[before].place] == "h1"


def _find_in_cards(blocks: Blocks, rows: Sequence[int]) -> Iterator[int]:
    """Yield rows that are the only row in their card. Other cards must have the same label with different values."""
    cards: defaultdict[SeriesKey, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place in rows:
        cards[blocks.series.make_key(place)][blocks.all[blocks.starts[place]].text].append(place)
    for labelled in cards.values():
        count = sum(map(len, labelled.values()))
        for same in labelled.values():
            values = [blocks.all[blocks.starts[place] + 1] for place in same]
            if (
                len(same) >= max(MIN_CARDS, SHARE * count)
                and len({value.text for value in values}) > 1
                and max([value.tokens for value in values]) <= MAX_CARD_VALUE
            ):
                yield from same


def _is_row(tree: Tree, label: Block, value: Block, place: int) -> bool:
    """Return whether the two blocks of the element at index `place` are a label and its value, in separate elements."""
    return (
        label.tokens <= MAX_LABEL
        and label.size <= MAX_LABEL_CHARS
        and not label.links
        and value.tokens <= MAX_VALUE
        and label.text[0].isalpha()
        and _are_apart(tree, label, value, place)
        and not (_may_be_pair(tree, label) and _may_be_pair(tree, value))
    )


def _may_be_pair(tree: Tree, block: Block) -> bool:
    """Return whether a text may be a label with its value. Such a text has several parts, or a colon before its end."""
    return _PAIR.search(block.text) is not None or len(_list_parts(tree, block)) > 1


def _is_counted(tree: Tree, figure: Block, counted: Block, place: int) -> bool:
    """Return whether the two blocks are a number and the noun that it counts."""
    return (
        _FIGURE.fullmatch(figure.text) is not None
        and not figure.links
        and counted.tokens <= MAX_COUNTED
        and not counted.links
        and counted.text[0].isalpha()
        and _are_apart(tree, figure, counted, place)
    )


def _are_apart(tree: Tree, label: Block, value: Block, place: int) -> bool:
    return (
        label.place != place
        and value.place != place
        and tree[label.place].tag not in _NO_LABELS
        and tree[value.place].tag not in _NO_LABELS
    )
