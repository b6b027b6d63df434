"""The share of a page's known content that its markdown keeps."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from corpora.sites.page import Post, Truth

MEASURES: Mapping[str, str] = {
    "content": "texts of the content that are there, unbroken",
    "noise": "texts of the furniture that are there",
    "twice": "sentences of the content that are said more often than on the page",
    "facts": "facts of which all pieces stand in one line",
    "posts": "posts below a line with their user and one with their day",
    "code": "blocks of code that are there byte for byte",
    "cells": "cells below their head, in the row of their first cell",
    "headings": "headings that are headings",
    "false": "headings of the markdown that are none of the page's, nor names over their posts",
    "items": "items of lists at their depth",
    "formulas": "formulas whose TeX stands between dollars",
}
Score = Mapping[str, tuple[int, int]]
"""The achieved number and the total for each measure."""
_TOKEN = re.compile(r"\w+")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK = re.compile(r"\[((?:[^\[\]\\\n]|\\.)*)\]\([^)\n]*\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_ESCAPE = re.compile(r"\\([^\w\s])")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_HEADING = re.compile(r"(?:[ >]|[-*+] |\d+[.)] )*#{1,6} (.*)")
_ITEM = re.compile(r"( *)(?:[-*+]|\d+[.)]) +(.*)")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
_NEAR = 8
"""Number of lines above a post's text that must contain its user and date."""
_SENTENCE = 6
"""Minimum number of tokens of a sentence."""


