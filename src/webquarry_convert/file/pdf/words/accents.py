"""Accents that are drawn as signs of their own, over the letter before them: "Mina´c´" is "Mináć".

Old fonts have no letters with accents, so their programs draw the letter, and then the accent above it. An accent
that stands behind its letter is an apostrophe, as in "don´t", and stays: the places of both tell which it is.
"""

import re
from collections.abc import Iterable, Mapping
from unicodedata import normalize

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_ACCENTS = {**repair.ACCENTS, "\u00b4": "\u0301", "`": "\u0300"}
_PAIR = re.compile(f"([^\\W\\d_])([{''.join(_ACCENTS)}])")
_RUN = re.compile(f"(?:[^\\W\\d_]|[{''.join(_ACCENTS)}])+")
"""A word, with the accents in it."""
_LONGEST = 60
"""Characters of a word."""


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
    """Words, and their beginnings, with accents over letters; and as they are read."""
    text = characters.text
    over = {pair.start(2) for pair in _PAIR.finditer(text) if _is_over(characters, pair.start(1))}
    words: dict[str, str] = {}
    for word in _RUN.finditer(text) if over else ():
        start, end = word.span()
        if end - start > _LONGEST:
            continue
        read = ""
        for at in range(start, end):
            if at not in over:
                read += text[at]
                continue
            whole = normalize("NFC", read[-1] + _ACCENTS[text[at]])
            read = read[:-1] + whole if len(whole) == 1 else read + text[at]
            words[text[start : at + 1]] = read
        if read != word[0]:
            words[word[0]] = read
    return {repair.map_characters(word, ""): read for word, read in words.items()}


def _is_over(characters: Characters, letter: int) -> bool:
    """Whether the middle of what follows a letter is above it."""
    left, _, right, _ = characters.measure(letter)
    x0, _, x1, _ = characters.measure(letter + 1)
    return left < (x0 + x1) / 2 < right


def _replace(span: Span, words: Mapping[str, str]) -> None:
    parts = span.words()
    for part in [*parts, span]:
        part.text = _RUN.sub(lambda run: _read_word(run[0], words), part.text)
    if parts[0] is not span:
        span.parts = parts


def _read_word(word: str, words: Mapping[str, str]) -> str:
    """A word as it is read; pdfium may have torn it behind an accent."""
    if word in words or len(word) > _LONGEST:
        return words.get(word, word)
    start = next((word[:end] for end in range(len(word), 0, -1) if word[:end] in words), "")
    return words.get(start, "") + word[len(start) :]
