"""The reading order of a page. Columns are read one after the other, and tables stay in place.

A region (at first the whole page) is cut into horizontal strips of boxes whose heights overlap. Adjacent strips that
share a vertical white gutter form a band. A band is either a table or columns of prose, and each column is read as a
separate region. A strip outside bands is a line of text. Example:

    A heading over the page              strip 0: no gutter, so a line
    The left column     The right one    strips 1 to 3 share the gutter in the middle: a band. Both sides are prose,
    has lines of text   has some, too,   so the left column is read first, then the right one.
    in its width.       in its width.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry_convert.file.pdf.layout import blocks, flush_columns, offset_columns, side_columns
from webquarry_convert.file.pdf.source.content import Box, Rule, Span
from webquarry_convert.file.pdf.tables import borderless_tables, stacked_labels
from webquarry_convert.file.pdf.tables.gaps import LARGER, Gaps, find_gaps, find_shared_gaps
from webquarry_convert.file.pdf.tables.row_groups import are_alike
from webquarry_convert.file.pdf.tables.table import Frame, Table
from webquarry_convert.file.pdf.words.lines import MARKER, Line, Strip, group_strips

_FARTHEST = 3.5
"""Maximum white space, in ems, inside a table or between the lines of columns."""
_FARTHEST_BLOCK = 15.0
"""Maximum white space, in ems, between blocks of records."""
_REST = 0.6
"""Maximum white space between two lines of a cell, in line heights."""
_DEEPEST = 12
_LONGEST_RETRY = 200
"""Maximum number of strips in an unrecognized band that are searched for the start of a table, block or columns."""


def order_boxes(boxes: Sequence[Box], em: float, rules: Sequence[Rule], width: float = 0.0) -> list[Line | Table]:
    """Return a page's lines and tables in reading order.

    boxes: spans, and tables that have been found already. em: the running text's size, in points. rules: all ruling
    lines. width: the page's width, in points, or 0 if unknown.
    """
    found: list[Line | Table] = []
    margin = min([box.x0 for box in boxes], default=0.0)
    _read(_Sheet(em, rules, width - margin, found), boxes, 0, 0.0)
    ordered: list[Line | Table] = []
    for part in found:
        if isinstance(part, Frame):
            for column in part.columns:
                ordered += order_boxes(column, em, rules, width)
        else:
            ordered.append(part)
    return ordered


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The page that is being read.

    margin: the right edge of the text area, assuming equal margins on the left and right.
    """

    em: float
    rules: Sequence[Rule]
    margin: float
    found: list[Line | Table]


def _read(sheet: _Sheet, boxes: Sequence[Box], depth: int, right: float) -> None:
    """Read a region. right: minimum right edge of the region."""
    if not boxes:
        return
    em, found = sheet.em, sheet.found
    region = _Region(group_strips(boxes), em, right)
    if depth < _DEEPEST and _read_flush_columns(sheet, region, depth):
        return
    start = done = judged = 0
    while start < len(region.rows):
        if len(region.gaps[start]) == 2:
            start += 1
            continue
        end, stacked = stacked_labels.find_pairs(region.rows, start, em)
        if stacked:
            region.lines(done, start, found)
            found += [stacked_labels.make_line(pair, region.right, em) for pair in stacked]
            start = done = end
            continue
        if labelled := blocks.count_labelled(region.rows, start):
            region.lines(done, start, found)
            done = start + labelled
            pairs = [Strip([box]) for row in region.rows[start:done] for box in row.boxes]
            _add_records([pairs], region.right, found)
            start = done
            continue
        if depth < _DEEPEST and (offset := region.find_offset_columns(done, start, sheet.rules)):
            begin, end, middle = offset
            region.lines(done, begin, found)
            for side in side_columns.split_at(region.rows[begin:end], middle):
                _read(sheet, side, depth + 1, 0.0)
            start = done = end
            continue
        parting: float | None = None
        records: list[list[Strip]] = []
        if start >= judged:
            end, shared = region.find_band(start, _FARTHEST_BLOCK)
            judged = end if end - start >= _LONGEST_RETRY else start + 1
            band = region.rows[start:end]
            parting = side_columns.find_parting(band, shared, em) if depth < _DEEPEST else None
            if parting is None and blocks.may_be_records(band):
                records = blocks.find_records(_split_band(band, shared))
        if parting is not None:
            end = side_columns.find_end(region.rows, end, parting, em)
            region.lines(done, start, found)
            for side in side_columns.order_sides(region.rows, start, end, parting):
                is_left = side[0].x0 < parting
                _read(sheet, side, depth + 1, parting - em if is_left else max(region.right, sheet.margin))
            start = done = end
            continue
        if records:
            region.lines(done, start, found)
            _add_records(records, region.right, found)
            start = done = end
            continue
        end, shared = region.find_band(start, _FARTHEST)
        columns = blocks.choose_prose(_split_band(region.rows[start:end], shared)) if depth < _DEEPEST else []
        if columns and flush_columns.is_ruled_across(region.rows[start:end], sheet.rules):
            columns = []
        if columns:
            start, end = side_columns.extend_columns(region.rows, start, end, done, shared)
            columns = _split_band(region.rows[start:end], shared)
            region.lines(done, start, found)
            for column in columns:
                _read(sheet, column, depth + 1, 0.0)
            start = done = end
            continue
        places = region.table(start, end)
        if places is None:
            start = start + 1 if end - start < _LONGEST_RETRY else end
            continue
        end, places = region.extend_table(end, start, places)
        start = region.head(done, start, places)
        region.lines(done, start, found)
        found.append(borderless_tables.build_table(region.rows[start:end], places, sheet.rules))
        start = done = end
    region.lines(done, start, found)


