"""Letters of formulas, emoji and other characters that liteparse leaves out (`source.supplementary`), put back.

"max(𝑓(𝑛), 2)" comes as "max((), 2)": the place of each letter tells where it belongs. Letters of formulas become the
plain ones that they are variants of, as most fonts of formulas have them.
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
"""Of fonts whose letters liteparse gives."""
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
