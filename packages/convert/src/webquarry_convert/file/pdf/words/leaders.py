"""Leaders: dots between a label and the number that ends its line, which lead the eye and say nothing.

The stones . . . . . . . . . 12     the label's run may end with the first dots, and each of the others be a run
"""

import re
from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.tables.table import is_figure
from webquarry_convert.file.pdf.words.lines import group_strips

_SIGNS = ".\u2026"
_DOTS = re.compile(r"[.\u2026][.\u2026 ]*+")
_NUMBER = re.compile(r"[0-9A-Z]{1,3}[-.]?[0-9]{0,4}(?:[,\u2013-] ?[0-9]{1,4})*+,?|[ivxlcdm]{1,7}")
"""Of a page, or of several."""
_LEAST = 3
"""Runs of dots that are one."""
_FARTHEST = 1.5
"""Width, in sizes of the font, of the room between two of them."""
_APART = 0.3
"""The same between a label and a dot that is none of it."""


def drop_leaders(spans: Sequence[Span]) -> list[Span]:
    """Spans without dots before the number of a page, and with those that lead elsewhere as a part of what they
    follow.
    """
    if not any(span.text[0] in _SIGNS and _is_dots(span) for span in spans):
        return list(spans)
    return [span for strip in group_strips(spans) for span in _join_dots(_drop_dots(strip.spans()))]


def _is_dots(span: Span) -> bool:
    return span.text[0] in _SIGNS and _DOTS.fullmatch(span.text) is not None


def _drop_dots(row: Sequence[Span]) -> list[Span]:
    """row: from the left."""
    kept: list[Span] = []
    dots: list[Span] = []
    for span in row:
        if _is_dots(span) and kept and span.x0 - (dots or kept)[-1].x1 < _FARTHEST * span.size:
            dots.append(span)
            continue
        if kept and _NUMBER.fullmatch(span.text) is not None and _lead_from(kept[-1], dots):
            kept[-1] = _drop_tail(kept[-1])
        else:
            kept += dots
        kept.append(span)
        dots = []
    return kept + dots


def _lead_from(label: Span, dots: Sequence[Span]) -> bool:
    """Whether dots lead from a label. dots: runs of them; none where the label's run ends with all of them."""
    if is_figure(label.text):
        return False
    return _ends_with_dots(label) or (bool(dots) and dots[0].x0 - label.x1 > _APART * label.size)


def _ends_with_dots(label: Span) -> bool:
    """Whether its last word is dots; a sentence ends with a stop that is none."""
    return label.text[-1] in _SIGNS and len(words := label.words()) > 1 and _is_dots(words[-1])


def _drop_tail(label: Span) -> Span:
    """A label without the dots that its run ends with."""
    if not _ends_with_dots(label):
        return label
    words = label.words()
    while len(words) > 1 and _is_dots(words[-1]):
        words = words[:-1]
    return label.join(words)


def _join_dots(row: Sequence[Span]) -> list[Span]:
    """row: from the left; many dots in it are a part of what they follow."""
    joined: list[Span] = []
    dots: list[Span] = []
    for span in [*row, None]:
        if span is not None and _is_dots(span) and (not dots or span.x0 - dots[-1].x1 < _FARTHEST * span.size):
            dots.append(span)
            continue
        if len(dots) >= _LEAST and joined and _follow(joined[-1], dots[0]):
            joined[-1] = joined[-1].join([*joined[-1].words(), *dots])
        else:
            joined += dots
        dots = []
        if span is not None:
            joined.append(span)
    return joined


def _follow(label: Span, dot: Span) -> bool:
    """Whether dots are to be written on behind a label. dot: the first."""
    is_level = abs(dot.y1 - label.y1) < _APART * label.size
    return is_level and dot.x0 - label.x1 < _FARTHEST * label.size and not is_figure(label.text)
