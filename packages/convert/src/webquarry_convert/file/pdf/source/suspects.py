"""Finds text on a page that readers may be unable to see, without drawing the page.

The order, the positions and the colors of the drawings classify a text:

    something is drawn over the text later                              doubtful
    the letters have the color of the area below them, or this area     doubtful
    is a picture, a pattern or transparent
    the text belongs to a layer that may be switched off                doubtful
    the letters are drawn invisible (render mode 3), or only cut out    unseen
    a shape that is not drawn through (render mode 7)

It is acceptable if too many text objects are doubtful, because drawing the page decides (`unseen_text`).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import Final, NamedTuple

from webquarry_convert.file.pdf.source import drawn
from webquarry_convert.file.pdf.source.drawn import PATH, PICTURE, TEXT, Colour, Edges, Run
from webquarry_convert.hidden.values import NEAR

_INVISIBLE, _CUT_OUT = 3, 7
"""Text render modes."""
_THIN: Final = 2.0
"""The maximum thickness, in points, of a line that covers no text."""
_SIDE: Final = 24
"""The number of squares along a page's longer side."""
_MOST_PLACES: Final = 300_000
"""The maximum total number of squares that all areas of a page cover."""
_MOST_STEPS: Final = 2_000_000
_MOST_COMPARED: Final = 24
"""The maximum number of areas in a square that are compared with a text. If there are more, the text is doubtful."""
_CORE: Final = 0.25
"""The fraction of a text's height, at its edges, that other objects may touch."""
_SAME: Final = 1.0
"""The maximum distance, in points, between the edges of two text objects at the same position."""
_FAINT: Final = 64
"""The maximum opacity, of 255, of doubtful letters."""
_WHITE: Final[Colour] = (255, 255, 255, 255)
_SCAN: Final = 0.5
"""The minimum fraction of a scanned page that is covered by pictures."""
_STEP_COST: Final = 1_000
_SLOW: Final = 5
"""The factor by which transparent or shaded areas and pictures take longer to draw."""


class _Area(NamedTuple):
    """A drawing that covers more than one line of text.

    order: its position in the drawing order. colour: its color, or None if there are several.
    """

    order: int
    edges: Edges
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class Hints:
    """Possible features of a page.

    has_layers: whether parts can be switched off. has_invisible: whether letters may be drawn invisible. has_colours:
    whether letters may have the color of the area below them.
    """

    has_layers: bool
    has_invisible: bool
    has_colours: bool


@dataclass(slots=True)
class Suspects:
    """Doubtful and unseen text objects of a page, by address.

    twins: text objects that are not doubtful, at the same position as a doubtful or unseen one. cost: the cost of
    drawing the page, in square points. has_patterns: whether the page has patterns, which make the cost unknown.
    largest_picture: the largest picture drawn directly on the page, as a fraction of the page from 0 to 1.
    """

    unseen: set[int] = field(default_factory=set)
    twins: dict[int, set[int]] = field(default_factory=dict)
    doubtful: set[int] = field(default_factory=set)
    cost: float = 0.0
    has_patterns: bool = False
    largest_picture: float = 0.0

    def exempt(self, texts: Iterable[int]) -> None:
        """Remove text objects from the doubtful ones."""
        for text in texts:
            self.unseen.discard(text)
            self.doubtful.discard(text)


def find_suspects(runs: Sequence[Run], page: Edges, hints: Hints) -> Suspects:
    """Find doubtful and unseen text objects. page: the edges of the visible part.

    Takes time that is linear in the number of objects.
    """
    return _Search(page, hints).search(runs)


