"""What builders of growing files share."""

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
"""Signs of which a text of the file is full, one at a time."""


def pump(number: int, *, unit: str, end: str, start: str = "") -> bytes:
    """So many units, eight for each that is asked for, between a start and an end."""
    return (start + unit * (8 * number) + end).encode()
