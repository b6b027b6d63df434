"""Lists in plain text: lines that begin with bullets or consecutive numbers."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.line import Content, Line

_BULLET: Final = re.compile(r"(\s*+)[-*•]\s++(?=.*\w)(\S.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"(\s*+)(\d{1,3})[.)]\s++(\S.*)", re.DOTALL)
_STEP: Final = 2
"""Minimum additional indent, in spaces, of a nested item."""


class _Entry(NamedTuple):
    """A line and its position in a list. indent: -1 for a line outside lists. number: None for a bullet."""

    text: str
    indent: int = -1
    number: int | None = None


def write_lines(lines: Sequence[str]) -> Content:
    """Convert the lines of a paragraph to blocks.

    Lines that are items become lists. Other lines become paragraphs that keep their line breaks.
    """
    blocks = Blocks()
    texts: list[str] = []
    indents: list[int] = []
    for entry in _join_hanging(_find_items(lines)):
        if entry.indent < 0:
            texts.append(entry.text.lstrip())
            continue
        _add_paragraph(blocks, texts)
        texts = []
        while indents and entry.indent < indents[-1]:
            indents.pop()
        if not indents or entry.indent >= indents[-1] + _STEP:
            indents.append(entry.indent)
        line = Line()
        line.text(entry.text)
        blocks.item(Item(len(indents) - 1, entry.number), line)
    _add_paragraph(blocks, texts)
    return blocks.nodes


def _add_paragraph(blocks: Blocks, texts: Sequence[str]) -> None:
    if not texts:
        return
    line = Line()
    for at, text in enumerate(texts):
        if at:
            line.add_line_break()
        line.text(text)
    blocks.paragraph(line)


def _find_items(lines: Sequence[str]) -> list[_Entry]:
    """Return the lines as list items or other lines.

    A single number does not start a list, because it may be a date or an amount.
    """
    entries: list[_Entry] = []
    for line in lines:
        if (bullet := _BULLET.fullmatch(line)) is not None:
            entries.append(_Entry(bullet[2], len(bullet[1])))
        elif (number := _NUMBER.fullmatch(line)) is not None:
            entries.append(_Entry(number[3], len(number[1]), int(number[2])))
        else:
            entries.append(_Entry(line))
    neighbours = zip(entries, [None, *entries], [*entries[1:], None], lines, strict=False)
    return [
        entry if entry.number is None or _counts_on(before, entry) or _counts_on(entry, after) else _Entry(line)
        for entry, before, after, line in neighbours
    ]


def _counts_on(first: _Entry | None, second: _Entry | None) -> bool:
    """Return whether the second entry's number directly follows the first entry's number."""
    if first is None or second is None or first.number is None or second.number is None:
        return False
    return second.number - first.number == 1


def _join_hanging(entries: Sequence[_Entry]) -> Iterator[_Entry]:
    """Join indented continuation lines with the preceding item."""
    parts: list[str] = []
    item = _Entry("")
    for entry in entries:
        if parts and entry.indent < 0 and entry.text[:1].isspace():
            parts.append(entry.text.strip())
            continue
        if parts:
            yield item._replace(text=" ".join(parts))
        if entry.indent < 0:
            yield entry
        item, parts = entry, [entry.text] if entry.indent >= 0 else []
    if parts:
        yield item._replace(text=" ".join(parts))
