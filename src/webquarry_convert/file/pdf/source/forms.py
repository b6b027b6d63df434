"""Form fields as text where they stand on the page."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from webquarry_convert.file.pdf.source.content import Box, Field, Page, Span

_LARGEST = 10.0
"""Points."""
_MOST_LOOKS = 500_000
"""Pairs of a field and a span at its height."""
_LOOK = 20
"""Characters of such a span that cost as much as one more of it."""
_STEP = 10.0
"""Points."""
_NO_FIGURES = re.compile("[^0-9]+")
_TICKS = "\u2713\u2714\u2717\u2718\u2611\u2612\u25cf\u25a0\u2605\u25c6 "
"""That boxes show which are ticked."""
_BESIDE = 1.5
"""Distance between a box and what it stands for, in sizes of the font."""


def add_fields(page: Page) -> None:
    """Adds what is filled in to the spans, and boxes to tick, before the text that they stand for."""
    levels: dict[int, list[Span]] = {}
    for span in page.spans if page.fields else ():
        levels.setdefault(int(_get_middle(span) // _STEP), []).append(span)
    looks = 0
    hidden: set[int] = set()
    added: list[Span] = []
    for field in page.fields:
        box = field.box
        near = _find_near(box, levels, page.height) if looks < _MOST_LOOKS else []
        looks += 1 + sum(map(len, near)) + sum(len(span.text) for level in near for span in level) // _LOOK
        beside = [span for level in near for span in level if _is_level(span, box)] if looks < _MOST_LOOKS else []
        inside = [span for span in beside if box.x0 - 1 <= span.x0 <= box.x1]
        if field.is_tick:
            hidden.update(id(span) for span in inside if not _strip_tick(span))
            added += _put_box(field, [span for span in beside if id(span) not in hidden])
        else:
            lines = [line.strip() for line in field.value.splitlines() if line.strip()]
            if not lines or (inside and _is_shown(inside, lines)):
                continue
            if inside and _is_partial(inside, lines):
                hidden.update(map(id, inside))
            added += _make_spans(lines, box, inside, _find_label(beside, box))
    if hidden or added:
        page.spans = [span for span in page.spans if id(span) not in hidden] + added


def _find_near(box: Box, levels: Mapping[int, list[Span]], height: float) -> list[list[Span]]:
    """The spans at the heights that a field reaches over."""
    heights = range(int(max(box.y0 - 1, 0) // _STEP), int(min(box.y1 + 1, height) // _STEP) + 1)
    if len(heights) <= len(levels):
        return [levels[at] for at in heights if at in levels]
    return [levels[at] for at in sorted(levels) if at in heights]


def _is_shown(shown: Sequence[Span], lines: Sequence[str]) -> bool:
    """Whether a field shows its value, in the form of a number or a date perhaps."""
    some, all_of_it = _join_letters(span.text for span in shown), _join_letters(lines)
    if _is_letter_by_letter(shown):
        return False
    figures = _NO_FIGURES.sub("", all_of_it)
    return all_of_it in some or (bool(figures) and figures in _NO_FIGURES.sub("", some))


def _is_partial(shown: Sequence[Span], lines: Sequence[str]) -> bool:
    """Whether a field shows not all of its value, or each letter in a box of its own."""
    return _join_letters(span.text for span in shown) in _join_letters(lines)


def _is_letter_by_letter(shown: Sequence[Span]) -> bool:
    return len(shown) > 1 and max(len(span.text) for span in shown) == 1


def _join_letters(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def _find_label(beside: Sequence[Span], box: Box) -> Span | None:
    """What stands right before a field."""
    return max((span for span in beside if span.x1 <= box.x0 + 1), key=lambda span: span.x1, default=None)


def _make_spans(lines: Sequence[str], box: Box, shown: Sequence[Span], label: Span | None) -> Iterator[Span]:
    """A value of one line stands on that of its label."""
    size = min(shown[0].size if shown else _LARGEST, (box.y1 - box.y0) / len(lines))
    if label is not None and len(lines) == 1:
        yield Span((box.x0, label.y0, max(box.x1, box.x0 + 1), label.y1), lines[0], min(size, label.size))
        return
    top = (box.y0 + box.y1 - size * len(lines)) / 2
    for place, line in enumerate(lines):
        y = top + place * size
        yield Span((box.x0, y, max(box.x1, box.x0 + 1), y + size), line, size)


def _strip_tick(span: Span) -> bool:
    """Takes from a span the tick that it begins with; whether anything is left."""
    if span.text[0] in _TICKS:
        span.parts = [word for word in span.words() if word.text.strip(_TICKS)]
        span.text = span.text.lstrip(_TICKS)
        span.x0 = span.parts[0].x0 if span.parts else span.x0
    return bool(span.text)


def _put_box(field: Field, beside: Sequence[Span]) -> Iterator[Span]:
    """Puts the box before the span at its right; gives it as one of its own where none is."""
    box = field.box
    text = "[x]" if field.value else "[ ]"
    span = min((span for span in beside if span.x0 > box.x0), key=lambda span: span.x0, default=None)
    if span is None or span.x0 - box.x1 > _BESIDE * span.size:
        size = min(_LARGEST, box.y1 - box.y0)
        top = (box.y0 + box.y1 - size) / 2
        yield Span((box.x0, top, max(box.x1, box.x0 + 1), top + size), text, size)
        return
    span.parts = span.words()  # their places stay: what is drawn around the box is no cell of a table
    if span.parts[0] is not span:
        span.parts[0].text = f"{text} {span.parts[0].text}"
    span.text = f"{text} {span.text}"
    span.x0 = box.x0


def _is_level(span: Span, box: Box) -> bool:
    return box.y0 - 1 <= _get_middle(span) <= box.y1 + 1


def _get_middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2
