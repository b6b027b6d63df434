"""Recognizes headings by tags, outline or appearance, and determines their levels."""

import re
from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.tables.table import Table, is_figure
from webquarry_convert.file.pdf.text.paragraphs import CAPTION, Block, is_full

_NUMBERED = re.compile(r"(?:[0-9]{1,2}|[A-Z]|[IVX]{1,4})(?:\.[0-9]{1,2}){0,4}\.?\s+(?=\S)")
_VALUE = re.compile(r"[^\W\d_][^\W\d_ ]+(?: [^\W\d_]{2,}){0,3}: ?\S")
"""Matches a label with a value, but not "Chapter 3: Rivers" and "Appendix A: Rivers"."""
_ADDRESS = re.compile(r"@|\bwww\.|://")
_STOPS, _COLONS = ".,;\u3002\uff0c\uff1b", ":\uff1a"
Rank = tuple[float, int]
"""The font size, and a number that is lower for each further part of the number in a numbered heading."""
_CROWD = 5
"""Minimum number of consecutive headings in a crowd, which is ordinary text."""
_DEEPEST = 6
_NEAR = 0.6
"""Maximum distance, in ems, between a heading and the text that belongs to it."""


def mark_headings(parts: Sequence[Block | Table], body: float, *, are_tagged: bool) -> None:
    """Set the `level` of blocks that are headings.

    Lines may have a level (`Line.level`). If the file tags its headings, only tagged lines are headings. An outline,
    however, may be incomplete, so other headings are recognized by appearance and get their levels from their size.
    Numbered headings get their levels from their numbers.
    """
    marked = [part for part in parts if isinstance(part, Block) and part.lines[0].level]
    if marked and are_tagged:
        for block in marked:
            block.level, block.marker = block.lines[0].level, None
        return
    headings = [
        part
        for above, part, below in zip([None, *parts], parts, [*parts[1:], None], strict=False)
        if isinstance(part, Block)
        and (
            part.lines[0].level
            or _is_heading(part, body)
            or (_is_set_off(part, below, body) and not _is_subtitle(above, part))
            or _is_letter(part, below, body)
        )
    ]
    headings = _drop_crowds(headings, parts, body)
    ranks = sorted({_rank_heading(block, body) for block in headings}, reverse=True)
    if marked:
        _set_tagged_levels(headings, ranks, body)
        return
    above: list[Rank] = []  # ranks of the enclosing headings
    for block in headings:
        rank = _rank_heading(block, body)
        while above and above[-1] <= rank:
            above.pop()
        above.append(rank)
        block.level = min(len(above), _DEEPEST)


def _drop_crowds(headings: list[Block], parts: Sequence[Block | Table], body: float) -> list[Block]:
    """Return the headings that are not part of a crowd.

    A crowd is many headings in a row without text between them, and is actually large or bold text. Its highest-ranking
    headings are kept if they are less than half of the crowd.
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
            are_highest = [_rank_heading(block, body) == highest for block in crowd]
            are_few = sum(are_highest) * 2 < len(crowd)
            crowd = [
                block
                for block, is_highest in zip(crowd, are_highest, strict=True)
                if block.lines[0].level or (are_few and is_highest)
            ]
        kept += crowd
        crowd = []
    return kept


def _set_tagged_levels(headings: Iterable[Block], ranks: Sequence[Rank], body: float) -> None:
    """Set levels if an outline gives some of them.

    A heading above all others is the title. A heading that looks like one in the outline has the same level, and other
    headings are deeper. ranks: ranks of all headings, highest first.
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
    """Return the rank of a heading. Higher ranks enclose lower ones."""
    size = round(block.size * 2) / 2
    depth = 0
    numbered = _NUMBERED.match(block.lines[0].text)
    if numbered is not None:
        depth = -numbered[0].strip().rstrip(".").count(".")
    return (max(size, body), depth)


def _is_heading(block: Block, body: float) -> bool:
    first = block.lines[0]
    if len(block.lines) > 4:
        return False
    text = " ".join(line.text for line in block.lines)
    number = _NUMBERED.match(text)
    is_numbered = number is not None
    is_larger = block.size > body * 1.12
    if not (is_numbered or is_larger or first.is_bold):
        return False
    words = text[number.end() :] if number is not None else text
    letters = sum(map(str.isalpha, words))
    if letters < 2 or len(text) > 200 or letters * (3 if is_larger else 2) < len(words.replace(" ", "")):
        return False
    if block.marker is not None and not is_numbered:
        return False
    if any(line.is_divided() for line in block.lines):
        return False
    if CAPTION.match(text) or _ADDRESS.search(text) or ("$" in text and "\\" in text):  # formulas are written as TeX
        return False
    if is_numbered and block.size > body * 1.04 and len(text) < 100 and text[-1] not in _STOPS + _COLONS:
        return True
    if is_larger:
        return block.size > body * 1.25 or text[-1] not in _STOPS
    if block.size < body * 0.92 or text[-1] in _STOPS + _COLONS or len(text) > 120 or len(block.lines) > 2:
        return False
    if text[0].islower() or _VALUE.match(text) or is_figure(text):
        return False
    return all(line.is_bold for line in block.lines)


def _is_subtitle(above: Block | Table | None, block: Block) -> bool:
    """Return whether a block is directly below a bold line, such as a name below a job title."""
    if not isinstance(above, Block):
        return False
    line = above.lines[-1]
    return line.is_bold and -_NEAR * line.size < block.lines[0].y0 - line.y1 < _NEAR * line.size


def _is_letter(block: Block, below: Block | Table | None, body: float) -> bool:
    """Return whether a block is a single large letter, as in a directory, rather than a text's drop cap."""
    line = block.lines[0]
    return (
        len(line.text) == 1
        and line.text.isupper()
        and block.size > body * 1.12
        and below is not None
        and _find_top(below) >= line.y1 - 0.3 * line.size
    )


def _find_top(part: Block | Table) -> float:
    return part.y0 if isinstance(part, Table) else part.lines[0].y0


def _is_set_off(block: Block, below: Block | Table | None, body: float) -> bool:
    """Return whether a block is a short line in italics directly above a paragraph without italics."""
    line = block.lines[0]
    if not line.is_italic or len(block.lines) > 1 or block.marker is not None or block.size < body * 0.95:
        return False
    if not isinstance(below, Block) or len(below.lines) < 2 or below.lines[0].is_italic or below.marker is not None:
        return False
    gap = below.lines[0].y0 - line.y1
    return (
        abs(below.lines[0].x0 - line.x0) < 2 * line.size
        and -0.3 * line.size < gap < 1.2 * line.size
        and not is_full(line)
        and sum(map(str.isalpha, line.text)) > 2
        and len(line.text) <= 80
        and line.text[-1] not in ".,;:)"
        and line.text[0].isupper()
    )
