"""What is drawn on a sheet beside its cells: texts of boxes, and charts by their titles, behind the table."""

from collections.abc import Sequence

from webquarry_convert.text.escape import clean_line, inline


def write_drawn(texts: Sequence[str]) -> str:
    """`Drawn on the sheet:` and an item for each text that says something; "" without any."""
    items = [f"- {inline(text)}" for one in texts if (text := clean_line(one))]
    return "\n".join(["Drawn on the sheet:", "", *items, ""]) if items else ""


def name_chart(title: str) -> str:
    """title: of a chart whose values are those of cells."""
    return f"Chart: {title.strip()}" if title.strip() else ""
