"""Rows of a label and its value, as sheets of a product have them: whole or not at all, and written as items.

<div class="row"><div>Publisher</div><div>Kestrel House</div></div>  →  - **Publisher**: Kestrel House
"""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.tree import FACT_ROW, Tree

MAX_LABEL = 4
MAX_LABEL_CHARS = 40
MAX_VALUE = 30
"""Tokens of a label and of a value."""
MIN_ROWS = 2
MIN_SHEET = 3
"""Rows that stand together, and from which they are the sheet of a product."""
_ROWS = frozenset({"div", "section"})
_NO_LABELS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption"})


def mark_fact_rows(blocks: Blocks, is_kept: list[bool], judged: Sequence[int], *, is_product: bool) -> None:
    """Give rows that stand together the tag `FACT_ROW`; keep both texts of a row of which one is kept.

    judged: numbers of the blocks in no menu. is_product: the page is about one product, whose sheets are kept.
    """
    tree, tags, starts, ends = blocks.tree, blocks.tags, blocks.starts, blocks.ends
    weighed = set(judged)
    rows = [
        place
        for place in blocks.holders
        if ends[place] - starts[place] == 2 and tags[place] in _ROWS and starts[place] in weighed
    ]
    groups: dict[tuple[int, str | None], list[int]] = {}
    for place in rows:
        if _is_row(tree, blocks.all[starts[place]], blocks.all[starts[place] + 1], place):
            groups.setdefault((tree[place].up, tree[place].attributes.get("class")), []).append(place)
    for group in groups.values():
        if len(group) < MIN_ROWS:
            continue
        for place in group:
            label = starts[place]
            if is_kept[label] or is_kept[label + 1] or (is_product and len(group) >= MIN_SHEET):
                is_kept[label] = is_kept[label + 1] = True
                tree[place].tag = FACT_ROW


def _is_row(tree: Tree, label: Block, value: Block, place: int) -> bool:
    """Whether the two texts of the element at `place` are a label and its value, in elements of their own."""
    return (
        label.tokens <= MAX_LABEL
        and label.size <= MAX_LABEL_CHARS
        and not label.links
        and value.tokens <= MAX_VALUE
        and label.place != place
        and value.place != place
        and tree[label.place].tag not in _NO_LABELS
        and tree[value.place].tag not in _NO_LABELS
        and label.text[0].isalpha()
    )
