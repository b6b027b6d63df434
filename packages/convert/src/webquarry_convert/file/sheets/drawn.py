"""Drawings on a sheet, listed after its table: text in boxes and titles of charts."""

from collections.abc import Sequence

from webquarry_convert.text.escape import clean_line, inline


def write_drawn(texts: Sequence[str]) -> str:
    """Write `Drawn on the sheet:` and an item for each non-empty text, or return "" if there are none."""
    items = [f"- {inline(text)}" for one in texts if (text := clean_line(one))]
    return "\n".join(["Drawn on the sheet:", "", *items, ""]) if items else ""


def name_chart(title: str) -> str:
    """Return the text for a chart. The chart's values are in the cells of the sheet."""
    return f"Chart: {title.strip()}" if title.strip() else ""
