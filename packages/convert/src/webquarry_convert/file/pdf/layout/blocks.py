"""Columns next to each other that are not a table: blocks of records (address labels, sender and recipient), check
boxes, and code.

Records have intentional line breaks, whereas table cells wrap at the end of the available width.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.tables.table import Table, is_figure
from webquarry_convert.file.pdf.words.lines import CODE, Strip, group_strips, join_spans

_LABELLED = re.compile(r"[^\W\d_][\w .'\u2019/()-]*:\s+\S")
_LONGEST_LABEL = 60
_OPTION = re.compile(r"\(?([a-zA-Z])[.)]\s+\S")
_NUMBER = re.compile("[0-9]{1,3}")
_FIELDS = ("[ ]", "[x]")
_LONGEST_BOX = 3
"""Maximum number of characters in a check box without a label."""
_BOXES = "\u2610\u2611\u2612\u25a1\u25a2\u2751\u2752\u25fb"
_APART = 1.6
"""Minimum distance between lines of different blocks, relative to the smallest line distance."""
_MOSTLY = 0.6
"""Minimum share of a column's cells that must have several lines, and of these cells that must have intentional line
breaks.
"""
_MOST_FIGURES = 0.15
_LEAST_BLOCKS = 4
_LONGEST = 30
"""Maximum average length of a record's lines, in characters."""
_FILLED = 0.7
"""Minimum share of the column's width that wrapped text fills."""
_PADDING = 12.0
"""Minimum space, in points, between a cell and the next column."""
_ROWS = 3
"""Minimum number of rows that the columns of a table have in common."""
_LEAST_ROWS = 3
"""Minimum number of lines in a column of prose."""
_LINES = 4
"""Maximum average number of lines in a table row. Paragraphs next to each other have more lines."""
_COMMON = 0.7
"""Minimum share of a column's rows that the other columns must have, too."""
_LEVEL = 2.0
"""Maximum difference, in points, between the heights at which the cells of a row begin."""
_LINE = 0.9
"""Minimum distance between two lines in a cell, in line heights."""
_STEP = 1.12
"""Minimum line distance at the start of a row, relative to the smallest line distance."""


def are_code(band: Sequence[Strip]) -> bool:
    """Return whether all text is monospaced, and at least half of the rows look like code or console output."""
    rows = [row.spans() for row in band]
    if not all(span.is_mono for spans in rows for span in spans):
        return False
    return sum(CODE.search(join_spans(spans)) is not None for spans in rows) * 2 >= len(rows)


def are_numbered(band: Sequence[Strip]) -> bool:
    """Return whether the strips are paragraphs with consecutive numbers, such as notes below a page."""
    pairs = [row.spans() for row in band if len(row.boxes) == 2]
    if len(band) < 2 or len(pairs) < len(band) or not all(map(_is_numbered, pairs)):
        return False
    return all(int(below[0].text) - int(above[0].text) == 1 for above, below in pairwise(pairs))


def _is_numbered(spans: Sequence[Span]) -> bool:
    return len(spans) == 2 and _NUMBER.fullmatch(spans[0].text) is not None and not is_figure(spans[1].text)


def begins_with_box(span: Span) -> bool:
    """Return whether the span begins with a check box."""
    return span.text[:1] in _BOXES or span.text.startswith(_FIELDS)


def are_boxes_to_tick(band: Sequence[Strip]) -> bool:
    """Return whether most strips are check boxes.

    Several boxes in a row without labels are the answers to a question in a table.
    """
    rows = [row.spans() for row in band]
    ticks = 0
    for spans in rows:
        alone = sum(span.text in _FIELDS for span in spans)
        ticks += sum(map(begins_with_box, spans)) - (alone if alone > 1 else 0)
    return ticks * 2 >= sum(map(len, rows))


def count_labelled(rows: Sequence[Strip], start: int) -> int:
    """Return the number of consecutive rows, from `start` on, that contain only labeled values or options.

    A labeled value is "Born: 3 May 1980". Returns 0 if the first row contains only one of them.
    """
    place = start
    while place < len(rows) and _is_labelled(rows[place]):
        place += 1
    return place - start if len(rows[start].boxes) > 1 else 0


def are_options(row: Strip) -> bool:
    """Return whether a strip contains several options: "a) Thames", "b) Ouse", or check boxes with labels."""
    if len(row.boxes) < 2:
        return False
    if all(isinstance(box, Span) and begins_with_box(box) and len(box.text) > _LONGEST_BOX for box in row.boxes):
        return True
    found = [_OPTION.match(box.text[:_LONGEST_LABEL]) if isinstance(box, Span) else None for box in row.boxes]
    letters = [ord(option[1]) for option in found if option is not None]
    return len(letters) == len(found) and all(below - above == 1 for above, below in pairwise(letters))


def _is_labelled(row: Strip) -> bool:
    return are_options(row) or all(
        isinstance(box, Span) and _LABELLED.match(box.text[:_LONGEST_LABEL]) is not None for box in row.boxes
    )


