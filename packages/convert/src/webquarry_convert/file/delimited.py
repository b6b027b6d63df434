"""Detects whether a text is a table of delimited rows (CSV and the like) or any other text: prose, markdown, code.

In a table, one delimiter splits most lines into the same number of short fields. In other texts the fields differ in
number, are long, follow a space, or are cut through brackets. Example: `a;1` above `b;2` are two rows of two fields;
`f(a, b)` is split at its comma into `f(a` and `b)`, which no table holds. Tables of one column or one row look like
text: only the file's name can tell them.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

_SIGNS = "\t;|,^:"
_MOST_LINES = 300
"""That are looked at."""
_QUOTED = re.compile(r'(?:^|(?<=[,\t;|^:\n]))"(?:[^"]|"")*+"(?=[,\t;|^:\n]|\Z)')
"""What is in quotes divides nothing, whichever sign the delimiter is."""
_EVEN = 0.75
"""Share of lines with the commonest number of fields; one or two may be titles, others ragged."""
_MANY_LINES = 5
"""Lines that, all alike, may have spaces behind the sign."""
_LEAST_WIDTH = 3
"""Fields of lines that need not all have the same number."""
_FEW_WORDS = 2.0
"""Of a field, on average, as only tables have them."""
_MANY_WORDS = 5.0
_MOST_WORDS = 15.0
"""The same of lines that are all divided alike, without a space behind the sign."""
_FEW_LINES = 3
_OPENING, _CLOSING = "([{", ")]}"
_MOST_TORN = 0.04
"""Share of fields that open a bracket and leave it to others to close it: in code, signs stand within calls."""
_MOST_INDENTED = 0.2
"""Share of lines that begin with a space."""
_MOST_SPACED = 0.6
"""Share of signs with a space behind, as they stand in prose."""
_MOST_ENDS = 0.7
"""Share of lines that end with the sign, where nothing else is behind it: statements of code do."""
_MARKDOWN_RULE = re.compile(r"(?<![ \t])[ \t]*+\|?[ \t]*+:?-{3,}+:?[ \t]*+(?:\|[ \t]*+:?-{3,}+:?[ \t]*+)*+\|?[ \t]*+")


_MOMENT = re.compile(
    r"\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{2}:[0-9]{2}:[0-9]{2},[0-9]{3}[\] ]"
    r"|\[?[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"(?: ?[AaPp]\.?[Mm]\.?)?(?:\] | - )"
)
"""What a line of a log or a chat begins with: a comma stands within it, and text goes on behind it."""
_MOST_MOMENTS = 0.5


def is_table(text: str, *, is_whole: bool) -> bool:
    """text: the beginning of a file, or all of it; takes time linear in its length."""
    lines = _split_lines(text, is_whole=is_whole)
    if sum(_MOMENT.match(line) is not None for line in lines) > _MOST_MOMENTS * len(lines):
        return False
    return any(_is_delimiter(sign, lines) for sign in _SIGNS if sign in text)


def _split_lines(text: str, *, is_whole: bool) -> list[str]:
    """The lines that are not blank, at most `_MOST_LINES`, each quoted field replaced by `q`.

    is_whole: whether the text is the whole file; if not, the last line may be cut and is left out.
    """
    lines = _QUOTED.sub("q", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    if not is_whole and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()][:_MOST_LINES]


def _is_delimiter(sign: str, lines: Sequence[str]) -> bool:
    """Whether a sign divides lines into the rows of a table."""
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
    """Return how many words fields have on average."""
    return sum(len(field.split()) for field in fields) / len(fields)


def _is_first_longest(rows: Sequence[Sequence[str]]) -> bool:
    """Whether no row has more fields than the first, and none only a few."""
    widths = [len(row) for row in rows]
    return widths[0] > 1 and widths[0] == max(widths) and min(widths) >= _LEAST_WIDTH


def _find_most_words(rows: int, *, are_alike: bool) -> float:
    """Return how many words the fields of a table may have on average. are_alike: all rows have as many fields."""
    if are_alike and rows > 1:
        return _MOST_WORDS
    return _MANY_WORDS if rows >= _FEW_LINES else _FEW_WORDS


def _looks_like_text(fields: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether many fields hold half of a pair of brackets, or many lines are indented."""
    if _count_torn_fields(fields) > _MOST_TORN * len(fields):
        return True
    return sum(line[0] == " " for line in lines) > _MOST_INDENTED * len(lines)


def _ends_lines(rows: Sequence[Sequence[str]], width: int, times: int) -> bool:
    """Whether a sign mostly stands at the end of a line. width: most common number of fields, of as many rows."""
    return width == 2 and sum(len(row) == width and not row[-1].strip() for row in rows) > _MOST_ENDS * times


def _is_markdown(sign: str, lines: Sequence[str]) -> bool:
    return sign == "|" and any(map(_MARKDOWN_RULE.fullmatch, lines))


def _count_torn_fields(fields: Sequence[str]) -> int:
    """How many fields hold one half of a pair of brackets, whose other half is in another field.

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
