"""Recovery of isolated short words, such as quantities in a table.

When Tesseract searches for columns, it ignores such words as dirt or reads them with low confidence. This module
searches the picture for letter-sized ink in a row of text but outside every line that was read with confidence. The
network reads numbers there. All other ink is copied to a separate sheet with wide spacing, which Tesseract reads
without looking for columns.
"""

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor

from PIL import Image, ImageDraw

from webquarry_convert.file.image.ocr import neural, tesseract
from webquarry_convert.file.image.ocr.lines import Line, find_reach
from webquarry_convert.file.image.ocr.reading_order import Row, group_rows

_DARK = 128  # value from 0 to 255; table rules are lighter and don't count as ink
_TALL = (0.5, 1.6)  # minimum and maximum height of a character, relative to its row's text
_WIDE = (0.1, 3.0)
_INK = 0.1  # minimum share of ink in a character's box; clusters of specks have less
_MARGIN = 0.3  # margin around a row, in row heights; rules extend into this margin and characters do not
_AROUND = 0.15  # margin around a line that was read, in line heights
_SURE = 0.8
_DOUBTED = 0.85  # lines with a lower Tesseract confidence are read by the network, too
_CERTAIN = 0.9  # minimum network confidence of a number
_FIGURE = re.compile(r"[^\W\d_]?[.,:%+\-\u2013/()]*\d[\d.,:%+\-\u2013/()]*")
_SHORT = 12  # maximum length, in characters, of a line that may be a number, or several rows of a column of numbers
_COLUMNS = 16  # maximum number of areas next to each other on the sheet
_MOST = 400  # maximum number of areas; a drawing has more
_APART = 0.4  # maximum distance between two characters of a word, in character heights

Box = tuple[int, int, int, int]


def add_missed(picture: Image.Image, lines: list[Line], language: str, dpi: float) -> list[Line]:
    """Return the lines together with the missed ones. Short uncertain lines of Tesseract are replaced with numbers.

    picture: the picture that the lines were read from, in mode "L".
    """
    doubted = _find_doubted(picture, lines)
    figures = _read_figures(picture, [*doubted])
    replaced = {id(line) for place in figures for line in doubted[place]}
    missed = [
        place
        for place, found in doubted.items()
        if place not in figures and all(id(line) in replaced for line in found)
    ]
    kept = [line for line in lines if id(line) not in replaced]
    return [*kept, *figures.values(), *_read_sheet(picture, missed, language, dpi)]


def _find_doubted(picture: Image.Image, lines: Sequence[Line]) -> dict[Box, list[Line]]:
    """Return the areas to read again, with the uncertain lines in each.

    These areas are characters outside all lines, and the surroundings of short lines with a low confidence.
    """
    unsure = [line for line in lines if _is_unsure(line)]
    places = find_missed(picture, [line for line in lines if not _is_unsure(line)])
    doubted = {place: _find_at(unsure, place) for place in places}
    covered = {id(line) for found in doubted.values() for line in found}
    own = [line for line in unsure if line.is_level and id(line) not in covered]
    if len(places) + len(own) <= _MOST:
        doubted |= {_round_out(line): [line] for line in own}
    return doubted


def _is_unsure(line: Line) -> bool:
    return line.confidence < _DOUBTED and line.signs <= _SHORT


def _round_out(line: Line) -> Box:
    return floor(line.left), floor(line.top), ceil(line.right), ceil(line.bottom)


def _find_at(lines: Sequence[Line], place: Box) -> list[Line]:
    """Return the lines whose box contains the area's center, or whose center is inside the area."""
    left, top, right, bottom = place
    across, down = (left + right) / 2, (top + bottom) / 2
    return [
        line
        for line in lines
        if _is_in(line, place) or (line.left <= across <= line.right and line.top <= down <= line.bottom)
    ]


def _read_figures(picture: Image.Image, places: Sequence[Box]) -> dict[Box, Line]:
    """Return the areas in which the network reads numbers."""
    if not places or not neural.is_there():
        return {}
    read = zip(places, neural.read_places(picture, places), strict=True)
    return {place: line for place, line in read if line.confidence >= _CERTAIN and _FIGURE.fullmatch(line.text)}


