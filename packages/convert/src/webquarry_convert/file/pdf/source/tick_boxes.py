"""Places checkboxes and radio buttons before their labels: "[x] Yes".

The boxes of a row are either all before their labels or all after them:

    Married?  [ ] yes  [x] no      text after the last box: each box belongs to the text after it
    Married?  yes [ ]  no [x]      no text there, and text directly before each box: each belongs to that text
"""

from collections.abc import Iterable, Iterator, Sequence

from webquarry_convert.file.pdf.source.content import Box, Field, Rule, Span

_LARGEST = 10.0
"""The maximum size of a box, in points."""
_BESIDE = 1.5
"""The maximum distance between a box and its label, in ems."""
_LEVEL = 3.0
"""The maximum vertical distance, in points, between the centers of boxes in a row."""
_FRAME = 2.5
"""The maximum distance, in points, between a box and its frame."""
_STEP = 30.0
"""The cell size, in points, of the index of box corners. Boxes are hardly larger than a cell."""
_MOST_FRAMED = 20
"""The maximum number of boxes near a line that are checked for a frame with this line."""

Tick = tuple[Field, Sequence[Span]]
"""A box, and the spans at the same height."""


def put_boxes(ticks: Sequence[Tick]) -> list[Span]:
    """Insert each box before its text. Return spans for boxes without text."""
    added: list[Span] = []
    for row in _group_rows(ticks):
        labels = [_find_before(field.box, beside) for field, beside in row]
        are_behind = None not in labels and _find_behind(row[-1][0].box, row[-1][1]) is None
        for (field, beside), label in zip(row, labels, strict=True):
            span = label if are_behind else _find_behind(field.box, beside)
            if span is None:
                added.append(_make_box(field, beside))
            else:
                _put_before(span, field, are_behind=are_behind)
    return added


def drop_frames(rules: Sequence[Rule], boxes: Iterable[Box]) -> list[Rule]:
    """Return the ruling lines without the frames of checkboxes."""
    framed: dict[tuple[int, int], list[Box]] = {}
    for box in boxes:
        for x in {int(x // _STEP) for x in (box.x0 - _FRAME, box.x1 + _FRAME)}:
            for y in {int(y // _STEP) for y in (box.y0 - _FRAME, box.y1 + _FRAME)}:
                framed.setdefault((x, y), []).append(box)
    return [
        rule for rule in rules if not _is_frame(rule, framed.get((int(rule.x0 // _STEP), int(rule.y0 // _STEP)), ()))
    ]


def _is_frame(rule: Rule, boxes: Sequence[Box]) -> bool:
    return any(
        box.x0 - _FRAME <= rule.x0
        and rule.x1 <= box.x1 + _FRAME
        and box.y0 - _FRAME <= rule.y0
        and rule.y1 <= box.y1 + _FRAME
        for box in boxes[:_MOST_FRAMED]
    )


def _group_rows(ticks: Iterable[Tick]) -> Iterator[list[Tick]]:
    row: list[Tick] = []
    for tick in sorted(ticks, key=lambda tick: tick[0].box.y0 + tick[0].box.y1):
        box = tick[0].box
        if row and (box.y0 + box.y1 - row[0][0].box.y0 - row[0][0].box.y1) / 2 > _LEVEL:
            yield sorted(row, key=lambda tick: tick[0].box.x0)
            row = []
        row.append(tick)
    if row:
        yield sorted(row, key=lambda tick: tick[0].box.x0)


def _find_behind(box: Box, beside: Iterable[Span]) -> Span | None:
    span = min((span for span in beside if span.x0 > box.x0), key=lambda span: span.x0, default=None)
    return span if span is not None and span.x0 - box.x1 <= _BESIDE * span.size else None


def _find_before(box: Box, beside: Iterable[Span]) -> Span | None:
    span = max((span for span in beside if span.x1 <= box.x0 + 1), key=lambda span: span.x1, default=None)
    return span if span is not None and box.x0 - span.x1 <= _BESIDE * span.size else None


def _write_box(field: Field) -> str:
    return "[x]" if field.value else "[ ]"


def _make_box(field: Field, beside: Iterable[Span]) -> Span:
    """Create a span for a box on the line of the text to its left."""
    box = field.box
    size = min(_LARGEST, box.y1 - box.y0)
    top, bottom = (box.y0 + box.y1 - size) / 2, (box.y0 + box.y1 + size) / 2
    line = max((span for span in beside if span.x1 <= box.x0 + 1), key=lambda span: span.x1, default=None)
    if line is not None:
        top, bottom, size = line.y0, line.y1, line.size
    span = Span((box.x0, top, max(box.x1, box.x0 + 1), bottom), _write_box(field), size)
    span.mark = field.mark
    return span


def _put_before(span: Span, field: Field, *, are_behind: bool) -> None:
    text = _write_box(field)
    span.parts = span.words()  # the words keep their positions, because a box's frame is not a table cell
    if span.parts[0] is not span:
        span.parts[0].text = f"{text} {span.parts[0].text}"
    span.text = f"{text} {span.text}"
    if are_behind:
        span.x1 = max(span.x1, field.box.x1)
    else:
        span.x0 = field.box.x0
