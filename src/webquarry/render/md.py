"""A markdown document, written block by block."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Self

from webquarry import escape

Value = str | int | float | date | Sequence[str] | None
"""What a fact or a cell may be. None and blank texts are nothing; true and false read yes and no; dates are ISO."""


class Md:
    """A document under one title. Every text is foreign and escaped; what is empty is left out, heading and all."""

    def __init__(self, title: str) -> None:
        self._blocks: list[str] = []
        self.heading(title, 1)

    def heading(self, text: str, level: int = 2) -> Self:
        return self._add(f"{'#' * level} {escape.heading(text)}" if escape.plain(text) else "")

    def facts(self, facts: Mapping[str, Value] | Iterable[tuple[str, Value]]) -> Self:
        """A list of `label: value`."""
        pairs = facts.items() if isinstance(facts, Mapping) else facts
        return self._list(f"{label}: {text}" for label, value in pairs if (text := _text(value)))

    def paragraph(self, text: str | None) -> Self:
        return self._add(escape.line(text or ""))

    def bullets(self, heading: str, items: Iterable[Value]) -> Self:
        """A list under a heading of the second level."""
        texts = [text for item in items if (text := _text(item))]
        return self.heading(heading)._list(texts) if texts else self

    def table(self, heading: str, headers: Sequence[str], rows: Iterable[Sequence[Value]]) -> Self:
        """A table under a heading of the second level; columns without any value are left out."""
        cells = [[_text(value) for value in row] for row in rows]
        columns = [[header, *column] for header, *column in zip(headers, *cells, strict=True) if any(column)]
        if not columns:
            return self
        head, *body = (f"| {' | '.join(map(escape.cell, row))} |" for row in zip(*columns, strict=True))
        return self.heading(heading)._add("\n".join([head, "|" + " --- |" * len(columns), *body]))

    def source(self, source: str | None) -> Self:
        """Where it is from: an address or a name. Comes last."""
        return self.paragraph(f"Source: {source}" if source else None)

    def text(self) -> str:
        """The document; ends with one line break."""
        return "\n\n".join(self._blocks) + "\n"

    def _list(self, texts: Iterable[str]) -> Self:
        return self._add("\n".join(f"- {escape.line(text)}" for text in texts))

    def _add(self, block: str) -> Self:
        if block:
            self._blocks.append(block)
        return self


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
        return escape.plain(str(value))
    return escape.plain(", ".join(value))