class _Search:
    def __init__(self, page: Edges, hints: Hints) -> None:
        self._page = page
        left, bottom, right, top = page
        self._size = max((right - left) * (top - bottom), 1.0)
        self._side = max(right - left, top - bottom, 1.0) / _SIDE
        self._hints = hints
        self._areas: list[_Area] = []
        self._pictures = 0.0
        self._covered: set[int] = set()
        self._last = 0
        self._squares: dict[tuple[int, int], list[_Area]] = {}
        self._mixed: set[tuple[int, int]] = set()
        self._grounds: set[Colour] = {_WHITE}
        self._odd_colours: dict[Colour, bool] = {}
        self._places = self._steps = 0
        self._found = Suspects()

    def search(self, runs: Sequence[Run]) -> Suspects:
        starts = list(accumulate([len(run.objects) for run in runs], initial=1))
        for run, start in zip(runs, starts[:-1], strict=True):
            self._add_areas(run, start)
        found = self._found
        found.cost += starts[-1] * _STEP_COST
        self._last = self._areas[-1].order if self._areas else 0
        hints = self._hints
        is_any = hints.has_layers or hints.has_invisible or hints.has_colours or bool(self._mixed)
        for run, start in zip(runs, starts[:-1], strict=True):
            if (is_any or start < self._last) and TEXT in run.kinds:
                self._judge_texts(run, start)
        hidden = len(self._covered) + len(found.unseen)
        if hidden and self._is_scan(hidden, sum(run.kinds.count(TEXT) for run in runs)):
            found.unseen.clear()
        else:
            found.doubtful |= self._covered
        if found.doubtful or found.unseen:
            self._find_twins(runs)
        return found

    def _find_twins(self, runs: Sequence[Run]) -> None:
        suspected = self._found.unseen | self._found.doubtful
        places: dict[tuple[int, int], list[tuple[int, Edges]]] = {}
        sought: list[tuple[int, Edges]] = []
        for run in runs:
            texts = [address for address, kind in zip(run.objects, run.kinds, strict=True) if kind == TEXT]
            for text, edges in zip(texts, drawn.measure(texts, run.matrix), strict=True):
                if text in suspected:
                    sought.append((text, edges))
                else:
                    places.setdefault(_round(edges), []).append((text, edges))
        for text, edges in sought:
            across, up = _round(edges)
            near = [(across + x, up + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
            others = chain.from_iterable(places.get(place, ())[:_MOST_COMPARED] for place in near)
            if twins := {other for other, its in others if _are_same(edges, its)}:
                self._found.twins[text] = twins

    def _add_areas(self, run: Run, start: int) -> None:
        places = [at for at, kind in enumerate(run.kinds) if kind != TEXT]
        if run.depth:
            self._found.cost += self._size / _SLOW
        if not places:
            return
        objects = [run.objects[at] for at in places]
        for at, address, edges in zip(places, objects, drawn.measure(objects, run.matrix), strict=True):
            left, bottom, right, top = edges
            if right - left > _THIN and top - bottom > _THIN:
                self._add_area(start + at, address, run.kinds[at], edges, run.depth)

    def _judge_texts(self, run: Run, start: int) -> None:
        places = [at for at, kind in enumerate(run.kinds) if kind == TEXT]
        texts = [run.objects[at] for at in places]
        hints, found = self._hints, self._found
        if hints.has_layers:
            found.doubtful.update(texts if run.depth else filter(drawn.is_optional, texts))
        needs_colours = hints.has_colours or bool(self._mixed)
        if hints.has_invisible:
            modes = list(map(drawn.read_render_mode, texts))
            found.unseen.update(text for text, mode in zip(texts, modes, strict=True) if mode == _INVISIBLE)
            cut_out = {text for text, mode in zip(texts, modes, strict=True) if mode == _CUT_OUT}
        else:
            cut_out = set()
        if not needs_colours and not cut_out:
            before = bisect_left(places, self._last - start)
            places, texts = places[:before], texts[:before]
        for at, text, edges in zip(places, texts, drawn.measure(texts, run.matrix), strict=True):
            if text in found.unseen:
                continue
            order, middle = start + at, _shrink(edges)
            if order < self._last and self._is_covered(order, middle):
                if text not in cut_out:
                    self._covered.add(text)
            elif text in cut_out:
                found.unseen.add(text)
            elif needs_colours and self._is_like_ground(order, text, middle):
                found.doubtful.add(text)

    def _add_area(self, order: int, address: int, kind: int, edges: Edges, depth: int) -> None:
        left, bottom, right, top = shown = _cut(edges, self._page)
        size = max(right - left, 0.0) * max(top - bottom, 0.0)
        colour: Colour | None = None
        if kind == PATH:
            fill_is_drawn = drawn.is_filled(address)
            if not fill_is_drawn and drawn.measure_stroke(address) <= _THIN:
                return
            fill = drawn.read_fill(address) if fill_is_drawn else None
            self._found.has_patterns |= fill is None and fill_is_drawn
            colour = None if drawn.is_see_through(address) else fill
        elif kind == PICTURE:
            self._found.cost += drawn.count_pixels(address) * _SLOW
            self._pictures += size
            if not depth:
                self._found.largest_picture = max(self._found.largest_picture, size / self._size)
        self._found.cost += size if colour is not None else size * _SLOW
        if size <= 0:
            return
        area = _Area(order, edges, colour)
        self._areas.append(area)
        if colour is not None:
            self._grounds.add(colour)
        for square in self._find_squares(shown):
            self._places += 1
            if self._places > _MOST_PLACES:
                break
            self._squares.setdefault(square, []).append(area)
            if colour is None:
                self._mixed.add(square)

    def _find_squares(self, edges: Edges) -> Iterator[tuple[int, int]]:
        """Yield the squares of a visible part as pairs of row and column."""
        side = self._side
        left, bottom, right, top = edges
        columns = range(int(left // side), int(right // side) + 1)
        for row in range(int(bottom // side), int(top // side) + 1):
            for column in columns:
                yield row, column

    def _is_covered(self, order: int, edges: Edges) -> bool:
        """Return whether later objects may cover a text."""
        if self._places > _MOST_PLACES:
            return True
        for square in self._find_squares(_cut(edges, self._page)):
            self._steps += 1
            for at, area in enumerate(reversed(self._squares.get(square, ()))):
                if area.order < order:
                    break
                self._steps += 1
                if at == _MOST_COMPARED or self._steps > _MOST_STEPS or _do_overlap(area.edges, edges):
                    return True
        return False

    def _is_like_ground(self, order: int, text: int, edges: Edges) -> bool:
        """Return whether letters may have the color of an earlier area below them."""
        colour = drawn.read_fill(text)
        if colour is None or colour[3] <= _FAINT or self._places > _MOST_PLACES:
            return True
        left, bottom, right, top = edges
        x, y = (left + right) / 2, (bottom + top) / 2
        square = int(y // self._side), int(x // self._side)
        if square not in self._mixed and not self._is_odd(colour):
            return False
        compared = 0
        for area in reversed(self._squares.get(square, ())):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                return True
            if area.order > order:
                continue
            compared += 1
            if compared > _MOST_COMPARED:
                return True
            if area.edges[0] <= x <= area.edges[2] and area.edges[1] <= y <= area.edges[3]:
                return area.colour is None or is_near(colour, area.colour)
        return is_near(colour, _WHITE)

    def _is_odd(self, colour: Colour) -> bool:
        """Return whether a color is close to white or to any area's color. Each color is compared only once."""
        if colour not in self._odd_colours:
            self._steps += len(self._grounds)
            is_too_much = self._steps > _MOST_STEPS
            self._odd_colours[colour] = is_too_much or any(is_near(colour, ground) for ground in self._grounds)
        return self._odd_colours[colour]

    def _is_scan(self, hidden: int, texts: int) -> bool:
        """Return whether pictures show the text, as on a scan with invisible OCR text.

        hidden: the number of text objects that are invisible or covered.
        """
        return 2 * hidden > texts and self._pictures >= _SCAN * self._size


def is_near(one: Colour, other: Colour) -> bool:
    """Return whether letters in one color are indistinguishable from a background in the other color."""
    return all(abs(first - second) <= NEAR for first, second in zip(one[:3], other[:3], strict=True))


def _shrink(edges: Edges) -> Edges:
    """Return the middle part of a text, which adjacent text does not touch."""
    left, bottom, right, top = edges
    inset = _CORE * min(right - left, top - bottom)
    return left + inset, bottom + inset, right - inset, top - inset


def _cut(edges: Edges, page: Edges) -> Edges:
    left, bottom, right, top = edges
    first, low, last, high = page
    return (
        left if left > first else first,
        bottom if bottom > low else low,
        right if right < last else last,
        top if top < high else high,
    )


def _round(edges: Edges) -> tuple[int, int]:
    return round(edges[0]), round(edges[1])


def _are_same(one: Edges, other: Edges) -> bool:
    return all(abs(first - second) < _SAME for first, second in zip(one, other, strict=True))


def _do_overlap(one: Edges, other: Edges) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
