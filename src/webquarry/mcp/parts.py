"""Markdown split into parts between blocks, so that each part can be read separately.

Rows, links and fences are never split. A table that continues repeats its header, and a fence its opening line. Only a
row, link or word that is longer than a part is split anywhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["text", "heading", "table", "fence"]
LEAST: Final = 200
"""Minimum size of a part in characters."""
_FENCE: Final = re.compile(r"([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$")
_DELIMITER: Final = re.compile(r"[ \t>]*+\|(?:[ \t]*+:?-++:?[ \t]*+\|)++[ \t]*+$")
_TOKEN: Final = re.compile(r"\\.|\]\(|[\[\]()]|\s+", re.DOTALL)
_LINK_SPAN: Final = 8192
"""Characters after which an open bracket is not treated as a link."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together.

    `head` and `foot` begin and end each part of a split block; `head` is included in the lines.
    """

    kind: Kind
    lines: tuple[str, ...]
    head: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def cut(markdown: str, limit: int) -> tuple[str, ...]:
    """Split the text into parts of at most `limit` characters. A short text is the only part."""
    if limit < LEAST:
        raise ValueError(f"a part has at least {LEAST} characters")
    if len(markdown) <= limit:
        return (markdown,)
    packer = _Packer(limit)
    for block in read_blocks(markdown):
        packer.add(block)
    return packer.finish()


def read_headings(markdown: str) -> Iterator[tuple[int, int, str]]:
    """Yield each heading outside fences: its position, level and text."""
    at = 0
    for block in read_blocks(markdown) if "#" in markdown else ():
        if block.kind == "heading" and (found := _HEADING.match(block.lines[0])):
            yield at, len(found[1]), (found[2] or "").rstrip("# \t")
        at += sum(len(line) + 1 for line in block.lines)


def find_section(markdown: str, heading: str) -> str | None:
    """Return the section under the first heading with this text, ignoring case, or None."""
    wanted = _normalize(heading.lstrip("# "))
    begun: tuple[int, int] | None = None
    for at, level, text in read_headings(markdown):
        if begun is not None and level <= begun[1]:
            return markdown[begun[0] : at].rstrip("\n")
        if begun is None and _normalize(text) == wanted:
            begun = (at, level)
    return None if begun is None else markdown[begun[0] :].rstrip("\n")


def read_blocks(markdown: str) -> Iterator[Block]:
    """Yield the blocks in order. Their lines are all lines of the text; empty lines belong to the preceding block."""
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        kind, end, head, foot = _measure(lines, at)
        while end < len(lines) and not lines[end].strip():
            end += 1
        yield Block(kind, tuple(lines[at:end]), head, foot)
        at = end


def _measure(lines: list[str], at: int) -> tuple[Kind, int, tuple[str, ...], tuple[str, ...]]:
    """Return the kind of the block that begins here, the line after its last, its head and its foot."""
    line = lines[at]
    if opened := _open_fence(line):
        prefix, mark, info = opened
        end = next((n + 1 for n in range(at + 1, len(lines)) if _closes(lines[n], mark)), len(lines))
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
    """Return the prefix for further lines of the fence that this line opens, its mark and the info string; or None."""
    # a substring search costs a tenth of a match, and most lines contain neither
    found = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if found is None or (found[2][0] == "`" and "`" in found[3]):
        return None
    return re.sub(r"[^ \t>]", " ", found[1]), found[2], found[3]


def _closes(line: str, mark: str) -> bool:
    text = line.strip(" \t>")
    return len(text) >= len(mark) and text == mark[0] * len(text)


def _is_heading(line: str) -> bool:
    return "#" in line[:4] and _HEADING.match(line) is not None


def _is_row(line: str) -> bool:
    return "|" in line and line.lstrip(" \t>").startswith("|")


class _Packer:
    """Packs blocks into parts. A block that continues in the next part is split to fill the rest of this one."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self._held: list[tuple[Kind, str]] = []
        self._size = 0

    def add(self, block: Block) -> None:
        text = block.text
        if len(text) <= self._room:
            self._hold(block.kind, text)
        elif len(text) > self._limit or self._room > self._limit // 2:
            if self._room < self._limit // 4:
                self._flush()
            self._divide(block)
        else:
            self._flush()
            self._hold(block.kind, text)

    def finish(self) -> tuple[str, ...]:
        if self._held:
            self._parts.append("\n".join(text for _, text in self._held))
        return tuple(part for part in (part.strip("\n") for part in self._parts) if part)

    @property
    def _room(self) -> int:
        return self._limit - self._size - (1 if self._held else 0)

    def _hold(self, kind: Kind, text: str) -> None:
        if len(text) > self._room:
            self._flush()
        if len(text) > self._room:  # a heading was carried over, and there is no room for it either
            self._flush()
        self._size += len(text) + (1 if self._held else 0)
        self._held.append((kind, text))

    def _flush(self) -> None:
        """Begin a new part. A heading at the end of this part moves to the new one."""
        if not self._held:
            return
        carried = self._held.pop() if self._held[-1][0] == "heading" and len(self._held) > 1 else None
        if carried is not None and len(carried[1]) > self._limit // 4:
            self._held.append(carried)
            carried = None
        self._parts.append("\n".join(text for _, text in self._held))
        self._held = [carried] if carried else []
        self._size = len(carried[1]) if carried else 0

    def _divide(self, block: Block) -> None:
        """Add the block in parts, each with its head and foot."""
        head, foot = block.head, block.foot
        frame = sum(len(line) + 1 for line in (*head, *foot))
        if frame > self._limit // 2:
            head, foot, frame = (), (), 0
        body = block.lines[len(head) :]
        if (
            foot
            and body
            and _closes(next((line for line in reversed(body) if line.strip()), ""), foot[0].strip(" \t>"))
        ):
            last = max(n for n, line in enumerate(body) if line.strip())
            body = body[:last]
        lines: list[str] = []
        size = frame
        for line in body:
            for piece in self._divide_line(line, max(LEAST // 4, self._limit - frame - 1)):
                if lines and size + len(piece) + 1 > self._room:
                    self._hold(block.kind, "\n".join((*head, *lines, *foot)))
                    self._flush()
                    lines, size = [], frame
                lines.append(piece)
                size += len(piece) + 1
        if lines:
            self._hold(block.kind, "\n".join((*head, *lines, *foot)))

    def _divide_line(self, line: str, limit: int) -> Iterator[str]:
        """Yield the line in parts of at most `limit` characters, split at spaces outside links."""
        at = 0
        while len(line) - at > limit:
            end = _find_cut(line, at, at + limit)
            yield line[at:end].rstrip()
            at = end
        yield line[at:]


def _find_cut(line: str, start: int, end: int) -> int:
    """Return the last position up to `end` after a space outside links, or `end` if there is none."""
    opened: list[tuple[str, int]] = []
    best = start
    for token in _TOKEN.finditer(line, start, end):
        sign, at = token[0], token.start()
        if opened and at - opened[0][1] > _LINK_SPAN:
            opened.clear()
        if sign.isspace():
            if not opened:
                best = token.end()
        elif sign == "[" or (sign == "(" and opened and opened[-1][0] == "("):
            opened.append((sign, at))
        elif sign == "](" and opened:
            opened[-1] = ("(", opened[-1][1])
        elif opened and sign == {"[": "]", "(": ")"}[opened[-1][0]]:
            opened.pop()
    return best if best > start else end


def _normalize(text: str) -> str:
    return " ".join(text.split()).casefold()
