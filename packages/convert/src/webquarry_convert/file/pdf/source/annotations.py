"""Annotations on a page: visible text, and remarks that a viewer opens.

Visible text is laid out with the rest of the page. Remarks (sticky notes and comments on marked text) are only counted.
"""

from collections.abc import Iterable, Iterator

from webquarry_convert.file.pdf.source.content import REMARKS, SHOWN, Box, Page, Span
from webquarry_convert.file.pdf.source.glyphs import turn_box
from webquarry_convert.file.pdf.source.kept_words import NO_WORDS
from webquarry_convert.file.pdf.source.pdfium import File

_MOST = 1_000
"""The maximum number of such annotations on a page."""
_LARGEST = 10.0
"""The maximum font size, in points. It is needed because the file specifies only the height of the box."""
_WIDTH = 0.6
"""The approximate width of a letter, in ems."""
_INSET = 2.0
"""The distance in points between the edge of a box and its text."""


def add_shown_texts(page: Page, file: File) -> None:
    """Add the annotations' visible text to a page's spans."""
    shown = [one for one in page.annotations if one.kind == SHOWN][:_MOST]
    if not shown:
        return
    width, height = (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)
    for annotation, is_visible in zip(shown, file.list_visible(page.number, _MOST), strict=False):
        lines = [line for line in annotation.text.splitlines() if line.strip()]
        if is_visible and lines:
            page.spans += _make_lines(lines, turn_box(annotation.box, page.turned, width, height))


def count_remarks(pages: Iterable[Page]) -> int:
    return sum(one.kind in REMARKS for page in pages for one in page.annotations)


def _make_lines(lines: list[str], box: Box) -> Iterator[Span]:
    step = (box.y1 - box.y0) / len(lines)
    size = min(step, _LARGEST)
    for place, line in enumerate(lines):
        top = box.y0 + place * min(step, 1.2 * size)
        text = " ".join(line.split())
        left = box.x0 + _INSET
        right = max(min(box.x1 - _INSET, left + _WIDTH * size * len(text)), left + 1)
        span = Span((left, top, right, top + size), text, size)
        span.source = NO_WORDS
        yield span
