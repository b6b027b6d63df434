"""Chosen blocks written as markdown: tables get their heads, fences are closed, and `…` marks omitted text."""

import re
from collections.abc import Sequence
from typing import Final

from webquarry.excerpts.blocks import Block, Outline
from webquarry.excerpts.pages import Marker, PageSpan, find_inner_starts, join_parts
from webquarry.excerpts.selection import GAP

_PREFIX: Final = re.compile(r"[ \t>]*")


def write(outline: Outline, chosen: tuple[int, ...]) -> str:
    """Return the markdown of the chosen blocks, given in order.

    If all blocks are chosen, the result is the whole text except for empty lines.
    """
    return write_pages(outline, chosen, marks_pages=False)[0]


def write_pages(outline: Outline, chosen: tuple[int, ...], *, marks_pages: bool) -> tuple[str, list[PageSpan]]:
    """Return the markdown of the chosen blocks, given in order, and the pages that are marked in it."""
    parts, before = _write_blocks(outline, chosen, marks_pages=marks_pages)
    if before is None or before.lacks_end or before.number != len(outline.blocks) - 1:
        parts.append(f"\n\n{GAP}" if parts else GAP)
    return join_parts([*parts, "\n"]) if outline.blocks else ("", [])


def write_part(outline: Outline, numbers: range) -> str:
    """Return the markdown of consecutive blocks, with the head of a table or fence that began before them."""
    parts, _ = _write_blocks(outline, numbers, marks_pages=False)
    text = "".join(parts)
    return text.removeprefix(f"{GAP}\n\n") if numbers and numbers[0] else text


def _write_blocks(outline: Outline, chosen: Sequence[int], *, marks_pages: bool) -> tuple[list[str], Block | None]:
    """Return the text of blocks with the text that joins them, and the last block."""
    parts: list[str] = []
    before: Block | None = None
    page: int | None = None
    for number in chosen:
        block = outline.blocks[number]
        parts += _join(outline, before, block)
        if before is None or block.frame is None or block.frame != before.frame:
            if marks_pages and (begins := outline.page(block)) not in (page, None):
                page = begins
                parts.append(_mark(outline, parts, page, block.start))
            parts += _open(outline, block)
        at = block.start
        for page, place in find_inner_starts(outline.page_starts, at, block.end) if marks_pages else ():
            parts.append(outline.markdown[at:place])
            parts.append(_mark(outline, parts, page, place))
            at = place
        parts.append(outline.markdown[at : block.end])
        before = block
    if before is not None:
        parts += _close(before)
    return parts, before


def _mark(outline: Outline, parts: list[str], page: int, place: int) -> Marker:
    return Marker.of(page, "".join(parts[-2:])[-2:], outline.markdown, place)


def _join(outline: Outline, before: Block | None, block: Block) -> list[str]:
    """Return the text between two chosen blocks: line breaks, the end of a frame, and the gap."""
    previous = -1 if before is None else before.number
    is_next = not (before is not None and before.lacks_end)
    if before is not None and block.frame is not None and block.frame == before.frame:
        is_next = is_next and not block.lacks_start and block.number == previous + 1
        return ["\n"] if is_next else ["\n", _write_gap(outline, block), "\n"]
    begins = block.number if block.frame is None else block.frame
    is_next = is_next and begins == previous + 1 and (block.frame is not None or not block.lacks_start)
    parts = [] if before is None else _close(before)
    if not is_next:
        parts.append(f"{GAP}\n\n" if before is None else f"\n\n{GAP}\n\n")
    elif before is not None:
        parts.append(outline.blocks[begins].joint)
    return parts


def _open(outline: Outline, block: Block) -> list[str]:
    """Return the head of a block's table or fence, and the gap below it."""
    if block.frame is None:
        return []
    gap = [_write_gap(outline, block), "\n"] if block.number > block.frame or block.lacks_start else []
    return [outline.head(block), "\n", *gap]


def _close(block: Block) -> list[str]:
    return ["\n", block.foot] if block.foot else []


def _write_gap(outline: Outline, block: Block) -> str:
    head = outline.head(block)
    found = _PREFIX.match(head)
    prefix = found[0] if found else ""
    return f"{prefix}| {GAP} |" if block.kind == "table" else f"{prefix}{GAP}"
