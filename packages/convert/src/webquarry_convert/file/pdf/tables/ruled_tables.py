"""Ruled tables, whose ruling lines cross to form a grid.

The x of vertical lines and the y of horizontal lines divide the grid into slots. Adjacent slots without a line
between them are one cell. Example: a grid of two rows and two columns without the middle vertical line in row 0:

    +---------+     slots   0 1     first slot of each slot's cell: [0, 0, 2, 3]
    |         |             2 3     so the header is one cell across both columns
    +----+----+
    |    |    |
    +----+----+
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress, pairwise

from webquarry_convert.file.pdf.source.content import Box, Rule, Span
from webquarry_convert.file.pdf.tables import stripes
from webquarry_convert.file.pdf.tables.merged_rules import NEAR, drop_padding, merge_places, merge_rules
from webquarry_convert.file.pdf.tables.row_groups import group_by_distance, tears_sentences
from webquarry_convert.file.pdf.tables.stacked_labels import compare_sizes
from webquarry_convert.file.pdf.tables.table import Table, is_figure, write_cell
from webquarry_convert.file.pdf.tables.undrawn_columns import find_undrawn_columns
from webquarry_convert.file.pdf.words.lines import group_strips

_NARROWEST = 6.0
"""Minimum width of a column, in points."""
_MOST_PAIRS = 400_000
"""Maximum number of pairs of horizontal and vertical lines that are compared. Drawings have more."""
_MOST_PLACES = 40_000
"""Maximum number of slots in one grid."""
_MOSTLY = 0.6
"""Minimum share of a text's width that must be in the column to which the text belongs."""
_LEAST_LINES = 12
"""Minimum number of lines in each direction on graph paper."""
_LEAST_WORDS = 3
"""Minimum number of words in a text that is written across lines. Labels of charts have fewer."""
_WRITTEN_OVER = 0.25
"""Minimum share of words that cross lines, for the lines not to be cell borders."""
_MOST_GRIDS = 100
"""Maximum number of grids on one page. The largest grids are kept."""


def find_tables(spans: list[Span], rules: Sequence[Rule]) -> tuple[list[Table], list[Span]]:
    """Return the tables, and the spans outside the tables."""
    found: list[Table] = []
    grids = _find_grids(rules, spans)
    middles = [((span.x0 + span.x1) / 2, (span.y0 + span.y1) / 2) for span in spans] if grids else []
    for grid in grids:
        held = [grid.x0 - 1 < x < grid.x1 + 1 and grid.y0 < y < grid.y1 for x, y in middles]
        if True not in held:
            continue
        table = grid.table(list(compress(spans, held)))
        if table is not None:
            found.append(table)
            others = [not is_inside for is_inside in held]
            spans, middles = list(compress(spans, others)), list(compress(middles, others))
    return found, spans