def _read_flush_columns(sheet: _Sheet, region: "_Region", depth: int) -> bool:
    """Read a region with flush columns in this order: the part above, each column, the part below.

    Returns False if there are no flush columns.
    """
    columns = flush_columns.find_columns(region.rows, sheet.em, sheet.rules)
    if columns is None:
        return False
    start, end, parting = columns
    above, below = ([box for row in rows for box in row.boxes] for rows in (region.rows[:start], region.rows[end:]))
    _read(sheet, above, depth + 1, region.right)
    for side in side_columns.split_at(region.rows[start:end], parting):
        _read(sheet, side, depth + 1, 0.0)
    _read(sheet, below, depth + 1, region.right)
    return True


class _Region:
    """A part of a page, in strips. gaps: the white space in each strip."""

    def __init__(self, rows: list[Strip], em: float, right: float) -> None:
        self.rows = rows
        self.em = em
        self.right = max(right, max(row.x1 for row in rows))
        self.gaps = [find_gaps(row, em) for row in rows]

    def lines(self, start: int, end: int, found: list[Line | Table]) -> None:
        for place in range(start, end):
            table = self.rows[place + 1].boxes[0] if place + 1 < end else None
            if not (isinstance(table, Table) and self._is_head_row(place, table)):
                _add_lines(self.rows[place], self.right, found)

    def _is_head_row(self, place: int, table: Table) -> bool:
        """Return whether the strip was the first row of a table with ruling lines, above the lines."""
        row = self.rows[place]
        if len(self.gaps[place]) < 4 or table.y0 - row.y1 > self.em or len(self.gaps[place]) - 2 > len(table.places):
            return False
        return table.head(row.spans())

    def find_band(self, start: int, farthest: float) -> tuple[int, Gaps]:
        """Return the end of the band that begins at the strip `start`, and the gutters that all of its strips share.

        The end is the index after the last strip. farthest: maximum white space between the band's strips, in ems.
        """
        rows, gaps, em = self.rows, self.gaps, self.em
        shared = gaps[start][1:-1]
        last = start
        end = start + 1
        while end < len(rows):
            is_one = len(gaps[end]) == 2
            if rows[end].y0 - rows[end - 1].y1 > (1.5 if is_one else farthest) * em:
                break
            if (is_one and _is_large(rows[end], rows[end - 1])) or blocks.are_options(rows[end]):
                break
            narrowed = find_shared_gaps(shared, gaps[end], em)
            if not narrowed:
                break
            shared = narrowed
            if not is_one or rows[end].x0 > shared[0][1] - 1:
                last = end
            end += 1
        return last + 1, shared

    def find_offset_columns(self, first: int, start: int, rules: Sequence[Rule]) -> tuple[int, int, float] | None:
        """Return the start and end of columns around the strip `start`, and the x between them. See `offset_columns`.

        first: the earliest start.
        """
        gutters = self.gaps[start][1:-1]
        if len(gutters) != 1:
            return None
        return offset_columns.find_columns(self.rows, first, start, gutters[0], self.em, rules)

    def table(self, start: int, end: int) -> list[float] | None:
        """Return the gutters of a table, or None if the strips are not a table."""
        band = self.rows[start:end]
        if (
            len(band) < 2
            or blocks.are_boxes_to_tick(band)
            or blocks.are_code(band)
            or blocks.are_numbered(band)
            or any(isinstance(box, Table) for row in band for box in row.boxes)
        ):
            return None
        places = borderless_tables.find_gutters(band, self.em)
        return places if places and borderless_tables.is_table(band, places, self.em) else None

    def extend_table(self, end: int, start: int, places: list[float]) -> tuple[int, list[float]]:
        """Return the end and the gutters of a table that may continue after one line in between."""
        while end < len(self.rows):
            for begin in (end, end + 1):
                if begin >= len(self.rows) or len(self.gaps[begin]) == 2:
                    continue
                if begin > end and _is_large(self.rows[end], self.rows[end - 1]):
                    continue
                if self.rows[begin].y0 - self.rows[begin - 1].y1 > 2 * self.em:
                    continue
                further, _ = self.find_band(begin, _FARTHEST)
                band = self.rows[begin:further]
                if any(isinstance(box, Table) for row in self.rows[end:further] for box in row.boxes):
                    continue
                others = borderless_tables.find_gutters(band, self.em)
                if len(others) >= min(2, len(places)) and _has_same_gutters(places, others, self.em):
                    end = further
                    if end - start < _LONGEST_RETRY:
                        places = borderless_tables.find_gutters(self.rows[start:end], self.em) or places
                    break
            else:
                break
        while end < len(self.rows) and self._is_rest(end, places[0]):
            end += 1
        return end, places

    def _is_rest(self, place: int, gutter: float) -> bool:
        """Return whether a strip continues the wrapped label of the last row."""
        row, above = self.rows[place], self.rows[place - 1]
        rest, label = row.boxes[0], above.boxes[0]
        if not isinstance(rest, Span) or row.x1 > gutter or not rest.text[0].islower():
            return False
        if MARKER.fullmatch(rest.text.split(None, 1)[0]):
            return False
        return are_alike(rest, label) and row.y0 - above.y1 < _REST * (row.y1 - row.y0)

    def head(self, done: int, start: int, places: list[float]) -> int:
        """Return the start of a table, including preceding rows whose cells are above its columns."""
        while start > done:
            if self._is_over(start - 1, places, self.em):
                start -= 1
            elif start - 1 > done and self._is_over(start - 2, places, 2.5 * self.em) > 2:
                start -= 2  # skip a heading above all columns that is between the header and the first row
            else:
                break
        return start

    def _is_over(self, place: int, places: list[float], most: float) -> int:
        """Return the number of columns in which the strip has a cell, or 0 if the strip does not belong to the table
        below it.
        """
        row, below = self.rows[place], self.rows[place + 1]
        if below.y0 - row.y1 > most or any(isinstance(box, Table) for box in row.boxes):
            return 0
        if len(self.gaps[place]) == 2:
            return int(row.x0 > places[0] and row.x1 <= max(below.x1, places[-1]) + 2 * self.em)
        columns = len({bisect_right(places, (box.x0 + box.x1) / 2) for box in row.boxes})
        return columns if columns > 1 else 0


