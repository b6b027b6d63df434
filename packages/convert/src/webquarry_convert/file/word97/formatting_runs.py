"""Formatting runs, which assign modifiers to ranges of bytes in the main stream.

The file stores the runs in pages of 512 bytes (formatted disk pages). Each page lists the bounds of its runs and the
modifiers of each run. Character runs and paragraph runs have separate pages.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from webquarry_convert.file.word97.header import Header, read_positions
from webquarry_convert.file.word97.pieces import Piece

_PAGE: Final = 512
_PAGE_MASK: Final = 0x3F_FFFF
_END: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of bytes of the main stream with their modifiers, one entry per run in each list.

    starts, ends: offsets in the main stream. sprms: the run's modifiers; for paragraphs, the style's index (two bytes)
    precedes them.
    """

    starts: list[int]
    ends: list[int]
    sprms: list[bytes]

    def sort_by_start(self) -> "Runs":
        if all(before <= after for before, after in pairwise(self.starts)):
            return self
        order = sorted(range(len(self.starts)), key=self.starts.__getitem__)
        return Runs(
            [self.starts[at] for at in order], [self.ends[at] for at in order], [self.sprms[at] for at in order]
        )

    def apart(self) -> "Runs":
        """Return the runs in order and without overlaps.

        Where two runs overlap, the bytes stay in the first run: (0, 10), (5, 8), (8, 20) become (0, 10), (10, 20). If
        runs overlapped, all of them would be examined for each piece of text, which takes quadratic time in a crafted
        file.
        """
        following = [*self.starts[1:], _END]
        if all(start < end <= then for start, end, then in zip(self.starts, self.ends, following, strict=False)):
            return self
        kept = Runs([], [], [])
        reach = 0
        for start, end, sprms in zip(self.starts, self.ends, self.sprms, strict=True):
            start = max(start, reach)
            if start < end:
                kept.starts.append(start)
                kept.ends.append(end)
                kept.sprms.append(sprms)
                reach = end
        return kept

    def find_run(self, byte: int) -> int | None:
        """Return the index of the run that contains a byte."""
        found = bisect_right(self.starts, byte) - 1
        return found if found >= 0 and byte < self.ends[found] else None

    def over(self, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """Yield the runs within a piece of text, as the end position and the modifiers of each run.

        Bytes outside of all runs are yielded as a run without modifiers.
        """
        at = piece.start
        end = piece.start + piece.length * piece.width
        run = max(0, bisect_right(self.starts, at) - 1)
        while at < end:
            if run >= len(self.starts):
                yield piece.first + piece.length, b""
                return
            start, stop = self.starts[run], self.ends[run]
            if stop <= at:
                run += 1
                continue
            if start > at:
                at, sprms = min(start, end), b""
            else:
                at, sprms = min(stop, end), self.sprms[run]
            yield piece.first + min(-(-(at - piece.start) // piece.width), piece.length), sprms


def read_letter_runs(header: Header) -> Runs:
    return _read_runs(header, "letter pages", header.find_first_pages()[0], is_paragraph=False)


def read_paragraph_runs(header: Header) -> Runs:
    return _read_runs(header, "paragraph pages", header.find_first_pages()[1], is_paragraph=True)


def _read_runs(header: Header, part: str, further: tuple[int, int], *, is_paragraph: bool) -> Runs:
    raw = header.part(part)
    size = 2 if header.is_old else 4
    places, at = read_positions(raw, size)
    count = max(0, len(places) - 1)
    pages = list(struct.unpack_from(f"<{count}{'H' if header.is_old else 'I'}", raw, at))
    first, whole = further
    if count < whole:  # a list that is too long for its position continues on the following pages
        pages += range(first + count, first + whole)
    runs = Runs([], [], [])
    for page in dict.fromkeys(page & _PAGE_MASK for page in pages):
        body = header.main[page * _PAGE : (page + 1) * _PAGE]
        if len(body) == _PAGE:
            for start, end, sprms in (
                _read_paragraph_page(body, is_old=header.is_old) if is_paragraph else _read_letter_page(body)
            ):
                runs.starts.append(start)
                runs.ends.append(end)
                runs.sprms.append(sprms)
    return runs.sort_by_start().apart()


def _read_bounds(page: bytes, size: int) -> tuple[tuple[int, ...], int]:
    """Return the bounds of a page's runs, and the number of runs. size: the size of an entry, in bytes."""
    count = min(page[-1], (_PAGE - 5) // (4 + size))
    return struct.unpack_from(f"<{count + 1}I", page), count


def _read_letter_page(page: bytes) -> Iterator[tuple[int, int, bytes]]:
    bounds, count = _read_bounds(page, 1)
    for run in range(count):
        at = 2 * page[4 * (count + 1) + run]
        yield bounds[run], bounds[run + 1], page[at + 1 : at + 1 + page[at]] if at else b""


def _read_paragraph_page(page: bytes, *, is_old: bool) -> Iterator[tuple[int, int, bytes]]:
    entry = 7 if is_old else 13
    bounds, count = _read_bounds(page, entry)
    for run in range(count):
        at = 2 * page[4 * (count + 1) + run * entry]
        sprms = b""
        if at:
            words = page[at]
            if words or is_old:
                sprms = page[at + 1 : at + 2 * words + is_old]
            elif at + 1 < _PAGE:
                sprms = page[at + 2 : at + 2 + 2 * page[at + 1]]
        yield bounds[run], bounds[run + 1], sprms
