"""Furniture: parts that repeat at the same place of several pages of a site, such as menus and footers.

The converter removes most furniture by looking at a single page. A crawl finds the rest by comparing pages. Each page
has `parts`: its first and last blocks, and its sections. A part is furniture if it was seen on enough earlier pages
(`Seen.list_known`), and if it is

- at the start or end of the page, next to other furniture or the title,
- or a whole section, such as a list of related links.

The title, and a heading of content that is not furniture, are never left out.
A page that would lose most of its words keeps all of them, because it is a copy of other pages.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from webquarry.excerpts.blocks import Block, Outline

LEAST_PAGES: Final = 2
"""Number of earlier pages that must have a part: with the page itself, three."""
LEAST_SHARE: Final = 1 / 3
EDGE: Final = 12
"""Number of blocks at the start and at the end of a page that may be furniture."""
MOST_SECTIONS: Final = 20
MOST_BLOCKS: Final = 20
"""Maximum number of blocks in a section that may be furniture."""
LEAST_LEFT: Final = 0.3
"""Minimum share of its words that a page keeps; otherwise nothing is left out."""
MOST_SEEN: Final = 500
"""Maximum number of parts that are remembered for a site. Those not seen for the longest time are forgotten."""
Range = tuple[int, int]


class Seen:
    """The parts of a site's pages, and on how many pages each was seen."""

    def __init__(self) -> None:
        self.pages = 0
        self._counts: OrderedDict[str, int] = OrderedDict()

    def add(self, parts: Iterable[str]) -> None:
        """Count the parts of another page."""
        self.pages += 1
        for part in parts:
            self._counts[part] = self._counts.get(part, 0) + 1
            self._counts.move_to_end(part)
        while len(self._counts) > MOST_SEEN:
            self._counts.popitem(last=False)

    def list_known(self) -> list[str]:
        """Return the parts that repeat."""
        least = max(LEAST_PAGES, LEAST_SHARE * self.pages)
        return [part for part, count in self._counts.items() if count >= least]


def list_parts(outline: Outline) -> list[str]:
    """Return digests of the parts of a page that may repeat."""
    blocks = outline.blocks
    found = [_digest("start", outline.text(block)) for block in blocks[:EDGE]]
    found += [_digest("end", outline.text(block)) for block in blocks[-EDGE:]]
    found += [_digest("section", _text_of(outline, section)) for section in _list_sections(outline)]
    return [*dict.fromkeys(found)]


def find_furniture(outline: Outline, known: Collection[str]) -> list[Range]:
    """Return the ranges of the markdown, in characters, that are furniture."""
    blocks = outline.blocks
    gone = set(_run(outline, blocks[:EDGE], "start", known)) | set(
        _run(outline, blocks[: -EDGE - 1 : -1], "end", known)
    )
    for section in _list_sections(outline):
        if _digest("section", _text_of(outline, section)) in known:
            gone |= {block.number for block in section}
    _keep_headings(outline, gone)
    kept = [block for block in blocks if block.number not in gone]
    if _count(outline, kept) < LEAST_LEFT * _count(outline, blocks):
        return []
    return [*_list_ranges(blocks, gone)]


def leave_out(markdown: str, ranges: Iterable[Sequence[int]]) -> str:
    """Return the markdown without these ranges. Ranges that overlap an earlier one never repeat text."""
    pieces, at = [], 0
    for start, end in ranges:
        pieces.append(markdown[at:start])
        at = max(at, end)
    return "".join((*pieces, markdown[at:]))


def _keep_headings(outline: Outline, gone: set[int]) -> None:
    """Keep the title, and headings of content that is kept."""
    for number in sorted(gone & outline.headings.keys(), reverse=True):
        is_followed = number + 1 < len(outline.blocks) and number + 1 not in gone
        if is_followed or outline.headings[number].level == 1:
            gone.discard(number)


def _list_ranges(blocks: Sequence[Block], gone: Collection[int]) -> Iterator[Range]:
    """Yield the runs of removed blocks, each with the space between it and a kept block."""
    at = 0
    while at < len(blocks):
        first = at
        while at < len(blocks) and blocks[at].number in gone:
            at += 1
        if at == first:
            at += 1
        elif at < len(blocks):
            yield blocks[first].start, blocks[at].start
        else:
            yield blocks[first - 1].end if first else 0, blocks[-1].end


def _run(outline: Outline, blocks: Sequence[Block], place: str, known: Collection[str]) -> Iterator[int]:
    """Yield the numbers of the known blocks at an edge of a page, up to the first other block except the title."""
    passed = False
    for block in blocks:
        if _digest(place, outline.text(block)) in known:
            yield block.number
        elif passed or not _is_title(outline, block):
            return
        else:
            passed = True


def _is_title(outline: Outline, block: Block) -> bool:
    return block.number in outline.headings and outline.headings[block.number].level == 1


def _list_sections(outline: Outline) -> list[list[Block]]:
    """Return the sections of 2 to `MOST_BLOCKS` blocks: a heading below the title, and the blocks under it."""
    found: list[list[Block]] = []
    section: list[Block] = []
    for block in (*outline.blocks, None):
        if block is None or block.number in outline.headings:
            if 2 <= len(section) <= MOST_BLOCKS and not _is_title(outline, section[0]):
                found.append(section)
            section = [] if block is None else [block]
        elif section:
            section.append(block)
    half = MOST_SECTIONS // 2
    return found if len(found) <= MOST_SECTIONS else found[:half] + found[-half:]


def _digest(place: str, text: str) -> str:
    return sha256(f"{place} {text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _text_of(outline: Outline, section: Sequence[Block]) -> str:
    return outline.markdown[section[0].start : section[-1].end]


def _count(outline: Outline, blocks: Sequence[Block]) -> int:
    return sum(len(outline.text(block).split()) for block in blocks)
