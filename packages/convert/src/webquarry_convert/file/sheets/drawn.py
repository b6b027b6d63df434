"""Drawings on a sheet, such as text boxes and charts. Their text and titles are listed after the table."""

from collections.abc import Sequence

from webquarry_convert.text.escape import clean_line, inline


def write_drawn(texts: Sequence[str]) -> str:
    """Write an item for each non-empty text below `Drawn on the sheet:`, or return "" if there are no texts."""
    items = [f"- {inline(text)}" for one in texts if (text := clean_line(one))]
    return "\n".join(["Drawn on the sheet:", "", *items, ""]) if items else ""


def name_chart(title: str) -> str:
    """Return the text that represents a chart. The chart's values are in the sheet's cells."""
    return f"Chart: {title.strip()}" if title.strip() else ""