class Markdown:
    """A converter's output as lines of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.codes: list[str] = []
        lines = self._take_codes(text.split("\n"))
        self.lines = [line for line in map(show, lines) if line]
        self.quoted = {show(line) for line in lines if line.lstrip().startswith(">")}
        self.rows = list(_rows(lines))
        self.headings = [show(found[1]) for line in lines if (found := _HEADING.match(line))]
        self.items = list(_items(lines))
        self.formulas = Counter(_squeeze(found[1] or found[2]) for found in _FORMULA.finditer("\n".join(lines)))
        self.said = f" {' '.join(self.lines)} "

    def _take_codes(self, lines: Sequence[str]) -> list[str]:
        """Return the lines. Lines of fenced blocks are unchanged."""
        fence = ""
        block: list[str] = []
        kept: list[str] = []
        for line in lines:
            found = _FENCE.match(line.lstrip())
            if fence and line.strip() == fence:
                self.codes.append("\n".join(block))
                fence = ""
            elif fence:
                block.append(line)
                kept.append(" ".join(_TOKEN.findall(line)))
            elif found:
                fence, block = found[1], []
            else:
                kept.append(line)
        return kept


def show(line: str) -> str:
    """Return the visible tokens of a line, separated by single spaces."""
    line = _LINK.sub(r"\1", _IMAGE.sub(" ", line))
    line = _ESCAPE.sub(r"\1", _TAG.sub(" ", line))
    return " ".join(_TOKEN.findall(line.casefold()))


def score(truth: Truth, text: str) -> Score:
    markdown = Markdown(text)
    wanted, around = Counter(map(show, truth.content)), Counter(map(show, truth.furniture))
    for empty in (wanted, around):
        del empty[""]
    sentences = [each for each in wanted if each.count(" ") >= _SENTENCE]
    headings = Counter(map(show, truth.headings))
    formulas = Counter(map(_squeeze, truth.formulas))
    found = Counter(markdown.headings)
    named = Counter(show(post.user) for post in truth.posts)  # markup may use a name as the heading of each post
    return {
        "content": (sum(_holds(markdown.said, each) for each in wanted), len(wanted)),
        "noise": (_noise(markdown.said, wanted, around), sum(around.values())),
        "twice": (sum(markdown.said.count(f" {each} ") > wanted[each] for each in sentences), len(sentences)),
        "facts": (sum(_is_whole(markdown.lines, fact.pieces) for fact in truth.facts), len(truth.facts)),
        "posts": (sum(_is_told(markdown, post, truth.posts) for post in truth.posts), len(truth.posts)),
        "code": (sum((Counter(truth.codes) & Counter(markdown.codes)).values()), len(truth.codes)),
        "cells": _cells(markdown.rows, truth.rows),
        "headings": (sum((headings & found).values()), sum(headings.values())),
        "false": (sum((found - headings - named).values()), sum(found.values())),
        "items": (
            sum((Counter((depth, show(each)) for depth, each in truth.items) & Counter(markdown.items)).values()),
            len(truth.items),
        ),
        "formulas": (sum((formulas & markdown.formulas).values()), sum(formulas.values())),
    }


def missed(truth: Truth, text: str) -> Iterator[str]:
    """Yield a line for each text, fact and post that is missing or should be missing."""
    markdown = Markdown(text)
    wanted = {show(each) for each in truth.content}
    yield from (f"missed: {each}" for each in truth.content if not _holds(markdown.said, show(each)))
    yield from (
        f"noise: {each}" for each in truth.furniture if show(each) not in wanted and _holds(markdown.said, show(each))
    )
    yield from (f"broken: {fact}" for fact in truth.facts if not _is_whole(markdown.lines, fact.pieces))
    yield from (f"untold: {post}" for post in truth.posts if not _is_told(markdown, post, truth.posts))
    yield from (f"code: {code!r}" for code in truth.codes if code not in markdown.codes)
    yield from (f"no heading: {each}" for each in truth.headings if show(each) not in markdown.headings)
    known = {show(each) for each in [*truth.headings, *(post.user for post in truth.posts)]}
    yield from (f"false heading: {each}" for each in markdown.headings if each not in known)
    yield from (f"item: {each}" for each in truth.items if (each[0], show(each[1])) not in markdown.items)
    yield from (f"formula: {each}" for each in truth.formulas if _squeeze(each) not in markdown.formulas)


def _holds(line: str, piece: str) -> bool:
    return f" {piece} " in f" {line} "


def _noise(said: str, wanted: Mapping[str, int], around: Mapping[str, int]) -> int:
    """Return the number of noise texts. A text that is also content counts only for surplus occurrences."""
    content = f" {' '.join(f'{text} |' * count for text, count in wanted.items())} "
    return sum(
        min(count, max(0, said.count(f" {each} ") - content.count(f" {each} "))) for each, count in around.items()
    )


def _is_whole(lines: Iterable[str], pieces: Iterable[str]) -> bool:
    shown = [show(piece) for piece in pieces]
    return any(all(_holds(line, piece) for piece in shown) for line in lines)


def _is_told(markdown: Markdown, post: Post, posts: Sequence[Post]) -> bool:
    lines = markdown.lines
    text, user, day = show(post.text), show(post.user), show(post.day)
    others = {show(other.text) for other in posts} - {text}
    for at, line in enumerate(lines):
        if not _holds(line, text):
            continue
        above: list[str] = [line]
        for earlier in reversed(lines[max(0, at - _NEAR) : at]):
            if earlier not in markdown.quoted and any(_holds(earlier, other) for other in others):
                break
            above.append(earlier)
        return any(_holds(each, user) for each in above) and any(_holds(each, day) for each in above)
    return False


def _cells(rows: Sequence[Mapping[str, str]], truths: Iterable[tuple[Sequence[str], Sequence[str]]]) -> tuple[int, int]:
    kept = count = 0
    for heads, cells in truths:
        first, head = show(cells[0]), show(heads[0])
        same = [row for row in rows if row.get(head) == first]
        for name, cell in zip(heads, cells, strict=True):
            count += 1
            kept += any(row.get(show(name)) == show(cell) for row in same)
    return kept, count


def _rows(lines: Iterable[str]) -> Iterable[Mapping[str, str]]:
    """Yield rows of pipe tables as pairs of header and cell."""
    heads: list[str] = []
    for line in lines:
        if not line.lstrip().startswith("|"):
            heads = []
            continue
        cells = [show(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if heads:
            yield dict(zip(heads, cells, strict=False))
        else:
            heads = cells


def _items(lines: Iterable[str]) -> Iterable[tuple[int, str]]:
    """Yield the depth and text of each item. The depth is the number of open indentations."""
    open_at: list[int] = []
    for line in lines:
        if found := _ITEM.match(line):
            indent = len(found[1])
            while open_at and open_at[-1] >= indent:
                open_at.pop()
            yield len(open_at), show(found[2])
            open_at.append(indent)
        elif line.strip() and not line.startswith(" "):
            open_at = []


def _squeeze(tex: str) -> str:
    return re.sub(r"\s+", "", tex)
