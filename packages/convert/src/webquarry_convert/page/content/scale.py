"""Scales quantities to one byte (0 to 255), with fine steps where decisions are made and coarse steps elsewhere."""

from collections.abc import Iterable
from math import isqrt

MOST = 255
FIRST_FULL = -(-(MOST**2) // 16)
"""The smallest number for which four times the square root is `MOST`."""
ROOTS = bytes(isqrt(16 * n) for n in range(FIRST_FULL))
NEUTRAL = 128
"""Center of the scale for sums of learned weights, which are stored in sixteenths."""


def root(n: int) -> int:
    """Return four times the square root of `n`, rounded down and limited to `MOST`."""
    return ROOTS[n] if n < FIRST_FULL else MOST


def share(part: int, whole: int) -> int:
    """Return a share on the scale. The whole is `MOST`; nothing, or a share of nothing, is 0."""
    return MOST * part // whole if whole > 0 else 0


def weight(sixteenths: int) -> int:
    """Return a sum of learned weights on the scale around `NEUTRAL`. The sum is given in sixteenths."""
    scaled = NEUTRAL + sixteenths
    return 0 if scaled < 0 else scaled if scaled < MOST else MOST


def cap_counts(numbers: Iterable[int]) -> bytes:
    """Return a column of counts, each limited to `MOST`."""
    return bytes([number if number < MOST else MOST for number in numbers])


def roots(numbers: Iterable[int]) -> bytes:
    """Return the result of `root` for each value in a column."""
    return bytes([ROOTS[number] if number < FIRST_FULL else MOST for number in numbers])


def weights(sums: Iterable[int]) -> bytes:
    """Return the result of `weight` for each value in a column."""
    return bytes([0 if n < 0 else n if n < MOST else MOST for n in [NEUTRAL + total for total in sums]])
