"""Groups lines in reading order into paragraphs and list items."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.words.lines import BULLETS, Line

_ITEM = re.compile(
    rf"(?:\[[ x]\](?=\s)|[{BULLETS}]|[-\u2013\u2014*](?=\s))\s*(?=\S)"
    r"|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivx]{2,4})[.)]\s+(?=\S)"
)
_TIGHT_ITEM = re.compile(r"[0-9]{1,3}[.)](?=[^\W\d_])")
"""Matches the number of a tagged list item if the text follows without a space."""
_COUNTED = re.compile(r"(\(?)([0-9]{1,3}|[a-zA-Z]|[ivx]{2,4})([.)])(?=\s)")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_FLUSH = 0.25
"""Maximum distance, in ems, between the left edges of lines in a paragraph without indentation."""
_TITLE, _TITLE_GAP = 1.5, 1.0
"""Minimum size of a centered title, relative to the running text, and maximum distance between its lines, in line
heights.
"""
_SAME_PLACE = 1.0
"""Tolerance, in points, for positions that count as the same."""
_NEAREST = 60
"""Number of lines before and after a list item that are searched for adjacent items."""
_SECTION = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2}){1,4}\.?\s+(?=\S)")
CAPTION = re.compile(
    r"(?i:table|tab\.|figure|fig\.|exhibit|chart|tabelle|abbildung|abb\.|tableau)\s*(?:[0-9]|[IVXL]+\b|[A-Z](?![^\W\d_]))"
    "|[\u8868\u56fe\u5716\u56f3] ?[0-9]"
)
"""Matches captions, which begin with a label and a number or letter: "Table 3", "Figure A". "Table of fees" is not a
caption but a heading.
"""
_SAME_SIZE, _READ_SIZE = 0.06, 0.12
"""Maximum relative difference between font sizes in one paragraph. The second value applies to sizes measured by OCR.
"""
_OTHER_SIZE = 0.15
"""Maximum relative difference between font sizes on a line with several sizes."""
_BEGINS_WITH_WORD = re.compile(r"[\w'\u2019/-]+[.,;:!?)\]\x22\u201d]*(?!\S)")
_MOST_OF_NAME = 3
"""Maximum number of words on a line that may be only a name or a heading. A longer line is running text."""
_GAP = 0.75
"""Maximum distance, in line heights, between two lines of a paragraph without extra line spacing."""
_WIDEST_STEP = 2.6
"""Maximum line spacing, in ems."""
_HYPHENS = "-\u00ad\u2010"
_SENTENCE_END = ".!?:;,\u3002\uff01\uff1f\uff1a"


@dataclass(slots=True)
class Block:
    """A paragraph, heading or list item.

    level: a heading's level, from 1; 0 for other blocks. marker: a list item's marker as written, or "" for an item
    without one; None for other blocks.
    """

    lines: list[Line]
    level: int = 0
    marker: str | None = None

    @property
    def size(self) -> float:
        return self.lines[0].size


def find_body_size(pages: Iterable[Page]) -> float:
    """Return the font size of most of the text."""
    sizes: dict[float, int] = {}
    for page in pages:
        for span in chain(page.spans, page.vertical):
            sizes[span.size] = sizes.get(span.size, 0) + len(span.text)
    written: Counter[float] = Counter()
    for size, length in sizes.items():
        written[round(size * 2) / 2] += length
    return max(written, key=lambda size: (written[size], size), default=10.0)


def build_blocks(parts: Sequence[Line | Table], body: float) -> list[Block | Table]:
    """Group lines into blocks. Headings do not have a level yet. body: the running text's size, in points."""
    step = _find_step(parts, body)
    found: list[Block | Table] = []
    current: Block | None = None
    for place, part in enumerate(parts):
        if isinstance(part, Table):
            found.append(part)
            current = None
            continue
        item = _match_item(part)
        if item and current is not None and _is_mention(current.lines[-1], part, parts, place):
            item = None
        if current is not None and item is None and _is_same_paragraph(current, part, body, step):
            current.lines.append(part)
            continue
        current = Block([part], marker=item)
        found.append(current)
    return found


