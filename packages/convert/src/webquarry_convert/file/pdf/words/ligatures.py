"""Corrects Arabic ligatures of lam and alef, which PDFium sometimes returns in reverse order.

The two letters of a ligature have the same position on the page. Alef followed by lam is never a ligature, so the two
are reversed if they have the same position.
"""

import re
from collections.abc import Iterable

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_TURNED = re.compile("(?=[\u0622\u0623\u0625\u0627]\u0644)")
_WORD = re.compile("[\u0621-\u06ff]+")


def turn_back_signs(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        found = [span for span in page.spans if not span.text.isascii() and _TURNED.search(span.text)]
        if found and (words := _find_turned_words(file.characters(page.number))):
            for span in found:
                span.replace_words(_WORD, words)


def _find_turned_words(characters: Characters) -> dict[str, str]:
    """Return words with reversed ligatures, mapped to the corrected words."""
    text = characters.text
    turned = {match.start() for match in _TURNED.finditer(text) if characters.is_one_sign(match.start())}
    words = {}
    for word in _WORD.finditer(text):
        letters = list(word[0])
        for at in turned.intersection(range(*word.span())):
            place = at - word.start()
            letters[place : place + 2] = letters[place + 1], letters[place]
        if letters != list(word[0]):
            words[word[0]] = "".join(letters)
    return words
