"""Combines scores by position, so that blocks with the same position in cards, posts or rows are kept or dropped
together.

The forest weighs each block separately. Each score is then combined with the average score of the blocks that have the
same position.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.siblings import SeriesKey

CERTAIN = 6.0
"""Maximum absolute score. Higher scores add no certainty."""
MOST_ALIKE = 40
"""Number of blocks in the same position beyond which further blocks add no information."""
OWN_TOKENS = 0.1
"""Number of tokens added to each block's weight in the average. It makes blocks without words count, too."""
WEIGHTS = ("constant", "own", "series", "alike", "rank")
"""Names of the stacking weights, in order."""


class ScoreFeatures(NamedTuple):
    """The features of each block for stacking: the block's score, the average score of the blocks in the same position,
    the number of these blocks as a fraction of `MOST_ALIKE`, and the share of the page's tokens whose blocks are at
    least as likely (0 to 1).
    """

    own: list[float]
    series: list[float]
    alike: list[float]
    rank: list[float]


def describe_scores(scores: Sequence[float], blocks: Blocks, judged: Sequence[int]) -> ScoreFeatures:
    """Return the stacking features. scores: the log odds of the blocks in `judged`."""
    own = [-CERTAIN if score < -CERTAIN else min(score, CERTAIN) for score in scores]
    chances = [1 / (1 + exp(-score)) for score in own]
    tokens = [blocks.all[number].tokens for number in judged]
    series, alike = _average_series(chances, tokens, _find_series(blocks, judged))
    return ScoreFeatures(own, series, alike, _rank(chances, tokens))


def combine_scores(features: ScoreFeatures, weights: Sequence[float]) -> list[float]:
    """Return the combined score of each block. weights: in the order of `WEIGHTS`."""
    constant, of_own, of_series, of_alike, of_rank = weights
    return [
        constant + of_own * own + of_series * series + of_alike * alike + of_rank * rank
        for own, series, alike, rank in zip(*features, strict=True)
    ]


def _find_series(blocks: Blocks, judged: Sequence[int]) -> list[int]:
    """Return a series number for each block. Blocks with the same position have the same number."""
    make_key = blocks.series.make_key
    numbers: dict[SeriesKey, int] = {}
    return [numbers.setdefault(make_key(blocks.all[number].place), len(numbers)) for number in judged]


def _average_series(
    chances: Sequence[float], tokens: Sequence[int], numbers: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Return each block's series average and series size.

    The average is the log odds of the average chance, weighted by tokens.
    """
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
    """Return, for each block, the share of the page's tokens whose blocks are at least as likely, including the block
    itself.
    """
    whole = max(1, sum(tokens))
    ranks = [0.0] * len(chances)
    likelier = 0
    for place in sorted(range(len(chances)), key=chances.__getitem__, reverse=True):
        likelier += tokens[place]
        ranks[place] = likelier / whole
    return ranks
