"""Which blocks are kept, given how likely each is content."""

from collections.abc import Sequence


def best_cut(chances: Sequence[float], tokens: Sequence[int]) -> float:
    """The least chance to keep: the one for which the result is expected to agree best with the content.

    Agreement is the F1 of tokens. Keeping the likeliest blocks down to some chance gives an expected overlap (kept
    tokens, each counted by its chance); what the page should give is expected to be all tokens counted so. Unlike a
    fixed threshold this keeps the best of a page of which nothing is certain.
    """
    ranked = sorted(zip(chances, tokens, strict=True), reverse=True)
    expected = sum([chance * count for chance, count in ranked])
    kept = overlap = best = 0.0
    cut = 1.0
    for chance, count in ranked:
        kept += count
        overlap += chance * count
        agreement = overlap / (kept + expected) if kept else 0.0
        if agreement > best:
            best, cut = agreement, chance
    return cut
