"""Computes each text's chance of being content from features, forest and stacking, using the learned weights."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.choice import find_best_cut
from webquarry_convert.page.content.features import Features
from webquarry_convert.page.content.forest import Forest
from webquarry_convert.page.content.names import Names
from webquarry_convert.page.content.one_text import lean_to_text
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.stacking import combine_scores, describe_scores
from webquarry_convert.page.content.weights import load_weights
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS, collect_signs, estimate_kinds

LEANINGS: Mapping[str, float] = {"article": -0.3, "forum": -0.3, "product": 0.3, "listing": 0.3, "collection": 0.3}
"""Offsets that are added to the scores, by kind of page.

The forest tends to misjudge many blocks together. After an article, where comments and other stories follow, it is
better to keep less. For the cards of a collection, it is better to keep more.
"""


def weigh_blocks(blocks: Blocks, places: Places, url: str | None) -> Selection:
    """Return the selection of a page with the nearness of its blocks, before any stage has run.

    blocks: at least one. url: the page's URL, whose words hint at the kind of page.
    """
    numbers = load_weights()
    kinds = lean_to_text(estimate_kinds(collect_signs(places, url), numbers["kinds"]), blocks)
    about = read_title_and_description(places)
    features = Features(blocks, about, kinds, Names(numbers["names"]), Wording(numbers["wording"]))
    judged = features.judged
    scored = describe_scores(_load_forest().scores(features.columns), blocks, judged)
    chances = convert_scores(combine_scores(scored, numbers["stacking"]), kinds)
    cut = find_best_cut(chances, [blocks.all[number].tokens for number in judged])
    return Selection(
        blocks,
        places,
        url,
        kinds=kinds,
        judged=judged,
        nearness={number: chance / cut for number, chance in zip(judged, chances, strict=True)},
        columns=features.columns,
        titles=find_titles(places),
    )


def convert_scores(scores: Sequence[float], kinds: bytes) -> list[float]:
    """Return chances from scores. kinds: the chance of each of `KINDS`; 255 is certain."""
    leaning = sum([LEANINGS.get(kind, 0.0) * chance for kind, chance in zip(KINDS, kinds, strict=True)]) / 255
    return [1 / (1 + exp(-score - leaning)) for score in scores]


@cache
def _load_forest() -> Forest:
    return Forest(load_weights()["forest"])


def find_titles(places: Places) -> list[str]:
    """Return the page's own titles from its head, or [] if the title is the site's name.

    The title for sharing is preferred to the `title` element.
    """
    title = places.meta("og:title") or places.title
    return [title] if title and title != places.meta("og:site_name") else []


def read_title_and_description(places: Places) -> tuple[str, str]:
    """Return a page's title and description. Each is "" if missing."""
    return places.title or "", places.meta("description") or places.meta("og:description") or ""
