"""Borderless tables: cells stand below each other, with white gutters instead of ruling lines between the columns.

A few rows may cross a gutter: headings above several columns, and labels wider than their column. Example:

    Income by region               one cell: says nothing about columns
    Region       2023   2024
    North          10     12       two gutters: behind "Region" and behind "2023"
    South,                         the first of two lines of one row, whose label is
    and islands     8      9       "South, and islands"
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.content import Box, Rule, Span
from webquarry_convert.file.pdf.lines import Strip
from webquarry_convert.file.pdf.table import Table, is_figure, write_cell

_CROSSED = 0.2
"""Share of the rows that may cross a gutter."""
_NARROWEST = 0.35
"""Of a gutter, in sizes of the font."""
_LOOSE = 1.2
"""Width of white space, in sizes of the font, that words of a text leave between them at most."""
_NEAR = 3.0
"""Points by which a line may touch the text beside it."""
MOST_GUTTERS = 200
"""Between columns; no page is as wide. What leaves more white is no table and no columns of text."""
_MOST_HEAD_LINES = 4
"""Lines of a head, when the first row with figures comes later, they are rows."""
_MOST_LINES = 50
"""Of one row."""
_Part = tuple[float, float, float]
"""Of a row, behind a gutter: where what stands before it ends, where it begins, and where it ends."""
Groups = list[tuple[int, int]]
"""Rows, each from its first strip to behind its last."""


def find_gutters(rows: Sequence[Strip], em: float) -> list[float]:
    """The x of the middle of each gutter, from the left; [] when there are more than `MOST_GUTTERS`.

    A sweep from left to right counts how many rows have text at each x. A gutter is a stretch where at most `_CROSSED`
    of the rows have text, between stretches where more have. With cells at x = 0 to 40 and 60 to 90 in each row, the
    gutter is at 50. Rows of one cell are not counted.
    """
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
    return _drop_loose_gutters(found, rows, em) if len(found) <= MOST_GUTTERS else []


def _drop_loose_gutters(places: list[float], rows: Sequence[Strip], em: float) -> list[float]:
    """Gutters without those between words of a text that is set wide: few rows have something behind them, which stands
    close to what is before, and not below each other."""
    behind: list[list[_Part]] = [[] for _ in places]
    for row in rows if places else ():
        for number, part in _measure_behind(row, places).items():
            behind[number].append(part)
    kept: list[float] = []
    for place, parts in zip(places, behind, strict=True):
        is_loose = (
            1 < len(parts) < len(rows) / 2
            and sum(left - before < _LOOSE * em for before, left, _ in parts) * 2 > len(parts)
            and not _are_flush([left for _, left, _ in parts])
            and not _are_flush([right for _, _, right in parts])
        )
        if not is_loose:
            kept.append(place)
    return kept


def _measure_behind(row: Strip, places: Sequence[float]) -> dict[int, _Part]:
    """For each gutter, by its number, what the row has between it and the next one."""
    found: dict[int, _Part] = {}
    before = left = reach = float("-inf")
    for box in row.boxes:  # from the left
        if box.x0 > left:
            before, left = reach, box.x0
        if box.x1 > reach:
            reach = box.x1
        number = bisect_left(places, (box.x0 + box.x1) / 2) - 1
        if number in found:
            first = found[number]
            found[number] = (first[0], first[1], max(first[2], box.x1))
        elif number >= 0:
            found[number] = (before, left, box.x1)
    return found


def _are_flush(edges: list[float]) -> bool:
    """Whether half of them are at one place."""
    edges = sorted(edges)
    middle = edges[len(edges) // 2]
    return sum(abs(edge - middle) < 1.0 for edge in edges) * 2 > len(edges)


def build_table(rows: Sequence[Strip], places: Sequence[float], rules: Sequence[Rule]) -> Table:
    """rows: strips of spans; places: gutters between its columns; rules: all of the page."""
    box = Box(min(row.x0 for row in rows), rows[0].y0, max(row.x1 for row in rows), rows[-1].y1)
    extents = _measure_columns(rows, places)
    parted = [_split_row(row, places, extents) for row in rows]
    texts = [[write_cell(cell) for cell in cells] for cells in parted]
    groups = _group_by_rules(rows, box, rules) or group_by_distance(rows, texts)
    if groups is None or _has_wrong_merges(groups, parted):
        groups = _group_by_labels(rows, texts)
    groups = _merge_head_lines(groups, rows, parted, texts, places, rules)
    merged = []
    for start, end in groups:
        if end - start == 1:
            merged.append(texts[start])
        else:
            merged.append(
                [
                    write_cell([span for cells in parted[start:end] for span in cells[place]])
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


def _measure_columns(rows: Sequence[Strip], places: Sequence[float]) -> list[tuple[float, float] | None]:
    """From where to where the cells of each column reach that cross no gutter; None where there are none."""
    extents: list[tuple[float, float] | None] = [None] * (len(places) + 1)
    ends = [*places, float("inf")]
    for row in rows:
        for box in row.boxes:
            column = bisect_right(places, box.x0)
            if box.x1 < ends[column] or column == bisect_right(places, box.x1):
                known = extents[column]
                extents[column] = (min(known[0], box.x0), max(known[1], box.x1)) if known else (box.x0, box.x1)
    return extents


def _find_column(span: Span, first: int, last: int, extents: Sequence[tuple[float, float] | None]) -> int:
    """The column of a span that goes over several: the one that it begins in, or, when it stands over the cells of a
    single column, that one: heads may be wider than what stands below them.
    """
    over = [
        column
        for column in range(first, last + 1)
        if (known := extents[column]) is not None and min(known[1], span.x1) - max(known[0], span.x0) > 0
    ]
    return over[0] if len(over) == 1 else first


def _split_row(row: Strip, places: Sequence[float], extents: Sequence[tuple[float, float] | None]) -> list[list[Span]]:
    """Spans by column.

    A span of figures that crosses a gutter is divided into its words, each in its own column: liteparse joins figures
    of neighbouring cells when they stand close.
    """
    cells: list[list[Span]] = [[] for _ in range(len(places) + 1)]
    for span in row.spans():
        column = bisect_right(places, span.x0)
        if column < len(places) and span.x1 >= places[column]:
            words = span.words()
            if span.x1 > places[column] and len(words) > 1 and all(is_figure(word.text) for word in words[1:]):
                for word in words:
                    cells[bisect_right(places, (word.x0 + word.x1) / 2)].append(word)
                continue
            column = _find_column(span, column, bisect_right(places, span.x1), extents)
        cells[column].append(span)
    return cells


def _group_by_rules(rows: Sequence[Strip], box: Box, rules: Sequence[Rule]) -> Groups | None:
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


def group_by_distance(rows: Sequence[Strip], texts: list[list[str]]) -> Groups | None:
    """Groups lines into rows by line distance: lines of one row stand closer than rows do. None when distances do not
    differ enough to tell.

    Tops at 0, 10, 30, 40, 60 and 70 have the distances 10, 20, 10, 20, 10: rows (0, 2), (2, 4) and (4, 6).
    """
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


def _merge_head_lines(
    groups: Groups,
    rows: Sequence[Strip],
    parted: list[list[list[Span]]],
    texts: list[list[str]],
    places: Sequence[float],
    rules: Sequence[Rule],
) -> Groups:
    """Groups with the lines of the table's head merged into one row.

    The head ends before the first row with figures. Two of its lines are merged when they stand close, no ruling line
    is between them, and no cell of either crosses a gutter. The last line before the figures stays a row of its own
    when it has a label only.
    """
    levels = sorted(rule.y0 for rule in rules if rule.y0 == rule.y1)
    end = next((place for place, (_, end) in enumerate(groups) if any(map(is_figure, texts[end - 1][1:]))), 0)
    merged = groups[:1]
    if end > _MOST_HEAD_LINES:
        return groups
    for place in range(1, end):
        start, stop = groups[place]
        above, below = rows[start - 1], rows[start]
        is_label = not any(texts[start][1:])
        if (
            (is_label and place == end - 1)
            or below.y0 - above.y1 > 0.5 * (below.y1 - below.y0)
            or bisect_right(levels, above.y1 - _NEAR) < bisect_left(levels, below.y0 + _NEAR)
            or _has_crossing_cell(parted[start - 1], places)
            or _has_crossing_cell(parted[start], places)
        ):
            merged.append((start, stop))
        else:
            merged[-1] = (merged[-1][0], stop)
    return merged + groups[max(end, 1) :]


def _has_crossing_cell(cells: list[list[Span]], places: Sequence[float]) -> bool:
    """Whether a cell reaches over a gutter."""
    return any(
        span.x0 < place < span.x1 for column, cell in enumerate(cells) for span in cell for place in places[column:][:1]
    )


def _has_wrong_merges(groups: Groups, parted: list[list[list[Span]]]) -> bool:
    """Whether the groups merge lines that are rows of their own.

    A cell is wrapped only when the first word of its next line had no room on the line above. Where two lines of a
    group have at least two columns in common and this word would have fitted in each of them, the lines are separate
    rows. True when such pairs are the majority.
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


def _group_by_labels(rows: Sequence[Strip], texts: list[list[str]]) -> Groups:
    """A line goes on with the row above when it has no label of its own and no figures."""
    groups: Groups = []
    for place in range(len(texts)):
        if groups and _is_continuation_line(rows, texts, groups[-1], place):
            groups[-1] = (groups[-1][0], place + 1)
        else:
            groups.append((place, place + 1))
    return groups


def _is_continuation_line(rows: Sequence[Strip], texts: list[list[str]], above: tuple[int, int], place: int) -> bool:
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
