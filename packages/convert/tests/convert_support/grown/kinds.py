"""Shared functions of the builders of growing files."""

from collections.abc import Callable

Builder = Callable[[int], bytes]

SIGNS = (
    '"',
    "'",
    "\\",
    "|",
    "*",
    "_",
    "[",
    "]",
    "](",
    "<",
    ">",
    "&",
    "`",
    "#",
    "$",
    " ",
    "\u00a0",
    "\n",
    "-",
    ".",
    "=",
    "é",
)
"""Characters that fill a text of the file, one at a time."""


def pump(number: int, *, unit: str, end: str, start: str = "") -> bytes:
    """Return eight units for each one requested, between a start and an end."""
    return (start + unit * (8 * number) + end).encode()
