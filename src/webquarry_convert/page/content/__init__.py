"""Which part of a page is its content: texts are weighed one by one, the best set is kept, the rest is dropped.

    tree → blocks → features (own, around, kind of the page) → forest: a chance each → choice → mending → marks

The weights are learned from pages whose content is known (`load_weights`); nothing knows single sites. On 925
development pages, each judged by numbers that were learned without any page of its host, the tokens of the kept blocks
agree with those of the content to 0.899 (F1; mean of seven kinds 0.811, below 0.5 on 4.8 % of the pages); other random
numbers move that by 0.001 (0.004, 0.5 %):

    PYTHONPATH=src:. python -m bench.content.train ../shared/evals/web/data

The numbers that are stored were learned before two memos of the features were mended (2 % of the blocks differ).
Learned anew they judge as well out of fold, and lose a title and a price on a made page, so the older ones stay.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp

from webquarry_convert.page.content import titles
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.choice import find_best_cut
from webquarry_convert.page.content.completion import complete_choice
from webquarry_convert.page.content.features import Features
from webquarry_convert.page.content.forest import Forest
from webquarry_convert.page.content.marks import Marks
from webquarry_convert.page.content.names import Names
from webquarry_convert.page.content.weights import load_weights
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS, collect_signs, estimate_kinds
from webquarry_convert.tree import Node

__all__ = ["choose"]

LEANINGS: Mapping[str, float] = {"article": -0.3, "forum": -0.3, "product": 0.3, "listing": 0.3, "collection": 0.3}
"""Added to the scores by kind. What the forest takes wrongly it takes by the dozen: comments and other stories after an
article, where less is better than more, the cards of a shelf, where it is the other way round."""

NEAR = 0.5
"""Share of the least chance to keep from which a block was nearly chosen."""


def choose(places: Places, url: str | None) -> Node:
    """The root of the page's tree, in which everything is dropped that is not content.

    places: of the tree. url: the page's address, whose words hint at its kind.
    """
    tree = places.tree
    blocks = Blocks(tree)
    if blocks.all:
        judged, chance = _score_blocks(blocks, places, url)
        cut = find_best_cut(chance, [blocks.all[number].tokens for number in judged])
        is_kept = [False] * len(blocks.all)
        is_near = is_kept.copy()
        for number, each in zip(judged, chance, strict=True):
            is_kept[number] = each >= cut
            is_near[number] = each >= NEAR * cut
        complete_choice(blocks, is_kept, is_near)
        titles.keep_title(blocks, is_kept, judged, find_titles(places))
        Marks(blocks, is_kept).prune()
    return tree[0]


def _score_blocks(blocks: Blocks, places: Places, url: str | None) -> tuple[list[int], list[float]]:
    """Numbers of the blocks that are weighed, and how likely each of them is content."""
    numbers = load_weights()
    kinds = estimate_kinds(collect_signs(places, url), numbers["kinds"])
    features = Features(
        blocks,
        read_title_and_description(places),
        kinds,
        Names(numbers["names"]),
        Wording(numbers["wording"]),
    )
    return features.judged, convert_scores(_load_forest().scores(features.columns), kinds)


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
