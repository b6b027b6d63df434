"""Quantities as numbers from 0 to 255, one byte each: fine where decisions are made, coarse elsewhere."""

from collections.abc import Iterable

ROOTS = bytes(min(255, int(4 * n**0.5)) for n in range(4100))
NEUTRAL = 128
"""A sum of learned weights is kept in sixteenths around this."""


def root(n: int) -> int:
    """Four times the square root: exact up to 16, 255 from 4,064 on."""
    return ROOTS[n] if n < 4100 else 255


def share(part: int, whole: int) -> int:
    """255 for all of it, 0 for nothing or of nothing."""
    return 255 * part // whole if whole > 0 else 0


def weight(sixteenths: int) -> int:
    """A sum of learned weights."""
    scaled = NEUTRAL + sixteenths
    return scaled if 0 <= scaled <= 255 else 0 if scaled < 0 else 255


def cap_counts(numbers: Iterable[int]) -> bytes:
    """A column of counts: each up to 255."""
    return bytes([number if number < 256 else 255 for number in numbers])


def roots(numbers: Iterable[int]) -> bytes:
    """A column of `root`."""
    return bytes([ROOTS[number] if number < 4100 else 255 for number in numbers])


def weights(sums: Iterable[int]) -> bytes:
    """A column of `weight`."""
    return bytes([0 if n < 0 else n if n < 256 else 255 for n in [NEUTRAL + total for total in sums]])
