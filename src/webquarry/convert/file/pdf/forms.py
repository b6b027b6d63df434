"""Form fields as text where they stand on the page."""

from webquarry.convert.file.pdf.content import Box, Page, Span

_LARGEST = 10.0
"""Points."""


def lay_fields(page: Page) -> None:
    """Adds what is filled in, and boxes to tick, to the spans."""
    written: dict[str, list[Span]] = {}
    for span in page.spans if page.fields else ():
        written.setdefault(span.text, []).append(span)
    for field in page.fields:
        box = field.box
        text = ("[x]" if field.value else "[ ]") if field.is_tick else field.value
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines or any(_is_inside(span, box) for span in written.get(lines[0], ())):
            continue
        size = min(_LARGEST, (box.y1 - box.y0) / len(lines))
        middle = (box.y0 + box.y1 - size * len(lines)) / 2
        for place, line in enumerate(lines):
            top = middle + place * size
            page.spans.append(Span((box.x0, top, max(box.x1, box.x0 + 1), top + size), line, size))


def _is_inside(span: Span, box: Box) -> bool:
    return box.x0 - 1 <= span.x0 <= box.x1 and box.y0 - 1 <= (span.y0 + span.y1) / 2 <= box.y1 + 1
