"""Selection of a part of a block that is larger than the whole budget.

The part begins with the row, line or sentence that has the most words of the query, and includes as much of the
following text as fits. If that row, line or sentence is too long, it is cut at the end of a cell or word.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from webquarry.excerpts.blocks import Block, Outline, Span
from webquarry.excerpts.lines import closes_fence
from webquarry.excerpts.ranking import Ranking
from webquarry.excerpts.selection import Basket
from webquarry.excerpts.tokens import estimate_milli
from webquarry.excerpts.words import Texts

_CELL_END: Final = re.compile(r"(?<!\\)\|")
_WORD_END: Final = re.compile(r"(?<=\S)(?=\s)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?:;])\s+|(?<=[。！？；])|\n")
_MOST_PER_TOKEN: Final = 16
"""Upper bound on the number of characters per token in a part."""


def narrow(outline: Outline, number: int, ranking: Ranking, max_tokens: int, *, marks_pages: bool = False) -> Outline:
    """Return the outline with this block replaced by a part that fits into the budget.

    If there is no room, the headings above the block are left out first, and then the table's header. If no part fits,
    the outline is returned unchanged.
    """
    block = outline.blocks[number]
    framed = _frame(outline, block)
    pieces = list(_divide(outline, framed))
    best = _find_best(outline, pieces, ranking)
    versions = [framed, replace(framed, section=None)]
    if block.kind == "table":
        versions.append(replace(framed, section=None, head=None, frame=None))
    for version in versions:
        room = _measure_room(outline, version, max_tokens, marks_pages=marks_pages)
        span = _fit(
            outline.markdown, pieces[best:], room, max_tokens, _CELL_END if block.kind == "table" else _WORD_END
        )
        if span is not None:
            start, end = span
            part = replace(
                version,
                start=start,
                end=end,
                lacks_start=framed.lacks_start or start > framed.start,
                lacks_end=end < framed.end,
            )
            return _replace_block(outline, part)
    return outline


def _replace_block(outline: Outline, block: Block) -> Outline:
    blocks = list(outline.blocks)
    blocks[block.number] = block
    return replace(outline, blocks=tuple(blocks))


def _frame(outline: Outline, block: Block) -> Block:
    """Return a whole table or fence with its first lines as the `head` instead of in the span; return other blocks
    unchanged.
    """
    if block.frame is not None or block.kind not in ("table", "code"):
        return block
    lines = outline.text(block).split("\n")
    height = 2 if block.kind == "table" else 1
    if len(lines) <= height:
        return block
    head_end = block.start + sum(len(line) + 1 for line in lines[:height]) - 1
    end, foot = block.end, block.foot
    if (
        block.kind == "code"
        and not foot
        and len(lines) > height + 1
        and closes_fence(lines[-1], lines[-1].strip(" \t>"))
    ):
        end, foot = block.end - len(lines[-1]) - 1, lines[-1]
    return replace(block, start=head_end + 1, end=end, head=(block.start, head_end), frame=block.number, foot=foot)


def _divide(outline: Outline, block: Block) -> Iterator[Span]:
    """Yield the rows, lines or sentences of a block."""
    if block.kind != "text":
        at = block.start
        for line in outline.text(block).split("\n"):
            if line.strip():
                yield at, at + len(line)
            at += len(line) + 1
        return
    at = block.start
    for found in _SENTENCE_END.finditer(outline.markdown, block.start, block.end):
        if found.start() > at:
            yield at, found.start()
        at = found.end()
    if at < block.end:
        yield at, block.end


def _find_best(outline: Outline, pieces: Sequence[Span], ranking: Ranking) -> int:
    """Return the index of the piece with the most and rarest words of the query; among equal pieces, the first."""
    texts = Texts([outline.markdown[start:end] for start, end in pieces])
    scores = [0.0] * len(pieces)
    for term, rarity in ranking.rarity.items():
        for number in {number for number, _ in texts.find(term, ranking.language)}:
            scores[number] += rarity
    return max(range(len(pieces)), key=lambda number: (scores[number], -number))


def _measure_room(outline: Outline, version: Block, max_tokens: int, *, marks_pages: bool) -> int:
    """Return the room for the block's text, in thousandths of a token. It may be negative."""
    empty = _replace_block(outline, replace(version, end=version.start))
    basket = Basket(empty, 1000 * max_tokens, marks_pages)
    return basket.left_milli - basket.measure([empty.blocks[version.number]])


def _fit(markdown: str, pieces: Sequence[Span], room: int, max_tokens: int, boundary: re.Pattern[str]) -> Span | None:
    """Return the span of the first pieces that fit, or of the beginning of the first piece, or None if nothing fits."""
    start, end = pieces[0]
    most = start + _MOST_PER_TOKEN * max_tokens
    fitting: int | None = None
    for _, stop in pieces:
        if stop > most or estimate_milli(markdown[start:stop]) > room:
            break
        fitting = stop
    if fitting is not None:
        return start, fitting
    limit = min(end, most)
    ends = [[found.end() for found in each.finditer(markdown, start + 1, limit)] for each in (boundary, _WORD_END)]
    for stops in (*ends, range(start + 1, limit)):
        kept = bisect_right(stops, room, key=lambda stop: estimate_milli(markdown[start:stop]))
        if kept:
            return start, stops[kept - 1]
    return None
