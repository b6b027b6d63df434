"""Words in pdfium's text that are missing or torn in a page's spans.

For example, liteparse tears words of turned pages: "Pow er".

Most pages pass a comparison of the words between spaces. Only if more than `SHARE` of these words are missing from the
spans, the letters of the page and their positions are compared:

    a letter on the page, large enough to be read, that no span contains     is lost
    a word whose letters are close together, and that the spans divide       is torn

A word that pdfium joins and the spans divide is left divided if there are gaps between its letters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from webquarry_convert.file.page_names import name_pages
from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.glyphs import MOST, rebuild_spans
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.source.repair import AS_GIVEN

MOST_REBUILT = 300_000
"""The maximum number of characters in a file that are rebuilt. Each character takes a few microseconds."""
SHARE = 0.02
"""The maximum fraction of a page's words, or of its letters, that may be missing."""
_MARKS = "\u00a8\u00af\u00b4\u00b8\u02c6-\u02dd`"
"""Accents that are separate characters."""
_WORD = re.compile(rf"(?:[^\W\d_]|[{_MARKS}]){{3,60}}")
"""Matches a word without digits, because a raised digit may be separate from its word."""
_LETTERS = re.compile(r"[^\W_]+")
_AS_READ: dict[int, int | str] = {**AS_GIVEN, ord("\x02"): "- ", ord("\ufffe"): "- "}
"""Quotes and dashes as liteparse writes them, and pdfium's characters for a hyphen at the end of a line."""
_ACCENTS = re.compile(f"[{_MARKS}]")
_CLOSE = 0.12
"""The maximum gap within a word, in ems."""
_SMALLEST = 2.0
"""The size, in points, of the smallest letters that a person can read."""
_OVER = 1.0
"""The maximum distance, in points, by which a character may extend beyond the edge of the page."""
_LEAST = 2
"""A limit for small pages: this many lost words are too many, and this many lost letters are acceptable."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between pdfium's text and the spans of a page.

    words: number of space-separated words on the page. missing: the words that the spans lack.
    """

    words: int
    missing: list[str]

    @property
    def is_suspicious(self) -> bool:
        return len(self.missing) > max(SHARE * self.words, _LEAST - 1)


@dataclass(slots=True)
class Losses:
    """The pages of a file that were read in another way, or incompletely.

    rebuilt: the numbers of pages that were rebuilt from single characters. doubtful: the numbers of pages with missing
    words that were not rebuilt. outside: number of characters beyond the edges of pages. room: number of characters
    that may still be rebuilt.
    """

    rebuilt: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    outside: int = 0
    room: int = MOST_REBUILT

    def warnings(self) -> list[str]:
        found = []
        if self.rebuilt:
            listed = name_pages(self.rebuilt)
            found.append(
                f"The text on {listed} was rebuilt from single characters because words were missing or split."
            )
        if self.doubtful:
            found.append(f"Words on {name_pages(self.doubtful)} are missing or split.")
        if self.outside:
            found.append(f"Text outside the visible area of the pages is omitted: {self.outside:,} characters.")
        return found


def restore_lost_words(pages: Sequence[Page], given: Sequence[str], file: File, losses: Losses) -> None:
    """Rebuild pages with lost or torn words, and add the findings to `losses`.

    given: each page's text in liteparse's output. Letters that a repair replaced with signs don't count as lost.
    """
    for page, before in zip(pages, given, strict=True):
        characters = file.characters(page.number)
        compared = compare(page, characters)
        if compared.missing and page.overflows:
            losses.outside += file.count_outside(page.number)
        is_whole = not compared.is_suspicious or not is_faulty(page, before, characters)
        if is_whole and not is_upside_down(page):
            continue
        losses.room -= len(characters.text)
        if losses.room < 0:
            losses.doubtful.append(page.number)
        else:
            rebuild_spans(page, characters)
            losses.rebuilt.append(page.number)


def compare(page: Page, characters: Characters) -> Comparison:
    """Compare the spans of a page with pdfium's text."""
    words, said = characters.written.split(), set(join_text(page).split())
    missing = [word for word in words if word not in said]
    return Comparison(len(words), [word for word in missing if not said.issuperset(word.translate(_AS_READ).split())])


def is_faulty(page: Page, before: str, characters: Characters) -> bool:
    """Return whether a page has lost more than `SHARE` of its letters, or more than `SHARE` of its words are torn.

    before: the text of its spans in liteparse's output.
    """
    text = characters.text[:MOST]
    if _count_lost(text, page, before, characters) > max(SHARE * len(text), _LEAST):
        return True
    words = len(text.split())
    return _count_torn(text, page, characters) > max(SHARE * words, _LEAST - 1)


def is_upside_down(page: Page) -> bool:
    """Return whether most of the text is not upright, and also not sideways on a turned page."""
    upright, turned = (sum(len(span.text) for span in spans) for spans in (page.spans, page.sideways))
    return turned > upright


def join_text(page: Page) -> str:
    return " ".join([span.text for spans in (page.spans, page.sideways) for span in spans])


def _plain(text: str) -> str:
    """Return text in a form that both readers share, without accents and with plain letters in formulas."""
    text = _ACCENTS.sub("", text.translate(AS_GIVEN))
    if text.isascii():
        return text
    return "".join([sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)])


def _count_lost(text: str, page: Page, before: str, characters: Characters) -> int:
    lost = _count_letters(text) - (_count_letters(before) | _count_letters(join_text(page)))
    if lost.total() <= max(SHARE * len(text), _LEAST):
        return 0
    outside: Counter[str] = Counter()
    signs = {sign: letters for sign in set(text) if (letters := [one for one in _count_letters(sign) if one in lost])}
    for at, sign in enumerate(text):
        if sign in signs and not _is_read(page, characters, at):
            outside.update(signs[sign])
    return sum(max(count - outside[letter], 0) for letter, count in lost.items())


def _count_letters(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sign, count in Counter(text).items():
        for letter in _list_letters(sign):
            counts[letter] += count
    return counts


@lru_cache(maxsize=10_000)
def _list_letters(sign: str) -> str:
    return "".join([letter for letter in _plain(sign) if letter.isalnum()])


def _is_read(page: Page, characters: Characters, at: int) -> bool:
    """Return whether a character is on the page and large enough to read."""
    box = characters.measure_shown(at)
    width, height = (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)
    is_inside = min(box.x0, box.y0) > -_OVER and box.x1 < width + _OVER and box.y1 < height + _OVER
    return is_inside and max(box.x1 - box.x0, box.y1 - box.y0) >= _SMALLEST


def _count_torn(text: str, page: Page, characters: Characters) -> int:
    """Count the words whose letters are close together although the spans divide them."""
    said = _plain(join_text(page))
    whole = Counter(_WORD.findall(said))
    joined = "".join(_LETTERS.findall(said))
    torn = 0
    for found in _WORD.finditer(text):
        word = _plain(found[0])
        if whole[word] > 0:
            whole[word] -= 1
        elif (
            word not in said
            and word in joined
            and _is_read(page, characters, found.start())
            and _is_close(characters, found.start(), found.end())
        ):
            torn += 1
    return torn


def _is_close(characters: Characters, start: int, end: int) -> bool:
    """Return whether there is no gap between any two consecutive characters."""
    size = characters.measure_size(start)
    last = characters.measure_shown(start)
    for at in range(start + 1, end):
        box = characters.measure_shown(at)
        gap = max(box.x0 - last.x1, last.x0 - box.x1, box.y0 - last.y1, last.y0 - box.y1)
        if gap > _CLOSE * size:
            return False
        last = box
    return True
