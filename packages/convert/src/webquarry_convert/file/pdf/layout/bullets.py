"""List bullets that are drawn as shapes, as browsers do, rather than written as text."""

from collections.abc import Mapping, Sequence

from webquarry_convert.file.pdf.source.content import Box, Page, Span

_SIZE = (0.2, 0.75)
"""Minimum and maximum width of a bullet, in ems of the adjacent text."""
_BEFORE_TEXT = 2.5
"""Maximum distance between a bullet and its text, in ems."""
_STEP = 10.0
"""Height of the steps, in points, by which spans are indexed."""
_WRITTEN = "\u2022\u25cf\u25cb\u25aa\u25e6\u2023\u00b7-\u2013"
_MOST = 2_000
_LEAST = 2
"""Minimum number of bullets on a page. A single one is a picture."""


def add_bullets(page: Page) -> None:
    """Add a "•" span for each drawn bullet."""
    if not _LEAST <= len(page.discs) <= _MOST:
        return
    levels: dict[int, list[Span]] = {}
    for span in page.spans:
        for level in range(int(span.y0 // _STEP), int(span.y1 // _STEP) + 1):
            levels.setdefault(level, []).append(span)
    sizes = [span.size for span in page.spans]
    least, most = _SIZE[0] * min(sizes, default=0.0), _SIZE[1] * max(sizes, default=0.0)
    discs = [disc for disc in page.discs if least <= disc.x1 - disc.x0 <= most]
    found = [bullet for disc in discs if (bullet := _make_bullet(disc, levels)) is not None]
    if len(found) >= _LEAST:
        page.spans += found


def _make_bullet(disc: Box, levels: Mapping[int, Sequence[Span]]) -> Span | None:
    """Return the span for a bullet, or None if the disc has no text after it, or has text before it."""
    middle = (disc.y0 + disc.y1) / 2
    beside = [span for span in levels.get(int(middle // _STEP), ()) if span.y0 < middle < span.y1]
    after = min((span for span in beside if span.x1 > disc.x0), key=lambda span: span.x0, default=None)
    if after is None or not disc.x1 <= after.x0 <= disc.x1 + _BEFORE_TEXT * after.size or after.text[0] in _WRITTEN:
        return None
    before = max((span.x1 for span in beside if span.x0 < disc.x0), default=float("-inf"))
    is_small = _SIZE[0] * after.size <= disc.x1 - disc.x0 <= _SIZE[1] * after.size
    if not is_small or before > disc.x0 - after.size:
        return None
    bullet = Span((disc.x0, after.y0, disc.x1, after.y1), "\u2022", after.size)
    bullet.mark = after.mark
    bullet.source = after.source
    bullet.parts = [bullet]
    return bullet
