"""Quantities are converted to bytes. Each scale is exact up to the largest byte, and constant above it."""

import math

from webquarry_convert.page.content import scale

NUMBERS = range(5000)
"""Numbers up to and beyond the first one whose root times four is 256."""
SUMS = range(-200, 400)


def test_root_is_four_times_the_square_root_up_to_255() -> None:
    assert [scale.root(n) for n in NUMBERS] == [min(255, math.isqrt(16 * n)) for n in NUMBERS]
    assert scale.root(10**9) == 255


def test_share_is_scaled_to_255() -> None:
    assert [scale.share(part, 4) for part in range(5)] == [0, 63, 127, 191, 255]
    assert (scale.share(1, 1), scale.share(0, 1)) == (255, 0)
    assert (scale.share(0, 0), scale.share(3, 0), scale.share(3, -1)) == (0, 0, 0)


def test_weight_is_centered_on_128() -> None:
    assert [scale.weight(n) for n in SUMS] == [min(255, max(0, 128 + n)) for n in SUMS]


def test_columns_have_the_same_values_as_single_results() -> None:
    assert list(scale.roots(NUMBERS)) == [scale.root(n) for n in NUMBERS]
    assert list(scale.weights(SUMS)) == [scale.weight(n) for n in SUMS]
    assert list(scale.cap_counts(NUMBERS)) == [min(255, n) for n in NUMBERS]
