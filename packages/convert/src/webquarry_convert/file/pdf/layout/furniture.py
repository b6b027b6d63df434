"""Page furniture: running headers, footers and page numbers at the edges of pages, which do not belong to the text.

Text that repeats at the edges of several pages is kept once. Text at the edge of a single page is kept in place,
because it may be a letterhead, a date or a row of a table. Only page numbers are removed completely.

Repetitions are found by signs. A sign consists of the edge at which a part of a line is, the part's words, and its
height. Numbers that count the pages are replaced by their difference from the page's index, which is counted from 0:

    page 0: "Annual report | 5"  →  "Annual report | #5"
    page 1: "Annual report | 6"  →  "Annual report | #5"   the same sign, so the line repeats
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, takewhile, zip_longest

from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text.paragraphs import find_body_size
from webquarry_convert.file.pdf.words.lines import group_strips, join_spans

_EDGE = 0.12
"""Share of the page's height, at the top and at the bottom, in which furniture may be."""
_OUTERMOST = 8
"""Number of outermost lines that are examined for furniture."""
_MOST_PASSED = 2
"""Maximum number of text lines that are skipped when searching for furniture further inside."""
_APART = 2.0
"""Minimum gap, in ems, between the left, middle and right parts of a line."""
_ROW = 8.0
"""Tolerance, in points, for the height of repeated text."""
_PAGE = r"(?:page|pages|seite|blatt|p\.|pag\.|p\u00e1gina|pagina|side|sida|strona|str\.|sivu|oldal)"
_NUMBER = re.compile(
    rf"(?:{_PAGE}\s*+:?\s*+)?[-\u2013\u2014|/\s]*+(?:[0-9]{{1,4}}|[ivxlc]{{1,6}})[-\u2013\u2014|/\s]*"
    r"(?:(?:of|/|von|de|sur|di|van|av|z)\s*[0-9]{1,4})?"
    r"|(?:[0-9]{1,3}|[A-Z])\s*[-\u2013\u2014]\s*[0-9]{1,4}",
    re.IGNORECASE,
)
"""Matches a line that contains only a possible page number."""
_CALLED = re.compile(
    rf"{_PAGE}\s*+:?\s*+[0-9]{{1,4}}\b(?:\s*(?:of|/|von|de|sur|di|van|av|z)\s*[0-9]{{1,4}})?", re.IGNORECASE
)
"""Matches a line that is labeled as a page number."""
_COUNTER = re.compile(
    rf"\A(?P<first>[0-9]{{1,4}})(?=\s*[|\u00b7\u2022])"
    rf"|(?:\b{_PAGE}\s*+:?\s*+|[|\u00b7\u2022]\s*)(?P<called>[0-9]{{1,4}})\b"
    rf"|(?<=[|\u00b7\u2022\u2013\u2014]\s)(?P<last>[0-9]{{1,4}})\Z",
    re.IGNORECASE,
)
"""Matches a number in a running header that may be the page number."""
_DIGIT = re.compile("[0-9]")
_FIGURES = re.compile(r"[0-9]+|\b[ivxlc]+\b", re.IGNORECASE | re.ASCII)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_RIM = 0.04
"""Share of the page's height, at each edge, where a printing program adds text."""
_SET_OFF = 1.5
"""Minimum white space between such text and the body, in line heights."""
_LEAST_LINES = 8
"""Minimum number of lines on a page whose edge may contain such text. On shorter pages, the edge may be the body."""
_MOST_AT_RIM = 2
"""Maximum number of lines of such text. If there are more lines, they are the footer of a letter."""
_IDENTIFIER = re.compile(r"[0-9]{5}|[0-9]{2,4}[ .][0-9]{2,4}[ .][0-9]{2,4}|@")
_MARGIN = 0.08
"""Share of the page's width, on the left and on the right, where rotated text is furniture."""
_MOST_COUNTERS = 3
_MOST_TOLD = 20
"""Maximum number of texts that a warning quotes. Each text is cut to `_LONGEST_TOLD` characters."""
_LONGEST_TOLD = 300
_CLOSE = 1.5
"""Maximum distance between a table header and the next row, in line heights."""
_LEAST_ROWS = 2
_ENOUGH = 2
"""Number of pages after which a line that was not a table header on any of them is a title."""
TableFinder = Callable[[Page, float], Iterator[list[Table]]]
"""A function that yields a page's tables: first those with ruling lines, then those without, which take longer to find.

Its arguments are the page and the running text's size, in points.
"""
Sign = tuple[bool, str, int, int]
"""The features of a part of a line that repeat on several pages: the edge, the words, and the approximate position."""


