"""Tables without ruling lines: cells that stand below each other with white gutters between the columns.

A gutter may be crossed by few rows: by headings above several columns, by labels that are wider than their column.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.content import Box, Rule, Span
from webquarry_convert.file.pdf.lines import Strip
from webquarry_convert.file.pdf.table import Table, cell_text, is_figure

_CROSSED = 0.2
"""Share of the rows that may cross a gutter."""
_NARROWEST = 0.35
"""Of a gutter, in sizes of the font."""
_NEAR = 3.0
"""Points by which a line may touch the text beside it."""
MOST_GUTTERS = 200
"""Between columns; no page is as wide. What leaves more white is no table and no columns of text."""
_MOST_LINES = 50
"""Of one row."""
Groups = list[tuple[int, int]]
"""Rows, each from its first strip to behind its last."""


def gutters(rows: Sequence[Strip], em: float) -> list[float]:
    """Middles of the gutters, from the left. A row of one cell says nothing about columns."""
    rows = [row for row in rows if _has_gap(row, em)]
    edges: list[tuple[float, int]] = []
    for row in rows:
        start, end = row.boxes[0].x0, row.boxes[0].x1
        for box in row.boxes:
            if box.x0 > end + 0.1:
                edges += ((start, 1), (end, -1))
                start = box.x0
            if box.x1 > end:
                end = box.x1
        edges += ((start, 1), (end, -1))
    edges.sort()
    most = int(len(rows) * _CROSSED)
    found: list[float] = []
    covering = peak = 0
    opened: float | None = None
    for x, change in edges:
        covering += change
        if covering <= most and change < 0:
            if opened is None and peak > most:
                opened = x
        elif covering > most:
            if opened is not None and x - opened >= _NARROWEST * em:
                found.append((opened + x) / 2)
                peak = 0
            opened = None
            peak = max(peak, covering)
    return found if len(found) <= MOST_GUTTERS else []


def table(rows: Sequence[Strip], places: Sequence[float], rules: Sequence[Rule]) -> Table:
    """rows: strips of spans; places: gutters between its columns; rules: all of the page."""
    box = Box(min(row.x0 for row in rows), rows[0].y0, max(row.x1 for row in rows), rows[-1].y1)
    parted = [_parted(row, places) for row in rows]
    texts = [[cell_text(cell) for cell in cells] for cells in parted]
    groups = _by_rules(rows, box, rules) or by_distance(rows, texts)
    if groups is None or _breaks_cells(groups, parted):
        groups = _by_sense(rows, texts)
    groups = _with_head(groups, rows, parted, texts, places, rules)
    merged = []
    for start, end in groups:
        if end - start == 1:
            merged.append(texts[start])
        else:
            merged.append(
                [
                    cell_text([span for cells in parted[start:end] for span in cells[place]])
                    for place in range(len(places) + 1)
                ]
            )
    return Table(box, merged, places)


def _has_gap(row: Strip, em: float) -> bool:
    end = row.boxes[0].x1
    for box in row.boxes:
        if box.x0 - end > 0.6 * em:
            return True
        end = max(end, box.x1)
    return False


def _parted(row: Strip, places: Sequence[float]) -> list[list[Span]]:
    """Spans by column: that where they begin. Figures that reach over a gutter are divided by words: they were put
    together for standing close.
    """
    cells: list[list[Span]] = [[] for _ in range(len(places) + 1)]
    for span in row.spans():
        column = bisect_right(places, span.x0)
        if column < len(places) and span.x1 > places[column]:
            words = span.words()
            if len(words) > 1 and all(is_figure(word.text) for word in words[1:]):
                for word in words:
                    cells[bisect_right(places, (word.x0 + word.x1) / 2)].append(word)
                continue
        cells[column].append(span)
    return cells


def _by_rules(rows: Sequence[Strip], box: Box, rules: Sequence[Rule]) -> Groups | None:
    """Rows of text between lying lines, when most rows are parted by them."""
    width = box.x1 - box.x0
    levels = sorted(
        rule.y0
        for rule in rules
        if rule.y0 == rule.y1
        and box.y0 - _NEAR < rule.y0 < box.y1 + _NEAR
        and min(rule.x1, box.x1) - max(rule.x0, box.x0) > width * 0.6
    )
    if len(levels) < 2:
        return None
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(bisect_right(levels, (row.y0 + row.y1) / 2), []).append(place)
    if len(groups) < 4 or len(rows) > 4 * len(groups):
        return None
    return [(members[0], members[-1] + 1) for members in groups.values()]


def by_distance(rows: Sequence[Strip], texts: list[list[str]]) -> Groups | None:
    """Lines of a row stand tight, rows apart; None when the distances do not tell."""
    steps = [below.y0 - above.y0 for above, below in pairwise(rows)]
    if len(steps) < 3:
        return None
    tight = sorted(steps)[len(steps) // 10]
    wide = [step for step in steps if step > tight * 1.35]
    if len(wide) < 2 or len(wide) == len(steps) or len(wide) * 6 < len(steps):
        return None
    groups: Groups = []
    start = 0
    for place, step in enumerate(steps, 1):
        if step > tight * 1.35:
            groups.append((start, place))
            start = place
    groups.append((start, len(rows)))
    for first, end in groups[1:]:
        for column in range(len(texts[0])):
            if sum(is_figure(texts[row][column]) for row in range(first, end)) > 1:
                return None
    return groups


def _with_head(
    groups: Groups,
    rows: Sequence[Strip],
    parted: list[list[list[Span]]],
    texts: list[list[str]],
    places: Sequence[float],
    rules: Sequence[Rule],
) -> Groups:
    """Lines of the head are one row, as far as their cells go on below each other: no line between, no cell over
    several columns, and the last of them with cells of its own.
    """
    levels = sorted(rule.y0 for rule in rules if rule.y0 == rule.y1)
    end = next((place for place, (_, end) in enumerate(groups) if any(map(is_figure, texts[end - 1][1:]))), 0)
    merged = groups[:1]
    for place in range(1, end):
        start, stop = groups[place]
        above, below = rows[start - 1], rows[start]
        is_label = not any(texts[start][1:])
        if (
            (is_label and place == end - 1)
            or below.y0 - above.y1 > 0.5 * (below.y1 - below.y0)
            or bisect_right(levels, above.y1 - _NEAR) < bisect_left(levels, below.y0 + _NEAR)
            or _goes_over(parted[start - 1], places)
            or _goes_over(parted[start], places)
        ):
            merged.append((start, stop))
        else:
            merged[-1] = (merged[-1][0], stop)
    return merged + groups[max(end, 1) :]


def _goes_over(cells: list[list[Span]], places: Sequence[float]) -> bool:
    """Whether a cell reaches over a gutter."""
    return any(
        span.x0 < place < span.x1 for column, cell in enumerate(cells) for span in cell for place in places[column:][:1]
    )


def _breaks_cells(groups: Groups, parted: list[list[list[Span]]]) -> bool:
    """Whether most lines that were put together are rows of their own: the first word of the next line would have had
    room on the line before, in each column.
    """
    rights = [
        max((span.x1 for cells in parted for span in cells[column]), default=0.0) for column in range(len(parted[0]))
    ]
    wrapped = whole = 0
    for start, end in groups:
        for above, below in zip(parted[start : end - 1], parted[start + 1 : end], strict=True):
            both = [column for column, cell in enumerate(below) if cell and above[column]]
            if len(both) < 2:
                continue
            if any(_has_no_room(above[column], below[column], rights[column]) for column in both):
                wrapped += 1
            else:
                whole += 1
    return whole > wrapped


def _has_no_room(above: list[Span], below: list[Span], right: float) -> bool:
    first = below[0]
    word = (first.x1 - first.x0) * len(first.text.split(None, 1)[0]) / len(first.text)
    return above[-1].x1 + word > right


def _by_sense(rows: Sequence[Strip], texts: list[list[str]]) -> Groups:
    """A line goes on with the row above when it has no label of its own and no figures."""
    groups: Groups = []
    for place in range(len(texts)):
        if groups and _goes_on(rows, texts, groups[-1], place):
            groups[-1] = (groups[-1][0], place + 1)
        else:
            groups.append((place, place + 1))
    return groups


def _goes_on(rows: Sequence[Strip], texts: list[list[str]], above: tuple[int, int], place: int) -> bool:
    cells = texts[place]
    before = texts[place - 1]
    height = rows[place].y1 - rows[place].y0
    if rows[place].y0 - rows[place - 1].y1 > 0.6 * height or above[1] - above[0] >= _MOST_LINES:
        return False
    filled = [column for column, text in enumerate(cells) if text]
    if any(is_figure(cells[column]) for column in filled):
        # a label of two lines has its figures beside the second
        alone = [column for column, text in enumerate(before) if text]
        return alone == [0] and above[1] - above[0] == 1 and cells[0][:1].islower()
    if not cells[0]:
        return all(any(texts[row][column] for row in range(*above)) for column in filled)
    if filled == [0]:
        return cells[0][:1].islower() and bool(before[0])
    return False
