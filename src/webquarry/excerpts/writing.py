"""Chosen blocks written as markdown: tables get their heads, fences are closed, and `…` marks omitted text."""

import re
from collections.abc import Sequence
from typing import Final

from webquarry.excerpts.blocks import Block, Outline
from webquarry.excerpts.selection import GAP

_PREFIX: Final = re.compile(r"[ \t>]*")


def write(outline: Outline, chosen: tuple[int, ...]) -> str:
    """Return the markdown of the chosen blocks, given in order.

    If all blocks are chosen, the result is the whole text except for empty lines.
    """
    parts, before = _write_blocks(outline, chosen)
    if before is None or before.number != len(outline.blocks) - 1:
        parts.append(f"\n\n{GAP}" if parts else GAP)
    return "".join(parts) + "\n" if outline.blocks else ""


def write_part(outline: Outline, numbers: range) -> str:
    """Return the markdown of consecutive blocks, with the head of a table or fence that began before."""
    parts, _ = _write_blocks(outline, numbers)
    text = "".join(parts)
    return text.removeprefix(f"{GAP}\n\n") if numbers and numbers[0] else text


def _write_blocks(outline: Outline, chosen: Sequence[int]) -> tuple[list[str], Block | None]:
    """Return the texts of blocks with the text that joins them, and the last block."""
    parts: list[str] = []
    before: Block | None = None
    for number in chosen:
        block = outline.blocks[number]
        parts += _join(outline, before, block)
        parts.append(outline.text(block))
        before = block
    if before is not None:
        parts += _close(before)
    return parts, before


def _join(outline: Outline, before: Block | None, block: Block) -> list[str]:
    """Return the text between two chosen blocks: line breaks, the end and the head of a frame, and the gap."""
    previous = -1 if before is None else before.number
    if before is not None and block.frame is not None and block.frame == before.frame:
        return ["\n"] if block.number == previous + 1 else ["\n", _write_gap(outline, block), "\n"]
    begins = block.number if block.frame is None else block.frame
    parts = [] if before is None else _close(before)
    if begins > previous + 1:
        parts.append(f"{GAP}\n\n" if before is None else f"\n\n{GAP}\n\n")
    elif before is not None:
        parts.append(outline.blocks[begins].joint)
    if block.frame is not None:
        parts += [outline.head(block), "\n"]
        if block.number > block.frame:
            parts += [_write_gap(outline, block), "\n"]
    return parts


def _close(block: Block) -> list[str]:
    return ["\n", block.foot] if block.foot else []


def _write_gap(outline: Outline, block: Block) -> str:
    head = outline.head(block)
    found = _PREFIX.match(head)
    prefix = found[0] if found else ""
    return f"{prefix}| {GAP} |" if block.kind == "table" else f"{prefix}{GAP}"
