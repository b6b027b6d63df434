"""Words of Hebrew and Arabic whose letters or stops stand in a file as they are drawn, from the left to the right.

Browsers print so: the words follow each other as they are read, but those of Arabic are written backwards, and the stop
behind a word is a run of its own at its left. liteparse tears words apart where letters join. Such pages are told by
their words, and the text written from the right is made anew out of the single characters, a span for each word:

    letters in the file   l a h s   (drawn from the left: "lahs", read from the right: "shal")
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry_convert.file.pdf.content import Page, Span
from webquarry_convert.file.pdf.pdfium import Characters, File

_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_WORD = re.compile(r"\S+")
_OTHERS = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""As `_LETTER`, without digits, which are read from the left."""
_LEFT_TO_RIGHT = re.compile(rf"[^\W{_OTHERS}](?:[^{_OTHERS}]*[^\W{_OTHERS}])?")
_MIRRORED = str.maketrans("()[]{}<>\u00ab\u00bb", ")(][}{><\u00bb\u00ab")
_SAMPLE = 30
"""Words of a page by which it is judged."""
_LEAST_LETTERS = 3
_STOP_BEFORE = re.compile(rf"(?<!\S)[.,;:!?\u060c\u061b\u061f]+[{_OTHERS}]")
"""A stop that stands before its word, as it is drawn."""
_STEP = 10.0
"""Points; spans are looked up by their height."""
_MOST_LOOKS = 20
"""Spans at one height that begin before the end of a word, the nearest ones."""
Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Word:
    """edges: left, top, right and bottom, in points from the upper left corner of the page."""

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
            _rebuild_spans(page, turned, _read_words(characters))


def _are_turned(characters: Characters) -> bool:
    """Whether the letters of most words stand from the left to the right."""
    sample = turned = 0
    for word in _WORD.finditer(characters.text):
        if len(_LETTER.findall(word[0])) < _LEAST_LETTERS:
            continue
        sample += 1
        turned += characters.measure(word.start())[0] < characters.measure(word.end() - 1)[0]
        if sample == _SAMPLE:
            break
    return turned * 2 > sample


def _read_words(characters: Characters) -> Iterator[_Word]:
    """Words as they are read, those of other scripts too."""
    for found in _WORD.finditer(characters.text):
        signs: list[tuple[str, Edges]] = []  # letters that are drawn as one stay together
        for at in range(*found.span()):
            edges = characters.measure(at)
            if signs and signs[-1][1] == edges:
                signs[-1] = (signs[-1][0] + characters.text[at], edges)
            else:
                signs.append((characters.text[at], edges))
        text = _turn_back(signs) if _LETTER.search(found[0]) else found[0]
        lefts, tops, rights, bottoms = zip(*(edges for _, edges in signs), strict=True)
        yield _Word(text, (min(lefts), min(tops), max(rights), max(bottoms)))


def _turn_back(signs: Sequence[tuple[str, Edges]]) -> str:
    """Signs from the right, but for numbers and words of other scripts among them. Brackets that stand in the order of
    the drawing have the shape that is drawn, and the other meaning.
    """
    ordered = sorted(signs, key=lambda sign: -sign[1][0])
    is_drawn = ordered != list(signs)
    text = "".join(sign.translate(_MIRRORED) if is_drawn else sign for sign, _ in ordered)
    return _LEFT_TO_RIGHT.sub(lambda run: run[0][::-1], text)


def _rebuild_spans(page: Page, turned: Sequence[Span], words: Iterable[_Word]) -> None:
    """Puts words in the place of the spans that they are in; words in no such span are in others of the page."""
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
        span.is_bold, span.is_italic, span.is_mono, span.mark = owner.is_bold, owner.is_italic, owner.is_mono, owner.mark
        span.source, span.parts = owner.source, [span]
        rebuilt.append(span)
    page.spans = [span for span in page.spans if id(span) not in held] + rebuilt
