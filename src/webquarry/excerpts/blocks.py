"""Blocks: the pieces of markdown that can make up a portion, each with its exact position.

# Oven                      0 heading
Heat it first.              1 text      under Oven
| dish | minutes |          2 table     under Oven; a long table becomes several blocks of whole rows
| --- | --- |
| bread | 40 |
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from webquarry.excerpts.lines import HEADING, Run, closes_fence, read_runs
from webquarry.excerpts.pages import find_page

Kind = Literal["heading", "text", "list", "table", "code"]
Span = tuple[int, int]
PART: Final = 600
"""Number of characters after which a list or table continues in another block, from the next item or row."""
LONGEST: Final = 1200
"""Number of characters above which a paragraph, a fence or a single item is divided, if possible."""
_ITEM: Final = re.compile(r"([ \t>]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_PREFIX: Final = re.compile(r"[ \t>]*")
_TOKEN: Final = re.compile(r"\\.|\]\(|[\[\]()]|\s+", re.DOTALL)
_LINK_SPAN: Final = 8192
"""Maximum distance in characters between the brackets of a link."""
_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？", "；")


@dataclass(slots=True)  # not frozen, because a document has thousands of blocks
class Block:
    """A piece of markdown: `markdown[start:end]`, in characters, without line breaks at its ends.

    - `section`: number of the nearest heading block above, or None before the first heading.
    - `unit`: number of the first block of the same list item or code fence. `max_tokens` never splits a unit.
    - `joint`: text between the previous block and this one.
    - `head`: for a part of a split table or fence, the span of its first lines. It is outside the block's span.
    - `frame`: for a part of a split table or fence, the number of its first block.
    - `foot`: for a part of a split or unclosed fence, the closing line. It is outside the block's span.
    - `lacks_start`, `lacks_end`: whether the beginning or the end of the block is outside the span.
    """

    number: int
    kind: Kind
    start: int
    end: int
    section: int | None
    unit: int
    joint: str = "\n\n"
    head: Span | None = None
    frame: int | None = None
    foot: str = ""
    lacks_start: bool = False
    lacks_end: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The level and text of a heading block, and the numbers of the headings above it, outermost first."""

    level: int
    text: str
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Markdown with its blocks in order, and its headings by block number.

    `page_starts` are the offsets at which the pages of a document begin, in characters; empty if unknown.
    """

    markdown: str
    blocks: tuple[Block, ...]
    headings: dict[int, Heading]
    page_starts: Sequence[int] = ()

    def text(self, block: Block) -> str:
        return self.markdown[block.start : block.end]

    def page(self, block: Block) -> int | None:
        """Return the page on which the block begins, or None if it is unknown."""
        return find_page(self.page_starts, block.start)

    def head(self, block: Block) -> str:
        """Return the lines that begin the block's table or fence, or "" if the table or fence is not divided."""
        return "" if block.head is None else self.markdown[block.head[0] : block.head[1]]

    def above(self, block: Block) -> tuple[int, ...]:
        """Return the numbers of the headings above a block, outermost first."""
        return () if block.section is None else (*self.headings[block.section].path, block.section)

    def path(self, block: Block) -> list[str]:
        """Return the text of the headings above a block, outermost first."""
        return [self.headings[number].text for number in self.above(block)]


def split(markdown: str, page_starts: Sequence[int] = ()) -> Outline:
    """Split markdown into blocks. The same markdown always gives the same blocks and numbers."""
    splitter = _Splitter(markdown)
    for run in read_runs(markdown):
        splitter.add(run)
    return Outline(markdown, tuple(splitter.blocks), splitter.headings, page_starts)


