"""Groups the lines of text in a borderless table into rows, because cells may wrap over several lines.

Rows are recognized by horizontal lines between them, by line distances, or by labels:

    South,                         the first of two lines of one row, whose label is
    and islands     8      9       "South, and islands"
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Box, Rule, Span
from webquarry_convert.file.pdf.tables.table import is_figure
from webquarry_convert.file.pdf.words.lines import Strip

_NEAR = 3.0
"""Tolerance, in points, within which a ruling line touches the adjacent text."""
_MOSTLY, _PARTLY = 0.6, 0.25
"""Minimum share of the table's width that lines between rows must cover.

The second value applies to additional lines in tables with cells that span several rows.
"""
_MOST_HEAD_LINES = 4
"""Maximum number of lines in a header. If the first row with numbers comes later, the lines before it are rows."""
_MOST_LINES = 50
"""Maximum number of lines in one row."""
_ASCENT = 0.93
"""Height of a line above its baseline, in ems."""
_ALIKE = 0.4
"""Tolerance for equal line distances, in points."""
_SAME_SIZE = 0.5
"""Maximum difference between font sizes of the same type, in points."""
_CLEARLY, _WIDER = 1.08, 1.35
"""Minimum distance between rows, relative to the distance between lines.

The first value applies if line distances are equal, the second if they differ.
"""
_SPACE = 0.2
"""Minimum width of a space, in ems."""
_MOST_FIGURES = 0.15
"""Maximum share of cells with numbers in a text table."""
_WRAPPED = 1.3
"""Minimum average number of lines per row if cells wrap."""
Groups = list[tuple[int, int]]
"""Rows as ranges of strips. Each range has the index of its first strip, and the index after its last strip."""


def group_rows(
    rows: Sequence[Strip],
    box: Box,
    parted: list[list[list[Span]]],
    texts: list[list[str]],
    places: Sequence[float],
    rules: Sequence[Rule],
) -> Groups:
    """Group lines into rows.

    box: the box around all rows. parted, texts: the spans and the strings in each column of each row. places: gutters.
    rules: the page's ruling lines.
    """
    groups = _group_by_rules(rows, box, rules) or group_by_distance(rows, texts)
    if groups is None or _has_wrong_merges(groups, parted, texts):
        groups = _group_by_wraps(parted, texts) or _group_by_labels(rows, texts)
    return _merge_head_lines(groups, rows, parted, texts, places, rules)


def _group_by_rules(rows: Sequence[Strip], box: Box, rules: Sequence[Rule]) -> Groups | None:
    """Return the rows of text between horizontal lines, or None if such lines do not separate most rows."""
    width = box.x1 - box.x0
    reach = [
        (rule.y0, min(rule.x1, box.x1) - max(rule.x0, box.x0))
        for rule in rules
        if rule.y0 == rule.y1 and box.y0 - _NEAR < rule.y0 < box.y1 + _NEAR
    ]
    levels = sorted(y for y, length in reach if length > width * _MOSTLY)
    if len(levels) < 2:
        return None
    groups = _part_at(rows, levels)
    if len(groups) < 4 or len(rows) > 4 * len(groups):
        return None
    return _part_at(rows, sorted(y for y, length in reach if length > width * _PARTLY))


def _part_at(rows: Sequence[Strip], levels: Sequence[float]) -> Groups:
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(bisect_right(levels, (row.y0 + row.y1) / 2), []).append(place)
    return [(members[0], members[-1] + 1) for members in groups.values()]


def group_by_distance(rows: Sequence[Strip], texts: list[list[str]]) -> Groups | None:
    """Group lines into rows by line distance, which is smaller inside a row.

    Returns None if the distances are too similar. For example, lines at 0, 10, 30, 40, 60 and 70 have the distances 10,
    20, 10, 20 and 10. They form the rows (0, 2), (2, 4) and (4, 6).
    """
    lines = [row.y0 + _ASCENT * max([span.size for span in row.spans()], default=0.0) for row in rows]
    steps = [below - above for above, below in pairwise(lines)]
    if len(steps) < 3:
        return None
    least = _find_step(steps)
    wide = sum(step > least for step in steps)
    if wide < 2 or wide * 6 < len(steps):
        return None
    groups: Groups = []
    start = 0
    for place, step in enumerate(steps, 1):
        if step > least:
            groups.append((start, place))
            start = place
    groups.append((start, len(rows)))
    groups[:1] = _part_head(groups[0], texts)
    for first, end in groups[1:]:
        for column in range(len(texts[0])):
            figures = sum(is_figure(texts[row][column]) for row in range(first, end))
            if figures > 1 and not _is_wrapped_value(texts[first:end]):
                return None
    return groups


def _is_wrapped_value(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether the lines are a label and a value that extends over several lines, such as an account number in
    groups.
    """
    return all(bool(cells[0]) == (place == 0) and sum(map(bool, cells[1:])) == 1 for place, cells in enumerate(lines))


def tears_sentences(groups: Groups, texts: Sequence[Sequence[str]]) -> bool:
    """Return whether most lines in a column would continue a sentence from one row to the next."""
    pairs = [
        (above, below)
        for (_, end), (start, _) in pairwise(groups)
        for above, below in zip(texts[end - 1], texts[start], strict=True)
        if above and below
    ]
    return sum(below[0].islower() for _, below in pairs) * 2 > len(pairs)


def _part_head(group: tuple[int, int], texts: list[list[str]]) -> Groups:
    """Split the first group at the line where numbers begin below text in most columns."""
    start, end = group
    for place in range(start + 1, end):
        above, below = texts[place - 1], texts[place]
        figures = [column for column, text in enumerate(below) if is_figure(text)]
        if sum(bool(above[column]) and not is_figure(above[column]) for column in figures) > 1:
            return [(start, place), (place, end)]
    return [group]


