"""Detection of delimited tables (CSV and similar) among other text: prose, markdown, code.

In a table, one delimiter splits most lines into the same number of short fields. In other text the fields differ in
number, are long, follow a space, or break brackets apart. For example, `a;1` above `b;2` are two rows of two fields,
but a comma splits `f(a, b)` into `f(a` and `b)`, which no table contains. Tables of one column or one row look like
text, so only the file's name identifies them.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

_SIGNS = "\t;|,^:"
_MOST_LINES = 300
"""Maximum number of lines that are examined."""
_QUOTED = re.compile(r'(?:^|(?<=[,\t;|^:\n]))"(?:[^"]|"")*+"(?=[,\t;|^:\n]|\Z)')
"""Matches a quoted field with any delimiter. Delimiters inside the field don't count."""
_EVEN = 0.75
"""Minimum share of lines that must have the most common number of fields.

Other lines may be titles or may be incomplete.
"""
_MANY_LINES = 5
"""Minimum number of lines with equally many fields for which a space after the delimiter is allowed."""
_LEAST_WIDTH = 3
"""Minimum number of fields per line in a table whose lines differ in their number of fields."""
_FEW_WORDS = 2.0
"""Maximum average number of words per field in a table with few rows, or with rows of different lengths."""
_MANY_WORDS = 5.0
_MOST_WORDS = 15.0
"""Maximum average number of words per field if all lines have the same number of fields and no space follows the
delimiter.
"""
_FEW_LINES = 3
_OPENING, _CLOSING = "([{", ")]}"
_MOST_TORN = 0.04
"""Maximum share of fields that open a bracket without closing it. In code, delimiters occur inside calls."""
_MOST_INDENTED = 0.2
"""Maximum share of lines that begin with a space."""
_MOST_SPACED = 0.6
"""Maximum share of delimiters that a space follows. Prose has a higher share."""
_MOST_ENDS = 0.7
"""Maximum share of lines in which the only delimiter is at the end, as in statements of code."""
_MARKDOWN_RULE = re.compile(r"(?<![ \t])[ \t]*+\|?[ \t]*+:?-{3,}+:?[ \t]*+(?:\|[ \t]*+:?-{3,}+:?[ \t]*+)*+\|?[ \t]*+")


_MOMENT = re.compile(
    r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{2}:[0-9]{2}:[0-9]{2},[0-9]{3}[\] ]"
    r"|\[?[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"(?: ?[AaPp]\.?[Mm]\.?)?(?:\] | - )"
)
"""Matches the timestamp at the start of a log or chat line.

Such a timestamp contains a comma and is followed by text.
"""
_MOST_MOMENTS = 0.5


def is_table(text: str, *, is_whole: bool) -> bool:
    """Return whether a text is a delimited table. Takes linear time.

    text: the beginning of a file, or the whole file.
    """
    lines = _split_lines(text, is_whole=is_whole)
    if sum(_MOMENT.match(line) is not None for line in lines) > _MOST_MOMENTS * len(lines):
        return False
    return any(_is_delimiter(sign, lines) for sign in _SIGNS if sign in text)


def _split_lines(text: str, *, is_whole: bool) -> list[str]:
    """Return up to `_MOST_LINES` lines that are not blank, with each quoted field replaced with `q`.

    is_whole: whether the text is the whole file; if not, the last line is dropped because it may be cut off.
    """
    lines = _QUOTED.sub("q", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    if not is_whole and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()][:_MOST_LINES]


def _is_delimiter(sign: str, lines: Sequence[str]) -> bool:
    """Return whether a character splits lines into the rows of a table."""
    rows = [line.split(sign) for line in lines]
    divided = [row for row in rows if len(row) > 1]
    if not divided:
        return False
    width, times = max(Counter(map(len, divided)).items(), key=lambda item: (item[1], item[0]))
    fields = [*chain.from_iterable(divided)]
    words = _count_words(fields)
    are_alike = times == len(rows)
    is_even = times >= len(rows) * _EVEN or (words < _FEW_WORDS and _is_first_longest(rows))
    if not is_even or words > _find_most_words(len(rows), are_alike=are_alike):
        return False
    is_surely_table = are_alike and len(rows) >= _MANY_LINES and words < _FEW_WORDS
    if sign in ",;:" and not is_surely_table and _is_spaced(rows):
        return False
    if sign == ":" and (width < _LEAST_WIDTH or not are_alike):
        return False
    return not _looks_like_text(fields, lines) and not (_ends_lines(rows, width, times) or _is_markdown(sign, lines))


def _count_words(fields: Sequence[str]) -> float:
    """Return the average number of words per field."""
    return sum(len(field.split()) for field in fields) / len(fields)


def _is_first_longest(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has the most fields, and all other rows have more than a few."""
    widths = [len(row) for row in rows]
    return widths[0] > 1 and widths[0] == max(widths) and min(widths) >= _LEAST_WIDTH


def _find_most_words(rows: int, *, are_alike: bool) -> float:
    """Return the maximum average number of words per field in a table.

    are_alike: whether all rows have equally many fields.
    """
    if are_alike and rows > 1:
        return _MOST_WORDS
    return _MANY_WORDS if rows >= _FEW_LINES else _FEW_WORDS


def _looks_like_text(fields: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether many fields contain only one bracket of a pair, or many lines are indented."""
    if _count_torn_fields(fields) > _MOST_TORN * len(fields):
        return True
    return sum(line[0] == " " for line in lines) > _MOST_INDENTED * len(lines)


def _ends_lines(rows: Sequence[Sequence[str]], width: int, times: int) -> bool:
    """Return whether a character is mostly at the end of lines.

    width: the most common number of fields. times: the number of rows with this many fields.
    """
    return width == 2 and sum(len(row) == width and not row[-1].strip() for row in rows) > _MOST_ENDS * times


def _is_markdown(sign: str, lines: Sequence[str]) -> bool:
    return sign == "|" and any(map(_MARKDOWN_RULE.fullmatch, lines))


def _count_torn_fields(fields: Sequence[str]) -> int:
    """Return the number of fields with a bracket whose counterpart is in another field.

    `f(a, b)` split at the comma gives 2: `f(a` opens a bracket and ` b)` closes it.
    """
    least = 0
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        open_by = [field.count(opening) - field.count(closing) for field in fields]
        least += 2 * min(sum(more > 0 for more in open_by), sum(more < 0 for more in open_by))
    return least


def _is_spaced(rows: Sequence[Sequence[str]]) -> bool:
    behind = [field[:1] == " " for row in rows for field in row[1:]]
    return sum(behind) > _MOST_SPACED * len(behind)
