"""Which of several pictures is the logo: by their real sizes against the one asked for. Pure."""

from typing import Final, NamedTuple

SERVICES: Final = ("google", "duckduckgo")
"""Sources whose sizes prove nothing: they enlarge what is small."""
SOURCES: Final = (
    *("apple-touch-icon", "manifest", "link-icon", "json-ld", "meta-logo", "logo.dev", "favicon.ico"),
    *("og-image", *SERVICES, "mask-icon"),
)
"""Of pictures that are equal otherwise, the first of these is taken."""
ENOUGH: Final = 48
"""Pixels from which a site's own icon is better than what a service may have enlarged."""
_SQUARE: Final = 1.2
_FITS, _ENOUGH, _SHARED, _SERVICE, _SMALL, _MONO = range(6)


class Measured(NamedTuple):
    """A picture's pixels as decoded; of a vector its own units, and 0 when it tells none."""

    width: int
    height: int
    is_scalable: bool = False

    @property
    def side(self) -> int:
        """The shorter side."""
        return min(self.width, self.height)

    @property
    def is_square(self) -> bool:
        return max(self.width, self.height) <= _SQUARE * self.side or (self.is_scalable and not self.side)


class Rank(NamedTuple):
    """The least is the best."""

    tier: int
    is_oblong: bool
    distance: int
    source: int

    @property
    def fits(self) -> bool:
        return self.tier == _FITS

    @property
    def needs_services(self) -> bool:
        """Whether a service that may have enlarged its icon could still be better."""
        return self.tier > _ENOUGH


def rank(source: str, picture: Measured, size: int) -> Rank:
    """How well a picture of this source serves as a logo of `size` pixels.

    First what is not smaller than asked for, the smallest of it; then the site's own from 48 pixels on, the largest;
    then a square picture for sharing, what services have, what is smaller still, and masks of one colour.
    """
    fits = picture.is_scalable or picture.side >= size
    tier = _rank_tier(source, picture, size, fits=fits)
    distance = 0 if picture.is_scalable else picture.side - size if fits else -picture.side
    return Rank(tier, not picture.is_square, distance, SOURCES.index(source))


def why_unfit(source: str, picture: Measured) -> str | None:
    """Why a picture is no logo at all; None when it may be one."""
    if not picture.is_scalable and picture.side <= 1:
        return "It has only one pixel across."
    if source == "og-image" and not picture.is_square:
        return "It is a banner for sharing, not near square."
    return None


def explain(best: Rank, source: str, picture: Measured, size: int, count: int) -> str:
    """Why the winner won, a sentence. count: of the pictures that were compared."""
    if count == 1 and best.tier in (_FITS, _ENOUGH, _SMALL):
        return "It is the only picture found." if best.fits else "It is the only picture found, and smaller than asked."
    others = f"of {count} pictures"
    pixels = f"{picture.width} × {picture.height}"
    if best.tier == _MONO:
        return "The only picture found is a mask of one colour."
    if best.tier == _SERVICE:
        return f"The site has no icon of {min(size, ENOUGH)} pixels; this service may have enlarged it."
    if picture.is_scalable:
        return f"It is a vector picture, sharp at any size, and comes first {others}."
    if best.fits:
        return f"Its {pixels} pixels are at least the {size} asked for, with the least excess {others}."
    return f"No picture has the {size} pixels asked for; its {pixels} are the most {others}."


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
