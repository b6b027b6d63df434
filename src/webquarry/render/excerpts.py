"""Preparation of markdown from another document for inclusion. The functions are pure and take linear time.

Text within code fences is never treated as a heading or as the end of a block.
"""

import re
from collections.abc import Iterator
from typing import Final

DEEPEST: Final = 6
_HEADING = re.compile(r"^(#{1,6})(?= |$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def demote(markdown: str, levels: int = 1) -> str:
    """Return the markdown with its headings lowered by `levels`, at most to the sixth level."""

    def deepen(mark: re.Match[str]) -> str:
        return "#" * min(DEEPEST, len(mark[1]) + levels)

    return "\n".join(line if is_code else _HEADING.sub(deepen, line, count=1) for line, is_code in _lines(markdown))


def drop_title(markdown: str) -> str:
    """Return the markdown without an initial first-level heading."""
    first, _, rest = markdown.lstrip("\n").partition("\n")
    return rest.lstrip("\n") if first.startswith("# ") else markdown


def shorten(markdown: str, characters: int) -> tuple[str, bool]:
    """Return the first blocks with at most `characters` characters, and whether any were omitted.

    Only a first block that is too long is split, at the end of a line or a word. A trailing heading is dropped.
    """
    if len(markdown) <= characters:
        return markdown, False
    kept = _first_blocks(markdown, characters)
    while kept and _HEADING.match(kept[-1]):
        kept.pop()
    return ("\n\n".join(kept) if kept else _begin(markdown, characters)), True


def _first_blocks(markdown: str, characters: int) -> list[str]:
    """Return complete blocks that fit into `characters`, joined by blank lines. The text after them is not read."""
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
    """Return the beginning of a text whose first block is too long, cut after a complete line or word."""
    begin = markdown[:characters]
    cut = max(begin.rfind("\n"), 0) or max(begin.rfind(" "), 0) or characters
    begin = begin[:cut]
    fences = [mark[1] for line in begin.splitlines() if (mark := _FENCE.match(line))]
    return f"{begin}\n{fences[0]}" if len(fences) % 2 else begin


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a code fence."""
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
    """Yield the lines one by one, without splitting the whole text first."""
    start = 0
    while (end := markdown.find("\n", start)) >= 0:
        yield markdown[start:end]
        start = end + 1
    yield markdown[start:]
