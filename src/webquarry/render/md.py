"""A markdown document, written block by block."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from webquarry_convert.text import escape

_BACKTICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")


@dataclass(frozen=True, slots=True)
class Link:
    """A text with a link. Without an http URL it is plain text."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Bold:
    """A bold text."""

    text: str


Value = str | int | float | date | list[str] | None
"""The value of a fact or a cell.

None and blank strings are omitted; booleans become yes and no; dates are written in ISO format; the strings of a list
are joined with commas.
"""
Piece = Value | Link | Bold
Line = Piece | tuple[Piece, ...]
"""A line of text, whose pieces are joined with spaces."""


class Md:
    """A document with a title.

    Every text is treated as untrusted and escaped. Empty values and their headings are omitted.
    """

    def __init__(self, title: str) -> None:
        self._blocks: list[str] = []
        self.heading(title, 1)

    def heading(self, text: str, level: int = 2) -> Self:
        return self._add(f"{'#' * level} {escape.heading(text)}" if escape.clean_line(text) else "")

    def facts(self, facts: Mapping[str, Line] | Iterable[tuple[str, Line]]) -> Self:
        """Add a list of facts, each as `label: value`."""
        pairs = facts.items() if isinstance(facts, Mapping) else facts
        return self._list(line for label, value in pairs if (line := _fact(label, value)))

    def paragraph(self, text: Line) -> Self:
        return self._add(_line(text))

    def quote(self, *lines: Line) -> Self:
        """Add a quotation, with each line as a paragraph."""
        return self._add("\n>\n".join(f"> {line}" for line in map(_line, lines) if line))

    def quoted(self, markdown: str) -> Self:
        """Add finished markdown, for example from the HTML converter, as a quotation."""
        return self._add("\n".join(f"> {line}".rstrip() for line in markdown.strip().split("\n")) if markdown else "")

    def markdown(self, markdown: str) -> Self:
        """Add finished markdown."""
        return self._add(markdown.strip("\n"))

    def bullets(self, heading: str, items: Iterable[Line]) -> Self:
        """Add a list with a second-level heading."""
        lines = [line for item in items if (line := _line(item))]
        return self.heading(heading)._list(lines) if lines else self

    def numbered(self, heading: str, entries: Iterable[Sequence[Line]], start: int = 1) -> Self:
        """Add a numbered list with a second-level heading. An entry is a sequence of lines."""
        written: list[str] = []
        for entry in entries:
            if lines := [line for part in entry if (line := _line(part))]:
                mark = f"{start + len(written)}. "
                written.append(mark + ("\\\n" + " " * len(mark)).join(lines))
        return self.heading(heading)._add("\n".join(written)) if written else self

    def nested(self, items: Iterable[tuple[int, Line]], *, ordered: bool = False) -> Self:
        """Add a nested list: each item with its depth, from 0. `ordered` numbers the outermost items."""
        written: list[str] = []
        offsets = [0]
        number = 0
        for level, item in items:
            if not (line := _line(item)):
                continue
            depth = min(max(0, level), len(offsets) - 1)
            number += depth == 0
            mark = f"{number}. " if ordered and depth == 0 else "- "
            offsets[depth + 1 :] = [offsets[depth] + len(mark)]
            written.append(" " * offsets[depth] + mark + line)
        return self._add("\n".join(written))

    def code(self, text: str, language: str | None = None) -> Self:
        """Add code verbatim. `language` is the language's name for syntax highlighting."""
        longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        word = language if language and _LANGUAGE.fullmatch(language) else ""
        return self._add(f"{fence}{word}\n{text}\n{fence}" if text.strip() else "")

    def table(self, heading: str, headers: Sequence[str], rows: Iterable[Sequence[Piece]]) -> Self:
        """Add a table with a second-level heading, or without a heading if it is "".

        Columns without values are omitted.
        """
        cells = [[_cell(value) for value in row] for row in rows]
        columns = [[escape.cell(name), *column] for name, *column in zip(headers, *cells, strict=True) if any(column)]
        if not columns:
            return self
        head, *body = (f"| {' | '.join(row)} |" for row in zip(*columns, strict=True))
        return self.heading(heading)._add("\n".join([head, "|" + " --- |" * len(columns), *body]))

    def image(self, description: str, url: str) -> Self:
        """Add an image on a separate line, or nothing without an http URL."""
        is_web = url.startswith(("http://", "https://"))
        return self._add(f"![{escape.label(escape.clean_line(description))}]({escape.target(url)})" if is_web else "")

    def source(self, source: str | None) -> Self:
        """Add the source, a URL or a name. Must be called last."""
        return self.paragraph(f"Source: {source}" if source else None)

    def text(self) -> str:
        """Return the document, which ends with one line break."""
        return "\n\n".join(self._blocks) + "\n"

    def _list(self, lines: Iterable[str]) -> Self:
        return self._add("\n".join(f"- {line}" for line in lines))

    def _add(self, block: str) -> Self:
        if block:
            self._blocks.append(block)
        return self


def _fact(label: str, value: Line) -> str:
    """Return `label: value`, or "" without a value."""
    if isinstance(value, tuple | Link | Bold):
        pieces = value if isinstance(value, tuple) else (value,)
        return _line((f"{label}:", *pieces)) if _line(pieces) else ""
    text = _text(value)
    return escape.line(f"{label}: {text}") if text else ""


def _line(line: Line) -> str:
    """Return inline markdown for the start of a block."""
    if isinstance(line, tuple):
        return escape.start(" ".join(filter(None, map(_piece, line))))
    return escape.start(_piece(line)) if isinstance(line, Link | Bold) else escape.line(_text(line))


def _piece(piece: Piece) -> str:
    """Return inline markdown for a piece within a line."""
    if isinstance(piece, Link):
        text = escape.clean_line(piece.text)
        if not text or not (piece.url or "").startswith(("http://", "https://")):
            return escape.part(text)
        return f"[{escape.label(text)}]({escape.target(piece.url or '')})"
    if isinstance(piece, Bold):
        text = escape.part(escape.clean_line(piece.text))
        return f"**{text}**" if text else ""
    return escape.part(_text(piece))


def _cell(piece: Piece) -> str:
    return _piece(piece).replace("|", r"\|") if isinstance(piece, Link | Bold) else escape.cell(_text(piece))


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str | int | float):
        return escape.clean_line(str(value))
    return escape.clean_line(", ".join(value))
