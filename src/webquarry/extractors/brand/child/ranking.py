"""Ranking of images as logos, by their decoded sizes and the requested size. Pure functions."""

from typing import Final, NamedTuple

SERVICES: Final = ("google", "duckduckgo")
"""Sources whose sizes can't be trusted: they enlarge small icons."""
SOURCES: Final = (
    *("apple-touch-icon", "manifest", "link-icon", "json-ld", "meta-logo", "logo.dev", "favicon.ico"),
    *("og-image", *SERVICES, "mask-icon"),
)
"""All sources, best first; this order decides between otherwise equal images."""
ENOUGH: Final = 48
"""Side in pixels from which a site's own icon is preferred to an icon that a service may have enlarged."""
_SQUARE: Final = 1.2
_FITS, _ENOUGH, _SHARED, _SERVICE, _SMALL, _MONO = range(6)


class Measured(NamedTuple):
    """The decoded size of an image in pixels.

    For a vector image, this is the size in the image's own units, or 0 if it declares no size.
    """

    width: int
    height: int
    is_scalable: bool = False

    @property
    def side(self) -> int:
        """The length of the shorter side, in the same unit."""
        return min(self.width, self.height)

    @property
    def is_square(self) -> bool:
        return max(self.width, self.height) <= _SQUARE * self.side or (self.is_scalable and not self.side)


class Rank(NamedTuple):
    """A sort key for images. The lowest rank is the best."""

    tier: int
    is_oblong: bool
    distance: int
    source: int

    @property
    def fits(self) -> bool:
        return self.tier == _FITS

    @property
    def needs_services(self) -> bool:
        """Whether an icon service could still have a better image, even though services may enlarge images."""
        return self.tier > _ENOUGH


def rank(source: str, picture: Measured, size: int) -> Rank:
    """Rank an image from this source as a logo of `size` pixels.

    Images of at least the requested size come first, smallest first. Then come the site's own images of at least 48
    pixels, largest first. Then come, in this order, a square sharing image, icons from services, smaller images and
    single-color masks.
    """
    fits = picture.is_scalable or picture.side >= size
    tier = _rank_tier(source, picture, size, fits=fits)
    distance = 0 if picture.is_scalable else picture.side - size if fits else -picture.side
    return Rank(tier, not picture.is_square, distance, SOURCES.index(source))


def why_unfit(source: str, picture: Measured) -> str | None:
    """Return the reason why an image can't be a logo, or None if it can be."""
    if not picture.is_scalable and picture.side <= 1:
        return "It is only one pixel wide or high."
    if source == "og-image" and not picture.is_square:
        return "It is a wide preview image, not a square logo."
    return None


def explain(best: Rank, source: str, picture: Measured, size: int, count: int) -> str:
    """Return a sentence that explains why this image was chosen. count: number of images compared."""
    if count == 1 and best.tier in (_FITS, _ENOUGH, _SMALL):
        return "It is the only image found." if best.fits else "It is the only image found, and smaller than requested."
    others = f"of {count} pictures"
    pixels = f"{picture.width} × {picture.height}"
    if best.tier == _MONO:
        return "The only image found is a single-color mask icon."
    if best.tier == _SERVICE:
        return f"The site has no icon of {min(size, ENOUGH)} pixels, so the icon service may have enlarged this one."
    if picture.is_scalable:
        return f"It is a vector picture, sharp at any size, and comes first {others}."
    if best.fits:
        return f"Its {pixels} pixels are at least the requested {size}, with the least excess {others}."
    return f"No picture has the requested {size} pixels; its {pixels} are the most {others}."


def _rank_tier(source: str, picture: Measured, size: int, *, fits: bool) -> int:
    if source == "mask-icon":
        return _MONO
    if source in SERVICES:
        return _SERVICE
    if source == "og-image":
        return _SHARED
    if fits:
        return _FITS
    return _ENOUGH if picture.side >= min(size, ENOUGH) else _SMALL
