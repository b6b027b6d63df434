"""Selects a page's main content.

Each text is scored, the best set of blocks is kept and the rest is dropped.

    tree → blocks → features (block, surroundings, kind of page) → forest: scores → stacking: chances → stages
(`STAGES`): cut, facts, completion, marks

The weights are learned from pages whose content is known (`load_weights`); no rule is written for a single site. The
training set has 1,387 pages, variants of them with other names and tags, and 704 generated pages. docs/benchmarks.md
gives the results on pages of unseen hosts.

    python -m training.content ../shared/evals/web/data ../shared/evals/web/more
"""

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.cents import join_cents
from webquarry_convert.page.content.code_lines import name_code
from webquarry_convert.page.content.explanation import explain_selection
from webquarry_convert.page.content.grids import name_tables
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.stages import STAGES, run_stages
from webquarry_convert.page.content.weighing import weigh_blocks
from webquarry_convert.page.head import Places
from webquarry_convert.tree import Node

__all__ = ["STAGES", "choose", "explain_choice"]


def choose(places: Places, url: str | None) -> Node:
    """Drop everything that is not content, and return the root of the page's tree.

    places: index of the page's tree. url: the page's URL, whose words hint at the kind of page.
    """
    _select(places, url)
    return places.tree[0]


def explain_choice(places: Places, url: str | None) -> str:
    """Return one line for each text on a page, with the names of the stages that kept or dropped it.

    Takes the same arguments as `choose` and modifies the tree.
    """
    selection = _select(places, url)
    return "" if selection is None else explain_selection(selection)


def _select(places: Places, url: str | None) -> Selection | None:
    """Select the blocks to keep, or return None for a page without text."""
    tree = places.tree
    name_tables(tree)
    name_code(tree)
    join_cents(tree)
    blocks = Blocks(tree)
    if not blocks.all:
        return None
    selection = weigh_blocks(blocks, places, url)
    run_stages(selection)
    return selection
