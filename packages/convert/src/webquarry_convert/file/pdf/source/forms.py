"""Form fields, written as text at their position on the page."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from webquarry_convert.file.pdf.source import tick_boxes
from webquarry_convert.file.pdf.source.content import Box, Field, Page, Span
from webquarry_convert.file.pdf.source.streams import Stream

MAX_FIELDS = 3_000
"""The maximum number of fields in a file. pdfium compares each field's name with all earlier names."""
_NAME = re.compile(rb"/T\s*+[(<\d]")
_MOST_LOOKS = 500_000
"""The maximum number of times that a field is compared with a span at the same height."""
_LOOK = 20
"""The number of characters whose comparison takes as long as one more span."""
_STEP = 10.0
"""The height, in points, of the rows in which spans are searched."""
_NO_FIGURES = re.compile("[^0-9]+")
_TICKS = "\u2713\u2714\u2717\u2718\u2611\u2612\u25cf\u25a0\u2605\u25c6\u2022 "
"""Characters that mark checkboxes as checked."""


def has_many_named_fields(body: bytes, streams: Iterable[Stream]) -> bool:
    """Return whether the bytes and the packed objects of a file indicate that it may have more than `MAX_FIELDS`
    fields.
    """
    texts = [body, *(stream.content for stream in streams if stream.content and b"/ObjStm" in stream.dictionary)]
    return sum(len(_NAME.findall(text)) for text in texts) > MAX_FIELDS


def add_fields(page: Page, em: float) -> None:
    """Add filled-in values and checkboxes to the spans. Checkboxes are placed before their labels.

    The frames of checkboxes are removed from the ruling lines.

    em: the running text's size, in points.
    """
    if not page.fields:
        return
    levels: dict[int, list[Span]] = {}
    for span in page.spans:
        levels.setdefault(int(_get_middle(span) // _STEP), []).append(span)
    looks = 0
    hidden: set[int] = set()
    added: list[Span] = []
    ticks: list[tuple[Field, list[Span]]] = []
    for field in page.fields:
        box = field.box
        near = _find_near(box, levels, page.height) if looks < _MOST_LOOKS else []
        looks += 1 + sum(map(len, near)) + sum(len(span.text) for level in near for span in level) // _LOOK
        beside = [span for level in near for span in level if _is_level(span, box)] if looks < _MOST_LOOKS else []
        inside = [span for span in beside if box.x0 - 1 <= span.x0 <= box.x1]
        if field.is_tick:
            hidden.update(id(span) for span in inside if not _strip_tick(span))
            ticks.append((field, beside))
        else:
            lines = [line.strip() for line in field.value.splitlines() if line.strip()]
            if not lines or (inside and _is_shown(inside, lines)):
                continue
            if inside and _is_partial(inside, lines):
                hidden.update(map(id, inside))
            added += _make_spans(lines, box, inside, _find_label(beside, box), em)
    if ticks:
        added += tick_boxes.put_boxes(
            [(field, [one for one in near if id(one) not in hidden]) for field, near in ticks]
        )
        page.rules = tick_boxes.drop_frames(page.rules, [field.box for field, _ in ticks])
    if hidden or added:
        page.spans = [span for span in page.spans if id(span) not in hidden] + added


def _find_near(box: Box, levels: Mapping[int, list[Span]], height: float) -> list[list[Span]]:
    """Return the spans at a field's heights, by row."""
    heights = range(int(max(box.y0 - 1, 0) // _STEP), int(min(box.y1 + 1, height) // _STEP) + 1)
    if len(heights) <= len(levels):
        return [levels[at] for at in heights if at in levels]
    return [levels[at] for at in sorted(levels) if at in heights]


def _is_shown(shown: Sequence[Span], lines: Sequence[str]) -> bool:
    """Return whether the page already shows a field's value, possibly formatted as a number or date."""
    some, all_of_it = _join_letters(span.text for span in shown), _join_letters(lines)
    if _is_letter_by_letter(shown):
        return False
    figures = _NO_FIGURES.sub("", all_of_it)
    return all_of_it in some or (bool(figures) and figures in _NO_FIGURES.sub("", some))


def _is_partial(shown: Sequence[Span], lines: Sequence[str]) -> bool:
    """Return whether the page shows only a part of a field's value, or shows its letters in separate boxes."""
    return _join_letters(span.text for span in shown) in _join_letters(lines)


def _is_letter_by_letter(shown: Sequence[Span]) -> bool:
    return len(shown) > 1 and max(len(span.text) for span in shown) == 1


def _join_letters(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def _find_label(beside: Sequence[Span], box: Box) -> Span | None:
    """Return the text directly before a field."""
    return max((span for span in beside if span.x1 <= box.x0 + 1), key=lambda span: span.x1, default=None)


def _make_spans(lines: Sequence[str], box: Box, shown: Sequence[Span], label: Span | None, em: float) -> Iterator[Span]:
    """Yield the spans of a value. A one-line value is placed on its label's line; others keep their lines."""
    size = min(shown[0].size if shown else em, (box.y1 - box.y0) / len(lines))
    if label is not None and len(lines) == 1:
        yield Span((box.x0, label.y0, max(box.x1, box.x0 + 1), label.y1), lines[0], min(size, label.size))
        return
    top = (box.y0 + box.y1 - size * len(lines)) / 2
    for place, line in enumerate(lines):
        y = top + place * size
        span = Span((box.x0, y, max(box.x1, box.x0 + 1), y + size), line, size)
        span.is_new = place > 0
        yield span


def _strip_tick(span: Span) -> bool:
    """Remove the tick at the start of a span. Return whether any text remains."""
    if span.text[0] in _TICKS:
        span.parts = [word for word in span.words() if word.text.strip(_TICKS)]
        span.text = span.text.lstrip(_TICKS)
        span.x0 = span.parts[0].x0 if span.parts else span.x0
    return bool(span.text)


def _is_level(span: Span, box: Box) -> bool:
    return box.y0 - 1 <= _get_middle(span) <= box.y1 + 1


def _get_middle(box: Box) -> float:
    return (box.y0 + box.y1) / 2