class _Splitter:
    def __init__(self, markdown: str) -> None:
        self.blocks: list[Block] = []
        self.headings: dict[int, Heading] = {}
        self._markdown = markdown
        self._at = 0
        self._gap = ""
        self._open: list[int] = []
        self._item_indent: int | None = None

    def add(self, run: Run) -> None:
        start = self._at
        text = run.text
        kept = text.rstrip("\n \t")
        self._at += len(text) + 1
        if not kept:
            return
        end = start + len(kept)
        match run.kind:
            case "heading":
                self._add_heading(kept, start, end)
            case "table":
                self._add_table(run, start, end)
            case "fence":
                self._add_fence(run, start, end)
            case _:
                self._add_text(run, start, end)
        if run.kind != "text":
            self._item_indent = None
        self._gap = "\n\n" if len(text) - len(kept) > 1 or text.endswith("\n") else "\n"

    def _put(
        self,
        kind: Kind,
        start: int,
        end: int,
        joint: str | None = None,
        *,
        unit: int | None = None,
        head: Span | None = None,
        frame: int | None = None,
        foot: str = "",
    ) -> int:
        number = len(self.blocks)
        section = self._open[-1] if self._open else None
        joint = self._gap if joint is None else joint
        if head is not None and frame is None:
            frame = number
        unit = number if unit is None else unit
        self.blocks.append(Block(number, kind, start, end, section, unit, joint, head, frame, foot))
        return number

    def _add_heading(self, line: str, start: int, end: int) -> None:
        found = HEADING.match(line)
        level = len(found[1]) if found else 6
        while self._open and self.headings[self._open[-1]].level >= level:
            self._open.pop()
        path = tuple(self._open)
        number = self._put("heading", start, end)
        text = (found[2] or "") if found else line
        self.headings[number] = Heading(level, text.rstrip("# \t")[:LONGEST], path)
        self._open.append(number)

    def _add_table(self, run: Run, start: int, end: int) -> None:
        head_end = start + len(run.lines[0]) + 1 + len(run.lines[1])
        if end - start <= LONGEST or end <= head_end:
            self._put("table", start, end)
            return
        frame = None
        for begin, stop in _group(run.lines, start, end, skip=2, most=PART):
            number = self._put(
                "table", begin, stop, None if frame is None else "\n", head=(start, head_end), frame=frame
            )
            frame = number if frame is None else frame

    def _add_fence(self, run: Run, start: int, end: int) -> None:
        lines = self._markdown[start:end].split("\n")
        foot = run.foot[0]
        is_closed = len(lines) > 1 and closes_fence(lines[-1], foot.strip(" \t>"))
        head_end = start + len(lines[0])
        if end - start <= LONGEST or len(lines) < 3:
            self._put("code", start, end, foot="" if is_closed else foot)
            return
        last = end - len(lines[-1]) - 1 if is_closed else end
        first, head = None, (start, head_end)
        for begin, stop in _group(lines, start, last, skip=1, most=LONGEST):
            joint = None if first is None else "\n"
            number = self._put("code", begin, stop, joint, unit=first, head=head, frame=first, foot=foot)
            first = number if first is None else first

    def _add_text(self, run: Run, start: int, end: int) -> None:
        item = _ITEM.match(run.lines[0])
        if item is not None:
            self._item_indent = len(item[1])
            self._add_list(run, start, end, len(item[1]))
            return
        indent = len(_PREFIX.match(run.lines[0])[0])  # type: ignore[index]  # the pattern matches any text
        belongs = self._item_indent is not None and indent > self._item_indent
        unit = self.blocks[-1].unit if belongs and self.blocks else None
        if not belongs:
            self._item_indent = None
        if end - start <= LONGEST:
            self._put("text", start, end, unit=unit)
            return
        at, joint = start, None
        for stop, after in _divide(self._markdown, start, end):
            number = self._put("text", at, stop, joint, unit=unit)
            unit = number if unit is None else unit
            joint, at = self._markdown[stop:after], after

    def _add_list(self, run: Run, start: int, end: int, indent: int) -> None:
        """Add whole items of the list's first level, as many as fit into a block.

        Divide a very long item into its nested items.
        """
        at = begin = start
        joint: str | None = None
        for line in run.lines:
            found = _ITEM.match(line) if at > begin and at < end else None
            size = at - begin
            if found and (size > LONGEST or (size > PART and len(found[1]) <= indent)):
                self._put("list", begin, at - 1, joint)
                begin, joint = at, "\n"
            at += len(line) + 1
        self._put("list", begin, end, joint)


def _group(lines: tuple[str, ...] | list[str], start: int, end: int, *, skip: int, most: int) -> Iterator[Span]:
    """Yield the spans of groups of lines up to `end`, without the first `skip` lines."""
    at = start + sum(len(line) + 1 for line in lines[:skip])
    begin = at
    for line in lines[skip:]:
        if at >= end:
            break
        stop = min(at + len(line), end)
        if stop - begin > most and at > begin:
            yield begin, at - 1
            begin = at
        at += len(line) + 1
    if begin < end:
        yield begin, end


def _divide(markdown: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of the parts of a long paragraph, divided after sentences or otherwise after words.

    A link is only split if there is no other position in the last two thirds of a part. Parts are therefore never
    short.
    """
    at = start
    while end - at > LONGEST:
        stop, after = _find_place(markdown, at, at + LONGEST)
        yield stop, after
        at = after
    yield end, end


def _find_place(markdown: str, start: int, limit: int) -> Span:
    opened: list[tuple[str, int]] = []
    least = start + LONGEST // 3
    space = word = sentence = (start, start)
    for token in _TOKEN.finditer(markdown, start, limit):
        sign, at = token[0], token.start()
        if opened and at - opened[0][1] > _LINK_SPAN:
            opened.clear()
        if sign.isspace():
            space = token.span()
            if not opened:
                word = token.span()
                if markdown.endswith(_ENDS, start, at):
                    sentence = token.span()
        elif sign == "[" or (sign == "(" and opened and opened[-1][0] == "("):
            opened.append((sign, at))
        elif sign == "](" and opened:
            opened[-1] = ("(", opened[-1][1])
        elif opened and sign == {"[": "]", "(": ")"}[opened[-1][0]]:
            opened.pop()
    return next((place for place in (sentence, word, space) if place[0] >= least), (limit, limit))
