"""Measures the angle of the text lines in a picture, and rotates the picture so that the lines are level.

In level text, rows of pixels alternate between much ink (a line of print) and none (the space below it). In slanted or
vertical text, all rows contain about the same amount of ink. The picture is therefore level at the angle with the
greatest difference between adjacent rows. This example shows the ink per row, and the sum of the squared differences:

    level text     90  0  90  0     3 × 90² = 24,300
    slanted text   45 40  50 45     25 + 100 + 25 = 150

Angles up to `_STEEPEST` are tried in steps of half a degree. Angles around the best one are then tried in steps of a
tenth of a degree.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise

from PIL import Image, ImageChops, ImageFilter

_SIDE = 900  # length of the longer side, in pixels; lines of 8-point print on a page are still 5 pixels high
_STEEPEST = 7.0  # degrees; a scanner's feeder causes no steeper slant
_WORTH = 0.25  # degrees; a smaller skew shifts a line's end by less than a tenth of the line's height
_LEAST_INK = 0.0005  # minimum share of the pixels that are ink


@dataclass(frozen=True, slots=True)
class Skew:
    """The skew of a picture.

    angle: counter-clockwise degrees that correct it. is_sideways: whether lines are vertical.
    """

    angle: float
    is_sideways: bool


def measure_skew(picture: Image.Image) -> Skew | None:
    """Measure the skew of a picture, or return None for a blank picture. picture: a picture in mode "L".

    The picture is measured unrotated and rotated by 90 degrees. The sharper of the two shows the direction of the
    lines.
    """
    ink = _extract_ink(picture)
    if ink is None:
        return None
    level, level_sharpness = _find_sharpest(ink)
    upright, upright_sharpness = _find_sharpest(ink.transpose(Image.Transpose.ROTATE_90))
    is_sideways = upright_sharpness > level_sharpness
    angle = upright if is_sideways else level
    return Skew(angle if abs(angle) >= _WORTH else 0.0, is_sideways)


def rotate_picture(picture: Image.Image, angle: float) -> Image.Image:
    """Rotate a picture counter-clockwise by `angle` degrees. White margins are added, so nothing is cut off."""
    if not angle:
        return picture
    return picture.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def crop_densest_band(picture: Image.Image, height: int) -> Image.Image:
    """Return the band with the most text, `height` pixels high. Rows with ink alternate with blank rows there."""
    ink = _extract_ink(picture)
    if ink is None or height >= picture.height:
        return picture
    scale = ink.height / picture.height
    changes = list(accumulate(((below - above) ** 2 for above, below in pairwise(_measure_shares(ink))), initial=0.0))
    window = max(1, round(height * scale))
    top = max(range(len(changes) - window), key=lambda at: changes[at + window] - changes[at], default=0)
    return picture.crop((0, round(top / scale), picture.width, min(picture.height, round(top / scale) + height)))


def _extract_ink(picture: Image.Image) -> Image.Image | None:
    """Return pixels that are darker than their surroundings as white on black, or None if there are almost no such
    pixels.
    """
    scale = _SIDE / max(picture.size)
    if scale < 1:
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Image.Resampling.BOX)
    ground = picture.filter(ImageFilter.BoxBlur(12))
    ink = ImageChops.subtract(ground, picture).point(lambda value: 255 if value > 16 else 0)
    if ink.histogram()[255] < _LEAST_INK * ink.width * ink.height:
        return None
    return ink


def _find_sharpest(ink: Image.Image) -> tuple[float, float]:
    coarse = [step / 2 for step in range(round(-2 * _STEEPEST), round(2 * _STEEPEST) + 1)]
    best = max(coarse, key=lambda angle: _measure_sharpness(ink, angle))
    fine = [best + step / 10 for step in range(-4, 5)]
    best = max(fine, key=lambda angle: _measure_sharpness(ink, angle))
    return best, _measure_sharpness(ink, best)


def _measure_sharpness(ink: Image.Image, angle: float) -> float:
    """Return the mean squared difference between adjacent rows at an angle.

    Dividing by the number of rows makes the values of wide and tall pictures comparable.
    """
    turned_ink = ink.rotate(angle, Image.Resampling.NEAREST) if angle else ink
    return sum((below - above) ** 2 for above, below in pairwise(_measure_shares(turned_ink))) / ink.height


def _measure_shares(ink: Image.Image) -> "memoryview[float]":
    """Return the share of ink in each row, from 0 to 255."""
    column = ink.convert("F").resize((1, ink.height), Image.Resampling.BOX)
    return memoryview(column.tobytes()).cast("f")
