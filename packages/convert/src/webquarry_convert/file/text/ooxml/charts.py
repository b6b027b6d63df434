"""Charts as tables of their data, with a row for each category and a column for each series."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.sheets.formats import Format
from webquarry_convert.file.text.blocks import Blocks
from webquarry_convert.file.text.line import Content, Line
from webquarry_convert.file.text.ooxml.package import A
from webquarry_convert.file.text.table import Budget, Table
from webquarry_convert.file.xml import Element

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
MAX_POINTS: Final = 10_000
MAX_LEVELS: Final = 8
MAX_LABEL: Final = 200
"""Maximum length, in characters, of a category including its outer labels, which each category repeats."""
_LITERAL: Final = re.compile(r'"[^"]*+"?+|\\.|\[[^\]]*+\]?+')
_SHOWN: Final = re.compile("[%dmyhDMYH]")
"""Matches characters in number formats that change a number's meaning: percentages, dates and times."""
_CATEGORY_AXES: Final = (f"{C}catAx", f"{C}dateAx", f"{C}serAx")

Points = dict[int, str]
"""Texts or numbers by index."""


@dataclass(frozen=True, slots=True)
class _Series:
    """A data series of a chart. columns: the columns of its values, each with a name."""

    categories: Points
    columns: Sequence[tuple[str, Points]]


def read_chart(root: Element, budget: Budget) -> Content:
    """Convert a chart to its title, the titles of its value axes, and a table.

    Series with different categories get separate tables.
    """
    blocks = Blocks()
    begin = root.find(f"{C}date1904")
    from_1904 = begin is not None and begin.get("val", "1") not in ("0", "false")
    _add_line(blocks, _read_title(root.find(f"{C}chart")))
    corner, counted = _name_axes(root)
    _add_line(blocks, counted)
    series = [_read_series(one, from_1904=from_1904) for one in root.iter(f"{C}ser")]
    for group in _group_series(series):
        blocks.add(_build_table(corner, group, budget))
    return blocks.nodes


def _group_series(series: list[_Series]) -> list[list[_Series]]:
    """Group the series that have the same categories. A series without categories uses the categories of the others."""
    said = [one.categories for one in series if one.categories]
    return [series] if all(categories == said[0] for categories in said) else [[one] for one in series]


def _build_table(corner: str, series: list[_Series], budget: Budget) -> Content:
    categories: Points = {}
    for one in series:
        categories.update(one.categories)
    columns = [column for one in series for column in one.columns]
    places = sorted(set(categories).union(*(points for _, points in columns)))
    budget.cells(len(places), empty=len(columns) * len(places))
    table = Table(budget)
    table.row(is_head=True)
    for name in (corner, *(name for name, _ in columns)):
        table.cell([name])
    for at in places:
        table.row()
        for text in (categories.get(at, ""), *(points.get(at, "") for _, points in columns)):
            table.cell([text])
    return table.nodes()


def _read_series(node: Element, *, from_1904: bool) -> _Series:
    name = "".join(_read_points(node.find(f"{C}tx")).values())
    columns = [(name, _read_points(_find_first(node, "val", "yVal"), from_1904=from_1904))]
    sizes = _read_points(node.find(f"{C}bubbleSize"), from_1904=from_1904)
    if sizes:
        columns.append((f"{name} (size)".strip(), sizes))
    categories = _read_categories(_find_first(node, "cat", "xVal"), from_1904=from_1904)
    return _Series(categories, columns)


def _read_categories(node: Element | None, *, from_1904: bool) -> Points:
    """Return the categories. Categories on several levels include their outer labels."""
    levels = [] if node is None else list(node.iter(f"{C}lvl"))[:MAX_LEVELS]
    if not levels:
        return _read_points(node, from_1904=from_1904)
    inner, *outer = (_read_points(level) for level in levels)
    above = [_find_above(points, inner) for points in reversed(outer)]
    return {
        at: " ".join([*filter(None, (texts[at] for texts in above)), text])[:MAX_LABEL] for at, text in inner.items()
    }


def _find_above(outer: Points, inner: Points) -> Points:
    """Return the outer label for each index of the inner level. An outer label applies up to the next outer label."""
    above: Points = {}
    text = ""
    for at in sorted({*outer, *inner}):
        text = outer.get(at, text)[:MAX_LABEL]
        above[at] = text
    return above


def _name_axes(root: Element) -> tuple[str, str]:
    """Return the titles of the category axis and of the value axes.

    If all axes are value axes, the first counts as the category axis.
    """
    categories: list[str] = []
    counted: list[str] = []
    for axis in root.iterfind(f"{C}chart/{C}plotArea/*"):
        if axis.find(f"{C}scaling") is not None:
            (categories if axis.tag in _CATEGORY_AXES else counted).append(_read_title(axis))
    if not categories and len(counted) > 1:
        categories.append(counted.pop(0))
    return next(filter(None, categories), ""), ", ".join(filter(None, counted))


def _read_title(node: Element | None) -> str:
    title = None if node is None else node.find(f"{C}title")
    if title is None:
        return ""
    paragraphs = list(title.iter(f"{A}p")) or [title]
    return " ".join("".join(part.text or "" for part in one.iter(f"{A}t", f"{C}v")) for one in paragraphs)


def _add_line(blocks: Blocks, text: str) -> None:
    if text:
        line = Line()
        line.text(text)
        blocks.paragraph(line)


def _find_first(series: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := series.find(f"{C}{name}")) is not None), None)


def _read_points(node: Element | None, *, from_1904: bool = False) -> Points:
    points: Points = {}
    if node is None:
        return points
    usual = _find_format(node.findtext(f".//{C}formatCode"), from_1904=from_1904)
    for point in node.iter(f"{C}pt"):
        place = _parse_index(point.get("idx", ""))
        if place is not None and len(points) < MAX_POINTS:
            text = point.findtext(f"{C}v") or ""
            points[place] = _format_number(text) if usual is None else usual.written(text)
    if not points:
        text = node.findtext(f"{C}v")
        if text:
            points[0] = text
    return points


def _parse_index(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _find_format(code: str | None, *, from_1904: bool) -> Format | None:
    """Return the format for `code` if it changes what numbers mean (dates, percentages), or None if it only rounds."""
    if code is None or not _SHOWN.search(_LITERAL.sub("", code)):
        return None
    return Format(code, from_1904=from_1904)


def _format_number(text: str) -> str:
    """Format a number without floating-point noise: a program stores 4.3 as `4.2999999999999998`."""
    if len(text) < 16 or "." not in text:
        return text
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text
