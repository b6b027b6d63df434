"""Recognizes intentional line breaks in records such as addresses, "Label: value", receipts and menus.

Running text breaks where the next word does not fit. If the next word would have fit, the break is intentional:

    Ada Birkett                "4" would fit after "Birkett" within the width of the widest line,
    4 Rose Walk, Garden House  so line 2 is new. Is line 3 new too? "York" does not fit after "House",
    York YO1 7HH               so its neighbors decide, and most of them are new.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.words.lines import Line

_NEIGHBOURS = 6
"""Number of lines before and after a break whose maximum width is the reference.

It is small because text may flow around a picture.
"""
_SLACK = 0.35
"""Minimum space, in ems, that would remain after the next word if an intentional break were removed."""
_SPACE = 0.25
"""Width of a space, in ems."""
_MOSTLY = 0.6
"""Minimum share of intentional breaks in a run for its other breaks to count as intentional."""
_NARROW = 0.55
"""Maximum share of the column's width that a run of records fills if fewer intentional breaks suffice, or none in a run
of few lines.
"""
_NARROW_COLUMN, _NARROW_IN_COLUMN = 15, 0.7
"""Maximum width, in ems, of a narrow column, and the share that applies to it.

Running text fills the lines of a narrow column less evenly.
"""
_SOME = 0.3
_FEW = 3
_SEVERAL = 4
"""Minimum number of lines in records that fill their column. Each line must begin with a capital letter."""
_SENTENCE = re.compile(r"[a-z\u00e0-\u00ff][.!?]\s+[A-Z\u00c0-\u00de]")
"""Matches the end of one sentence and the start of the next inside a line."""
_NEAR = 1.0
"""Tolerance for positions, in points."""
_GAP = 0.75
"""Maximum distance, in line heights, between two consecutive lines of a run."""
_RECORD = re.compile(r"[^\W\d_][\w .,'’/()-]{0,40}:(?:\s+\S|$)|[0-9\u00bc-\u00be\u2150-\u215e]|[\w.-]+\s*=\s*\S")
"""Matches the start of a record, such as "Label: value", a number, a date, or "name = value"."""
_CONTACT = re.compile(r"\S{1,64}@[\w.-]{3,}|(?:https?://|www\.)\S+|\+[0-9][0-9 ()/-]{5,20}[0-9]")
"""Matches a line that consists of an email address, a web address or an international phone number."""
_LEADER = re.compile(
    r"[.\u2026](?<![.\u2026].)(?<![.\u2026]\s.)\s?+(?:[.\u2026]\s?){3,}+\s*+"
    r"(?:[^\s.\u2026]\S{0,15}\s*+|[0-9][0-9 ()/-]{1,20})?$"
)
"""Matches a leader, or a blank to fill in, before the end of a line."""
_LONGEST_LINE = 400
_LONGEST_RECORD = 45
"""Maximum length of a record, in characters. A line that follows a longer line continues its sentence."""
_MOSTLY_FULL = 0.6
"""Minimum share of the running text's width that a full line fills."""


def mark_new_lines(parts: Sequence[Line | Table]) -> None:
    """Set `Line.is_new` of lines that do not continue the previous line."""
    run: list[Line] = []
    for part in [*parts, None]:
        if run and isinstance(part, Line) and _is_adjacent(run[-1], part):
            run.append(part)
            continue
        if len(run) > 1:
            _mark_run(run)
        run = [part] if isinstance(part, Line) else []


def _is_adjacent(line: Line, below: Line) -> bool:
    """Return whether two lines belong to the same text, and the second line is directly below the first."""
    height = line.y1 - line.y0
    return (
        not line.is_apart
        and not below.is_apart
        and line.level == below.level
        and abs(line.size - below.size) <= 0.12 * line.size
        and line.y0 < below.y0
        and below.y0 - line.y1 <= _GAP * height
        and min(line.x1, below.x1) > max(line.x0, below.x0)
    )