def may_be_records(band: Sequence[Strip]) -> bool:
    """Return whether the strips are short and form groups. This is a quick check before `find_records`."""
    if len(band) < _LEAST_BLOCKS:
        return False
    steps = [below.y0 - above.y0 for above, below in pairwise(band)]
    boxes = [box for row in band for box in row.boxes]
    letters = sum(len(box.text) for box in boxes if isinstance(box, Span))
    return max(steps) > _APART * min(steps) and letters < _LONGEST * len(boxes)


def find_records(columns: Sequence[Sequence[Box]]) -> list[list[Strip]]:
    """Return blocks of records in strips, row by row, or [] if the columns contain no records."""
    if any(isinstance(box, Table) for column in columns for box in column):
        return []
    rows = [group_strips(column) for column in columns]
    steps = [below.y0 - above.y0 for column in rows for above, below in pairwise(column)]
    least = min((step for step in steps if step > 0), default=0.0)
    parted = [list(_part_blocks(column, _APART * least)) for column in rows]
    lefts = [min(row.x0 for row in column) for column in rows]
    width = min((after - before for before, after in pairwise(lefts)), default=0.0)
    if not all(_are_wanted(column, left, width) for column, left in zip(parted, lefts, strict=True)):
        return []
    found = [block for column in parted for block in column]
    return sorted(found, key=lambda block: (round(block[0].y0 / _LEVEL), block[0].x0))


def _are_wanted(blocks: Sequence[Sequence[Strip]], left: float, width: float) -> bool:
    """Return whether most blocks of a column have intentional line breaks and are not numbers.

    A break is intentional if the next word would have fit on the line.
    """
    rows = [row for block in blocks for row in block]
    right = max(row.x1 for row in rows)
    if right < left + _FILLED * width:
        right = left + width - _PADDING
    breaks = [right - above.x1 > _measure_first_word(below) for block in blocks for above, below in pairwise(block)]
    several = sum(len(block) > 1 for block in blocks)
    figures = sum(is_figure(join_spans(row.spans())) for row in rows)
    return (
        several >= _MOSTLY * len(blocks)
        and sum(breaks) >= _MOSTLY * len(breaks)
        and figures <= _MOST_FIGURES * len(rows)
    )


def choose_prose(columns: list[list[Box]]) -> list[list[Box]]:
    """Return the columns if all of them are prose, and otherwise []."""
    return columns if sum(map(_is_prose, columns)) > 1 and not have_common_rows(columns) else []


def _is_prose(column: list[Box]) -> bool:
    """Return whether a column has lines of words that fill its width."""
    if any(isinstance(box, Table) for box in column):
        return True
    if len(column) < _LEAST_ROWS:
        return False
    rows = group_strips(column)
    left, right = min([row.x0 for row in rows]), max([row.x1 for row in rows])
    full = sum([row.x1 - left > 0.75 * (right - left) for row in rows])
    return len(rows) >= _LEAST_ROWS and full * 2 >= len(rows) and count_letters(column) >= 15 * len(rows)


def count_letters(boxes: Iterable[Box]) -> int:
    return sum(sum(map(str.isalpha, box.text)) for box in boxes if isinstance(box, Span))


def have_common_rows(columns: Sequence[Sequence[Box]]) -> bool:
    """Return whether the cells of columns next to each other begin at the same heights, below white space."""
    if any(isinstance(box, Table) for column in columns for box in column):
        return False
    rows = [group_strips(column) for column in columns]
    steps = [below.y0 - above.y0 for column in rows for above, below in pairwise(column)]
    least = max(min(steps, default=0.0), median([row.y1 - row.y0 for row in rows[0]]) * _LINE)
    starts = [_find_starts(column, least) for column in rows]
    shortest = min(starts, key=len)
    if max(map(len, rows)) > _LINES * max(map(len, starts)):
        return False
    for tops in starts:
        common = sum(_has_near(shortest, top) for top in tops)
        if common < max(_ROWS, _COMMON * len(tops)):
            return False
    return True


def _has_near(places: Sequence[float], place: float) -> bool:
    """Return whether one of the heights is near `place`. places: heights in ascending order."""
    at = bisect_left(places, place)
    return any(abs(place - other) < _LEVEL for other in places[max(at - 1, 0) : at + 1])


def _find_starts(rows: Sequence[Strip], least: float) -> list[float]:
    """Return the tops of lines that are farther below the previous line than the smallest line distance."""
    return [
        rows[0].y0,
        *(below.y0 for above, below in pairwise(rows) if below.y0 - above.y0 > _STEP * least),
    ]


def _part_blocks(rows: Sequence[Strip], least: float) -> Iterator[list[Strip]]:
    """Split rows where their distance is larger than `least`, in points."""
    block = [rows[0]]
    for above, row in pairwise(rows):
        if row.y0 - above.y0 > least:
            yield block
            block = []
        block.append(row)
    yield block


def _measure_first_word(row: Strip) -> float:
    box = row.boxes[0]
    if not isinstance(box, Span):
        return box.x1 - box.x0
    word = (box.text.split(None, 1) or [box.text])[0]
    return (box.x1 - box.x0) * len(word) / max(len(box.text), 1) + 0.5 * box.size
