"""Corrects Hebrew and Arabic words that are extracted in reverse, or with punctuation at the wrong end.

PDFium assumes that letters are stored in visual order, from the left. Browsers store letters in logical order. If so,
PDFium reverses words that were in the right order and mirrors brackets, and liteparse splits words where letters join.
Such pages are recognized by their words, and right-to-left text is rebuilt from single characters and their positions,
with one span per word.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_WORD = re.compile(r"\S+")
_OTHERS = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The range of `_LETTER` without digits, which are read from the left."""
_LEFT_TO_RIGHT = re.compile(rf"[^\W{_OTHERS}](?:[^{_OTHERS}]*[^\W{_OTHERS}])?")
_MIRRORED = str.maketrans("()[]{}\u00ab\u00bb", ")(][}{\u00bb\u00ab")
_PAIR, _MIRRORED_PAIR = re.compile(r"\([^()]*\)|\[[^\[\]]*\]"), re.compile(r"\)[^()]*\(|\][^\[\]]*\[")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_BRACKET = re.compile(r"[()\[\]{}\u00ab\u00bb]")
_ALONE = re.compile(r"[^\w\s]+")
"""Matches punctuation without letters and digits. Such punctuation is a separate run."""
_SPACE = 0.1
"""Minimum gap next to a separate bracket, in line heights."""
_SAMPLE = 30
"""Number of words on a page that are examined."""
_LEAST_LETTERS = 3
_STOP_BEFORE = re.compile(rf"(?<!\S)[.,;:!?\u060c\u061b\u061f]+[{_OTHERS}]")
"""Matches a punctuation mark before its word, as drawn."""
_STEP = 10.0
"""Height, in points, of the steps by which spans are indexed."""
_MOST_LOOKS = 20
"""Maximum number of spans at one height that begin before the end of a word, nearest first."""
Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word. edges: the word's left, top, right and bottom, in points from the page's upper left corner."""

    text: str
    edges: Edges


def turn_back_words(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        turned = [span for span in page.spans if not span.text.isascii() and _LETTER.search(span.text)]
        if not turned:
            continue
        has_stops = any(_STOP_BEFORE.search(span.text) for span in turned)
        characters = file.characters(page.number)
        if characters.is_upright and (has_stops or _are_turned(characters)):
            turned += [span for span in page.spans if _ALONE.fullmatch(span.text)]
            _rebuild_spans(page, turned, _read_words(characters))


def _are_turned(characters: Characters) -> bool:
    """Return whether the letters of most words run from left to right."""
    sample = turned = 0
    for word in _WORD.finditer(characters.text):
        letters = [found.start() for found in _LETTER.finditer(characters.text, *word.span())]
        if len(letters) < _LEAST_LETTERS:
            continue
        sample += 1
        turned += characters.measure(letters[0]).x0 < characters.measure(letters[-1]).x0
        if sample == _SAMPLE:
            break
    return turned * 2 > sample


def _read_words(characters: Characters) -> list[_Word]:
    """Return words in logical order, including words in other scripts.

    Punctuation apart from a word is a separate word.
    """
    words: list[_Word] = []
    for found in _WORD.finditer(characters.text):
        signs: list[_Word] = []  # letters that are drawn as one glyph stay together
        for at in range(*found.span()):
            box = characters.measure(at)
            edges = (box.x0, box.y0, box.x1, box.y1)
            if signs and signs[-1].edges == edges:
                signs[-1] = _Word(signs[-1].text + characters.text[at], edges)
            else:
                signs.append(_Word(characters.text[at], edges))
        if _LATIN.search(found[0]) is None:
            signs.sort(key=lambda sign: -sign.edges[0])
            words += [_join_signs(part) for part in _part_signs(signs)]
        else:
            words.append(_join_signs(signs, found[0]))
    text = " ".join(word.text for word in words)
    if len(_MIRRORED_PAIR.findall(text)) > len(_PAIR.findall(text)):
        words = [
            word if _LATIN.search(word.text) else _Word(word.text.translate(_MIRRORED), word.edges) for word in words
        ]
    return words


def _part_signs(signs: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Split punctuation at gaps next to a bracket, which may belong to the next word. signs: sorted from the right."""
    part = [signs[0]]
    for before, sign in pairwise(signs):
        room = before.edges[0] - sign.edges[2]
        if room > _SPACE * (sign.edges[3] - sign.edges[1]) and _BRACKET.search(before.text + sign.text):
            yield part
            part = []
        part.append(sign)
    yield part


def _join_signs(signs: Sequence[_Word], text: str | None = None) -> _Word:
    """Join signs into a word. text: the word's text.

    By default, it consists of the signs from the right, except numbers.
    """
    if text is None:
        text = _LEFT_TO_RIGHT.sub(lambda run: run[0][::-1], "".join(sign.text for sign in signs))
    lefts, tops, rights, bottoms = zip(*(sign.edges for sign in signs), strict=True)
    return _Word(text, (min(lefts), min(tops), max(rights), max(bottoms)))


def _rebuild_spans(page: Page, turned: Sequence[Span], words: Iterable[_Word]) -> None:
    """Replace the reversed spans with the words inside them.

    Words outside of these spans belong to other spans on the page.
    """
    levels: dict[int, list[Span]] = {}
    for span in sorted(turned, key=lambda span: span.x0):
        levels.setdefault(int((span.y0 + span.y1) / 2 // _STEP), []).append(span)
    starts = {level: [span.x0 for span in spans] for level, spans in levels.items()}
    rebuilt: list[Span] = []
    held: set[int] = set()
    for word in words:
        left, top, right, bottom = word.edges
        over: list[Span] = []
        for level in range(int(top // _STEP), int(bottom // _STEP) + 1) if bottom - top < page.height else ():
            end = bisect_right(starts.get(level, ()), right)
            over += [
                span
                for span in levels.get(level, ())[max(0, end - _MOST_LOOKS) : end]
                if span.x1 > left and top < (span.y0 + span.y1) / 2 < bottom
            ]
        if not over:
            continue
        held.update(map(id, over))
        owner = max(over, key=lambda span: min(span.x1, right) - max(span.x0, left))
        span = Span(word.edges, word.text, owner.size)
        span.is_bold, span.is_italic, span.is_mono, span.mark = (
            owner.is_bold,
            owner.is_italic,
            owner.is_mono,
            owner.mark,
        )
        span.source, span.parts = owner.source, [span]
        rebuilt.append(span)
    page.spans = [span for span in page.spans if id(span) not in held] + rebuilt
