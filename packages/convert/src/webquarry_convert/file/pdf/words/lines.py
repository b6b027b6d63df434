"""Strips and lines.

A strip is a group of boxes on a page whose heights overlap, and a line is the text of adjacent spans.

Example: the spans "Price" (heights 10 to 20), "4.50" (11 to 21) and "Total" (24 to 34) make two strips, "Price" with
"4.50", and "Total".
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import attrgetter

from webquarry_convert.file.pdf.source.content import Box, Span

_CORE = 0.3
"""Share of a box's height that is ignored at its top and at its bottom, because closely set lines and raised numbers
overlap.
"""
_LEVEL = 0.3
"""Minimum share of a box's height by which adjacent boxes overlap."""
_TALLEST = 2.0
"""Maximum height of a box, relative to an adjacent box. In comparisons, a taller box is cut off at this height."""
_LAST = 8
"""Number of preceding boxes that are examined for being adjacent."""
_SPACE = 0.13
"""Minimum width of a space, in ems."""
_WIDE = 2.0
"""Minimum width, in ems, of a gap that does not occur inside a line of text."""
BULLETS = (
    "\ue000-\uf8ff\u2022\u2023\u25aa\u25cf\u25cb\u25a0\u25a1\u25e6\u2043\u2219\u27a2\u2713\u2714\u00b7"
    "\u2605\u2606\u2610\u2611\u2612\u25ab\u25b6\u25b8\u25b9\u25ba\u25c6\u25c7\u25fb-\u25fe\u2666\u2717\u2718\u274f-\u2752"
    "\u2756\u2794\u279c\u27a4\u2b24\u2b27"
)
"""Characters that precede list items, including private-use characters of fonts without glyph names."""
MARKER = re.compile(
    rf"[{BULLETS}o\u2013\u2014*-]"
    r"|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|[0-9]{1,2}(?:\.[0-9]{1,2}){1,4}\.?"
)
"""Matches the marker before the text of a list item or numbered heading."""
CODE = re.compile(r"\w\(|[{}\\]|;\Z|<-|->|\+--|--\+|(?<!=)=(?!=)|^(?:[>+$#]|>>>|R>)(?=\s|\Z)")
"""Matches signs in program code, ASCII drawings and console prompts."""
_NOTE_MARK = re.compile("[0-9]{1,3}|[\u2217\u2020\u2021\u00a7\u00b6]{1,3}")
_SMALLER, _RISE = 0.85, 0.1
"""Maximum size of a note reference, relative to its text, and its minimum rise above the text, in ems."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_GET_LEFT = attrgetter("x0")
_SOFT = "\u00ad\u2010-"


class Strip(Box):
    """Adjacent boxes whose heights overlap, sorted from the left. No other boxes of the region are at this height."""

    __slots__ = ("boxes",)

    def __init__(self, boxes: list[Box]) -> None:
        self.boxes = boxes
        first = boxes[0]
        if len(boxes) == 1:
            self.x0, self.y0, self.x1, self.y1 = first.x0, first.y0, first.x1, first.y1
            return
        boxes.sort(key=_GET_LEFT)
        top, right, bottom = first.y0, first.x1, first.y1
        for box in boxes:
            if box.y0 < top:
                top = box.y0
            if box.x1 > right:
                right = box.x1
            if box.y1 > bottom:
                bottom = box.y1
        self.x0, self.y0, self.x1, self.y1 = boxes[0].x0, top, right, bottom

    def spans(self) -> list[Span]:
        return [box for box in self.boxes if isinstance(box, Span)]


class Line(Box):
    """Text that extends from the left to the right margin of its column.

    right: the column's right end. level: the level of the line's heading tag, or 0 if there is no such tag. is_apart:
    whether it is outside columns. is_new: whether it begins a new line although the previous line had room. is_mono:
    whether it is monospaced. block: the tagged block that contains it, and the block's page. begins_item: whether it is
    the first line of a tagged list item. page: the number of its page, from 1, or 0 if it belongs to no page.
    """

    __slots__ = (
        "begins_item",
        "block",
        "is_apart",
        "is_bold",
        "is_italic",
        "is_mono",
        "is_new",
        "level",
        "page",
        "right",
        "size",
        "spans",
        "text",
    )

    def __init__(self, spans: list[Span], right: float, *, is_apart: bool = False) -> None:
        self.spans = spans
        self.is_apart = is_apart
        self.is_new = spans[0].is_new
        self.block: tuple[int, int] | None = None
        self.begins_item = False
        self.page = 0
        self.right = right
        if len(spans) == 1:
            span = spans[0]
            self.x0, self.y0, self.x1, self.y1 = span.x0, span.y0, span.x1, span.y1
            self.text, self.size, self.level = span.text, span.size, span.level
            self.is_bold, self.is_italic, self.is_mono = span.is_bold, span.is_italic, span.is_mono
            return
        super().__init__(
            spans[0].x0,
            min([span.y0 for span in spans]),
            max([span.x1 for span in spans]),
            max([span.y1 for span in spans]),
        )
        self.text = join_spans(spans)
        self.level = min([span.level for span in spans])
        widest = max(spans, key=_count_characters)
        self.size, self.is_italic = widest.size, widest.is_italic
        self.is_mono = all(span.is_mono for span in spans)
        self.is_bold = any(span.is_bold for span in spans) and all(
            span.is_bold for span in spans if not MARKER.fullmatch(span.text)
        )

    @property
    def is_printed(self) -> bool:
        """Whether the text comes from the file rather than from OCR."""
        return self.spans[0].source is not None

    def is_divided(self) -> bool:
        """Return whether the line has wide gaps, like those between cells.

        The gap after a list marker does not count.
        """
        spans = self.spans[1:] if MARKER.fullmatch(self.spans[0].text) else self.spans
        return any(after.x0 - before.x1 > _WIDE * self.size for before, after in pairwise(spans))


def group_strips(boxes: Iterable[Box]) -> list[Strip]:
    """Group boxes into strips, from the top. Each box is in one strip.

    A box's core is its height without the share `_CORE` at the top and at the bottom. A new strip begins if a box's
    core is below the cores of all previous boxes, unless the box is in a column next to the last of them.
    """
    found: list[Strip] = []
    open_boxes: list[Box] = []
    bottom = float("-inf")
    for box in sorted(boxes, key=_get_core_top):
        core = (box.y1 - box.y0) * _CORE
        if box.y0 + core >= bottom and open_boxes and not _is_beside(box, open_boxes):
            found.append(Strip(open_boxes))
            open_boxes = []
            bottom = float("-inf")
        open_boxes.append(box)
        if box.y1 - core > bottom:
            bottom = box.y1 - core
    if open_boxes:
        found.append(Strip(open_boxes))
    return found


def join_spans(spans: Sequence[Span]) -> str:
    """Return the text of adjacent spans in reading order, with spaces at gaps."""
    text = spans[0].text
    if len(spans) == 1:
        return text
    spans = order_spans(spans)
    text = spans[0].text
    parts = [text]
    before = spans[0]
    for span in spans[1:]:
        if has_space(before, span) or (before is spans[0] and _is_mark(before, span)):
            parts.append(" ")
        parts.append(span.text)
        before = span
    return "".join(parts)


def order_spans(spans: Sequence[Span]) -> Sequence[Span]:
    """Return spans in reading order, which is from the right if most of them are right-to-left.

    spans: sorted from the left.
    """
    if any(_RIGHT_TO_LEFT.search(span.text) for span in spans if not span.text.isascii()):
        turned = sum(len(_RIGHT_TO_LEFT.findall(span.text)) for span in spans)
        if turned * 2 > sum(sum(map(str.isalpha, span.text)) for span in spans):
            return _order_from_right(spans)
    return spans


def _order_from_right(spans: Sequence[Span]) -> list[Span]:
    """Return spans in order from the right. Adjacent left-to-right spans keep their order."""
    ordered: list[Span] = []
    run: list[Span] = []
    for span in reversed(spans):
        if span.text.isascii() and any(map(str.isalpha, span.text)):
            run.append(span)
            continue
        ordered += [*reversed(run), span]
        run = []
    return [*ordered, *reversed(run)]


def _is_mark(mark: Span, note: Span) -> bool:
    """Return whether the first span is the raised number of a note, and the second is the note's text."""
    return (
        mark.size < _SMALLER * note.size
        and mark.y1 < note.y1 - _RISE * note.size
        and note.text[0].isalpha()
        and _NOTE_MARK.fullmatch(mark.text) is not None
    )


