"""The cut, which is the minimum chance of a block that is kept."""

from collections.abc import Sequence


def find_best_cut(chances: Sequence[float], tokens: Sequence[int]) -> float:
    """Return the cut with the highest expected F1 of the kept tokens.

    chances, tokens: one entry per block. Cuts are tried in order, from the likeliest block to the least likely one. At
    each cut, the expected overlap is the sum of `chance * tokens` over the kept blocks, and the expected size of the
    content is the same sum over all blocks. F1 is `2 * overlap / (kept + expected)`; the factor 2 does not change the
    order and is omitted.

    Example: chances 0.9, 0.5 and 0.1, 10 tokens each. The expected size is 15. Keeping one block gives 9 / 25 = 0.36,
    two give 14 / 35 = 0.40, three give 15 / 45 = 0.33: the cut is 0.5. A fixed threshold would drop the whole page if
    no block is likely. This cut keeps the best blocks.
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
