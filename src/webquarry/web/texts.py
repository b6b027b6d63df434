"""Pieces of markdown that templates need: cells of tables, and fences that no content ends."""

import re


def to_cell(text: str) -> str:
    """A text as it may stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def fence(text: str, info: str) -> str:
    """A block of code; its fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{info}\n{text}\n{mark}"
