"""Markdown as runs of lines that belong together: a heading, a table, a fence, or other text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["text", "heading", "table", "fence"]
_FENCE: Final = re.compile(r"([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)")
HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$")
_DELIMITER: Final = re.compile(r"[ \t>]*+\|(?:[ \t]*+:?-++:?[ \t]*+\|)++[ \t]*+$")


@dataclass(slots=True)  # not frozen, because a document has thousands of runs
class Run:
    """Lines that belong together, including the empty lines after them.

    `head` and `foot` begin and end each part of a run that is split; `head` is included in the lines.
    """

    kind: Kind
    lines: tuple[str, ...]
    head: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def read_runs(markdown: str) -> Iterator[Run]:
    """Yield the runs in order. Together they contain all lines of the text."""
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        kind, end, head, foot = _measure(lines, at)
        while end < len(lines) and not lines[end].strip():
            end += 1
        yield Run(kind, tuple(lines[at:end]), head, foot)
        at = end


def closes_fence(line: str, mark: str) -> bool:
    """Return whether this line ends a fence that began with the mark."""
    text = line.strip(" \t>")
    return len(text) >= len(mark) and text == mark[0] * len(text)


def _measure(lines: list[str], at: int) -> tuple[Kind, int, tuple[str, ...], tuple[str, ...]]:
    """Return the kind of the run that begins here, the number of the line after the run, its head and its foot."""
    line = lines[at]
    if opened := _open_fence(line):
        prefix, mark, info = opened
        end = next((n + 1 for n in range(at + 1, len(lines)) if closes_fence(lines[n], mark)), len(lines))
        return "fence", end, (f"{prefix}{mark}{info}",), (f"{prefix}{mark}",)
    if _is_heading(line):
        return "heading", at + 1, (), ()
    if _is_row(line) and at + 1 < len(lines) and _DELIMITER.match(lines[at + 1]):
        end = at + 2
        while end < len(lines) and _is_row(lines[end]):
            end += 1
        return "table", end, (line, lines[at + 1]), ()
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _begins_other(lines, end):
        end += 1
    return "text", end, (), ()


def _begins_other(lines: list[str], at: int) -> bool:
    line = lines[at]
    if _open_fence(line) or _is_heading(line):
        return True
    return _is_row(line) and at + 1 < len(lines) and _DELIMITER.match(lines[at + 1]) is not None


def _open_fence(line: str) -> tuple[str, str, str] | None:
    """Return a fence's line prefix, mark and info string if this line opens a fence, or None."""
    # a substring search costs a tenth of a regex match, and most lines contain neither text
    found = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if found is None or (found[2][0] == "`" and "`" in found[3]):
        return None
    return re.sub(r"[^ \t>]", " ", found[1]), found[2], found[3]


def _is_heading(line: str) -> bool:
    return "#" in line[:4] and HEADING.match(line) is not None


def _is_row(line: str) -> bool:
    return "|" in line and line.lstrip(" \t>").startswith("|")
