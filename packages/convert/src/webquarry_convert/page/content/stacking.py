"""Scores looked at together: texts in the same place of cards, posts or rows are content together or not at all.

The forest weighs each block by itself. Its score then gives way to what the blocks in the same place say on average.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.siblings import SeriesKey

CERTAIN = 6.0
"""Score beyond which a block is no more certain than that."""
MOST_ALIKE = 40
"""Blocks in the same place from which more of them say no more."""
OWN_TOKENS = 0.1
"""How many tokens more the own chance counts in the average: blocks without a word have one too."""
WEIGHTS = ("constant", "own", "series", "alike", "rank")
"""What the weights are of, in their order."""


class ScoreFeatures(NamedTuple):
    """What is known of each block: its own score, that of the blocks in the same place on average, how many these are
    (1 for `MOST_ALIKE`), and which share of the page's tokens is at least as likely (0 to 1)."""

    own: list[float]
    series: list[float]
    alike: list[float]
    rank: list[float]


def describe_scores(scores: Sequence[float], blocks: Blocks, judged: Sequence[int]) -> ScoreFeatures:
    """scores: of the blocks numbered in `judged`, as the logarithm of their odds."""
    own = [-CERTAIN if score < -CERTAIN else min(score, CERTAIN) for score in scores]
    chances = [1 / (1 + exp(-score)) for score in own]
    tokens = [blocks.all[number].tokens for number in judged]
    series, alike = _average_series(chances, tokens, _find_series(blocks, judged))
    return ScoreFeatures(own, series, alike, _rank(chances, tokens))


def combine_scores(features: ScoreFeatures, weights: Sequence[float]) -> list[float]:
    """A score for each block. weights: in the order of `WEIGHTS`."""
    constant, of_own, of_series, of_alike, of_rank = weights
    return [
        constant + of_own * own + of_series * series + of_alike * alike + of_rank * rank
        for own, series, alike, rank in zip(*features, strict=True)
    ]


def _find_series(blocks: Blocks, judged: Sequence[int]) -> list[int]:
    """A number for each block, the same for those that stand in the same place."""
    make_key = blocks.series.make_key
    numbers: dict[SeriesKey, int] = {}
    return [numbers.setdefault(make_key(blocks.all[number].place), len(numbers)) for number in judged]


def _average_series(
    chances: Sequence[float], tokens: Sequence[int], numbers: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Of each block the odds' logarithm of the average chance of its series, by tokens, and how many are in it."""
    likely: defaultdict[int, float] = defaultdict(float)
    sizes: defaultdict[int, int] = defaultdict(int)
    counts: defaultdict[int, int] = defaultdict(int)
    for chance, size, number in zip(chances, tokens, numbers, strict=True):
        likely[number] += chance * size
        sizes[number] += size
        counts[number] += 1
    averages = [
        (likely[number] + OWN_TOKENS * chance) / (sizes[number] + OWN_TOKENS)
        for chance, number in zip(chances, numbers, strict=True)
    ]
    return (
        [log(average / (1 - average)) for average in averages],
        [min(counts[number], MOST_ALIKE) / MOST_ALIKE for number in numbers],
    )


def _rank(chances: Sequence[float], tokens: Sequence[int]) -> list[float]:
    """Of each block the share of the tokens that are at least as likely, those of the block included."""
    whole = max(1, sum(tokens))
    ranks = [0.0] * len(chances)
    likelier = 0
    for place in sorted(range(len(chances)), key=chances.__getitem__, reverse=True):
        likelier += tokens[place]
        ranks[place] = likelier / whole
    return ranks
