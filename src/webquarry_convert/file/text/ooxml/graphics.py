"""Charts, as tables of what they draw, diagrams, as lists of what their shapes say, and what pictures show."""

import re
from typing import Final

from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.line import Content, Line
from webquarry_convert.file.text.ooxml.package import A
from webquarry_convert.file.text.table import Budget, Table
from webquarry_convert.file.xml import Element

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_SHOWN: Final = frozenset({"", "node", "asst"})
"""Kinds of points in a diagram that are shapes with text; the others arrange them."""
MAX_POINTS: Final = 10_000
_AUTOMATIC: Final = re.compile(
    r"(?<!\s)\s*+(?:Description automatically generated.*|Automatically generated description)$", re.S
)


def read_chart(root: Element, budget: Budget) -> Content:
    """The title, and a row for each category with the value of each series."""
    blocks = Blocks()
    title = root.find(f"{C}chart/{C}title")
    if title is not None:
        blocks.paragraph(_make_line("".join(part.text or "" for part in title.iter(f"{A}t", f"{C}v"))))
    series = list(root.iter(f"{C}ser"))
    names = ["".join(_read_points(one.find(f"{C}tx")).values()) for one in series]
    values = [_read_points(_find_first(one, "val", "yVal")) for one in series]
    categories: dict[int, str] = {}
    for one in series:
        categories.update(_read_points(_find_first(one, "cat", "xVal")))
    places = sorted(set(categories).union(*values))
    budget.cells(len(places), empty=len(series) * len(places))
    table = Table(budget)
    table.row(is_head=True)
    for name in ("", *names):
        table.cell([name])
    for at in places:
        table.row()
        for text in (categories.get(at, ""), *(points.get(at, "") for points in values)):
            table.cell([text])
    blocks.add(table.nodes())
    return blocks.nodes


def read_diagram(root: Element) -> Content:
    """An item for each shape."""
    blocks = Blocks()
    for point in root.iterfind(f"{DGM}ptLst/{DGM}pt"):
        if point.get("type", "") in _SHOWN:
            blocks.item(Item(0), _make_line(" ".join(part.text or "" for part in point.iter(f"{A}t"))))
    return blocks.nodes


def clean_description(text: str | None) -> str:
    """What a picture shows, as its author described it; without the remark of a program that did it instead."""
    return _AUTOMATIC.sub("", " ".join((text or "").split()))


def _make_line(text: str) -> Line:
    line = Line()
    line.text(text)
    return line


def _find_first(series: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := series.find(f"{C}{name}")) is not None), None)


def _read_points(node: Element | None) -> dict[int, str]:
    """The texts or numbers of a part of a series by their places."""
    points: dict[int, str] = {}
    if node is None:
        return points
    for point in node.iter(f"{C}pt"):
        place = point.get("idx", "")
        if place.isascii() and place.isdigit() and len(place) < 9 and len(points) < MAX_POINTS:
            points[int(place)] = _format_number(point.findtext(f"{C}v") or "")
    if not points:
        text = node.findtext(f"{C}v")
        if text:
            points[0] = text
    return points


def _format_number(text: str) -> str:
    """A number as it was meant: `4.2999999999999998` is how a program stores 4.3."""
    if len(text) < 16 or "." not in text:
        return text
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text
