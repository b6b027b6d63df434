"""What belongs together: the choice weighs texts one by one, a reader misses what is torn."""

from collections.abc import Mapping

from webquarry_convert.page.content import headings, whole_blocks
from webquarry_convert.page.content.blocks import Blocks


def complete_choice(blocks: Blocks, is_kept: list[bool], nearness: Mapping[int, float]) -> None:
    """Keep more blocks, so that tables, lists and code are whole and headings stand by their texts.

    nearness: of the blocks in no menu, their chance as a share of the least one to keep.
    """
    whole_blocks.complete_wholes(blocks, is_kept)
    headings.keep_headings(blocks, is_kept, nearness)
