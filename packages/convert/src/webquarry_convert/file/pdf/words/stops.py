"""Restores periods and bullets on crowded pages, which liteparse drops as garbage.

If fonts have size 1 and the page is scaled, each period is a separate run. liteparse drops all such runs if a page has
more than a hundred of them. PDFium's characters show their positions.
"""

from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.words.insertion import insert_letters
from webquarry_convert.file.pdf.words.placing import Letter, Placed, find_word, place_letters

_DROPPED = frozenset(".\u2022")
_LEAST_DROPPED = 100
"""Minimum number of such runs on a page. If there are fewer, liteparse keeps them."""
_LEAST_LOST = 50
"""Minimum number of lost runs. If there are fewer, they may be leaders or outside the page."""
_NEAR = 1.0
"""Maximum distance, in points, between a word and its period."""
_UNSCALED = 2.0
"""Font size in the file below which the page is scaled."""


def restore_stops(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        characters = file.characters(page.number) if _may_lack_stops(page) else None
        if characters is None or not characters.is_upright:
            continue
        stops = _find_stops(characters, page)
        written = sum(span.text.count(sign) for span in page.spans for sign in _DROPPED)
        if len(stops) - written > _LEAST_LOST:
            insert_letters(page, _place_lost(stops, page.spans), characters)


def _may_lack_stops(page: Page) -> bool:
    """Return whether a page with many runs has fonts of size 1, but no run that is a period or bullet."""
    spans = page.spans
    if len(spans) <= _LEAST_DROPPED or spans[0].source is None:
        return False
    size: float = spans[0].source.font_size or _UNSCALED
    return size < _UNSCALED and not any(span.text in _DROPPED for span in spans)


def _find_stops(characters: Characters, page: Page) -> list[Letter]:
    """Return visible periods that directly follow a word, and visible bullets."""
    found = []
    for at, sign in enumerate(characters.text):
        if sign in _DROPPED:
            letter = Letter(at, sign, characters.measure(at))
            x, y = letter.middle
            if 0 < x < page.width and 0 < y < page.height and (sign != "." or _is_behind_word(letter, characters)):
                found.append(letter)
    return found


def _is_behind_word(letter: Letter, characters: Characters) -> bool:
    before = characters.text[letter.at - 1 : letter.at]
    if not before or before.isspace() or before in _DROPPED:
        return False
    return abs(letter.box.x0 - characters.measure(letter.at - 1).x1) < _NEAR


def _place_lost(letters: Sequence[Letter], spans: Sequence[Span]) -> Placed:
    """Assign letters that are not in any word."""
    placed = place_letters(letters, spans)
    inside = [(span, lost) for span, letters in placed.inside if (lost := _select_lost(span, letters))]
    return Placed(inside, placed.outside)


def _select_lost(span: Span, letters: Sequence[Letter]) -> list[Letter]:
    words = span.words()
    starts = [word.x0 for word in words]
    return [letter for letter in letters if find_word(letter, words, starts) is None]
