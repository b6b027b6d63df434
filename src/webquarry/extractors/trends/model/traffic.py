"""Numbers of searches, which the provider states as minimums."""

from typing import Final

from webquarry.read.fields import to_count

_UNITS: Final = {"": 1, "K": 1_000, "M": 1_000_000}


def label(traffic: int | None) -> str | None:
    """Format a number for readers: `50K+`, `1.5M+`. Numbers that would lose digits are written in full."""
    if traffic is None:
        return None
    for sign in ("M", "K"):
        unit = _UNITS[sign]
        if traffic >= unit and traffic % (unit // 10) == 0:
            return f"{traffic / unit:,.1f}".removesuffix(".0") + f"{sign}+"
    return f"{traffic:,}+"


def read_number(text: str | None) -> int | None:
    """Return the number in a text such as `500+`, `20,000+`, `20.000+`, `20K+` or `1.5M+`.

    Returns None for other text.
    """
    return to_count((text or "").strip()) if text else None
