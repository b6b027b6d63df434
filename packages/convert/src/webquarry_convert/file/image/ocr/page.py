"""Prepares a picture for OCR: scales it to the best size, and finds the direction of its lines."""

from dataclasses import dataclass

from PIL import Image

from webquarry_convert.file.image.ocr.deskew import crop_densest_band, measure_skew, rotate_picture
from webquarry_convert.file.image.ocr.lines import Line, Reading
from webquarry_convert.file.image.ocr.rules import Rule, erase_grids, find_rules

_PIXELS = 9_000_000  # number of pixels of an A4 page at 300 dpi
_LONGEST = 30_000  # maximum length of a side, in pixels; Tesseract rejects 32,768
_USUAL_DPI = 200.0
_DPIS = (70.0, 600.0)  # minimum and maximum plausible value; others are wrong
_PART = 0.7  # height in inches of a part for a trial: four lines of ordinary print
_CLOCKWISE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}


@dataclass(frozen=True, slots=True)
class _View:
    """A rotated page.

    picture: the page without table rules.
    """

    picture: Image.Image
    lying: list[Rule]
    standing: list[Rule]


class Page:
    """A page prepared for OCR.

    is_empty: whether almost the whole page has the same color. is_sideways: whether the lines seem to be vertical,
    judging by the ink. dpi: the prepared picture's resolution.
    """

    def __init__(self, picture: Image.Image, dpi: float | None) -> None:
        """Prepare a page. picture: the page in mode "L". dpi: the resolution, or None if it is unknown."""
        scale = min(1.0, (_PIXELS / (picture.width * picture.height)) ** 0.5, _LONGEST / max(picture.size))
        if scale < 1:
            size = (max(1, int(picture.width * scale)), max(1, int(picture.height * scale)))
            picture = picture.resize(size, Image.Resampling.BOX)
        least, most = _DPIS
        self.dpi = (dpi if dpi and least <= dpi <= most else _USUAL_DPI) * scale
        lying = measure_skew(picture)
        self.is_empty = lying is None
        self.is_sideways = lying is not None and lying.is_sideways
        self._parts: dict[int, Image.Image] = {}
        self._views: dict[int, _View] = {}
        self._picture = picture if lying is None else rotate_picture(picture, lying.angle)

    def turned(self, degrees: int) -> Image.Image:
        """Return the page, rotated clockwise.

        degrees: 0, 90, 180 or 270.
        """
        return self._view(degrees).picture

    def standing(self, degrees: int) -> list[Rule]:
        """Return the vertical rules that are drawn on the rotated page."""
        return self._view(degrees).standing

    def read(self, degrees: int, lines: list[Line]) -> Reading:
        """Build the result for the rotated page. lines: the recognized lines, in the rotated page's coordinates."""
        view = self._view(degrees)
        return Reading(lines, *view.picture.size, self.dpi, view.lying, view.standing)

    def _view(self, degrees: int) -> _View:
        if degrees not in self._views:
            turned = self._picture.transpose(_CLOCKWISE[degrees]) if degrees else self._picture
            lying, standing = find_rules(turned, self.dpi)
            self._views[degrees] = _View(erase_grids(turned, lying, standing, self.dpi), lying, standing)
        return self._views[degrees]

    def part(self, degrees: int) -> Image.Image:
        """Return the rotated page's horizontal band that contains the most text."""
        if degrees not in self._parts:
            self._parts[degrees] = crop_densest_band(self.turned(degrees), round(_PART * self.dpi))
        return self._parts[degrees]