@dataclass(slots=True)
class _EdgePart:
    """A part, without wide gaps, of a line at an edge.

    signs: the signs that identify the part on other pages. counts: the signs whose number counts the pages.
    """

    spans: list[Span]
    text: str
    signs: list[Sign]
    counts: list[Sign]


@dataclass(slots=True)
class Furniture:
    """A document's furniture.

    strays: repeated texts that were removed from every page, once each. left_out: texts that were removed completely.
    repeated: number of characters removed with repetitions, page numbers and table headers.
    """

    strays: list[Span] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    repeated: int = 0

    def warnings(self) -> list[str]:
        sentence = self._tell_left_out()
        if self.repeated:
            sentence.append(
                f"Repeated headers, footers, table headers and page numbers are omitted: {self.repeated:,} characters."
            )
        return sentence

    def _tell_left_out(self) -> list[str]:
        texts = list(dict.fromkeys(text[:_LONGEST_TOLD] for text in self.left_out))
        quoted = ", ".join(f'"{text}"' for text in texts[:_MOST_TOLD])
        further = f" and {len(texts) - _MOST_TOLD:,} more" if len(texts) > _MOST_TOLD else ""
        count = _count_characters(self.left_out)
        return [f"Text in the margins is omitted ({count:,} characters): {quoted}{further}."] if texts else []


@dataclass(slots=True)
class _EdgeRow:
    """A line at the edge of a page. is_set_off: whether white space separates it from the next line inwards."""

    is_top: bool
    is_set_off: bool
    parts: list[_EdgePart]


def remove_furniture(pages: list[Page], find_tables: TableFinder) -> Furniture:
    """Remove furniture from the spans of the pages, except table headers, which also repeat at the top of pages.

    A repeated text is kept once. A running header stays in place on the document's first page, and a footer on its last
    page. A text that is missing on this page is moved to `Furniture.strays`.
    """
    repeats = len(pages) > 1
    edges = [list(_find_edge_rows(page, number, repeats=repeats)) for number, page in enumerate(pages)]
    seen: Counter[Sign] = Counter()
    for rows in edges:
        seen.update({sign for row in rows for part in row.parts for sign in part.signs})
    furniture = Furniture()
    dropped: set[int] = set()
    heads = _Heads(pages, find_tables)
    for is_top in (True, False):
        ordered = [[row for row in rows if row.is_top is is_top] for rows in (edges if is_top else reversed(edges))]
        _leave_once(ordered, seen, furniture, dropped, heads)
    repeated = dropped.difference(map(id, furniture.strays))
    if repeated:
        furniture.repeated = _count_characters(
            span.text for page in pages for span in page.spans if id(span) in repeated
        )
    for page in pages:
        beside = [span for span in page.sideways if _is_beside(page, span)] if page.spans else []
        if len(aside := " ".join([span.text for span in beside])) > 1:
            furniture.left_out.append(aside)
        dropped.update(map(id, beside))
        for line in _find_rim_lines(page, dropped) if len(pages) == 1 else ():
            furniture.left_out.append(join_spans(line))
            dropped.update(map(id, line))
        if dropped:
            page.sideways = [span for span in page.sideways if id(span) not in dropped]
            page.spans = [span for span in page.spans if id(span) not in dropped]
    return furniture


