"""Ruling lines in a picture, such as table borders: long thin runs of ink, horizontal or vertical.

To find runs of ink, the picture is overlaid with copies of itself that are shifted by one, two, four and more pixels. A
pixel that is dark in all copies begins a run of the corresponding length.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageDraw, ImageFilter

_LYING, _STANDING = 0.35, 0.2  # minimum lengths in inches; rows of small print have the second height
_TALL = 0.5  # minimum length in inches; the strokes of letters are shorter
_THICKEST = 0.06  # maximum thickness in inches
_BROKEN = 0.05  # maximum length of a gap in a line, in inches
_CONTRAST = 16  # minimum contrast with the surrounding paper, of 255
_LONG = 1.0  # minimum length, in inches, of a horizontal line that cannot be a letter's stroke
_NEAR = 0.04  # maximum distance, in inches, between lines that meet
_MOST = 2000  # maximum number of rules; a drawing has more


@dataclass(frozen=True, slots=True)
class Rule:
    """A ruling line. Positions are pixels from the top left of the picture."""

    left: float
    top: float
    right: float
    bottom: float


def find_rules(picture: Image.Image, dpi: float) -> tuple[list[Rule], list[Rule]]:
    """Find horizontal and vertical rules.

    Returns empty lists for a drawing, which has too many rules. picture: a picture in mode "L".
    """
    ground = picture.filter(ImageFilter.BoxBlur(round(dpi / 16)))
    ink = ImageChops.subtract(ground, picture).point(lambda value: 255 if value > _CONTRAST else 0)
    lying = list(_find_runs(ink, _LYING * dpi, dpi))
    upright = ink.transpose(Image.Transpose.TRANSPOSE)
    standing = [Rule(run.top, run.left, run.bottom, run.right) for run in _find_runs(upright, _STANDING * dpi, dpi)]
    if len(lying) + len(standing) > _MOST:
        return [], []
    near = _NEAR * dpi
    return lying, [rule for rule in standing if rule.bottom - rule.top >= _TALL * dpi or _is_between(rule, lying, near)]


def _is_between(rule: Rule, lying: list[Rule], near: float) -> bool:
    """Return whether a vertical line begins and ends at a horizontal one.

    A letter's stroke may touch one horizontal line, but not two.
    """
    crossed = [other for other in lying if _meet(rule, other, near)]
    return any(other.top - near <= rule.top for other in crossed) and any(
        other.bottom + near >= rule.bottom for other in crossed
    )


def erase_grids(picture: Image.Image, lying: list[Rule], standing: list[Rule], dpi: float) -> Image.Image:
    """Erase long horizontal lines and the vertical lines that meet them, because OCR engines read them as letters."""
    long = [rule for rule in lying if rule.right - rule.left >= _LONG * dpi]
    near = _NEAR * dpi
    crossing = [rule for rule in standing if any(_meet(rule, other, near) for other in long)]
    if not long:
        return picture
    cleared = picture.copy()
    drawing = ImageDraw.Draw(cleared)
    for rule in (*long, *crossing):
        drawing.rectangle((rule.left - 1, rule.top - 1, rule.right, rule.bottom), fill=255)
    return cleared


def _meet(rule: Rule, other: Rule, near: float) -> bool:
    return (
        other.left - near <= rule.right
        and rule.left <= other.right + near
        and other.top - near <= rule.bottom
        and rule.top <= other.bottom + near
    )


def _find_runs(ink: Image.Image, least: float, dpi: float) -> Iterator[Rule]:
    """Yield horizontal runs of ink.

    ink: a picture with white ink on black.
    """
    opened = _open(ink, round(least))
    for top, bottom in _find_bands(opened.getprojection()[1], 0):
        if bottom - top > _THICKEST * dpi:
            continue
        band = opened.crop((0, top, opened.width, bottom))
        for left, right in _find_bands(band.getprojection()[0], round(_BROKEN * dpi)):
            bounds = band.crop((left, 0, right, band.height)).getbbox()
            if bounds is not None:
                yield Rule(left, top + bounds[1], right, top + bounds[3])


def _open(ink: Image.Image, length: int) -> Image.Image:
    """Return the ink that belongs to horizontal runs of at least this many pixels."""
    moved = 1
    while moved < length:
        step = min(moved, length - moved)
        ink = ImageChops.darker(ink, _move(ink, step))
        moved += step
    moved = 1
    while moved < length:
        step = min(moved, length - moved)
        ink = ImageChops.lighter(ink, _move(ink, -step))
        moved += step
    return ink


def _move(picture: Image.Image, left: int) -> Image.Image:
    return picture.crop((left, 0, picture.width + left, picture.height))


def _find_bands(flags: list[int], apart: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each band of set flags, ignoring gaps of up to `apart` flags."""
    start = end = -1
    for place, flag in enumerate(flags):
        if not flag:
            continue
        if start >= 0 and place - end > apart:
            yield start, end
            start = place
        start = place if start < 0 else start
        end = place + 1
    if start >= 0:
        yield start, end
