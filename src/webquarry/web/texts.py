"""Helpers for templates: table cells, code fences that their content cannot end, and line breaks in long names."""

import re

from markupsafe import Markup, escape

_BREAKS = re.compile(r"(?<=[_./])(?=[^_./])|(?=\[)")
"""Places where a name may be broken into two lines: after `_`, `.` and `/`, and before `[`."""


def to_cell(text: str) -> str:
    """Return a text escaped for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def fence(text: str, info: str) -> str:
    """Return a code block whose fence is longer than any fence in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{info}\n{text}\n{mark}"


def break_names(text: str) -> Markup:
    """Return the text as HTML in which lines can break only after `_`, `.` and `/`, and before `[`."""
    return Markup("<wbr>").join(escape(part) for part in _BREAKS.split(text))