def _read_sheet(picture: Image.Image, places: Sequence[Box], language: str, dpi: float) -> list[Line]:
    wide = max((right - left for left, _, right, _ in places), default=0)
    high = max((bottom - top for _, top, _, bottom in places), default=0)
    if not places or len(places) * (wide + 2 * high) * 3 * high > picture.width * picture.height:
        return []
    sheet, slots = _build_sheet(picture, places, wide, high)
    found = [line for line in tesseract.read_scattered(sheet, language, dpi) if line.confidence >= _SURE]
    return [
        Line(*place, line.text, line.confidence, find_reach(line.text, place[1], place[3]))
        for place, slot in zip(places, slots, strict=True)
        for line in found
        if _is_in(line, slot)
    ]


def _build_sheet(picture: Image.Image, places: Sequence[Box], wide: int, high: int) -> tuple[Image.Image, list[Box]]:
    """Return a picture of all areas with wide spaces between them, and each area's position in this picture.

    wide, high: the size of the largest area.
    """
    across, down = wide + 2 * high, 3 * high
    columns = min(len(places), _COLUMNS)
    sheet = Image.new("L", (columns * across, -(-len(places) // columns) * down), 255)
    margin = high // 4
    slots: list[Box] = []
    for number, (left, top, right, bottom) in enumerate(places):
        row, column = divmod(number, columns)
        x, y = column * across + high, row * down + high
        sheet.paste(
            picture.crop((left - margin, top - margin, right + margin, bottom + margin)), (x - margin, y - margin)
        )
        slots.append((x, y, x + right - left, y + bottom - top))
    return sheet, slots


def find_missed(picture: Image.Image, lines: Sequence[Line]) -> list[Box]:
    """Return the boxes of characters outside all lines, or [] if there are too many to be missed words."""
    ink = picture.point(lambda value: 255 if value < _DARK else 0)
    drawing = ImageDraw.Draw(ink)
    for line in lines:
        around = _AROUND * line.height
        drawing.rectangle((line.left - around, line.top - around, line.right + around, line.bottom + around), fill=0)
    places: list[Box] = []
    for row in group_rows(lines):
        places += _find_in_row(ink, row)
        if len(places) > _MOST:
            return []
    return places


def _find_in_row(ink: Image.Image, row: Row) -> Iterator[Box]:
    height = min(line.height for line in row)
    top = max(0, round(min(line.top for line in row) - _MARGIN * height))
    bottom = min(ink.height, round(max(line.bottom for line in row) + _MARGIN * height))
    if bottom <= top:
        return
    band = ink.crop((0, top, ink.width, bottom))
    for left, right in _find_runs(band, _APART * height):
        if not _WIDE[0] * height <= right - left <= _WIDE[1] * height:
            continue
        part = band.crop((left, 0, right, band.height))
        bounds = part.getbbox()
        if bounds is None or bounds[1] == 0 or bounds[3] == band.height:
            continue
        tall = bounds[3] - bounds[1]
        if _TALL[0] * height <= tall <= _TALL[1] * height and part.histogram()[255] >= _INK * tall * (right - left):
            yield left, top + bounds[1], right, top + bounds[3]


def _find_runs(band: Image.Image, apart: float) -> Iterator[tuple[int, int]]:
    """Yield the horizontal start and end of each run of ink. apart: minimum number of blank pixels between two runs."""
    shares = band.resize((band.width, 1), Image.Resampling.BOX).point(lambda value: 255 if value else 0).tobytes()
    start = end = -1
    at = shares.find(b"\xff")
    while at >= 0:
        stop = shares.find(b"\0", at)
        stop = len(shares) if stop < 0 else stop
        if start < 0:
            start = at
        elif at - end > apart:
            yield start, end
            start = at
        end = stop
        at = shares.find(b"\xff", stop)
    if start >= 0:
        yield start, end


def _is_in(line: Line, slot: Box) -> bool:
    left, top, right, bottom = slot
    return left <= (line.left + line.right) / 2 <= right and top <= (line.top + line.bottom) / 2 <= bottom
