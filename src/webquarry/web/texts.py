"""Helpers for markdown templates: table cells, and code fences that no content can end."""

import re


def to_cell(text: str) -> str:
    """Return a text for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def fence(text: str, info: str) -> str:
    """Return a code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{info}\n{text}\n{mark}"