def _match_item(line: Line) -> str | None:
    """Return the list marker at a line's start, "" for a tagged item without a marker, and None for other lines."""
    item = _ITEM.match(line.text) or (_TIGHT_ITEM.match(line.text) if line.begins_item else None)
    if item is not None:
        return item[0].strip()
    return "" if line.begins_item else None


def _is_mention(last: Line, line: Line, parts: Sequence[Line | Table], place: int) -> bool:
    """Return whether a line begins with a number that belongs to the sentence above, like "(3) years".

    The sentence fills its line, the number is neither indented nor followed by indented lines, and no line near it
    begins with the preceding or the following number. place: the line's index in `parts`.
    """
    number = _COUNTED.match(line.text)
    if number is None or line.begins_item or line.is_new or not (is_full(last) and _is_unfinished(last)):
        return False
    if not _is_flush_below(line, last):
        return False
    below = parts[place + 1] if place + 1 < len(parts) else None
    if isinstance(below, Line) and below.y0 >= line.y0 and abs(below.x0 - last.x0) > _FLUSH * line.size:
        return False
    beside = _find_neighbours(number)
    near = [other for other in parts[max(0, place - _NEAREST) : place + _NEAREST] if isinstance(other, Line)]
    markers = [found[0] for other in near if (found := _COUNTED.match(other.text)) is not None]
    return beside.isdisjoint(markers)


def _is_flush_below(line: Line, last: Line) -> bool:
    """Return whether a line begins directly below the start of the last line and has the same size."""
    return (
        line.y0 - last.y1 <= _GAP * (last.y1 - last.y0)
        and abs(line.size - last.size) <= _SAME_SIZE * last.size
        and abs(line.x0 - last.x0) <= _FLUSH * line.size
    )


def _find_neighbours(number: re.Match[str]) -> set[str]:
    """Return the markers that precede and follow a list item's marker: "(a)" and "(c)" for "(b)"."""
    before, counted, behind = number.groups()
    if counted.isdigit():
        values = [str(int(counted) - 1), str(int(counted) + 1)]
    elif len(counted) > 1:
        at = _ROMAN.index(counted.lower()) if counted.lower() in _ROMAN else -1
        values = [each for each in _ROMAN[max(at - 1, 0) : at + 2] if at >= 0]
    else:
        values = [chr(ord(counted) - 1), chr(ord(counted) + 1)]
        if counted.lower() in "iv":
            values += ["ii", "iv", "vi"]
    return {before + value + behind for value in values}


def _find_step(parts: Sequence[Line | Table], body: float) -> float:
    """Return the running text's line spacing in ems if it is wide, and otherwise 0.

    It is measured below lines that fill their column, because the next line usually belongs to the same paragraph.
    """
    steps: Counter[float] = Counter()
    for line, below in pairwise(parts):
        if not (isinstance(line, Line) and isinstance(below, Line)) or abs(line.size - body) > _SAME_SIZE * body:
            continue
        if below.y0 > line.y0 and below.size == line.size and abs(below.x0 - line.x0) < 1 and is_full(line):
            steps[round((below.y1 - line.y1) / line.size, 1)] += 1
    step, count = steps.most_common(1)[0] if steps else (0.0, 0)
    return step + 0.1 if count * 2 > steps.total() and step <= _WIDEST_STEP else 0.0


