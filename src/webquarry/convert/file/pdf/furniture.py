"""What stands at the edge of pages and is no text of the document: running titles, page numbers."""

import re
from collections import Counter

from webquarry.convert.file.pdf.content import Page, Span
from webquarry.convert.file.pdf.lines import joined, strips

_EDGE = 0.12
"""Share of the height, at the top and the bottom."""
_OUTERMOST = 3
"""Lines from the edge that may be furniture."""
_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.|pag\.|página)\s*)?[-\u2013\u2014|\s]*(?:[0-9]{1,4}|[ivxlc]{1,6})[-\u2013\u2014|\s]*"
    r"(?:(?:of|/|von|de|sur)\s*[0-9]{1,4})?",
    re.IGNORECASE,
)
_RIM = 0.04
"""Share of the height in which nothing but furniture is printed."""
_MARGIN = 0.08
"""Share of the width in which text is furniture that is not read upright."""
_FIGURES = re.compile(r"[0-9]+")


def without_furniture(pages: list[Page]) -> None:
    """Takes it from the spans of the pages."""
    edges = [_edges(page) for page in pages]
    seen = Counter(key for page in edges for key in {key for key, _ in page})
    enough = max(2, (len(pages) + 2) // 3)
    for page, lines in zip(pages, edges, strict=True):
        if page.spans:
            page.sideways = [span for span in page.sideways if not _is_beside(page, span)]
        dropped = {
            id(span)
            for (key, text), spans in lines.items()
            for span in spans
            if (seen[key] >= enough and len(pages) > 1) or _NUMBER.fullmatch(text) or _is_at_rim(page, spans)
        }
        if dropped:
            page.spans = [span for span in page.spans if id(span) not in dropped]


def _is_beside(page: Page, span: Span) -> bool:
    """Whether it stands in the margin at the left or the right."""
    return span.x1 < page.width * _MARGIN or span.x0 > page.width * (1 - _MARGIN)


def _is_at_rim(page: Page, line: list[Span]) -> bool:
    return len(line) * 4 < len(page.spans) and (
        all(span.y1 < page.height * _RIM for span in line) or all(span.y0 > page.height * (1 - _RIM) for span in line)
    )


def _edges(page: Page) -> dict[tuple[tuple[str, int], str], list[Span]]:
    """Lines at the edges: what is the same of them on other pages, and their text."""
    top, bottom = page.height * _EDGE, page.height * (1 - _EDGE)
    lines: dict[tuple[tuple[str, int], str], list[Span]] = {}
    for outer in (
        strips([span for span in page.spans if span.y1 < top])[:_OUTERMOST],
        strips([span for span in page.spans if span.y0 > bottom])[-_OUTERMOST:],
    ):
        for row in outer:
            text = joined(row.spans())
            key = (_FIGURES.sub("#", text), round(row.y0 / 8))
            lines[key, text] = row.spans()
    return lines
