"""Conversion of plain-text bodies to paragraphs with rejoined lines, and to nested quotes."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeGuard

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.mail.typed_lists import write_lines
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node

_LINE_ENDS: Final = re.compile(r"\r\n?|\n")
_QUOTED: Final = re.compile(r"(?:>[ \t]?)+")
_OWN_LINE: Final = re.compile(r"\s|[-*•+>|]\s|\d{1,3}[.)]\s|[^\s:]{1,30}:\s")
_COLUMN: Final = re.compile(r"(?:(?<=[^\s.!?:])\s{2}|(?<=[.!?:])\s{3})\s*+(\S++(?: \S++)*+)")
_LEAST_WIDTH: Final = 50
_LEAST_ROWS: Final = 2
MAX_QUOTES: Final = 10
MAX_LINES: Final = 400_000
_SIGNATURE: Final = "-- "


def read_plain(text: str, parameters: dict[str, str]) -> Content:
    """Convert a plain-text body.

    parameters: the parameters of the part's Content-Type. They determine whether a trailing space continues a line (RFC
    3676).
    """
    is_flowed = parameters.get("format", "").lower() == "flowed"
    drops_space = parameters.get("delsp", "").lower() == "yes"
    reader = _Reader()
    lines = _LINE_ENDS.split(text)
    if len(lines) > MAX_LINES:
        raise make_limit_error(f"more than {MAX_LINES:,} lines")
    for raw in lines:
        depth, line = _split_quote(raw)
        goes_on = is_flowed and line.endswith(" ") and line != _SIGNATURE
        if is_flowed and line.startswith(" "):
            line = line[1:]
        reader.add(min(depth, MAX_QUOTES), line[:-1] if goes_on and drops_space else line, goes_on=goes_on)
    return reader.close()


def _split_quote(line: str) -> tuple[int, str]:
    quoted = _QUOTED.match(line)
    return (0, line) if quoted is None else (quoted[0].count(">"), line[quoted.end() :])


class _Reader:
    """Groups lines into paragraphs, and paragraphs into quotes."""

    def __init__(self) -> None:
        self._levels: list[Content] = [[]]
        self._lines: list[tuple[str, bool]] = []

    def add(self, depth: int, line: str, *, goes_on: bool) -> None:
        if depth != len(self._levels) - 1:
            self._end_paragraph()
            del self._levels[depth + 1 :]
            while len(self._levels) <= depth:
                quote = make_element("blockquote", [])
                self._levels[-1].append(quote)
                self._levels.append(quote.children)
        if line.strip():
            self._lines.append((line if goes_on else line.rstrip(), goes_on))
        else:
            self._end_paragraph()

    def close(self) -> Content:
        self._end_paragraph()
        return self._levels[0]

    def _end_paragraph(self) -> None:
        lines, self._lines = self._lines, []
        if not lines:
            return
        if _is_table(lines):
            self._levels[-1].append(make_element("pre", ["\n".join(line for line, _ in lines)]))
            return
        around, blocks = self._levels[-1], write_lines(list(_join_wrapped(lines)))
        first, last = blocks[0] if blocks else "", around[-1] if around else ""
        if _is_bullets(first) and _is_bullets(last):  # a blank line between two items
            last.children += first.children
            del blocks[0]
        around += blocks


def _is_bullets(block: Node | str) -> TypeGuard[Node]:
    return isinstance(block, Node) and block.tag == "ul"


def _join_wrapped(lines: list[tuple[str, bool]]) -> Iterator[str]:
    """Yield lines as the sender wrote them, with wrapped lines rejoined."""
    width = max(len(line) for line, _ in lines)
    parts = [lines[0][0]]
    for (before, goes_on), (line, _) in pairwise(lines):
        if goes_on:
            parts.append(line)
        elif _is_wrapped(before, line, width):
            parts.append(f" {line}")
        else:
            yield "".join(parts)
            parts = [line]
    yield "".join(parts)


def _is_table(lines: list[tuple[str, bool]]) -> bool:
    """Return whether spaces align columns.

    Most lines must have wide gaps, and the words after the gaps must be aligned.
    """
    rows = [() if goes_on else _find_columns(line) for line, goes_on in lines]
    if len(rows) < _LEAST_ROWS or 2 * sum(bool(row) for row in rows) <= len(rows):
        return False
    return any(_are_aligned(above, below) for above, below in pairwise(rows))


def _are_aligned(above: Sequence[tuple[int, int]], below: Sequence[tuple[int, int]]) -> bool:
    """Return whether a column of one line starts or ends at the same position as a column of the other line."""
    starts, ends = {start for start, _ in above}, {end for _, end in above}
    return any(start in starts or end in ends for start, end in below)


def _find_columns(line: str) -> Sequence[tuple[int, int]]:
    """Return the start and end of each run of words after a wide gap. Two spaces after a full stop are not a gap."""
    return [found.span(1) for found in _COLUMN.finditer(line.expandtabs())]


def _is_wrapped(before: str, line: str, width: int) -> bool:
    """Return whether a line continues the previous one: its first word did not fit on the previous line."""
    if width < _LEAST_WIDTH or _OWN_LINE.match(line):
        return False
    return len(before) + 1 + len(line.split(None, 1)[0]) > width
