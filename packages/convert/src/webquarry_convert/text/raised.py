"""Raised and lowered signs by the characters that there are for them: `m²`, `10⁻⁶`, `CO₂`."""

from collections.abc import Mapping
from typing import Final

RAISED: Final = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
LOWERED: Final = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raise_text(text: str) -> str:
    """Text as a superscript; as it is when a sign has none: `1st`, `2,5`."""
    return _shift(text, RAISED)


def lower_text(text: str) -> str:
    """Text as a subscript; as it is when a sign has none: `max`."""
    return _shift(text, LOWERED)


def _shift(text: str, signs: Mapping[int, int]) -> str:
    return text.translate(signs) if all(ord(sign) in signs or sign == " " for sign in text) else text