def has_space(before: Span, span: Span) -> bool:
    """Return whether there is a space between two spans.

    The second span may be on either side of the first, because text may be right-to-left.
    """
    gap = max(span.x0 - before.x1, before.x0 - span.x1)
    return gap > _SPACE * min(before.size, span.size) or gap < -before.size


def join_lines(lines: Sequence[str]) -> str:
    """Join lines into one text and rejoin words that are hyphenated at the end of a line.

    ["A con-", "verter", "of files"] becomes "A converter of files". No space is inserted between characters of scripts
    without spaces.
    """
    parts = [lines[0]]
    last = lines[0]
    for line in lines[1:]:
        if not line:
            continue
        if len(last) > 1 and last[-1] in _SOFT and last[-2].isalpha() and line[0].islower():
            parts[-1] = last[:-1]
        elif last and not (is_dense(last[-1]) and is_dense(line[0])):
            parts.append(" ")
        parts.append(line)
        last = line
    return "".join(parts)


def _is_beside(box: Box, others: list[Box]) -> bool:
    """Return whether the box is in a column next to the other boxes.

    Some of the last boxes must overlap its height. All of these must be on the left or on the right, at a distance of
    at least half its height. Lines of different columns need not be level with each other.
    """
    height = box.y1 - box.y0
    left, right = box.x0 - 0.5 * height, box.x1 + 0.5 * height
    is_level = False
    for other in others[-_LAST:]:
        # A raised number extends far into the line above, relative to the number's height.
        if other.y1 - box.y0 > _LEVEL * max(height, min(other.y1 - other.y0, _TALLEST * height)):
            if other.x0 <= right and left <= other.x1:
                return False
            is_level = True
    return is_level


def is_dense(sign: str) -> bool:
    """Return whether a character belongs to a script without spaces between words."""
    return "\u2e80" <= sign <= "\u9fff" or "\uf900" <= sign <= "\ufaff" or "\uff00" <= sign <= "\uffef"


def _get_core_top(box: Box) -> float:
    return box.y0 + (box.y1 - box.y0) * _CORE


def _count_characters(span: Span) -> int:
    return len(span.text)
