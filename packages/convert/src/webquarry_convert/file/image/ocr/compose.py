"""Composes markdown from rows of text. Rows are joined into paragraphs, and intended line breaks are kept."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from unicodedata import bidirectional

from webquarry_convert.file.image.ocr.lines import Line
from webquarry_convert.file.image.ocr.reading_order import Region, Row, find_regions
from webquarry_convert.text import escape

_NEW_PARAGRAPH = 0.9  # minimum space above a paragraph, in line heights
_LEVEL = 1.0  # maximum vertical offset, in line heights, of rows on the same line, because print is never quite level
_INDENT = 4.0  # minimum indentation of a paragraph's first row


def write_markdown(lines: Sequence[Line]) -> str:
    """Write lines as markdown that ends with one line break, or return "" if there are no lines."""
    if _is_right_to_left(lines):
        lines = [replace(line, left=-line.right, right=-line.left) for line in lines]
    paragraphs = [paragraph for region in find_regions(lines) for paragraph in _split_paragraphs(region)]
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _is_right_to_left(lines: Sequence[Line]) -> bool:
    """Return whether the page is written from right to left. Such a page is processed as its mirror image."""
    directions = [bidirectional(sign) for line in lines for sign in line.text]
    return sum(way in ("R", "AL") for way in directions) > sum(way == "L" for way in directions)


def _split_paragraphs(region: Region) -> list[str]:
    height = median(line.height for row in region for line in row)
    paragraphs: list[list[Row]] = []
    above: Row | None = None
    for row in region:
        if above is None or _get_top(row) - _get_bottom(above) > _NEW_PARAGRAPH * height:
            paragraphs.append([])
        paragraphs[-1].append(row)
        above = row
    return [_write_paragraph(rows) for rows in paragraphs]


def _write_paragraph(rows: Sequence[Row]) -> str:
    """Write a paragraph. Rows that end intentionally keep their line breaks."""
    edge = max(row[-1].right for row in rows)
    lines: list[list[str]] = []
    above: Row | None = None
    for row in rows:
        text = " ".join(line.text for line in row)
        if above is not None and not _is_ended(above, row, edge):
            last = lines[-1].pop()
            lines[-1] += _join_rows(last, text)
        else:
            lines.append([text])
        above = row
    whole = ["".join(parts) for parts in lines]
    escaped = [escape.line(line) if at == 0 else escape.further(escape.inline(line)) for at, line in enumerate(whole)]
    return "\\\n".join(escaped)


def _is_ended(row: Row, following: Row, edge: float) -> bool:
    """Return whether a row ends intentionally.

    It does if the next row does not begin below it, or if the next row's first word would have fit.
    """
    if len(row) > 1 or len(following) > 1:
        return True
    last, first = row[0], following[0]
    if last.text.endswith("-"):
        return False
    indent = (last.left - first.left) / last.height
    if not -_LEVEL < indent < _INDENT:
        return True
    per_sign = (first.right - first.left) / max(1, len(first.text))
    return edge - last.right > (len(first.text.split(" ", 1)[0]) + 1) * per_sign


def _join_rows(above: str, below: str) -> tuple[str, str]:
    """Join two rows, and remove a hyphen at the end of the first.

    Returns the first row with its separator, and the second row.
    """
    if above.endswith("-") and len(above) > 1 and above[-2].isalpha() and below[:1].islower():
        return above[:-1], below
    return f"{above} ", below


def _get_top(row: Row) -> float:
    return min(line.top for line in row)


def _get_bottom(row: Row) -> float:
    return max(line.bottom for line in row)
