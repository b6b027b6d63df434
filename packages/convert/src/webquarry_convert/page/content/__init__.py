"""Which part of a page is its content: texts are weighed one by one, the best set is kept, the rest is dropped.

    tree → blocks → features (own, around, kind of the page) → forest: a score each → stacking: a chance each → choice
    → facts → mending → marks

The weights are learned from pages whose content is known (`load_weights`); nothing knows single sites. They were
learned from 1,387 pages, from these under other names, and from 704 made ones; docs/benchmarks.md says how well pages
of unseen hosts are judged:

    PYTHONPATH=src:. python -m bench.content.train ../shared/evals/web/data ../shared/evals/web/more
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp

from webquarry_convert.page.content import cards, ingredients, records, stated, titles
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.cents import join_cents
from webquarry_convert.page.content.choice import find_best_cut
from webquarry_convert.page.content.code_lines import name_code
from webquarry_convert.page.content.completion import complete_choice
from webquarry_convert.page.content.copies import drop_copies
from webquarry_convert.page.content.echoes import drop_echoes
from webquarry_convert.page.content.fact_rows import mark_fact_rows
from webquarry_convert.page.content.features import COLUMNS, Features
from webquarry_convert.page.content.forest import Forest
from webquarry_convert.page.content.grids import name_tables
from webquarry_convert.page.content.marks import Marks
from webquarry_convert.page.content.names import Names
from webquarry_convert.page.content.one_text import lean_to_text
from webquarry_convert.page.content.sheets import keep_sheets
from webquarry_convert.page.content.stacking import combine_scores, describe_scores
from webquarry_convert.page.content.weights import load_weights
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS, collect_signs, estimate_kinds
from webquarry_convert.tree import Node

__all__ = ["choose"]

LEANINGS: Mapping[str, float] = {"article": -0.3, "forum": -0.3, "product": 0.3, "listing": 0.3, "collection": 0.3}
"""Added to the scores by kind. What the forest takes wrongly it takes by the dozen: comments and other stories after an
article, where less is better than more, the cards of a shelf, where it is the other way round."""

DAY = COLUMNS.index("day")
PRICE = COLUMNS.index("price")


def choose(places: Places, url: str | None) -> Node:
    """The root of the page's tree, in which everything is dropped that is not content.

    places: of the tree. url: the page's address, whose words hint at its kind.
    """
    tree = places.tree
    name_tables(tree)
    name_code(tree)
    join_cents(tree)
    blocks = Blocks(tree)
    if blocks.all:
        kinds = lean_to_text(estimate_kinds(collect_signs(places, url), load_weights()["kinds"]), blocks)
        judged, chance, columns = _score_blocks(blocks, places, kinds)
        cut = find_best_cut(chance, [blocks.all[number].tokens for number in judged])
        nearness = {number: each / cut for number, each in zip(judged, chance, strict=True)}
        is_kept = [nearness.get(number, 0.0) >= 1 for number in range(len(blocks.all))]
        own_titles = find_titles(places)
        is_thread = records.keep_records(blocks, is_kept, judged, columns[DAY], kinds)
        if not is_thread:
            cards.complete_cards(blocks, is_kept, nearness, kinds)
        ingredients.keep_ingredients(blocks, is_kept, judged, places)
        is_product = stated.keep_stated(blocks, is_kept, judged, columns[PRICE], places, url, own_titles, kinds)
        if is_product:
            keep_sheets(blocks, is_kept, judged)
        mark_fact_rows(blocks, is_kept, judged, nearness, is_product=is_product)
        drop_copies(blocks, is_kept, nearness)
        complete_choice(blocks, is_kept, nearness)
        titles.keep_title(blocks, is_kept, judged, own_titles, kinds, is_thread=is_thread)
        drop_echoes(blocks, is_kept)
        Marks(blocks, is_kept).prune()
    return tree[0]


def _score_blocks(blocks: Blocks, places: Places, kinds: bytes) -> tuple[list[int], list[float], list[bytes]]:
    """Numbers of the blocks that are weighed, how likely each of them is content, and the columns of `Features`."""
    numbers = load_weights()
    features = Features(
        blocks,
        read_title_and_description(places),
        kinds,
        Names(numbers["names"]),
        Wording(numbers["wording"]),
    )
    scored = describe_scores(_load_forest().scores(features.columns), blocks, features.judged)
    chance = convert_scores(combine_scores(scored, numbers["stacking"]), kinds)
    return features.judged, chance, features.columns


def convert_scores(scores: Sequence[float], kinds: bytes) -> list[float]:
    """Chances by scores. kinds: how likely the page is each of `KINDS`, 255 for certain."""
    leaning = sum([LEANINGS.get(kind, 0.0) * chance for kind, chance in zip(KINDS, kinds, strict=True)]) / 255
    return [1 / (1 + exp(-score - leaning)) for score in scores]


@cache
def _load_forest() -> Forest:
    return Forest(load_weights()["forest"])


def find_titles(places: Places) -> list[str]:
    """What the head gives as the page's own title: what it says for sharing, else its `title`; not the site's name."""
    title = places.meta("og:title") or places.title
    return [title] if title and title != places.meta("og:site_name") else []


def read_title_and_description(places: Places) -> tuple[str, str]:
    """Title and description of a page, "" where it has none."""
    return places.title or "", places.meta("description") or places.meta("og:description") or ""
