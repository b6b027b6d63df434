"""The offsets in a document's markdown at which its pages begin.

Page 2 begins with the first block on page 2. A page on which no block begins is blank or only continues a paragraph or
a table. It begins where the next page begins.
"""

from collections.abc import Iterable


def make_page_starts(blocks: Iterable[tuple[int, int]], pages: int, length: int) -> tuple[int, ...]:
    """Return the offsets of all pages in order, in characters.

    blocks: the page and offset of each block, or at least of the first block of each page, in order of offset. A block
    on an earlier page than the preceding block counts as part of the later page. length: the length of the markdown.
    """
    starts = [0] * min(pages, 1)
    for page, place in blocks:
        if len(starts) < page <= pages:
            starts += [place] * (page - len(starts))
    return (*starts, *([length] * (pages - len(starts))))
