"""Places in the markdown of a document where its pages begin.

Page 2 begins where the first block begins that is on page 2. A page without such a block, which is blank or only
continues a paragraph or a table, begins where the next page does.
"""

from collections.abc import Iterable


def make_page_starts(blocks: Iterable[tuple[int, int]], pages: int, length: int) -> tuple[int, ...]:
    """Return the offsets of all pages in order, in characters.

    blocks: the page and offset of each block, or at least of the first block of each page, in order of offset. A
    block that is on an earlier page than the one before it counts as part of the later page. length: of the markdown.
    """
    starts = [0] * min(pages, 1)
    for page, place in blocks:
        if len(starts) < page <= pages:
            starts += [place] * (page - len(starts))
    return (*starts, *([length] * (pages - len(starts))))
