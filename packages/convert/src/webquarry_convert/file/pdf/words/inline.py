"""Writes spans as inline markdown, with escaped text and links."""

import re
from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Box, Link, Page, Span
from webquarry_convert.file.pdf.words.lines import has_space, join_spans, order_spans
from webquarry_convert.text import escape

_LEAST_STEP = 10.0
"""Minimum height, in points, of the steps by which links are indexed."""
_STEPS = 200
_MOST_BESIDE = 100
"""Maximum number of links at one height that are examined. If there are more, they overlap."""
_FORMULA = re.compile(r"\$(?=[^$]*(?:\\[A-Za-z]|[_^]\{))[^$\s](?:[^$]*[^$\s])?\$")
_SAFE = ("http://", "https://", "mailto:")


def attach_links(page: Page) -> None:
    """Set the link target of spans that a link covers. Spans that extend beyond the link are split between words."""
    step = max(_LEAST_STEP, page.height / _STEPS)
    levels: dict[int, list[Link]] = {}  # links by height
    for link in page.links:
        if link.target.lower().startswith(_SAFE):
            for level in range(int(max(link.box.y0, 0) // step), int(min(link.box.y1, page.height) // step) + 1):
                beside = levels.setdefault(level, [])
                if len(beside) < _MOST_BESIDE:
                    beside.append(link)
    if not levels:
        return
    spans: list[Span] = []
    for span in page.spans:
        near = levels.get(int((span.y0 + span.y1) / 2 // step), ())
        over = [link for link in near if _is_overlapping(span, link.box)]
        if not over:
            spans.append(span)
            continue
        for part in [span] if _is_within(span, over[0].box) else span.words():
            part.link = next((link.target for link in over if _is_within(part, link.box)), None)
            spans.append(part)
    page.spans = spans


def write_spans(spans: Sequence[Span]) -> str:
    """Return the text of adjacent spans, sorted from the left."""
    if len(spans) == 1 and spans[0].link is None:
        return escape_text(spans[0].text)
    if any(span.link is not None for span in spans):
        return _write_linked_spans(spans)
    return escape_text(join_spans(spans))


def escape_text(text: str) -> str:
    """Escape text as inline markdown. Formulas, which liteparse returns as TeX, are not changed."""
    if "$" in text and _FORMULA.search(text):
        return _escape_around_formulas(text)
    return escape.whole(text) if text.isprintable() else escape.inline(text)


def _escape_around_formulas(text: str) -> str:
    parts: list[str] = []
    at = 0
    for formula in _FORMULA.finditer(text):
        before = text[at : formula.start()]
        space = " " if before[-1:].isalpha() else ""
        parts += [escape.part(before), space, formula[0]]
        at = formula.end()
    return "".join([*parts, escape.part(text[at:])])


def _write_linked_spans(spans: Sequence[Span]) -> str:
    """Write spans. Adjacent spans with the same target become one link."""
    parts: list[str] = []
    run: list[Span] = []
    for span in [*order_spans(spans), None]:
        if run and (span is None or span.link != run[0].link):
            text, target = escape.clean_line(join_spans(run)), run[0].link
            parts.append(_write_link(text, target) if target else escape.part(text))
            if span is not None and has_space(run[-1], span):
                parts.append(" ")
            run = []
        if span is not None:
            run.append(span)
    return "".join(parts)


def _write_link(text: str, target: str) -> str:
    bare = "".join(target.split()).replace("<", "%3C").replace(">", "%3E")
    if text == target and not text.startswith("mailto:"):
        return f"<{bare}>"
    return f"[{escape.label(text)}]({bare})" if _is_plain(bare) else f"[{escape.label(text)}](<{bare}>)"


def _is_plain(target: str) -> bool:
    return not any(sign in target for sign in "()\\")


def _is_overlapping(span: Box, link: Box) -> bool:
    across, down = min(span.x1, link.x1) - max(span.x0, link.x0), min(span.y1, link.y1) - max(span.y0, link.y0)
    return across > 1 and down > 0.4 * (span.y1 - span.y0)


def _is_within(span: Box, link: Box) -> bool:
    """Return whether most of a span is inside a link."""
    return min(span.x1, link.x1) - max(span.x0, link.x0) > 0.6 * (span.x1 - span.x0) and _is_overlapping(span, link)
