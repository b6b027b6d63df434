"""Accents that are drawn as separate glyphs over a letter: "Mina´c´" is "Mináć", and so is "Min´a´c".

Old fonts have no accented letters, so programs draw the letter and the accent above it, in either order. PDFium may
return the accent only after the word ("Minac´´"). An accent next to the letters is an apostrophe, as in "don´t", and is
kept. The positions of both distinguish the two cases.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from unicodedata import normalize

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_ACCENTS = {**repair.ACCENTS, "\u00b4": "\u0301", "`": "\u0300"}
_SIGNS = "".join(_ACCENTS)
_PAIR = re.compile(f"[^\\W\\d_][{_SIGNS}]|[{_SIGNS}][^\\W\\d_]")
_RUN = re.compile(f"(?:[^\\W\\d_]|[{_SIGNS}])+")
"""Matches a word, including accents."""
_APART = re.compile(f"[^\\W\\d_] (?=[{_SIGNS}])")
"""Matches an accent that PDFium returns after its word. liteparse returns such an accent without the space."""
_LONGEST = 60
"""Maximum length of a word, in characters."""


def join_accents(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        if any(_has_accents(span) for span in page.spans) and (
            words := _find_accented_words(file.characters(page.number))
        ):
            for span in page.spans:
                if not span.text.isascii() or "`" in span.text:
                    _replace(span, words)


def _has_accents(span: Span) -> bool:
    text = span.text
    return (not text.isascii() or "`" in text) and not span.is_mono and _PAIR.search(text) is not None


def _find_accented_words(characters: Characters) -> dict[str, str]:
    """Return words and beginnings of words with accents over their letters, mapped to the corrected text."""
    text = characters.text
    places = _list_places(characters)
    text = "".join([text[place] for place in places])
    words: dict[str, str] = {}
    for found in _RUN.finditer(text):
        word, start = found[0], found.start()
        if len(word) > _LONGEST or not any(sign in _ACCENTS for sign in word):
            continue
        boxes = [characters.measure(place) for place in places[start : start + len(word)]]
        letters = [*word]
        for at, sign in enumerate(word):
            if sign not in _ACCENTS or (letter := _find_letter(word, boxes, at)) is None:
                continue
            whole = normalize("NFC", letters[letter] + _ACCENTS[sign])
            if len(whole) == 1:
                letters[letter], letters[at] = whole, ""
                if letter < at:
                    words[word[: at + 1]] = "".join(letters[: at + 1])
        read = "".join(letters)
        if read != word:
            words[word] = read
    return {repair.map_characters(word, ""): read for word, read in words.items()}


def _list_places(characters: Characters) -> list[int]:
    """Return the indexes of characters, except spaces between a word and its accents."""
    text = characters.text
    spaces = {
        found.end() - 1
        for found in _APART.finditer(text)
        if found.end() + 1 == len(text)
        or not _is_over(characters.measure(found.end()), characters.measure(found.end() + 1))
    }
    return [at for at in range(len(text)) if at not in spaces]


def _find_letter(word: str, boxes: Sequence[Box], accent: int) -> int | None:
    """Return the index of the letter below an accent, or None if there is no letter.

    accent: the accent's index.
    """
    under = [at for at, sign in enumerate(word) if sign not in _ACCENTS and _is_over(boxes[accent], boxes[at])]
    return min(under, key=lambda at: abs(at - accent), default=None)


def _is_over(accent: Box, letter: Box) -> bool:
    """Return whether an accent's center is above a letter."""
    return letter.x0 < (accent.x0 + accent.x1) / 2 < letter.x1


def _replace(span: Span, words: Mapping[str, str]) -> None:
    text, parts = span.text, span.words()
    kept: list[Span] = []
    for part in parts:
        if kept and part.text[0] in _ACCENTS and (whole := kept[-1].text + part.text) in words:
            text = text.replace(f"{kept[-1].text} {part.text}", whole, 1)
            kept[-1].text = whole
        else:
            kept.append(part)
    text = _read_words(text, words)
    if text == span.text:
        return
    span.text = text
    if parts[0] is not span:
        for part in kept:
            part.text = _read_words(part.text, words)
        span.parts = kept


def _read_words(text: str, words: Mapping[str, str]) -> str:
    return _RUN.sub(lambda run: _read_word(run[0], words), text)


def _read_word(word: str, words: Mapping[str, str]) -> str:
    """Return the corrected word. PDFium may have split the word after an accent."""
    if word in words or len(word) > _LONGEST:
        return words.get(word, word)
    start = next((word[:end] for end in range(len(word), 0, -1) if word[:end] in words), "")
    return words.get(start, "") + word[len(start) :]
