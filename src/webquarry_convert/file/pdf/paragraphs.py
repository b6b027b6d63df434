"""Lines in reading order as paragraphs, headings and list items."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from webquarry_convert.file.pdf.content import Page
from webquarry_convert.file.pdf.lines import BULLETS, Line
from webquarry_convert.file.pdf.table import Table

_ITEM = re.compile(
    rf"(?:\[[ x]\](?=\s)|[{BULLETS}]|[-\u2013\u2014*](?=\s))\s*(?=\S)"
    r"|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivx]{2,4})[.)]\s+(?=\S)"
)
_NUMBERED = re.compile(r"(?:[0-9]{1,2}|[A-Z]|[IVX]{1,4})(?:\.[0-9]{1,2}){0,4}\.?\s+(?=\S)")
_SECTION = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2}){1,4}\.?\s+(?=\S)")
CAPTION = re.compile(
    r"(?i:table|tab\.|figure|fig\.|exhibit|chart|tabelle|abbildung|abb\.|tableau)\s*(?:[0-9]|[IVXL]+\b|[A-Z](?![^\W\d_]))"
)
"""What begins with the word and a number, or a letter: "Table 3", "Figure A"; "Table of fees" is a heading."""
Rank = tuple[float, int]
"""Size of the font, and less for each further number of a numbered heading."""
_CROWD = 5
"""Headings in a row that are none."""
_SAME_SIZE, _READ_SIZE = 0.06, 0.12
"""Part by which sizes of one paragraph differ: as the file tells them, as they are read from a picture."""
_GAP = 0.75
"""Heights of a line between two lines of a paragraph that are not set far apart."""
_WIDEST_STEP = 2.6
"""Sizes of the font from line to line."""
_DEEPEST = 6
_SENTENCE_END = ".!?:;,\u3002\uff01\uff1f\uff1a"


@dataclass(slots=True)
class Block:
    """level: of a heading, from 1 on; 0: no heading. marker: of a list item, as it is written; None: no item."""

    lines: list[Line]
    level: int = 0
    marker: str | None = None

    @property
    def size(self) -> float:
        return self.lines[0].size


def find_body_size(pages: Iterable[Page]) -> float:
    """Size of the font in which most is written."""
    sizes: dict[float, int] = {}
    for page in pages:
        for span in page.spans:
            sizes[span.size] = sizes.get(span.size, 0) + len(span.text)
    written: Counter[float] = Counter()
    for size, length in sizes.items():
        written[round(size * 2) / 2] += length
    return max(written, key=lambda size: (written[size], size), default=10.0)


def build_blocks(parts: Sequence[Line | Table], body: float) -> list[Block | Table]:
    """Lines gathered. Headings are blocks without a level yet. body: size of the running text."""
    step = _find_step(parts, body)
    found: list[Block | Table] = []
    current: Block | None = None
    for part in parts:
        if isinstance(part, Table):
            found.append(part)
            current = None
            continue
        item = _ITEM.match(part.text)
        if current is not None and item is None and _is_same_paragraph(current, part, body, step):
            current.lines.append(part)
            continue
        current = Block([part], marker=item[0].strip() if item is not None else None)
        found.append(current)
    return found


def _find_step(parts: Sequence[Line | Table], body: float) -> float:
    """Distance of two lines of running text, in sizes of its font, when lines are set far apart; 0 when not.

    Most lines that fill their column are followed by the next line of their paragraph.
    """
    steps: Counter[float] = Counter()
    for line, below in pairwise(parts):
        if not (isinstance(line, Line) and isinstance(below, Line)) or abs(line.size - body) > _SAME_SIZE * body:
            continue
        if below.y0 > line.y0 and below.size == line.size and abs(below.x0 - line.x0) < 1 and _is_full(line):
            steps[round((below.y1 - line.y1) / line.size, 1)] += 1
    step, count = steps.most_common(1)[0] if steps else (0.0, 0)
    return step + 0.1 if count * 2 > steps.total() and step <= _WIDEST_STEP else 0.0


def _is_same_paragraph(block: Block, line: Line, body: float, step: float) -> bool:
    """Whether the line belongs to the same paragraph as those before it. step: as `_find_step` finds it."""
    last = block.lines[-1]
    height = last.y1 - last.y0
    if line.is_apart or last.is_apart:
        return False
    if (
        line.level != last.level
        or abs(line.size - last.size) > (_SAME_SIZE if line.is_printed else _READ_SIZE) * last.size
    ):
        return False
    if CAPTION.match(line.text) and not _is_unfinished(last):
        return False
    if max(line.size, last.size) > body * 1.05 and abs(line.size - last.size) > 0.04 * last.size:
        return False  # a heading, and what stands below it
    if line.is_bold != last.is_bold and not (last.is_bold and _is_full(last)):  # a span has the font of its first words
        return False
    if last.is_italic and not line.is_italic and len(block.lines) == 1 and not _is_full(last):
        return False
    if _SECTION.match(line.text) and (not _is_full(last) or _SECTION.match(block.lines[0].text)):
        return False
    gap = line.y0 - last.y1
    if line.y0 < last.y0:  # the next column
        return _is_unfinished(last) and (line.text[0].islower() or last.text[-1] == "-")
    if len(block.lines) > 1:
        further = line.y0 - last.y0
        before = last.y0 - block.lines[-2].y0
        if before > 0 and further > before * 1.25 + 1:
            return False
    if gap > _GAP * height and not (line.y1 - last.y1 <= step * last.size and _is_full(last)):
        return False
    if block.marker is not None:
        return line.x0 > block.lines[0].x0 + 2 or gap < 0.3 * height
    if last.x1 < last.right - 0.25 * (last.right - last.x0) and not _is_unfinished(last):
        return False
    if line.is_new and not last.is_new and len(block.lines) > 1 and not _is_unfinished(last):
        return False
    is_indented = line.x0 > last.x0 + 0.8 * line.size and len(block.lines) > 1
    return not (is_indented and not _is_unfinished(last))


def _is_full(line: Line) -> bool:
    return line.x1 > line.right - 0.1 * (line.right - line.x0)


def _is_unfinished(line: Line) -> bool:
    return line.text[-1:] not in _SENTENCE_END or line.text[-1:] in ",;"


def mark_headings(parts: Sequence[Block | Table], body: float, *, are_tagged: bool) -> None:
    """Sets `level` of the blocks that are headings. Lines may say their level (`Line.level`): where the file tags its
    headings these are all, an outline may leave some out. Others are told by their look, and their levels by size; what
    is numbered says its depth itself.
    """
    marked = [part for part in parts if isinstance(part, Block) and part.lines[0].level]
    if marked and are_tagged:
        for block in marked:
            block.level, block.marker = block.lines[0].level, None
        return
    headings = [
        part
        for part, below in zip_longest(parts, parts[1:])
        if isinstance(part, Block)
        and (part.lines[0].level or _is_heading(part, body) or _is_set_off(part, below, body))
    ]
    headings = _drop_crowds(headings, parts, body)
    ranks = sorted({_rank_heading(block, body) for block in headings}, reverse=True)
    if marked:
        _set_told_levels(headings, ranks, body)
        return
    levels = {rank: min(place, _DEEPEST) for place, rank in enumerate(ranks, 1)}
    for block in headings:
        block.level = levels[_rank_heading(block, body)]


def _drop_crowds(headings: list[Block], parts: Sequence[Block | Table], body: float) -> list[Block]:
    """Headings without those of crowds: many in a row, with nothing between them, are text in large or bold type. Those
    that rank highest stay where they are less than half of the crowd.
    """
    looks = set(map(id, headings))
    kept: list[Block] = []
    crowd: list[Block] = []
    for part in [*parts, None]:
        if isinstance(part, Block) and id(part) in looks:
            crowd.append(part)
            continue
        if len(crowd) >= _CROWD:
            highest = max(_rank_heading(block, body) for block in crowd)
            first = [block for block in crowd if _rank_heading(block, body) == highest]
            crowd = [
                block for block in crowd if block.lines[0].level or (len(first) * 2 < len(crowd) and block in first)
            ]
        kept += crowd
        crowd = []
    return kept


def _set_told_levels(headings: Iterable[Block], ranks: Sequence[Rank], body: float) -> None:
    """Levels where an outline tells some: what stands above all of it is the title, what looks like one that it lists
    is its equal, others lie deeper.

    ranks: of all headings, highest first.
    """
    level_of: dict[Rank, int] = {}
    for block in headings:
        if block.lines[0].level:
            rank = _rank_heading(block, body)
            level_of[rank] = min(block.lines[0].level, level_of.get(rank, _DEEPEST))
    shift = int(ranks[0] not in level_of)
    levels: dict[Rank, int] = {}
    deepest = 0
    for rank in ranks:
        if rank in level_of:
            levels[rank] = level_of[rank] + shift
            deepest = max(deepest, levels[rank])
        else:
            levels[rank] = deepest + 1
    for block in headings:
        level = block.lines[0].level
        block.level = min(level + shift if level else levels[_rank_heading(block, body)], _DEEPEST)
        if level:
            block.marker = None


def _rank_heading(block: Block, body: float) -> Rank:
    """Higher ranks stand above."""
    size = round(block.size * 2) / 2
    depth = 0
    numbered = _NUMBERED.match(block.lines[0].text)
    if numbered is not None:
        depth = -numbered[0].strip().rstrip(".").count(".")
    return (max(size, body), depth)


def _is_heading(block: Block, body: float) -> bool:
    first = block.lines[0]
    if len(block.lines) > 4 or len(first.text) > 200:
        return False
    text = " ".join(line.text for line in block.lines)
    number = _NUMBERED.match(text)
    is_numbered = number is not None
    words = text[number.end() :] if number is not None else text
    letters = sum(map(str.isalpha, words))
    is_larger = block.size > body * 1.12
    if letters < 2 or len(text) > 200 or letters * (3 if is_larger else 2) < len(words.replace(" ", "")):
        return False
    if block.marker is not None and not is_numbered:
        return False
    if any(line.is_divided() for line in block.lines):
        return False
    if CAPTION.match(text):
        return False
    if is_numbered and block.size > body * 1.04 and len(text) < 100 and text[-1] not in ".,;:":
        return True
    if is_larger:
        return block.size > body * 1.25 or text[-1] not in ".,;"
    if block.size < body * 0.92 or text[-1] in ".,;:" or len(text) > 120 or len(block.lines) > 2:
        return False
    return first.is_bold and all(line.is_bold for line in block.lines) and "@" not in text


def _is_set_off(block: Block, below: Block | Table | None, body: float) -> bool:
    """Whether it is a short line in italics right above a paragraph that is not."""
    line = block.lines[0]
    if not line.is_italic or len(block.lines) > 1 or block.marker is not None or block.size < body * 0.95:
        return False
    if not isinstance(below, Block) or len(below.lines) < 2 or below.lines[0].is_italic or below.marker is not None:
        return False
    gap = below.lines[0].y0 - line.y1
    return (
        abs(below.lines[0].x0 - line.x0) < 2 * line.size
        and -0.3 * line.size < gap < 1.2 * line.size
        and not _is_full(line)
        and sum(map(str.isalpha, line.text)) > 2
        and len(line.text) <= 80
        and line.text[-1] not in ".,;:)"
        and line.text[0].isupper()
    )