def _is_large(row: Strip, above: Strip) -> bool:
    """Return whether a strip with one cell has larger text than the strip above it, like a heading."""
    sizes = [max((span.size for span in strip.spans()), default=0.0) for strip in (row, above)]
    return sizes[0] > LARGER * sizes[1] > 0


def _has_same_gutters(places: Sequence[float], others: Sequence[float], em: float) -> bool:
    """Return whether most gutters in one list are also gutters in the other."""
    few, many = sorted((places, others), key=len)
    return sum(any(abs(place - other) < 1.5 * em for other in many) for place in few) * 3 >= len(few) * 2


def _add_lines(row: Strip, right: float, found: list[Line | Table]) -> None:
    """Append the lines and tables of one strip to `found`.

    Usually, a strip's spans form one line. In a strip that is much taller than its tallest span, the spans overlap like
    stairs, and are split into lines from the top by their bottom edges.
    """
    spans: list[Span] = []
    for box in row.boxes:
        if isinstance(box, Table):
            if spans:
                found.append(Line(spans, right))
                spans = []
            found.append(box)
        elif isinstance(box, Span):
            if spans and blocks.begins_with_box(box) and blocks.begins_with_box(spans[0]):
                found.append(Line(spans, right))
                spans = []
            spans.append(box)
    if not spans:
        return
    if len(spans) == 1 or row.y1 - row.y0 < 2.2 * max([span.y1 - span.y0 for span in spans]):
        found.append(Line(spans, right))
        return
    spans.sort(key=lambda span: span.y1)
    line = [spans[0]]
    for span in spans[1:]:
        if span.y1 - line[0].y1 > 0.5 * (span.y1 - span.y0):
            line.sort(key=lambda part: part.x0)
            found.append(Line(line, right))
            line = []
        line.append(span)
    line.sort(key=lambda part: part.x0)
    found.append(Line(line, right))


def _split_band(band: Sequence[Strip], shared: Gaps) -> list[list[Box]]:
    """Return the boxes of each column in a band, or [] if there is only one column."""
    edges = [(start + end) / 2 for start, end in shared]
    columns: list[list[Box]] = [[] for _ in range(len(edges) + 1)]
    for row in band:
        for box in row.boxes:
            columns[bisect_left(edges, box.x0)].append(box)
    columns = [column for column in columns if column]
    return columns if len(columns) > 1 else []


def _add_records(records: Sequence[Sequence[Strip]], right: float, found: list[Line | Table]) -> None:
    """Append the lines of the records' blocks. Each block is one paragraph."""
    for block in records:
        for place, row in enumerate(block):
            line = Line(row.spans(), right)
            line.is_new = place > 0
            found.append(line)
