"""Leaders, which are dots between a label and the number at the end of its line. They only guide the reader's eye.

The stones . . . . . . . . . 12 the label's run may end with the first dots, and each other dot may be a run
"""

import re
from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.tables.table import is_figure
from webquarry_convert.file.pdf.words.lines import group_strips

_SIGNS = ".\u2026"
_DOTS = re.compile(r"[.\u2026][.\u2026 ]*+")
_NUMBER = re.compile(r"[0-9A-Z]{1,3}[-.]?[0-9]{0,4}(?:[,\u2013-] ?[0-9]{1,4})*+,?|[ivxlcdm]{1,7}")
"""Matches one or more page numbers."""
_LEAST = 3
"""Minimum number of runs of dots in a leader."""
_FARTHEST = 1.5
"""Maximum gap, in ems, between two runs of dots."""
_APART = 0.3
"""Minimum gap, in ems, between a label and a dot that belongs to the leader."""


def drop_leaders(spans: Sequence[Span]) -> list[Span]:
    """Return spans without the leaders before page numbers. Other leaders are joined with the preceding text."""
    if not any(span.text[0] in _SIGNS and _is_dots(span) for span in spans):
        return list(spans)
    return [span for strip in group_strips(spans) for span in _join_dots(_drop_dots(strip.spans()))]


def _is_dots(span: Span) -> bool:
    return span.text[0] in _SIGNS and _DOTS.fullmatch(span.text) is not None


def _drop_dots(row: Sequence[Span]) -> list[Span]:
    """Drop the leaders from a row.

    row: spans sorted from the left.
    """
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
    """Return whether a leader follows a label.

    dots: the leader's runs, or [] if all dots are part of the label's run.
    """
    if is_figure(label.text):
        return False
    return _ends_with_dots(label) or (bool(dots) and dots[0].x0 - label.x1 > _APART * label.size)


def _ends_with_dots(label: Span) -> bool:
    """Return whether the last word consists of dots. A sentence's period does not count."""
    return label.text[-1] in _SIGNS and len(words := label.words()) > 1 and _is_dots(words[-1])


def _drop_tail(label: Span) -> Span:
    """Return a label without the dots at the end of its run."""
    if not _ends_with_dots(label):
        return label
    words = label.words()
    while len(words) > 1 and _is_dots(words[-1]):
        words = words[:-1]
    return label.join(words)


def _join_dots(row: Sequence[Span]) -> list[Span]:
    """Join rows of dots with the text before them.

    row: spans sorted from the left.
    """
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
    """Return whether dots are appended to a label. dot: the first of the dots."""
    is_level = abs(dot.y1 - label.y1) < _APART * label.size
    return is_level and dot.x0 - label.x1 < _FARTHEST * label.size and not is_figure(label.text)
