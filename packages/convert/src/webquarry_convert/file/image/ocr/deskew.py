"""Deskewing: measures the angle of the lines of print in a picture, and rotates the picture so that they lie level.

In level text, rows of pixels alternate between much ink (a line of print) and none (the space below it). In slanted or
upright text all rows hold about the same ink. So the angle looked for is the one at which neighbouring rows differ
most. Ink by row, and the sum of the squared differences:

    level text     90  0  90  0     3 × 90² = 24,300
    slanted text   45 40  50 45     25 + 100 + 25 = 150

Angles up to `_STEEPEST` are tried in steps of half a degree, then those around the best one in steps of a tenth.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise

from PIL import Image, ImageChops, ImageFilter

_SIDE = 900  # pixels of the longer side: lines of 8 points on a page are still 5 pixels high
_STEEPEST = 7.0  # degrees; what lies steeper was no accident of a scanner's feeder
_WORTH = 0.25  # degrees: less moves a line by under a tenth of its height over its length
_LEAST_INK = 0.0005  # of the pixels


@dataclass(frozen=True, slots=True)
class Skew:
    """angle: degrees by which the picture has to be turned counter-clockwise. is_sideways: lines run up or down."""

    angle: float
    is_sideways: bool


def measure_skew(picture: Image.Image) -> Skew | None:
    """The skew of the picture; None when there is nothing in it. picture: mode "L".

    The picture is measured as it is and turned by 90 degrees; the sharper of the two says which way its lines run.
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
    """The picture rotated counter-clockwise by `angle` degrees, made larger so that nothing is cut off, on white."""
    if not angle:
        return picture
    return picture.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def crop_densest_band(picture: Image.Image, height: int) -> Image.Image:
    """The band of rows, `height` pixels high, with most text: where rows of ink and empty ones take turns."""
    ink = _extract_ink(picture)
    if ink is None or height >= picture.height:
        return picture
    scale = ink.height / picture.height
    changes = list(accumulate(((below - above) ** 2 for above, below in pairwise(_measure_shares(ink))), initial=0.0))
    window = max(1, round(height * scale))
    top = max(range(len(changes) - window), key=lambda at: changes[at + window] - changes[at], default=0)
    return picture.crop((0, round(top / scale), picture.width, min(picture.height, round(top / scale) + height)))


def _extract_ink(picture: Image.Image) -> Image.Image | None:
    """What is darker than its surroundings, white on black; None when there is nearly nothing."""
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
    """Mean squared difference of neighbouring rows at an angle. It is divided by the number of rows, so that values of
    a wide and of a high picture can be compared."""
    turned_ink = ink.rotate(angle, Image.Resampling.NEAREST) if angle else ink
    return sum((below - above) ** 2 for above, below in pairwise(_measure_shares(turned_ink))) / ink.height


def _measure_shares(ink: Image.Image) -> "memoryview[float]":
    """Of ink in each row, from 0 to 255."""
    column = ink.convert("F").resize((1, ink.height), Image.Resampling.BOX)
    return memoryview(column.tobytes()).cast("f")