def _is_same_paragraph(block: Block, line: Line, body: float, step: float) -> bool:
    """Return whether the line continues the preceding paragraph. step: the result of `_find_step`."""
    last = block.lines[-1]
    height = last.y1 - last.y0
    if line.is_apart or last.is_apart or _are_apart(last.block, line.block):
        return False
    if _goes_on(last, line):
        return True
    if (
        line.level != last.level
        or abs(line.size - last.size) > (_SAME_SIZE if line.is_printed else _READ_SIZE) * last.size
    ):
        return False
    if not _is_unfinished(last) and CAPTION.match(line.text):
        return False
    if max(line.size, last.size) > body * 1.05 and abs(line.size - last.size) > 0.04 * last.size:
        return False  # the block is a heading, and the line is the text below it
    if line.is_bold != last.is_bold and not (is_full(last) and (last.is_bold or _may_emphasise(last, line))):
        return False
    is_indented = line.x0 > last.x0 + 0.8 * line.size
    if is_indented and last.is_bold and not line.is_bold and line.text[0].isupper():
        return False  # the block is a heading as wide as its column, and the line begins the paragraph below it
    if last.is_italic and not line.is_italic and len(block.lines) == 1 and not is_full(last):
        return False
    if _SECTION.match(line.text) and (not is_full(last) or _SECTION.match(block.lines[0].text)):
        return False
    gap = line.y0 - last.y1
    if line.y0 < last.y0:  # the line is in the next column
        return _is_unfinished(last) and (line.text[0].islower() or last.text[-1] == "-")
    if len(block.lines) > 1:
        further = line.y0 - last.y0
        before = last.y0 - block.lines[-2].y0
        if before > 0 and further > before * 1.25 + 1:
            return False
    if _goes_on_centred(last, line, body):
        return True
    if gap > _GAP * height and not (line.y1 - last.y1 <= step * last.size and is_full(last)):
        return False
    if block.marker is not None:
        return line.x0 > block.lines[0].x0 + 2 or (gap < 0.3 * height and not line.is_new)
    if last.x1 < last.right - 0.25 * (last.right - last.x0) and not _is_unfinished(last):
        return False
    if line.is_new and not last.is_new and len(block.lines) > 1 and not _is_unfinished(last):
        return False
    return not (is_indented and len(block.lines) > 1 and not _is_unfinished(last))


def _goes_on(last: Line, line: Line) -> bool:
    """Return whether a word or a sentence continues directly below, even if one of the lines is taller, bold or larger.

    A span has the font of its first words, so the first words of a line may make it look different.
    """
    if not (
        line.text[0].islower()
        and _are_of_one_size(last, line)
        and 0 < line.y0 - last.y0 < _WIDEST_STEP * last.size
        and line.x0 < last.x1
    ):
        return False
    if last.text[-1] in _HYPHENS:
        return last.text[-2:-1].isalpha()
    if not (line.y0 - last.y1 < last.y1 - last.y0 and _is_unfinished(last) and _BEGINS_WITH_WORD.match(line.text)):
        return False
    had_no_room = not line.is_new and len(last.text.split()) > _MOST_OF_NAME
    return had_no_room or (" " in last.text and is_full(last) and line.is_bold == last.is_bold)


def _goes_on_centred(last: Line, line: Line, body: float) -> bool:
    """Return whether two large lines with wide line spacing are one title.

    The centers of such lines are aligned, but their edges are not.
    """
    return (
        min(last.size, line.size) > _TITLE * body
        and last.is_bold == line.is_bold
        and line.y0 - last.y1 < _TITLE_GAP * (last.y1 - last.y0)
        and abs((line.x0 + line.x1) - (last.x0 + last.x1)) < _SAME_PLACE < abs(line.x0 - last.x0)
        and _is_unfinished(last)
        and not _SECTION.match(line.text)
    )


def _may_emphasise(last: Line, line: Line) -> bool:
    """Return whether bold words at the start of a line may belong to the sentence above."""
    return _is_unfinished(last) and len(last.text.split()) > _MOST_OF_NAME and not line.text.isupper()


def _are_of_one_size(some: Line, other: Line) -> bool:
    """Return whether lines have the same font size, or the same height if one of them begins with small capitals."""
    height = some.y1 - some.y0
    return (
        abs(other.size - some.size) < _OTHER_SIZE * some.size or abs(other.y1 - other.y0 - height) < _SAME_SIZE * height
    )


def _are_apart(some: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    """Return whether lines on one page are tagged as parts of different blocks."""
    return some is not None and other is not None and some[0] == other[0] and some != other


def is_full(line: Line) -> bool:
    return line.x1 > line.right - 0.1 * (line.right - line.x0)


def _is_unfinished(line: Line) -> bool:
    return line.text[-1:] not in _SENTENCE_END or line.text[-1:] in ",;"
