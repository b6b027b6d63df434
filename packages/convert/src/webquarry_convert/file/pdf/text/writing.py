"""Writes blocks as markdown."""

import re
from collections.abc import Iterable
from itertools import pairwise

from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text.paragraphs import Block
from webquarry_convert.file.pdf.words.inline import escape_text, write_spans
from webquarry_convert.file.pdf.words.lines import Line, join_lines
from webquarry_convert.text import escape

_STEP = 9.0
"""Minimum additional indent of a nested item, in points."""
_DEEPEST = 4
_LEVEL = 1.0
"""Tolerance, in points, for the left margins of items on the same level."""
_LEADER = re.compile(r"[.\u2026](?<![.\u2026].)(?<![.\u2026]\s.)\s?+(?:[.\u2026]\s?){5,}+(?=\S)")
"""Matches a leader before other text."""
_BOXES = {"\u2610": "[ ]", "\u2611": "[x]", "\u2612": "[x]"}


def write_markdown(parts: Iterable[Block | Table]) -> tuple[str, list[tuple[int, int]]]:
    """Return the markdown. Also return, for each block, its page and the offset at which it begins."""
    written: list[str] = []
    places: list[tuple[int, int]] = []
    length = 0
    margins: list[float] = []  # left margins of the open items
    was_item = False
    before: Block | Table | None = None
    for part in parts:
        if not was_item:
            margins.clear()
        if isinstance(part, Table):
            text, is_item = part.markdown() if part.rows else "", False
        elif part.level:
            text, is_item = f"{'#' * part.level} {escape.hashes(_write_inline(part.lines))}", False
        elif part.marker is not None:
            text, is_item = _write_item(part, margins, is_beside=was_item and _are_level(before, part)), True
        else:
            text, is_item = _write_records(part.lines), False
        if not text:
            continue
        if written:
            written.append("\n" if is_item and was_item else "\n\n")
            length += len(written[-1])
        places.append((part.page if isinstance(part, Table) else part.lines[0].page, length))
        written.append(text)
        length += len(text)
        was_item, before = is_item, part
    return ("".join(written) + "\n" if written else ""), places


def _are_level(before: Block | Table | None, item: Block) -> bool:
    """Return whether an item is at the same height as the previous item."""
    return isinstance(before, Block) and abs(before.lines[0].y0 - item.lines[0].y0) < _LEVEL


def _write_item(block: Block, margins: list[float], *, is_beside: bool) -> str:
    """Write a list item.

    margins: the open items' left margins. is_beside: whether the item is on the previous item's line and has the same
    level.
    """
    left = block.lines[0].x0
    while margins and left < margins[-1] - _STEP:
        margins.pop()
    if not margins or (not is_beside and left > margins[-1] + _STEP and len(margins) < _DEEPEST):
        margins.append(left)
    marker = block.marker or ""
    text = _write_inline(block.lines, marker)
    box = _BOXES.get(marker) or (marker if marker[:1] == "[" else None)
    if box is not None:
        return f"{'   ' * (len(margins) - 1)}- {box} {escape.start(text)}"
    is_number = marker.rstrip(".)").isdigit()
    if not is_number and marker.endswith((".", ")")):  # a lettered item keeps its letter as text
        text, marker = f"{escape.inline(marker)} {text}", "-"
    return f"{'   ' * (len(margins) - 1)}{marker if is_number else '-'} {escape.start(text)}"


def _write_records(lines: list[Line]) -> str:
    """Write a paragraph. Intentional line breaks are kept."""
    starts = [0, *(place for place in range(1, len(lines)) if lines[place].is_new), len(lines)]
    texts = [_write_inline(lines[start:end]) for start, end in pairwise(starts)]
    return "\\\n".join([escape.start(texts[0]), *map(escape.further, texts[1:])])


def _write_inline(lines: list[Line], marker: str = "") -> str:
    """Write lines as inline markdown. marker: the start of the first line, which is dropped."""
    if any(span.link is not None for line in lines for span in line.spans):
        text = join_lines([write_spans(line.spans) for line in lines])
        return _LEADER.sub(" \u2026 ", text).removeprefix(marker).lstrip()
    return escape_text(_LEADER.sub(" \u2026 ", join_lines([line.text for line in lines])).removeprefix(marker).lstrip())
