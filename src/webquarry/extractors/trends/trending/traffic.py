"""Numbers of searches, which are told as "at least so many"."""

import re
from typing import Final

_LABEL: Final = re.compile(r"([0-9]{1,3}(?:,?[0-9]{3}){0,4}|[0-9]{1,6}\.[0-9]{1,3})([KM]?)\+?", re.ASCII)
_UNITS: Final = {"": 1, "K": 1_000, "M": 1_000_000}


def label(traffic: int | None) -> str | None:
    """For people: `50K+`, `1.5M+`; whole where that would lose digits."""
    if traffic is None:
        return None
    for sign in ("M", "K"):
        unit = _UNITS[sign]
        if traffic >= unit and traffic % (unit // 10) == 0:
            return f"{traffic / unit:,.1f}".removesuffix(".0") + f"{sign}+"
    return f"{traffic:,}+"


def number(text: str | None) -> int | None:
    """Of `500+`, `20,000+`, `20K+`, `1.5M+`; None for anything else."""
    match = _LABEL.fullmatch((text or "").strip().upper())
    return round(float(match[1].replace(",", "")) * _UNITS[match[2]]) if match else None
