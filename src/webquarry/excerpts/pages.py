"""The pages of a document in its markdown, and the markers at their starts.

The bread is baked.

<!-- page 2 -->

It has to cool.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from webquarry.excerpts.tokens import estimate_milli

_INDENT: Final = re.compile(" *")


class Marker(str):
    """A comment that marks the start of a page, with the blank lines around it."""

    __slots__ = ("page",)
    page: int

    @classmethod
    def of(cls, page: int, before: str, markdown: str, place: int) -> "Marker":
        """Return the marker for a page that begins at this offset of the markdown, perhaps in a nested list item.

        `before` is the end of the text before the marker.
        """
        gap = "\n" * (2 - len(before) + len(before.rstrip("\n"))) if before else ""
        indent = _INDENT.match(markdown, place)
        marker = cls(f"{gap}{indent[0] if indent else ''}<!-- page {page} -->\n\n")
        marker.page = page
        return marker

    def as_last(self) -> "Marker":
        """Return the marker without the blank line after it, for the end of a text."""
        marker = Marker(self[:-1])
        marker.page = self.page
        return marker


MARKER_MILLI: Final = estimate_milli("\n\n<!-- page 99999 -->\n\n")
"""Maximum size of a marker, in thousandths of a token."""


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A page in a text: `text[start:end]`, in characters, without its marker."""

    page: int
    start: int
    end: int


def find_page(starts: Sequence[int], place: int) -> int | None:
    """Return the number of the page at an offset in the markdown, or None if the pages are unknown."""
    return bisect_right(starts, place) or None


def find_inner_starts(starts: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the number and offset of each page that begins within `markdown[start:end]`, but not at its start."""
    for at in range(bisect_right(starts, start), bisect_left(starts, end)):
        yield at + 1, starts[at]


def mark_pages(markdown: str, starts: Sequence[int]) -> tuple[str, list[PageSpan]]:
    """Return the markdown with a marker at the start of each page, and the spans of the pages in that markdown."""
    parts: list[str] = []
    at, before = 0, ""
    for page, start in enumerate(starts, 1):
        if start > at:
            before = markdown[at:start]
            parts.append(before)
            at = start
        marker = Marker.of(page, before[-2:], markdown, start)
        parts.append(marker)
        before = marker
    if at < len(markdown):
        parts.append(markdown[at:])
    elif isinstance(parts[-1], Marker):
        parts[-1] = parts[-1].as_last()
    return join_parts(parts)


def join_parts(parts: Sequence[str]) -> tuple[str, list[PageSpan]]:
    """Return the parts as one text, and the spans of the pages that begin with the markers among the parts."""
    text = "".join(parts)
    places = list(accumulate(map(len, parts), initial=0))
    marked = [(part.page, at) for at, part in enumerate(parts) if isinstance(part, Marker)]
    ends = [*(places[at] for _, at in marked[1:]), *([len(text)] if marked else [])]
    return text, [PageSpan(page, places[at + 1], end) for (page, at), end in zip(marked, ends, strict=True)]
