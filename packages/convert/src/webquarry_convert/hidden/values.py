"""Parses CSS lengths, shapes, opacities and colors, and tests whether a value hides text."""

import re
from collections.abc import Mapping

Colour = tuple[int, int, int]

OFF_SCREEN = -400
"""Position in pixels, relative to the window's edge, from which an element is out of sight."""
FAR_OFF = -1000
"""The same limit for a transform. It is larger, because pages also use transforms for elements that slide in."""
SPECK = 2
"""Maximum side length, in pixels, of a box that is too small to show text if its overflow is cut off."""
FAINT = 0.05
"""Maximum opacity of invisible text."""
TINY = 2
"""Maximum font size, in pixels, of unreadable text."""
NEAR = 16
"""Maximum difference in red, green and blue at which text cannot be distinguished from its background."""
WHITE: Colour = (255, 255, 255)
_LENGTH = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))([a-z]{0,4}|%)")
_FUNCTION = re.compile(r"([a-z0-9]{1,20})\(([^()]*+)\)")
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 1.3, "pc": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8, "em": 16.0, "rem": 16.0, "ex": 8.0,
    "ch": 8.0, "vw": 12.0, "vh": 8.0, "%": 10.0,
}  # fmt: skip
"""Approximate pixels per unit."""
_LETTERS = {**_PIXELS, "%": 0.16, "vw": 12.0}
_NO_SIZE_AT_ALL = re.compile(r"(?:^|\s)\.?0+(?:\.0+)?(?:[a-z]{2,3}|%)?(?=[\s/])")
"""Matches a zero size in the `font` shorthand."""
_FULL_INSET = 500
"""Number of pixels that represents 50 %. Two opposite sides with this inset meet."""
_NAMED_COLOURS: Mapping[str, Colour] = {"white": WHITE, "black": (0, 0, 0)}
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_WHOLE = re.compile(r"[0-9]{1,3}")
_CHANNEL = re.compile(r"[\s,/]+")
_OPAQUE: tuple[list[str], ...] = ([], ["1"], ["1.0"], ["100%"])
"""Possible alpha channels of an opaque color."""


def parse_length(value: str, units: Mapping[str, float] = _PIXELS) -> float | None:
    """Return the approximate length in pixels, or None if the value is not a length."""
    found = _LENGTH.fullmatch(value)
    unit = None if found is None else units.get(found[2])
    return None if found is None or unit is None else float(found[1]) * unit


def is_speck(value: str) -> bool:
    size = parse_length(value)
    return size is not None and size <= SPECK


def is_off_screen(value: str) -> bool:
    edge = parse_length(value)
    return edge is not None and edge <= OFF_SCREEN


def is_tiny(value: str) -> bool:
    size = parse_length(value, _LETTERS)
    return size is not None and size <= TINY


def is_sizeless(font: str) -> bool:
    """Return whether the `font` shorthand sets a size of zero."""
    return _NO_SIZE_AT_ALL.search(font) is not None


def is_faint(value: str) -> bool:
    """Return whether an opacity is too low to see. The value is a number or a percentage."""
    found = _LENGTH.fullmatch(value)
    return found is not None and found[2] in ("", "%") and float(found[1]) * (0.01 if found[2] else 1) <= FAINT


def is_filtered_away(value: str) -> bool:
    return any(name == "opacity" and is_faint(size.strip()) for name, size in _FUNCTION.findall(value))


def is_moved_away(value: str) -> bool:
    for name, given in _FUNCTION.findall(value):
        sizes = [each.strip() for each in given.split(",")]
        if name.startswith("translate") and any((parse_length(size) or 0) <= FAR_OFF for size in sizes):
            return True
        if name.startswith("scale") and any(map(is_faint, sizes)):
            return True
    return False


def is_empty_shape(value: str) -> bool:
    """Return whether the shape to which a box is clipped has no area."""
    for name, given in _FUNCTION.findall(value):
        test = _EMPTY_SHAPES.get(name)
        if test is not None and (sizes := given.replace(",", " ").split()) and test(sizes):
            return True
    return False


def _is_closed_inset(sizes: list[str]) -> bool:
    return sizes[0].endswith("%") and (parse_length(sizes[0]) or 0) >= _FULL_INSET


def _is_point(sizes: list[str]) -> bool:
    """Return whether the radius of a circle or an ellipse is zero."""
    return parse_length(sizes[0]) == 0


def _is_flat_rectangle(sizes: list[str]) -> bool:
    """Return whether a rectangle, given as top, right, bottom and left, is at most a speck in one direction."""
    if len(sizes) != 4 or "auto" in sizes:
        return False
    top, right, bottom, left = (parse_length(size) or 0 for size in sizes)
    return bottom - top <= SPECK or right - left <= SPECK


def _has_no_corners(sizes: list[str]) -> bool:
    return all(parse_length(size) == 0 for size in sizes)


_EMPTY_SHAPES = {
    "inset": _is_closed_inset,
    "circle": _is_point,
    "ellipse": _is_point,
    "rect": _is_flat_rectangle,
    "polygon": _has_no_corners,
}
"""Tests for an empty shape, by the CSS function that draws the shape."""


def is_clear(value: str) -> bool:
    """Return whether a color is transparent."""
    if value == "transparent":
        return True
    for name, given in _FUNCTION.findall(value):
        channels = _CHANNEL.split(given.strip())
        if name in ("rgba", "hsla", "rgb", "hsl") and len(channels) == 4:
            return is_faint(channels[3])
    return False


def parse_colour(value: str) -> Colour | None:
    """Return red, green and blue, or None for a translucent color or an unsupported notation."""
    if value in _NAMED_COLOURS:
        return _NAMED_COLOURS[value]
    if _HEX.fullmatch(value):
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        return _make_colour(*(int(digits[place : place + 2], 16) for place in range(0, len(digits), 2)))
    found = _FUNCTION.fullmatch(value)
    if found is not None and found[1] in ("rgb", "rgba"):
        return _parse_channels(_CHANNEL.split(found[2].strip()))
    return None


def _parse_channels(channels: list[str]) -> Colour | None:
    if len(channels) < 3 or not all(map(_WHOLE.fullmatch, channels[:3])):
        return None
    red, green, blue = (min(255, int(channel)) for channel in channels[:3])
    return _make_colour(red, green, blue, 255 if channels[3:] in _OPAQUE else 0)


def _make_colour(red: int, green: int, blue: int, opacity: int = 255) -> Colour | None:
    return (red, green, blue) if opacity >= 0xE0 else None


def is_near(one: Colour, other: Colour) -> bool:
    """Return whether two colors look alike."""
    return all(abs(first - second) <= NEAR for first, second in zip(one, other, strict=True))
