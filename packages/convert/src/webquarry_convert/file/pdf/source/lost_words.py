"""Words that pdfium reads on a page, and that its spans lack or tear: liteparse tears words of turned pages, "Pow er".

Most pages are told to be whole by their words as they stand between spaces. Only where more than `SHARE` of these are
not among the spans' the page is looked at by its letters and their places:

    a letter that no span has, inside of the page and large enough to be read   is lost
    a word whose letters stand close together, and that spans have in pieces    is torn

What pdfium joins and the spans part stays as it is, since the letters have room between them.
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
"""Characters of a file; each takes some microseconds."""
SHARE = 0.02
"""Of the words of a page, or of its letters."""
_MARKS = "\u00a8\u00af\u00b4\u00b8\u02c6-\u02dd`"
"""Accents that stand for themselves."""
_WORD = re.compile(rf"(?:[^\W\d_]|[{_MARKS}]){{3,60}}")
"""Digits are left out: a raised one may stand apart from its word."""
_LETTERS = re.compile(r"[^\W_]+")
_AS_READ: dict[int, int | str] = {**AS_GIVEN, ord("\x02"): "- ", ord("\ufffe"): "- "}
"""Quotes and dashes as liteparse writes them; and what pdfium has for a hyphen at the end of a line."""
_ACCENTS = re.compile(f"[{_MARKS}]")
_CLOSE = 0.12
"""Gap within a word, in sizes of the font, at most."""
_SMALLEST = 2.0
"""Points; nobody reads smaller letters."""
_OVER = 1.0
"""Points by which a character may reach over the edge of the page."""
_LEAST = 2
"""Words, or letters, of a small page."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What pdfium reads and the spans of a page lack. missing: words between spaces, as they are written; the share of
    them is compared first."""

    words: int
    missing: list[str]

    @property
    def is_suspicious(self) -> bool:
        return len(self.missing) > max(SHARE * self.words, _LEAST - 1)


@dataclass(slots=True)
class Losses:
    """What of a file was read otherwise than usual, or not at all.

    rebuilt, doubtful: numbers of pages that were put together from single characters, and of those that should have
    been. outside: characters beyond the edges of pages. room: characters that may still be put together.
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
                f"The text of {listed} is put together from single characters, since words were missing or torn."
            )
        if self.doubtful:
            found.append(f"Words of {name_pages(self.doubtful)} are missing or torn.")
        if self.outside:
            found.append(f"Outside of what the pages show: {self.outside:,} characters, left out.")
        return found


def restore_lost_words(pages: Sequence[Page], given: Sequence[str], file: File, losses: Losses) -> None:
    """Rebuild pages whose words are lost or torn; add to `losses` what was found.

    given: the text of each page as liteparse gave it. Letters that a repair replaced by signs are not lost.
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
    """Compare what the spans of a page say with the text of pdfium."""
    words, said = characters.written.split(), set(join_text(page).split())
    missing = [word for word in words if word not in said]
    return Comparison(len(words), [word for word in missing if not said.issuperset(word.translate(_AS_READ).split())])


def is_faulty(page: Page, before: str, characters: Characters) -> bool:
    """Whether more than `SHARE` of the letters of a page are lost, or of its words torn. before: the text of its spans
    as liteparse gave it.
    """
    text = characters.text[:MOST]
    if _count_lost(text, page, before, characters) > max(SHARE * len(text), _LEAST):
        return True
    words = len(text.split())
    return _count_torn(text, page, characters) > max(SHARE * words, _LEAST - 1)


def is_upside_down(page: Page) -> bool:
    """Whether most of the text is read neither upright nor, when the page was turned, along a side."""
    upright, turned = (sum(len(span.text) for span in spans) for spans in (page.spans, page.sideways))
    return turned > upright


def join_text(page: Page) -> str:
    """Return what the spans of a page say."""
    return " ".join([span.text for spans in (page.spans, page.sideways) for span in spans])


def _plain(text: str) -> str:
    """Return a text as both readers write it: without accents, and letters of formulas as plain ones."""
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
    """Whether a character stands on the page, and is large enough."""
    box = characters.measure_shown(at)
    width, height = (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)
    is_inside = min(box.x0, box.y0) > -_OVER and box.x1 < width + _OVER and box.y1 < height + _OVER
    return is_inside and max(box.x1 - box.x0, box.y1 - box.y0) >= _SMALLEST


def _count_torn(text: str, page: Page, characters: Characters) -> int:
    """Words that the spans have in pieces although their letters stand close together."""
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
    """Whether no two characters that follow each other have room between them."""
    size = characters.measure_size(start)
    last = characters.measure_shown(start)
    for at in range(start + 1, end):
        box = characters.measure_shown(at)
        gap = max(box.x0 - last.x1, last.x0 - box.x1, box.y0 - last.y1, last.y0 - box.y1)
        if gap > _CLOSE * size:
            return False
        last = box
    return True