class _Grid(Box):
    """A grid of ruling lines.

    xs, ys: the lines' positions in ascending order. has_gutters: whether some column borders are not drawn.
    """

    __slots__ = ("cells", "has_gutters", "inner_xs", "inner_ys", "xs", "ys")

    def __init__(self, lying: list[Rule], standing: list[Rule]) -> None:
        self.xs = merge_places(
            [line.x0 for line in standing] + [min(line.x0 for line in lying), max(line.x1 for line in lying)],
            _NARROWEST,
        )
        self.ys = merge_places(
            [line.y0 for line in lying] + [min(line.y0 for line in standing), max(line.y1 for line in standing)],
            NEAR,
        )
        super().__init__(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])
        self.inner_xs, self.inner_ys = self.xs[1:-1], self.ys[1:-1]
        self.cells = self._find_cells(lying, standing)
        self.has_gutters = False

    def table(self, spans: list[Span]) -> Table | None:
        """Return the table, or None if the grid has fewer than two cells with text."""
        if self._is_written_over(spans):
            return None
        if gutters := find_undrawn_columns(spans, self.xs):
            self._divide_columns(gutters)
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        held: dict[int, list[Span]] = {}
        for span in spans:
            row = self._find_row(span)
            first, last = self._find_column(span.x0 + 1), self._find_column(max(span.x0, span.x1 - 1))
            if self.cells[row * columns + first] == self.cells[row * columns + last]:
                held.setdefault(self.cells[row * columns + first], []).append(span)
                continue
            for word in span.words():
                column = self._find_column((word.x0 + word.x1) / 2)
                held.setdefault(self.cells[row * columns + column], []).append(word)
        self._split_cells(held)
        if len(held) < 2 or not self._is_table(held):
            return None
        texts: list[list[str]] = []
        for row in range(rows):
            places = range(row * columns, (row + 1) * columns)
            cells = [held.get(place, []) for place in places]
            if max(map(len, cells)) < 2:
                texts.append([write_cell(cell) for cell in cells])
                continue
            rights = [self._find_right(place) for place in places]
            divided = _split_drawn_row(cells, rights)
            if divided is None:
                divided = [[write_cell(cell, right) for cell, right in zip(cells, rights, strict=True)]]
            texts += divided
        if sum(map(any, texts)) < 2:  # the grid is a shaded row; the other rows are not drawn
            return None
        return Table(self, texts, self.xs[1:-1])

    def _is_written_over(self, spans: Sequence[Span]) -> bool:
        """Return whether text is written across the lines, as on graph paper.

        Such text has several words, many of which cross lines.
        """
        if min(len(self.xs), len(self.ys)) < _LEAST_LINES:
            return False
        over = [span for span in spans if self._goes_over_lines(span)]
        words = [word for span in over for word in span.words()]
        is_text = len(words) >= _LEAST_WORDS * len(over)
        return is_text and sum(map(self._goes_over_lines, words)) > _WRITTEN_OVER * len(words)

    def _goes_over_lines(self, span: Span) -> bool:
        row = self._find_row(span) * (len(self.xs) - 1)
        first, last = self._find_column(span.x0 + 1), self._find_column(max(span.x0, span.x1 - 1))
        return self.cells[row + first] != self.cells[row + last]

    def _divide_columns(self, gutters: Sequence[float]) -> None:
        """Add undrawn column borders. The slots on both sides of a new border belong to the same cell at first.

        gutters: positions of the borders within columns.
        """
        xs = sorted([*self.xs, *gutters])
        columns, width = len(self.xs) - 1, len(xs) - 1
        if width * (len(self.ys) - 1) > _MOST_PLACES:
            return
        drawn = set(self.xs[:-1])
        firsts = [place for place, x in enumerate(xs) if x in drawn]
        owner = [bisect_right(firsts, column) - 1 for column in range(width)]
        cells = []
        for row in range(len(self.ys) - 1):
            for column in range(width):
                top, left = divmod(self.cells[row * columns + owner[column]], columns)
                cells.append(top * width + firsts[left])
        self.xs, self.inner_xs, self.cells, self.has_gutters = xs, xs[1:-1], cells, True

    def _find_right(self, place: int) -> float:
        """Return the right end of the white space in the cell that begins in the slot `place`."""
        columns = len(self.xs) - 1
        column = place % columns
        while column + 1 < columns and self.cells[place + 1] == self.cells[place]:
            place, column = place + 1, column + 1
        return self.xs[column + 1] - NEAR

    def _split_cells(self, held: dict[int, list[Span]]) -> None:
        """Split cells that span several columns if their text stays within single columns.

        Some tables omit lines. held: the spans by the first slot of their cell; it is modified.
        """
        columns = len(self.xs) - 1
        for place in [place for place in held if (place + 1) % columns and self.cells[place + 1] == self.cells[place]]:
            row, left = divmod(place, columns)
            right = left
            while right + 1 < columns and self.cells[row * columns + right + 1] == self.cells[place]:
                right += 1
            parts: dict[int, list[Span]] = {}
            crossing = 0
            for span in held[place]:
                column, crosses = self._find_column_of(span)
                crossing += crosses
                parts.setdefault(row * columns + column, []).append(span)
            if crossing and (not self.has_gutters or crossing * 2 > sum(map(len, parts.values()))):
                continue
            if len(parts) > 2 or (len(parts) == 2 and right - left == 1):
                del held[place]
                for part, spans in parts.items():
                    held.setdefault(part, []).extend(spans)

    def _find_column_of(self, span: Span) -> tuple[int, bool]:
        """Return the column that contains most of a span, or otherwise the column in which the span begins.

        Also returns whether the span extends into other columns.
        """
        first, last = self._find_column(span.x0 + 1), self._find_column(max(span.x0, span.x1 - 1))
        if first == last:
            return first, False
        column = self._find_column((span.x0 + span.x1) / 2)
        within = min(span.x1, self.xs[column + 1]) - max(span.x0, self.xs[column])
        return column if within > _MOSTLY * (span.x1 - span.x0) else first, True

    def _is_table(self, held: dict[int, list[Span]]) -> bool:
        """Return whether the grid has adjacent cells in both directions.

        A grid without them is a frame around text or pictures.
        """
        columns = len(self.xs) - 1
        return len({place % columns for place in held}) > 1 or len(held) > 2

    def _find_row(self, span: Span) -> int:
        return bisect_right(self.inner_ys, (span.y0 + span.y1) / 2)

    def _find_column(self, x: float) -> int:
        return bisect_right(self.inner_xs, x)

    def _find_cells(self, lying: list[Rule], standing: list[Rule]) -> list[int]:
        """Return, for each slot, the first slot of its cell, row by row."""
        columns, rows = len(self.xs) - 1, len(self.ys) - 1
        beside = [[False] * columns for _ in range(rows)]  # whether a line is drawn to the left of each slot
        above = [[False] * columns for _ in range(rows)]
        middles = [(top + bottom) / 2 for top, bottom in pairwise(self.ys)]
        for line in standing:
            column = self._find_nearest(self.xs, line.x0)
            if column < columns:
                for row in range(bisect_left(middles, line.y0 - NEAR), bisect_right(middles, line.y1 + NEAR)):
                    beside[row][column] = True
        middles = [(left + right) / 2 for left, right in pairwise(self.xs)]
        for line in lying:
            row = self._find_nearest(self.ys, line.y0)
            if row < rows:
                for column in range(bisect_left(middles, line.x0 - NEAR), bisect_right(middles, line.x1 + NEAR)):
                    above[row][column] = True
        cells = list(range(columns * rows))
        for row in range(rows):
            for column in range(columns):
                place = row * columns + column
                if column and not beside[row][column]:
                    cells[place] = cells[place - 1]
                elif row and not above[row][column]:
                    cells[place] = cells[place - columns]
        return cells

    @staticmethod
    def _find_nearest(places: list[float], at: float) -> int:
        after = bisect_right(places, at)
        if after and (after == len(places) or at - places[after - 1] <= places[after] - at):
            return after - 1
        return after


