"""Functions that the builders of growing files share."""

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
"""Characters with which a file's text is filled, one kind at a time."""


def pump(number: int, *, unit: str, end: str, start: str = "") -> bytes:
    """Return eight units for each requested one, between a start and an end."""
    return (start + unit * (8 * number) + end).encode()
