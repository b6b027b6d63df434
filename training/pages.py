"""Training pages: trees, blocks, and the share of each block that belongs to the page's content."""

import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from training.tokens import tokens, visible_tokens
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.menus import select_outside
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.page.head import Places
from webquarry_convert.text.markup import parse
from webquarry_convert.tree import copy_tree

FOLDS = 5
SHINGLE = 4
ALIKE = 0.5
"""Minimum share of a block's tokens that must match for the block to be an anchor.

Short blocks are only searched between anchors.
"""
WINDOW = 60
FIXTURES = frozenset({"mozilla", "defuddle", "wmb"})
"""Sets of single pages, many of them under one fictional host. Each page counts as a separate host."""
MADE = "made"
"""The set of generated pages. Each kind of software counts as a host."""
TESTED_ONLY = frozenset({"nonlatin"})
"""Sets whose license permits only testing."""
_SUFFIXES = PublicSuffixList()


@dataclass
class Page:
    """A training page.

    truth: tokens of the page's content. texts, shares: the tokens of each block, and the share of these tokens that is
    content. judged: numbers of the blocks that the forest scores.
    """

    id: str
    set: str
    url: str | None
    type: str | None
    places: Places
    blocks: Blocks
    truth: list[str] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    judged: list[int] = field(default_factory=list)

    @property
    def host(self) -> str:
        return _find_host(self.set, self.id, self.url)

    @property
    def fold(self) -> int:
        return _number_fold(self.host)


def find_fold(record: Mapping[str, Any]) -> int:
    """Return the fold to which a page of the kit belongs."""
    return _number_fold(_find_host(record["id"].partition("/")[0], record["id"], record["url"]))


def _find_host(set_name: str, page_id: str, url: str | None) -> str:
    if set_name in FIXTURES:
        return page_id
    if set_name == MADE:
        return page_id.rpartition("/")[0]
    host = urlsplit(url or "").hostname or page_id
    return _SUFFIXES.privatesuffix(host) or host


def _number_fold(host: str) -> int:
    return int(md5(host.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def read(folders: Iterable[Path], change: Callable[[str, Random], str] | None = None) -> Iterator[Page]:
    """Yield all pages of some folders that have a text as their truth and may be used for training.

    change: modifies each page's HTML with a random generator seeded per page.
    """
    for path in [path for folder in folders for path in sorted(folder.glob("*.jsonl.xz"))]:
        set_name = path.name.partition(".")[0]
        if set_name in TESTED_ONLY:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                html = record["html"] if change is None else change(record["html"], Random(record["id"]))
                page = lay_out(record["id"], set_name, record["url"], record.get("type"), html)
                page.truth = (
                    visible_tokens(record["ref_md"]) if record.get("ref_md") else tokens(record.get("text") or "")
                )
                if page.truth and page.texts:
                    page.shares = shares_of(page.texts, page.truth)
                    yield page


def lay_out(page_id: str, set_name: str, url: str | None, type_: str | None, html: str) -> Page:
    """Return a page whose truth is not yet known."""
    tree = copy_tree(parse(html))
    blocks = Blocks(tree)
    page = Page(page_id, set_name, url, type_, Places(tree), blocks)
    page.texts = [tokens(block.text) for block in blocks.all]
    page.judged = select_outside(blocks, Sums(blocks)) if blocks.all else []
    return page


def shares_of(texts: Sequence[Sequence[str]], truth: list[str]) -> list[float]:
    """Return the share of each text's tokens that occur in the truth.

    Long texts are matched by shingles, each of which can be used as often as the truth contains it. Short texts must
    occur between the positions of the long texts around them, because a word like `Home` occurs in most contents.
    """
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(truth) - SHINGLE + 1):
        places[tuple(truth[place : place + SHINGLE])].append(place)
    left = Counter({shingle: len(found) for shingle, found in places.items()})
    shares = [0.0] * len(texts)
    spans: list[tuple[int, int] | None] = [None] * len(texts)
    after = 0
    for number, text in enumerate(texts):
        covered: set[int] = set()
        start = end = None
        for offset in range(len(text) - SHINGLE + 1):
            shingle = tuple(text[offset : offset + SHINGLE])
            if left[shingle] > 0:
                left[shingle] -= 1
                covered.update(range(offset, offset + SHINGLE))
                near = after if end is None else end + 1
                end = min(places[shingle], key=lambda place: abs(place - near))
                start = end if start is None else start
        shares[number] = len(covered) / len(text) if text else 0.0
        if start is not None and end is not None and shares[number] >= ALIKE:
            spans[number] = (start, end + SHINGLE)
            after = end + SHINGLE
    _place_short_ones(texts, truth, shares, spans)
    return shares


def _place_short_ones(
    texts: Sequence[Sequence[str]], truth: list[str], shares: list[float], spans: list[tuple[int, int] | None]
) -> None:
    following: list[int | None] = []
    upcoming = None
    for span in reversed(spans):
        following.append(upcoming)
        upcoming = upcoming if span is None else span[0]
    following.reverse()
    before = 0
    for number, text in enumerate(texts):
        span = spans[number]
        if span is not None:
            before = span[1]
        elif 0 < len(text) < SHINGLE:
            end = following[number]
            end = min(len(truth), before + WINDOW) if end is None else min(end, before + 400)
            for place in range(before, end - len(text) + 1):
                if truth[place : place + len(text)] == text:
                    shares[number] = 1.0
                    before = place + len(text)
                    break
