"""Chooses the OCR engine, orientation and language for a picture.

Tesseract reads clean print in a known script well and fast, and its confidence shows whether it succeeded. If it fails,
the picture is rotated, other scripts are tried on a part of it, and the neural network reads it too.
"""

from collections.abc import Iterable

from PIL import Image

from webquarry_convert.file.image.ocr import neural, tesseract
from webquarry_convert.file.image.ocr.illegible import mark_illegible
from webquarry_convert.file.image.ocr.lines import Line, Reading, compute_confidence, count_sure_signs
from webquarry_convert.file.image.ocr.missed import add_missed
from webquarry_convert.file.image.ocr.page import Page
from webquarry_convert.file.image.ocr.scripts import BY_SCRIPT, ENGLISH, IDEOGRAPHIC, guess_language
from webquarry_convert.file.image.ocr.spacing import restore_spaces

_CLEAN = 0.9
"""Minimum Tesseract confidence of clean print. Office pages have at least 0.94, receipts at most 0.88."""
_LEGIBLE = 0.8
"""The minimum for long pages.

Their unclear parts are drawings and tables, on which the network would spend ten seconds.
"""
_LONG = 1500  # minimum length, in characters, of a long page; receipts have fewer than 1,000
_READ = 0.6
"""Minimum Tesseract confidence of a page in the right orientation and script.

Rotated pages, pages in other scripts and pages without print reach at most 0.46.
"""
_FITS = 0.65
"""Minimum Tesseract confidence of a part of a page in the right orientation and script.

A wrong model reaches 0.6 (for Thai), and the right model at least 0.69.
"""
_NETWORK_READ = 0.8
"""Minimum network confidence for a script that the network knows. Korean, which it does not know, has 0.74."""
_FEW = 8  # maximum length, in characters, of a part that is too short for a decision
_SAMPLE = 8  # number of lines that the network reads to determine a page's orientation
_LEVEL, _SIDEWAYS = (0, 180), (90, 270)

Way = tuple[int, str]
"""A clockwise rotation in degrees, and the language of an OCR model."""


def read_picture(picture: Image.Image, dpi: float | None) -> Reading:
    """Read a picture. picture: a picture in mode "L". dpi: the resolution, or None if it is unknown."""
    page = Page(picture, dpi)
    if page.is_empty:
        return page.read(0, [])
    if not tesseract.languages():
        turn = 90 if page.is_sideways else 0
        return page.read(turn, mark_illegible(neural.read(page.turned(turn))))
    way: Way = (0, ENGLISH)
    if page.is_sideways:  # the page is rotated by 90 or 270 degrees, or its lines are horizontal after all
        way = _find_way(page, [(turn, ENGLISH) for turn in _SIDEWAYS]) or way
    found = _read_by_tesseract(page, way)
    return _read_latin(page, way[0], found) if compute_confidence(found) >= _READ else _read_foreign(page, found)


def _read_latin(page: Page, turn: int, found: list[Line]) -> Reading:
    """Read a page in Latin script. found: the lines that the English model read."""
    language = guess_language(" ".join(line.text for line in found))
    if language != ENGLISH and language in tesseract.languages():
        found = max(found, _read_by_tesseract(page, (turn, language)), key=compute_confidence)
    enough = _LEGIBLE if sum(line.signs for line in found) >= _LONG else _CLEAN
    if compute_confidence(found) >= enough or not neural.is_there():
        return page.read(turn, found)
    by_network = restore_spaces(neural.read(page.turned(turn)), found)
    if count_sure_signs(by_network) > count_sure_signs(found):
        return page.read(turn, mark_illegible(by_network))
    return page.read(turn, found)


def _read_foreign(page: Page, unsure: list[Line]) -> Reading:
    """Read a page in an unknown script or orientation.

    unsure: the lines that the English model read from the unrotated page.
    """
    has_network = neural.is_there()
    if not unsure and has_network and not page.is_sideways:
        by_network = neural.read(page.turned(0))
        if not by_network or compute_confidence(by_network) >= _NETWORK_READ:  # no lines: probably a photo
            return page.read(0, mark_illegible(by_network))
    way, script, turn = _find_way_by_script(page)
    by_network = []
    if has_network and (way is None or script in IDEOGRAPHIC):
        turn = _find_upright(page, turn) if way is None else way[0]
        by_network = neural.read(page.turned(turn))
        if compute_confidence(by_network) >= _NETWORK_READ:
            return page.read(turn, mark_illegible(by_network))
    if way is None and (page.is_sideways or sum(line.signs for line in unsure) >= _FEW):
        way = _find_any_way(page)
    if way is None:
        if has_network:
            return page.read(turn, mark_illegible(by_network))
        return page.read(0, mark_illegible(unsure, page=_READ, line=_READ))
    found = _read_by_tesseract(page, way)
    return _read_latin(page, way[0], found) if way[1] == ENGLISH else page.read(way[0], found)


def _find_way_by_script(page: Page) -> tuple[Way | None, str, int]:
    """Find a way to read the page, either upside down or in its script.

    Returns the way or None, the script ("" if it was not needed), and the page's rotation.
    """
    level = 90 if page.is_sideways else 0
    way = _find_way(page, [(180, ENGLISH)])
    if way is not None:
        return way, "", level
    script, clockwise = tesseract.detect_script(page.turned(level), page.dpi)
    turn = (level + clockwise) % 360
    return _find_way(page, [(turn, name) for name in BY_SCRIPT.get(script, (ENGLISH,))]), script, turn


def _find_any_way(page: Page) -> Way | None:
    """Return the first rotation and language, for any script, with which the page can be read."""
    turns = _SIDEWAYS if page.is_sideways else _LEVEL
    return _find_way(page, ((turn, names[0]) for turn in turns for names in BY_SCRIPT.values()))


def _find_upright(page: Page, guessed: int) -> int:
    """Return the first rotation in which the network reads lines with confidence, or otherwise the rotation with the
    most lines.
    """
    turns: list[int] = [0, guessed, *_LEVEL, *(_SIDEWAYS if page.is_sideways else ())]
    best, most = guessed, 0.0
    for turn in dict.fromkeys(turns):
        lines = [line for line in neural.read(page.turned(turn), _SAMPLE) if line.is_level]
        if compute_confidence(lines) >= _NETWORK_READ and sum(line.signs for line in lines) >= _FEW:
            return turn
        if (sure := count_sure_signs(lines)) > most:
            best, most = turn, sure
    return best


def _find_way(page: Page, ways: Iterable[Way]) -> Way | None:
    """Return the first rotation and language that make a part of the page readable, or None."""
    for turn, language in ways:
        if language not in tesseract.languages():
            continue
        found = tesseract.read(page.part(turn), language, page.dpi)
        if compute_confidence(found) >= _FITS and sum(line.signs for line in found) >= _FEW:
            return turn, language
    return None


def _read_by_tesseract(page: Page, way: Way) -> list[Line]:
    turn, language = way
    found = tesseract.read(page.turned(turn), language, page.dpi, page.standing(turn))
    return add_missed(page.turned(turn), found, language, page.dpi)
