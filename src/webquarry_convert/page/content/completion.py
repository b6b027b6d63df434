"""What belongs together: the choice weighs texts one by one, a reader misses what is torn."""

from collections.abc import Sequence

from webquarry_convert.page.content import headings, whole_blocks
from webquarry_convert.page.content.blocks import Blocks


def complete_choice(blocks: Blocks, is_kept: list[bool], is_near: Sequence[bool]) -> None:
    """Keep more blocks, so that tables, lists and code are whole and headings stand by their texts.

    is_kept, is_near: of each block whether it was chosen, and whether it was or nearly so.
    """
    whole_blocks.complete_wholes(blocks, is_kept)
    headings.keep_headings(blocks, is_kept, is_near)