def _mark_run(run: Sequence[Line]) -> None:
    lefts, rights = [line.x0 for line in run], [line.x1 for line in run]
    ends = [line.right for line in run]
    is_even = max(ends) - min(ends) < _NEAR
    fits = [_has_room(run, lefts, rights, place, is_even=is_even) for place in range(len(run) - 1)]
    labels = [_RECORD.match(line.text[:_LONGEST_LINE]) is not None for line in run]
    contacts = [_CONTACT.fullmatch(line.text[:_LONGEST_LINE]) is not None for line in run]
    are_contacts = sum(contacts) * 2 > len(run)
    is_labelled = sum(labels) * 2 > len(run)
    share = sum(fits) / len(fits)
    left, right = min(lefts), max(rights)
    column = max([line.right for line in run]) - left
    is_narrow = right - left < (_NARROW if column > _NARROW_COLUMN * run[0].size else _NARROW_IN_COLUMN) * column
    are_records = (
        share >= _MOSTLY
        or (is_narrow and (share >= _SOME or len(run) <= _FEW))
        or _begin_anew(run, is_narrow=is_narrow)
        or are_contacts
    )
    for place, (above, line) in enumerate(pairwise(run)):
        goes_on = line.text[:1].islower() or above.text[-1:] in ",-\u00ad"
        line.is_new = (
            line.is_new
            or (fits[place] and not _is_ragged(above, line, right - left, are_records=are_records))
            or (is_labelled and labels[place + 1])
            or _LEADER.search(above.text[-_LONGEST_LINE:]) is not None
            or above.is_divided()
            or (are_contacts and (contacts[place] or contacts[place + 1]))
            or (not goes_on and are_records)
        )


def _is_ragged(above: Line, line: Line, width: float, *, are_records: bool) -> bool:
    """Return whether a sentence continues in the next line although its next word would have fit.

    This occurs in balanced lines, or next to a picture that was removed. width: the run's width.
    """
    ends_open = above.text[-1:].isalpha() or above.text[-1:] == ","
    is_long = len(above.text) > _LONGEST_RECORD if are_records else above.x1 - above.x0 > _MOSTLY_FULL * width
    return is_long and ends_open and line.text[:1].islower()


def _begin_anew(run: Sequence[Line], *, is_narrow: bool) -> bool:
    """Return whether each line begins with a capital letter or a number, which rarely happens in running text."""
    if len(run) <= (_FEW if is_narrow else _SEVERAL) - 1:
        return False
    starts = [next(filter(str.isalnum, line.text), "") for line in run]
    return (
        all(start.isupper() or start.isnumeric() for start in starts)
        and sum(map(str.isalpha, starts)) * 2 >= len(run)
        and not any(line.text.isupper() or _SENTENCE.search(line.text) for line in run)
    )


def _has_room(
    run: Sequence[Line], lefts: Sequence[float], rights: Sequence[float], place: int, *, is_even: bool
) -> bool:
    """Return whether the first word of the line after `place` would have fit on the line at `place`.

    lefts, rights: the bounds of the run's lines. is_even: whether the columns of these lines end at the same position.
    """
    line, below = run[place], run[place + 1]
    first, end = max(0, place - _NEIGHBOURS), place + _NEIGHBOURS + 2
    left = min(lefts[first:end])
    right = max(rights[first:end])
    if not is_even:  # text may flow around a box
        right = max(other.x1 for other in run[first:end] if abs(other.right - line.right) < _NEAR)
    if not _is_centred(line, left, right):
        room = right - line.x1
        if _is_flush_right(lefts[first:end], rights[first:end]):
            room = line.x0 - left
    else:
        room = (right - left) - (line.x1 - line.x0)
    return room > _measure_first_word(below) + (_SPACE + _SLACK) * line.size


def _is_centred(line: Line, left: float, right: float) -> bool:
    return abs((line.x0 + line.x1) - (left + right)) < 2 * _NEAR


def _is_flush_right(lefts: Sequence[float], rights: Sequence[float]) -> bool:
    return max(rights) - min(rights) < _NEAR < max(lefts) - min(lefts)


def _measure_first_word(line: Line) -> float:
    span = line.spans[0]
    word = span.text.split(None, 1)[0] if span.text.split() else span.text
    return (span.x1 - span.x0) * len(word) / max(len(span.text), 1)
