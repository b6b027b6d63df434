"""Builds selections in the form that the stages of the content selection receive."""

from collections.abc import Callable, Mapping, Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.features import COLUMNS
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS
from webquarry_convert.tree import build_tree


def make_kinds(**chances: int) -> bytes:
    """Return the chances of the kinds: 0 for kinds that are not given; 255 is certain."""
    return bytes(chances.get(kind, 0) for kind in KINDS)


def make_selection(
    html: str,
    is_kept: Callable[[Block], bool] = lambda block: True,
    *,
    nearness: Mapping[int, float] | None = None,
    kinds: bytes | None = None,
    days: Callable[[Block], bool] = lambda block: False,
    titles: Sequence[str] = (),
) -> Selection:
    """Return the selection of a page whose blocks are all judged.

    is_kept: whether each block is kept so far. days: whether each block contains a date.
    """
    places = Places(build_tree(html))
    blocks = Blocks(places.tree)
    columns = [bytes(len(blocks.all))] * len(COLUMNS)
    columns[COLUMNS.index("day")] = bytes(map(days, blocks.all))
    selection = Selection(
        blocks,
        places,
        kinds=kinds or make_kinds(),
        judged=range(len(blocks.all)),
        nearness={} if nearness is None else nearness,
        columns=columns,
        titles=titles,
    )
    selection.keep([number for number, block in enumerate(blocks.all) if is_kept(block)])
    return selection


def list_kept(selection: Selection) -> list[str]:
    return [block.text for block, keeps in zip(selection.blocks.all, selection.kept, strict=True) if keeps]