class _Heads:
    """Finds table headers among the lines at the top of pages. Such a line is inside a table, above its other rows.

    A page is searched for tables only if there is little space below a line. This is true for table headers, but rarely
    for running headers. A line with a single part is a table header only in a table with ruling lines. Elsewhere it is
    a title or a unit of measure.
    """

    def __init__(self, pages: Sequence[Page], find_tables: TableFinder) -> None:
        self._pages = pages
        self._find_tables = find_tables
        self._em: float | None = None
        self._titles: Counter[str] = Counter()
        self._found: dict[int, list[list[Table]]] = {}
        self._sought: dict[int, Iterator[list[Table]]] = {}

    def has(self, place: int, row: _EdgeRow, dropped: Set[int]) -> bool:
        """Return whether a line is a table header.

        place: the page's index. dropped: ids of the spans that are furniture.
        """
        first = row.parts[0].spans[0]
        page = self._pages[place]
        nearest = min((span.y0 for span in page.spans if span.y0 + span.y1 > 2 * first.y1), default=page.height)
        if len(self._pages) == 1 or nearest - first.y1 > _CLOSE * (first.y1 - first.y0):
            return False
        words = "\n".join([part.text for part in row.parts])
        if (len(row.parts) == 1 and not page.rules) or self._titles[words] == _ENOUGH:
            return False
        middle = (first.y0 + first.y1) / 2
        kinds = self._list_tables(place, dropped)
        is_head = any(
            len(table.rows) > _LEAST_ROWS and table.places and table.y0 < middle < table.y1 and first.x0 < table.x1
            for tables in (kinds if len(row.parts) > 1 else islice(kinds, 1))
            for table in tables
        )
        self._titles[words] += not is_head
        return is_head

    def _list_tables(self, place: int, dropped: Set[int]) -> Iterator[list[Table]]:
        """Yield a page's tables by kind, like a `TableFinder`. Each kind of table is searched for once, on demand."""
        if place not in self._sought:
            if self._em is None:
                self._em = find_body_size(self._pages)
            page = self._pages[place]
            rest = replace(page, spans=[span for span in page.spans if id(span) not in dropped])
            self._found[place], self._sought[place] = [], self._find_tables(rest, self._em)
        yield from self._found[place]
        for tables in self._sought[place]:
            self._found[place].append(tables)
            yield tables


def _count_characters(texts: Iterable[str]) -> int:
    """Return the number of characters without white space."""
    return sum(len("".join(text.split())) for text in texts)


