"""Furniture: parts that repeat in the same position on several pages of a site, such as menus and footers.

    furniture = learn([first, second, third])    # markdown of pages
    furniture.remove(first)                      # its markdown without furniture

The converter removes most furniture by looking at a single page. This module finds the rest by comparing pages. A block
is furniture if it repeats on at least three pages and a third of all pages, and if it is

- at the start or end of a page, next to other furniture or the title,
- or under a heading whose blocks all repeat, such as a list of related links.

A page that would lose most of its words is returned unchanged, because it is a copy of other pages.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from webquarry.excerpts.blocks import Block, Outline, split

LEAST_PAGES: Final = 3
LEAST_SHARE: Final = 1 / 3
EDGE: Final = 30
"""Number of blocks at the start and at the end of a page that may be furniture."""
MOST_SECTION: Final = 20
"""Maximum number of blocks in a section that may be furniture."""
LEAST_LEFT: Final = 0.3
"""Minimum share of its words that a page keeps; otherwise nothing is removed."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """The text of blocks that repeat at the start and at the end of pages, and of sections that repeat."""

    start: frozenset[str] = frozenset()
    end: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()

    def remove(self, markdown: str) -> str:
        """Return the markdown of a page without furniture."""
        outline = split(markdown)
        gone = self._find(outline)
        kept = [block for block in outline.blocks if block.number not in gone]
        if not gone or _count(outline, kept) < LEAST_LEFT * _count(outline, outline.blocks):
            return markdown
        pieces = []
        for number, block in enumerate(kept):
            is_next = number > 0 and kept[number - 1].number == block.number - 1
            pieces.append(("" if number == 0 else block.joint if is_next else "\n\n") + outline.text(block))
        return "".join(pieces) + ("\n" if markdown.endswith("\n") else "")

    def _find(self, outline: Outline) -> set[int]:
        blocks = outline.blocks
        gone = set(_run(outline, blocks[:EDGE], self.start)) | set(_run(outline, blocks[: -EDGE - 1 : -1], self.end))
        for section in _list_sections(outline):
            if _text_of(outline, section) in self.sections:
                gone |= {block.number for block in section}
        return gone


def learn(pages: Sequence[str]) -> Furniture:
    """Return the furniture of a site's pages."""
    least = max(LEAST_PAGES, LEAST_SHARE * len(pages))
    starts, ends, sections = Counter[str](), Counter[str](), Counter[str]()
    for page in pages:
        outline = split(page)
        starts.update({outline.text(block) for block in outline.blocks[:EDGE]})
        ends.update({outline.text(block) for block in outline.blocks[-EDGE:]})
        sections.update({_text_of(outline, section) for section in _list_sections(outline)})
    return Furniture(
        *(frozenset(text for text, count in found.items() if count >= least) for found in (starts, ends, sections))
    )


def _run(outline: Outline, blocks: Sequence[Block], repeated: frozenset[str]) -> Iterator[int]:
    """Yield the numbers of the repeated blocks at an edge of a page, up to the first other block except the title."""
    passed = False
    for block in blocks:
        if outline.text(block) in repeated:
            yield block.number
        elif passed or not _is_title(outline, block):
            return
        else:
            passed = True


def _is_title(outline: Outline, block: Block) -> bool:
    return block.number in outline.headings and outline.headings[block.number].level == 1


def _list_sections(outline: Outline) -> Iterator[list[Block]]:
    """Yield sections of 2 to `MOST_SECTION` blocks: a heading below the title, and the blocks under it."""
    section: list[Block] = []
    for block in (*outline.blocks, None):
        if block is None or block.number in outline.headings:
            if 2 <= len(section) <= MOST_SECTION and not _is_title(outline, section[0]):
                yield section
            section = [] if block is None else [block]
        elif section:
            section.append(block)


def _text_of(outline: Outline, section: Sequence[Block]) -> str:
    return outline.markdown[section[0].start : section[-1].end]


def _count(outline: Outline, blocks: Sequence[Block]) -> int:
    return sum(len(outline.text(block).split()) for block in blocks)
