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
_DIVIDED = re.compile(r"[0-9]+\s*[-\u2013\u2014./]\s*[0-9]+")
"""A page's number with its chapter's."""


def without_furniture(pages: list[Page]) -> None:
    """Takes it from the spans of the pages. On two pages only, what repeats may be text as well: a letter's head, a
    date. It stays once, outside of the text: at the top of the first page, at the foot of the last.
    """
    edges = [_edges(page) for page in pages]
    seen = Counter(key for page in edges for key in {key for key, _ in page})
    enough = max(2, (len(pages) + 2) // 3)
    may_be_text = len(pages) == 2
    for number, (page, lines) in enumerate(zip(pages, edges, strict=True)):
        if page.spans:
            page.sideways = [span for span in page.sideways if not _is_beside(page, span)]
        dropped = {
            id(span)
            for (key, text), spans in lines.items()
            for span in spans
            if (len(pages) > 1 and seen[key] >= enough and not (may_be_text and _is_outer(page, spans, number)))
            or _NUMBER.fullmatch(text)
            or _is_at_rim(page, spans)
        }
        if dropped:
            page.spans = [span for span in page.spans if id(span) not in dropped]


def _is_outer(page: Page, line: list[Span], number: int) -> bool:
    """Whether words stand at the top of the first page or at the foot of the second. number: from 0 on."""
    is_below = line[0].y0 > page.height / 2
    return is_below == (number == 1) and sum(sum(map(str.isalpha, span.text)) for span in line) > 2


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
            lines[(_same(text), round(row.y0 / 8)), text] = row.spans()
    return lines


def _same(text: str) -> str:
    """What is the same of a line on all pages: its words. Figures alone may be the row of a table that goes on."""
    is_row = not any(map(str.isalpha, text)) and _DIVIDED.fullmatch(text) is None
    return text if is_row else _FIGURES.sub("#", text)
