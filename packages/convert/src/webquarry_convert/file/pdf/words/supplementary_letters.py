"""Inserts math letters, emoji and other characters outside the basic multilingual plane at their positions, because
liteparse omits them (`source.supplementary`). Without them, "max(𝑓(𝑛), 2)" becomes "max((), 2)". Math letters become
plain letters, as in most math fonts.
"""

import re
from collections.abc import Iterable

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.words.insertion import insert_letters
from webquarry_convert.file.pdf.words.placing import Letter, Placed, place_letters

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SUPPLEMENTARY = re.compile("[\U00010000-\U000effff]")
"""Matches supplementary characters of fonts whose letters liteparse returns."""
_PRIVATE = 0xF0000


def restore_letters(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        characters = file.characters(page.number)
        if page.spans and characters.is_upright and (letters := _find_letters(characters)):
            placed = place_letters(letters, page.spans)
            lacking = [(span, inside) for span, inside in placed.inside if _SUPPLEMENTARY.search(span.text) is None]
            insert_letters(page, Placed(lacking, placed.outside), characters)


def _find_letters(characters: Characters) -> list[Letter]:
    letters = []
    for pair in _PAIR.finditer(characters.text):
        letter = pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
        if ord(letter) < _PRIVATE:
            box = characters.measure(pair.start())
            letters.append(Letter(pair.start(), repair.map_characters(letter, ""), box))
    return letters