def _find_step(steps: Sequence[float]) -> float:
    """Return the distance above which lines belong to different rows.

    If most lines have the same distance, the result is between this distance and the wider ones. Otherwise, it is a
    third more than the smallest distance.
    """
    ordered = sorted(steps)
    tight = ordered[len(ordered) // 10]
    alike = [step for step in ordered if step < tight + _ALIKE]
    further = ordered[len(alike) :]
    if len(alike) > 1 and further and further[0] > tight * _CLEARLY and tight - ordered[0] < _ALIKE:
        return (alike[-1] + further[0]) / 2
    return tight * _WIDER


def _merge_head_lines(
    groups: Groups,
    rows: Sequence[Strip],
    parted: list[list[list[Span]]],
    texts: list[list[str]],
    places: Sequence[float],
    rules: Sequence[Rule],
) -> Groups:
    """Return the groups with the lines of the table's header merged into one row.

    The header ends before the first row with numbers. Two header lines are merged if they are close, if no ruling line
    is between them, and if no cell crosses a gutter. The last line before the numbers stays a separate
    row if it has only a label.
    """
    levels = sorted(rule.y0 for rule in rules if rule.y0 == rule.y1)
    end = next((place for place, (start, end) in enumerate(groups) if _has_figures(texts[start], texts[end - 1])), 0)
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


def _has_figures(first: list[str], last: list[str]) -> bool:
    """Return whether a row has numbers in its last line, or begins with a number. first, last: lines of the row."""
    return any(map(is_figure, last[1:])) or (is_figure(first[0]) and any(first[1:]))


def _has_crossing_cell(cells: list[list[Span]], places: Sequence[float]) -> bool:
    """Return whether a cell crosses a gutter."""
    return any(
        span.x0 < place < span.x1 for column, cell in enumerate(cells) for span in cell for place in places[column:][:1]
    )


def _has_wrong_merges(groups: Groups, parted: list[list[list[Span]]], texts: list[list[str]]) -> bool:
    """Return whether the groups merge lines that are separate rows.

    A cell wraps only if the first word of its next line did not fit on the line above, and numbers don't wrap. Two
    lines of a group are separate rows if they have at least two columns in common, and if either most of these columns
    have numbers below numbers, or all of them have a word that would have fit on the line above. Returns True if most
    pairs are separate rows.
    """
    rights = _find_rights(parted)
    wrapped = whole = 0
    for start, end in groups:
        for place in range(start + 1, end):
            above, below = parted[place - 1], parted[place]
            both = [column for column, cell in enumerate(below) if cell and above[column]]
            if len(both) < 2:
                continue
            words = [
                column
                for column in both
                if not (is_figure(texts[place - 1][column]) and is_figure(texts[place][column]))
            ]
            if len(words) * 2 >= len(both) and any(
                _has_no_room(above[column], below[column], rights[column]) for column in words
            ):
                wrapped += 1
            else:
                whole += 1
    return whole > wrapped


def _has_no_room(above: list[Span], below: list[Span], right: float) -> bool:
    first = below[0]
    word = (first.x1 - first.x0) * len(first.text.split(None, 1)[0]) / len(first.text)
    return above[-1].x1 + _SPACE * first.size + word > right


def _group_by_wraps(parted: Sequence[list[list[Span]]], texts: Sequence[Sequence[str]]) -> Groups | None:
    """Group lines into rows with cells that wrap and that begin at the row's top.

    A line begins a row if it has several cells and no cell begins with a small letter, or if one of its cells has text
    where the line above is empty or had room for the text. Returns None if most cells have one line or one word, or
    many are numbers.
    """
    cells = [text for row in texts[1:] for text in row if text]
    if sum(map(is_figure, cells)) > _MOST_FIGURES * len(cells) or sum(" " in text for text in cells) * 2 < len(cells):
        return None
    rights = _find_rights(parted)
    groups: Groups = [(0, 1)]
    for place in range(1, len(parted)):
        cells = [text for text in texts[place] if text]
        begins = (len(cells) > 1 and not any(text[0].islower() for text in cells)) or any(
            not above or (above[-1].text[-1] != "-" and not _has_no_room(above, below, right))
            for above, below, right in zip(parted[place - 1], parted[place], rights, strict=True)
            if below
        )
        if begins or place - groups[-1][0] >= _MOST_LINES:
            groups.append((place, place + 1))
        else:
            groups[-1] = (groups[-1][0], place + 1)
    return groups if len(groups) * _WRAPPED <= len(parted) else None


def _find_rights(parted: Sequence[list[list[Span]]]) -> list[float]:
    return [
        max((span.x1 for cells in parted for span in cells[column]), default=0.0) for column in range(len(parted[0]))
    ]


def _group_by_labels(rows: Sequence[Strip], texts: list[list[str]]) -> Groups:
    """Group lines into rows by their labels. A line with neither a label nor numbers continues the row above."""
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
        # If a label has two lines, its numbers are next to the second line.
        alone = [column for column, text in enumerate(before) if text]
        return alone == [0] and above[1] - above[0] == 1 and cells[0][:1].islower()
    if not cells[0]:
        return all(any(texts[row][column] for row in range(*above)) for column in filled)
    if filled == [0]:
        return cells[0][:1].islower() and bool(before[0]) and are_alike(rows[place].boxes[0], rows[place - 1].boxes[0])
    return False


def are_alike(rest: Box, label: Box) -> bool:
    """Return whether two lines have the same font size, like the lines of a wrapped label."""
    return isinstance(rest, Span) and isinstance(label, Span) and abs(rest.size - label.size) < _SAME_SIZE