def _leave_once(
    edges: Sequence[Sequence[_EdgeRow]],
    seen: Counter[Sign],
    furniture: Furniture,
    dropped: set[int],
    heads: "_Heads",
) -> None:
    """Drop repeated text and page numbers at one edge of the pages.

    edges: each page's lines, outermost first, starting with the page that may keep repeated text in place. seen: the
    number of pages with each sign.
    """
    enough = max(2, (len(edges) + 2) // 3)
    kept_signs: set[Sign] = set()
    for place, rows in enumerate(edges):
        passed = 0
        here: set[Sign] = set()
        for row in rows:
            is_lonely = len(edges) == 1 and len(row.parts) == 1 and row.is_set_off
            words = [part for part in row.parts if not _is_page_number(part, seen, is_lonely=is_lonely)]
            if not all(any(seen[sign] >= enough for sign in part.signs) for part in words):
                passed += 1
                if passed > _MOST_PASSED:
                    break
                continue
            if row.is_top and heads.has(place, row, dropped):
                break
            spans = [span for part in words for span in part.spans]
            is_told = all(not kept_signs.isdisjoint(part.signs) for part in words)
            here.update(sign for part in words for sign in part.signs)
            dropped.update(id(span) for part in row.parts for span in part.spans)
            if not is_told and place == 0:
                dropped.difference_update(map(id, spans))
            elif not is_told:
                furniture.strays += spans
        kept_signs |= here


def _is_page_number(part: _EdgePart, seen: Counter[Sign], *, is_lonely: bool) -> bool:
    """Return whether a part is a page number.

    is_lonely: whether the part is at the edge of a single page. On several pages, the number must count the pages.
    """
    return _NUMBER.fullmatch(part.text) is not None and (
        is_lonely or _CALLED.fullmatch(part.text) is not None or any(seen[sign] > 1 for sign in part.counts)
    )


def _is_beside(page: Page, span: Span) -> bool:
    """Return whether a span is in the left or right margin."""
    return span.x1 < page.width * _MARGIN or span.x0 > page.width * (1 - _MARGIN)


def _find_rim_lines(page: Page, dropped: set[int]) -> list[list[Span]]:
    """Return lines at the very edge that a printing program added, such as the time or the page's URL.

    White space separates them from the body. Lines with an account or register number, or an email address, are not
    included, because they are the footer of a letter.
    """
    top, bottom = page.height * _RIM, page.height * (1 - _RIM)
    if not any(span.y1 < top or span.y0 > bottom for span in page.spans):
        return []
    rows = group_strips([span for span in page.spans if id(span) not in dropped])
    if len(rows) < _LEAST_LINES:
        return []
    above = list(takewhile(lambda row: row.y1 < top, rows))
    below = list(takewhile(lambda row: row.y0 > bottom, reversed(rows)))
    found: list[list[Span]] = []
    for lines, others in ((above, rows), (below, rows[::-1])):
        if not 0 < len(lines) <= _MOST_AT_RIM:
            continue
        last, inner = lines[-1], others[len(lines)]
        texts = [row.spans() for row in lines]
        if _measure_gap(last, inner) > _SET_OFF * (last.y1 - last.y0) and not any(
            _IDENTIFIER.search(join_spans(spans)) for spans in texts
        ):
            found += texts
    return found


def _find_edge_rows(page: Page, number: int, *, repeats: bool) -> Iterator[_EdgeRow]:
    """Yield lines at the edges, outermost first.

    number: the page's index. repeats: whether the document has other pages.
    """
    top, bottom = page.height * _EDGE, page.height * (1 - _EDGE)
    above = group_strips([span for span in page.spans if span.y1 < top])
    below = group_strips([span for span in page.spans if span.y0 > bottom])[::-1]
    for is_top, found in ((True, above), (False, below)):
        for strip, inner in zip_longest(found[:_OUTERMOST], found[1 : _OUTERMOST + 1]):
            if strip is None:
                break
            far = strip.y0 if is_top else page.height - strip.y0
            parted = list(_split_parts(strip.spans()))
            if repeats:
                parts = [_build_part(spans, is_top, far, number) for spans in parted]
            else:
                parts = [_EdgePart(spans, join_spans(spans), [], []) for spans in parted]
            yield _EdgeRow(is_top, inner is None or _measure_gap(strip, inner) > strip.y1 - strip.y0, parts)


def _measure_gap(box: Box, other: Box) -> float:
    """Return the height of the white space between two boxes."""
    return max(other.y0 - box.y1, box.y0 - other.y1)


def _split_parts(spans: Sequence[Span]) -> Iterator[list[Span]]:
    part = [spans[0]]
    for before, span in pairwise(spans):
        if span.x0 - before.x1 > _APART * span.size:
            yield part
            part = []
        part.append(span)
    yield part


def _build_part(spans: list[Span], is_top: bool, far: float, number: int) -> _EdgePart:
    """Build a part of a line. far: the line's distance from the edge."""
    text = join_spans(spans)
    counted = [f"{text[:at]}#{value - number}{text[end:]}" for at, end, value in _find_counters(text)]
    counts = [sign for words in counted for sign in _make_signs(is_top, words, far)]
    return _EdgePart(spans, text, [*_make_signs(is_top, text, far), *counts], counts)


def _make_signs(is_top: bool, words: str, far: float) -> list[Sign]:
    """Return two signs, with the height rounded down and to the nearest multiple of `_ROW` points.

    Parts at nearly the same height have at least one sign in common. If `_ROW` is 8, heights of 7 and 9 points differ
    when rounded down (0 and 1), but are the same when rounded to the nearest multiple (1 and 1).
    """
    return [(is_top, words, int(far // _ROW), 0), (is_top, words, int(far / _ROW + 0.5), 1)]


def _find_counters(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the start, end and value of each number in a text that may be the page number."""
    if _NUMBER.fullmatch(text) is not None:
        for found in islice(_FIGURES.finditer(text), _MOST_COUNTERS):
            value = int(found[0]) if found[0].isdigit() else _parse_roman(found[0].lower())
            yield found.start(), found.end(), value
        return
    if _DIGIT.search(text) is None:
        return
    for found in islice(_COUNTER.finditer(text), _MOST_COUNTERS):
        name = found.lastgroup or ""
        yield found.start(name), found.end(name), int(found[name])


def _parse_roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
