"""Markdown split into parts between blocks, so that each part can be read separately.

Rows, links and fences are never split. A table that continues repeats its header, and a fence its opening line. Only a
row, link or word that is longer than a part is split anywhere.
"""

import re
from collections.abc import Iterator
from typing import Final

from webquarry.excerpts.lines import HEADING, Kind, Run, closes_fence, read_runs

LEAST: Final = 200
"""Minimum limit for the size of a part, in characters."""
_TOKEN: Final = re.compile(r"\\.|\]\(|[\[\]()]|\s+", re.DOTALL)
_LINK_SPAN: Final = 8192
"""Maximum distance in characters between the brackets of a link."""


def cut(markdown: str, limit: int) -> tuple[str, ...]:
    """Split the text into parts of at most `limit` characters. A short text is the only part."""
    if limit < LEAST:
        raise ValueError(f"a part has at least {LEAST} characters")
    if len(markdown) <= limit:
        return (markdown,)
    packer = _Packer(limit)
    for run in read_runs(markdown):
        packer.add(run)
    return packer.finish()


def read_headings(markdown: str) -> Iterator[tuple[int, int, str]]:
    """Yield each heading outside fences: its position, level and text."""
    at = 0
    for run in read_runs(markdown) if "#" in markdown else ():
        if run.kind == "heading" and (found := HEADING.match(run.lines[0])):
            yield at, len(found[1]), (found[2] or "").rstrip("# \t")
        at += sum(len(line) + 1 for line in run.lines)


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


class _Packer:
    """Packs runs into parts. A run that continues in the next part is split to fill the rest of this one."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self._held: list[tuple[Kind, str]] = []
        self._size = 0

    def add(self, run: Run) -> None:
        text = run.text
        if len(text) <= self._room:
            self._hold(run.kind, text)
        elif len(text) > self._limit or self._room > self._limit // 2:
            if self._room < self._limit // 4:
                self._flush()
            self._divide(run)
        else:
            self._flush()
            self._hold(run.kind, text)

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
        if len(text) > self._room:  # the line does not fit even below the heading that was carried over
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

    def _divide(self, run: Run) -> None:
        """Add the run in parts, each with its head and foot."""
        head, foot = run.head, run.foot
        frame = sum(len(line) + 1 for line in (*head, *foot))
        if frame > self._limit // 2:
            head, foot, frame = (), (), 0
        body = run.lines[len(head) :]
        if (
            foot
            and body
            and closes_fence(next((line for line in reversed(body) if line.strip()), ""), foot[0].strip(" \t>"))
        ):
            last = max(n for n, line in enumerate(body) if line.strip())
            body = body[:last]
        lines: list[str] = []
        size = frame
        for line in body:
            for piece in self._divide_line(line, max(LEAST // 4, self._limit - frame - 1)):
                if lines and size + len(piece) + 1 > self._room:
                    self._hold(run.kind, "\n".join((*head, *lines, *foot)))
                    self._flush()
                    lines, size = [], frame
                lines.append(piece)
                size += len(piece) + 1
        if lines:
            self._hold(run.kind, "\n".join((*head, *lines, *foot)))

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
