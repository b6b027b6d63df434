"""Unicode superscripts and subscripts: `m²`, `10⁻⁶`, `CO₂`."""

from collections.abc import Mapping
from typing import Final

RAISED: Final = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
LOWERED: Final = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raise_text(text: str) -> str:
    """Return the text as a superscript, or unchanged if one of its characters has no superscript: `1st`, `2,5`."""
    return _shift(text, RAISED)


def lower_text(text: str) -> str:
    """Return the text as a subscript, or unchanged if one of its characters has no subscript: `max`."""
    return _shift(text, LOWERED)


def _shift(text: str, signs: Mapping[int, int]) -> str:
    return text.translate(signs) if all(ord(sign) in signs or sign == " " for sign in text) else text
