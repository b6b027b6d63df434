"""BM25 scores of text for a query. Words in headings and table headers count for the blocks below them."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from webquarry.excerpts.blocks import Outline
from webquarry.excerpts.words import Term, Texts, detect_language, read_terms

K1: Final = 1.2
B: Final = 0.5
HEADING_WEIGHT: Final = 0.5
"""Weight of a word in a heading for each block below it, compared with 1 for a word in the block."""
HEAD_WEIGHT: Final = 1.0
"""Weight of a word in the head of a divided table for each of the table's blocks."""
COVERAGE: Final = 1.0
"""Exponent for the share of the question's words, weighted by rarity, that a block contains."""
NEAR: Final = 0.3
"""Bonus, as a share of the score, for two words of the question that follow each other within a few characters."""
_NEAR_CHARACTERS: Final = 40


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores by block number. Blocks that contain no word of the query are missing.

    `rarity` maps the query's words to their weights. `language` is the language of the document.
    """

    scores: Mapping[int, float]
    rarity: Mapping[Term, float] = field(default_factory=dict)
    language: str = "english"

    def best_first(self) -> list[int]:
        return sorted(self.scores, key=lambda number: (-self.scores[number], number))


def rank(outline: Outline, question: str) -> Ranking:
    """Score the blocks of a document for a question.

    Headings get no score; their words count for the blocks below them.
    """
    heads = list(dict.fromkeys(block.head for block in outline.blocks if block.head and block.kind == "table"))
    number_of_head = {head: len(outline.blocks) + at for at, head in enumerate(heads)}
    texts = Texts([*map(outline.text, outline.blocks), *(outline.markdown[start:end] for start, end in heads)])
    language = detect_language(texts.joined)
    terms = read_terms(question, language)
    found = {term: texts.find(term, language) for term in terms}
    counts = {term: Counter(number for number, _ in places) for term, places in found.items()}
    frequencies = _count_with_context(outline, counts, number_of_head)
    rarity = {term: _weigh(len(counts[term]), len(outline.blocks)) for term in terms}
    scores = _score(len(outline.blocks), texts, frequencies, rarity)
    _add_nearness(scores, terms, found, rarity)
    return Ranking(scores, rarity, language)


def rank_texts(given: Sequence[str], question: str) -> Ranking:
    """Score short strings, such as titles, for a question by their words alone."""
    texts = Texts(given)
    language = detect_language(texts.joined)
    frequencies: dict[int, dict[Term, float]] = defaultdict(dict)
    rarity = {}
    for term in read_terms(question, language):
        counts = Counter(number for number, _ in texts.find(term, language))
        rarity[term] = _weigh(len(counts), len(given))
        for number, times in counts.items():
            frequencies[number][term] = float(times)
    return Ranking(_score(len(given), texts, frequencies, rarity))


def _weigh(containing: int, blocks: int) -> float:
    return math.log(1 + (blocks - min(containing, blocks) + 0.5) / (min(containing, blocks) + 0.5))


def _count_with_context(
    outline: Outline, counts: Mapping[Term, Counter[int]], number_of_head: Mapping[tuple[int, int], int]
) -> dict[int, dict[Term, float]]:
    """Return the weighted count of each term in each block, including the block's headings and its table's header."""
    below = _list_below(outline, {number for count in counts.values() for number in count})
    parts = defaultdict(list)
    for block in outline.blocks:
        if block.head is not None and block.head in number_of_head:
            parts[number_of_head[block.head]].append(block.number)
    frequencies: dict[int, dict[Term, float]] = defaultdict(lambda: defaultdict(float))
    for term, count in counts.items():
        for number, times in count.items():
            if number >= len(outline.blocks):
                members, weight = parts[number], HEAD_WEIGHT
            elif number in outline.headings:
                members, weight = below.get(number, []), HEADING_WEIGHT
            else:
                members, weight = [number], 1.0
            for member in members:
                frequencies[member][term] += weight * times
    return frequencies


def _list_below(outline: Outline, wanted: set[int]) -> dict[int, list[int]]:
    """Return the blocks below each wanted heading, at any depth. Each block occurs at most six times."""
    below: dict[int, list[int]] = defaultdict(list)
    if wanted.isdisjoint(outline.headings):
        return below
    for block in outline.blocks:
        if block.kind != "heading":
            for number in outline.above(block):
                if number in wanted:
                    below[number].append(block.number)
    return below


def _score(
    count: int, texts: Texts, frequencies: Mapping[int, Mapping[Term, float]], rarity: Mapping[Term, float]
) -> dict[int, float]:
    average = max(1.0, len(texts.joined) / max(1, count))
    whole = sum(rarity.values()) or 1.0
    scores = {}
    for number, terms in frequencies.items():
        length = 1 - B + B * texts.length(number) / average
        score = covered = 0.0
        for term, times in terms.items():
            score += rarity[term] * times * (K1 + 1) / (times + K1 * length)
            covered += rarity[term] * min(1.0, times)
        scores[number] = score * (covered / whole) ** COVERAGE
    return scores


def _add_nearness(
    scores: dict[int, float],
    terms: tuple[Term, ...],
    found: Mapping[Term, list[tuple[int, int]]],
    rarity: Mapping[Term, float],
) -> None:
    """Raise the score of blocks in which words of the question follow each other in the question's order."""
    near: dict[int, float] = defaultdict(float)
    for first, second in pairwise(terms):
        close: dict[int, float] = {}
        later = found[second]
        at = 0
        for number, place in found[first]:
            while at < len(later) and later[at][1] <= place:
                at += 1
            if at < len(later) and later[at][0] == number and later[at][1] - place <= _NEAR_CHARACTERS:
                close[number] = min(rarity[first], rarity[second])
        for number, weight in close.items():
            near[number] += weight
    whole = sum(rarity.values()) or 1.0
    for number, weight in near.items():
        if number in scores:
            scores[number] *= 1 + NEAR * weight / whole
