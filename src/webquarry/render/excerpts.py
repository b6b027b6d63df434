"""Markdown that was written elsewhere, as a part of another document: pure, and linear in its length.

What stands within fences of code is text, and never taken for a heading or the border of a block.
"""

import re
from collections.abc import Iterator
from typing import Final

DEEPEST: Final = 6
_HEADING = re.compile(r"^(#{1,6})(?= |$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def demote(markdown: str, levels: int = 1) -> str:
    """Its headings as ones of deeper levels, the sixth at most."""

    def deepen(mark: re.Match[str]) -> str:
        return "#" * min(DEEPEST, len(mark[1]) + levels)

    return "\n".join(line if is_code else _HEADING.sub(deepen, line, count=1) for line, is_code in _lines(markdown))


def drop_title(markdown: str) -> str:
    """Without the heading of the first level that it begins with."""
    first, _, rest = markdown.lstrip("\n").partition("\n")
    return rest.lstrip("\n") if first.startswith("# ") else markdown


def shorten(markdown: str, characters: int) -> tuple[str, bool]:
    """Its first blocks, no more than so many characters, and whether some are left out. No block is cut but a first one
    that is too long by itself, at the end of a line or a word; no heading stands last."""
    if len(markdown) <= characters:
        return markdown, False
    kept = _first_blocks(markdown, characters)
    while kept and _HEADING.match(kept[-1]):
        kept.pop()
    return ("\n\n".join(kept) if kept else _begin(markdown, characters)), True


def _first_blocks(markdown: str, characters: int) -> list[str]:
    """Whole blocks, with a blank line between them no more than so many characters. What lies behind them is not
    looked at."""
    blocks: list[list[str]] = [[]]
    length = 0
    for line, is_code in _lines(markdown):
        if line.strip() or is_code:
            if length + len(line) > characters:
                blocks.pop()
                break
            blocks[-1].append(line)
            length += len(line) + 1
        elif blocks[-1]:
            blocks.append([])
            length += 1
    return ["\n".join(lines) for lines in blocks if lines]


def _begin(markdown: str, characters: int) -> str:
    """The beginning of a text whose first block is too long: whole lines where there are some, else whole words."""
    begin = markdown[:characters]
    cut = max(begin.rfind("\n"), 0) or max(begin.rfind(" "), 0) or characters
    begin = begin[:cut]
    fences = [mark[1] for line in begin.splitlines() if (mark := _FENCE.match(line))]
    return f"{begin}\n{fences[0]}" if len(fences) % 2 else begin


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a fence of code."""
    fence = ""
    for line in _each_line(markdown):
        mark = _FENCE.match(line)
        if not fence:
            fence = mark[1] if mark else ""
            yield line, bool(fence)
            continue
        yield line, True
        if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip(f" {fence[0]}"):
            fence = ""


def _each_line(markdown: str) -> Iterator[str]:
    """As `split`, one after the other."""
    start = 0
    while (end := markdown.find("\n", start)) >= 0:
        yield markdown[start:end]
        start = end + 1
    yield markdown[start:]