def _split_drawn_row(cells: list[list[Span]], rights: Sequence[float]) -> list[list[str]] | None:
    """Split a drawn row into rows of text without lines between them, or return None if it is one row.

    Rows of text are recognized by aligned numbers, or by white space between the words. cells: the spans of the drawn
    row, by column. rights: the right ends of the columns.
    """
    filled = [cell for cell in cells if cell]
    if len(filled) < 2 or sum(map(len, filled)) < 2 * len(filled):
        return None
    rows = group_strips([span for cell in filled for span in cell])
    if len(rows) < 2 or (len(rows) == 2 and compare_sizes(rows, 0)):  # the rows are labels, each with a value
        return None
    owner = {id(span): column for column, cell in enumerate(cells) for span in cell}
    parted: list[list[list[Span]]] = []
    for row in rows:
        parts: list[list[Span]] = [[] for _ in cells]
        for span in row.spans():
            parts[owner[id(span)]].append(span)
        parted.append(parts)
    texts = [[write_cell(part) for part in parts] for parts in parted]
    figures = sum(is_figure(text) for row in texts for text in row)
    complete = sum(sum(map(bool, row)) * 3 >= len(filled) * 2 for row in texts)
    if complete * 3 >= len(rows) * 2 and figures * 2 >= len(rows) * (len(filled) - 1):
        return texts
    groups = group_by_distance(rows, texts)
    if groups is None or tears_sentences(groups, texts):
        return None
    merged = [
        [
            write_cell([span for parts in parted[start:end] for span in parts[column]], rights[column])
            for column in range(len(cells))
        ]
        for start, end in groups
    ]
    several = sum(sum(map(bool, row)) > 1 for row in merged)
    return merged if several * 2 >= len(merged) else None


def _find_grids(rules: Sequence[Rule], spans: Sequence[Span]) -> list[_Grid]:
    """Return the grids that touching lines form and that have at least two slots."""
    lying = [rule for rule in rules if rule.y0 == rule.y1 and rule.x1 - rule.x0 > NEAR]
    standing = [rule for rule in rules if rule.x0 == rule.x1 and rule.y1 - rule.y0 > NEAR]
    if len(lying) < 2 or not standing:
        return []
    lying = merge_rules(lying, lies=True)
    standing = drop_padding(merge_rules(standing, lies=False))
    if len(lying) < 2 or not standing or len(lying) * len(standing) > _MOST_PAIRS:
        return []
    owner = list(range(len(lying) + len(standing)))

    def find_root(place: int) -> int:
        while owner[place] != place:
            owner[place] = owner[owner[place]]
            place = owner[place]
        return place

    levels = sorted((line.y0, place) for place, line in enumerate(lying))
    for place, line in enumerate(standing, len(lying)):
        first, end = bisect_left(levels, (line.y0 - NEAR, 0)), bisect_left(levels, (line.y1 + NEAR, len(lying)))
        for _, other in levels[first:end]:
            if lying[other].x0 - NEAR <= line.x0 <= lying[other].x1 + NEAR:
                owner[find_root(other)] = find_root(place)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for place, line in enumerate([*lying, *standing]):
        groups.setdefault(find_root(place), ([], []))[place >= len(lying)].append(line)
    grids = []
    for level, upright in stripes.join_stripes(list(groups.values()), spans):
        if len(level) > 1 and upright:
            grid = _Grid(level, upright)
            if len(grid.xs) > 2 and (len(grid.xs) - 1) * (len(grid.ys) - 1) <= _MOST_PLACES:
                grids.append(grid)
    grids.sort(key=lambda grid: (grid.x1 - grid.x0) * (grid.y1 - grid.y0))  # sorts inner tables before outer ones
    return grids[-_MOST_GRIDS:]
