"""Blocks as markdown."""

from collections.abc import Iterable
from itertools import pairwise

from webquarry_convert.file.pdf.inline import escape_text, write_spans
from webquarry_convert.file.pdf.lines import Line, join_lines
from webquarry_convert.file.pdf.paragraphs import Block
from webquarry_convert.file.pdf.table import Table
from webquarry_convert.text import escape

_STEP = 9.0
"""Points by which an item is set further in than those it belongs to."""
_DEEPEST = 4
_BOXES = {"\u2610": "[ ]", "\u2611": "[x]", "\u2612": "[x]"}


def write_markdown(parts: Iterable[Block | Table]) -> str:
    written: list[str] = []
    margins: list[float] = []  # of the items that are open
    was_item = False
    for part in parts:
        if not was_item:
            margins.clear()
        if isinstance(part, Table):
            text, is_item = part.markdown() if part.rows else "", False
        elif part.level:
            text, is_item = f"{'#' * part.level} {escape.hashes(_write_inline(part.lines))}", False
        elif part.marker is not None:
            text, is_item = _write_item(part, margins), True
        else:
            text, is_item = _write_records(part.lines), False
        if not text:
            continue
        if written:
            written.append("\n" if is_item and was_item else "\n\n")
        written.append(text)
        was_item = is_item
    return "".join(written) + "\n" if written else ""


def _write_item(block: Block, margins: list[float]) -> str:
    left = block.lines[0].x0
    while margins and left < margins[-1] - _STEP:
        margins.pop()
    if not margins or (left > margins[-1] + _STEP and len(margins) < _DEEPEST):
        margins.append(left)
    marker = block.marker or ""
    text = _write_inline(block.lines, marker)
    box = _BOXES.get(marker) or (marker if marker[0] == "[" else None)
    if box is not None:
        return f"{'   ' * (len(margins) - 1)}- {box} {escape.start(text)}"
    is_number = marker.rstrip(".)").isdigit()
    if not is_number and marker[-1:] in ".)":  # lettered: the letter is text
        text, marker = f"{escape.inline(marker)} {text}", "-"
    return f"{'   ' * (len(margins) - 1)}{marker if is_number else '-'} {escape.start(text)}"


def _write_records(lines: list[Line]) -> str:
    """A paragraph, with the line breaks that somebody wanted."""
    starts = [0, *(place for place in range(1, len(lines)) if lines[place].is_new), len(lines)]
    texts = [_write_inline(lines[start:end]) for start, end in pairwise(starts)]
    return "\\\n".join([escape.start(texts[0]), *map(escape.further, texts[1:])])


def _write_inline(lines: list[Line], marker: str = "") -> str:
    """Inline markdown. marker: what the first line begins with, which is left out."""
    if any(span.link is not None for line in lines for span in line.spans):
        return join_lines([write_spans(line.spans) for line in lines]).removeprefix(marker).lstrip()
    return escape_text(join_lines([line.text for line in lines]).removeprefix(marker).lstrip())
