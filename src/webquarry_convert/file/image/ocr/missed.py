"""Short words apart in a row, which tesseract takes for dirt where it looks for columns: quantities in a table.

What has the size of a letter, stands in a row of text and in no line that was read, is looked for in the picture; where
there is some, the page is read a second time as one block of rows, and what then stands in these places is added.
"""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from webquarry_convert.file.image.ocr import tesseract
from webquarry_convert.file.image.ocr.lines import Line
from webquarry_convert.file.image.ocr.reading_order import Row, group_rows

_DARK = 128  # of 255: light rules of a table are no ink
_TALL = (0.5, 1.6)  # heights of the row's text that a sign has
_WIDE = (0.1, 3.0)
_MARGIN = 0.3  # of a height around a row, in which a rule goes on and a sign does not
_AROUND = 0.15  # of a height around what was read
_SURE = 0.8
_MOST = 400  # places; more are a drawing
_APART = 0.4  # heights between two signs of a word, at most

Box = tuple[int, int, int, int]


def add_missed(picture: Image.Image, lines: list[Line], language: str, dpi: float) -> list[Line]:
    """The lines with those that were missed. picture: mode "L", as they were read in it."""
    places = find_missed(picture, lines)
    if not places:
        return lines
    again = tesseract.read_block(picture, language, dpi)
    return lines + [line for line in again if line.confidence >= _SURE and any(_is_at(line, place) for place in places)]


def find_missed(picture: Image.Image, lines: Sequence[Line]) -> list[Box]:
    """Where signs stand that are in no line; none where there are too many to be such."""
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
        bounds = band.crop((left, 0, right, band.height)).getbbox()
        if bounds is None or bounds[1] == 0 or bounds[3] == band.height:
            continue
        if _TALL[0] * height <= bounds[3] - bounds[1] <= _TALL[1] * height:
            yield left, top + bounds[1], right, top + bounds[3]


def _find_runs(band: Image.Image, apart: float) -> Iterator[tuple[int, int]]:
    """From where to where there is ink, across. apart: pixels without ink that part two runs."""
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


def _is_at(line: Line, place: Box) -> bool:
    """Whether a line is the sign at a place, and nothing around it."""
    left, top, right, bottom = place
    middle, height = (line.left + line.right) / 2, bottom - top
    is_within = left <= middle <= right and top <= (line.top + line.bottom) / 2 <= bottom
    return is_within and line.right - line.left <= right - left + height
