"""Which part of a page is its content: texts are weighed one by one, the best set is kept, the rest is dropped.

    tree → blocks → features (own, around, kind of the page) → forest: a score each → stacking: a chance each
    → stages (`STAGES`): cut, facts, mending, marks

The weights are learned from pages whose content is known (`load_weights`); nothing knows single sites. They were
learned from 1,387 pages, from these under other names, and from 704 made ones; docs/benchmarks.md says how well pages
of unseen hosts are judged:

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
    """Return the root of the page's tree, in which everything is dropped that is not content.

    places: of the tree. url: the page's address, whose words hint at its kind.
    """
    _select(places, url)
    return places.tree[0]


def explain_choice(places: Places, url: str | None) -> str:
    """Return a line for each text of a page: whether it is kept, which stages decided that, and how it begins.

    Arguments as in `choose`; the tree is used up.
    """
    selection = _select(places, url)
    return "" if selection is None else explain_selection(selection)


def _select(places: Places, url: str | None) -> Selection | None:
    """Decide on the texts of a page; None for a page without any."""
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
