"""Visibility of an element's text according to its attributes."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from webquarry_convert.hidden.read_aloud import is_read_aloud
from webquarry_convert.tree import Attributes

Colour = tuple[int, int, int]

OFF_SCREEN = -400
"""Pixels from the edge of the window that put an element out of sight."""
FAR_OFF = -1000
"""As `OFF_SCREEN`, for elements moved by a transform, as pages do with elements that slide in."""
SPECK = 2
"""Maximum length, in pixels, of a side of a box that cuts off its overflow and shows no text."""
FAINT = 0.05
"""Maximum opacity of invisible text."""
TINY = 2
"""Font size in pixels that is unreadable."""
NEAR = 16
"""Largest difference in red, green and blue between text and background that can't be distinguished."""
_HINTS = re.compile(
    r"none|visib|hidden|opacity|size|font|indent|transform|clip|color|background|position|\\", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
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
_EDGES = ("left", "top", "right", "bottom", "inset-inline-start", "inset-block-start", "margin-left", "margin-top")
_MOVING = frozenset({"transform", "-webkit-transform", "transition", "will-change", "animation", "animation-name"})
"""Properties that accompany the opacity of elements that fade in on scrolling."""
WHITE: Colour = (255, 255, 255)
_NAMED_COLOURS: Mapping[str, Colour] = {"white": WHITE, "black": (0, 0, 0)}
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_WHOLE = re.compile(r"[0-9]{1,3}")
_CHANNEL = re.compile(r"[\s,/]+")


class ElementStyle(NamedTuple):
    """The visibility of one element.

    is_lost: nobody sees it, and pages do not hide content this way to show it later. is_folded: it is hidden in a way
    that pages use for content shown later. has_size, is_visible and has_colour are inherited by descendants unless they
    override them; None if not declared. colour, ground: the colors of text and background, if declared plainly.
    is_painted: whether the background is something else than a color.
    """

    is_lost: bool = False
    is_folded: bool = False
    has_size: bool | None = None
    is_visible: bool | None = None
    has_colour: bool | None = None
    colour: Colour | None = None
    ground: Colour | None = None
    is_painted: bool = False


PLAIN = ElementStyle()
Declarations = Mapping[str, list[str]]


def read_element_style(attributes: Attributes, sheet: Declarations | None = None) -> ElementStyle:
    """Return the visibility that an element's attributes declare. Accepts any attributes and takes linear time.

    sheet: the declarations of style sheets for the element, which its inline style overrides.
    """
    style = attributes.get("style")
    if sheet:
        look = judge_style({**sheet, **group_declarations(style or "")})
    else:
        look = PLAIN if not style or _HINTS.search(style) is None else judge_style(group_declarations(style))
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        look = look._replace(is_folded=True)
    if "popover" in attributes:
        look = look._replace(is_folded=True)
    if attributes.get("aria-hidden") == "true" and is_read_aloud(attributes):
        look = look._replace(is_lost=True)  # content for screen readers that is hidden from them
    colour, ground = attributes.get("color"), attributes.get("bgcolor")
    if colour and look.colour is None:
        look = look._replace(colour=_parse_colour(colour.strip().lower()))
    if ground and look.ground is None:
        look = look._replace(ground=_parse_colour(ground.strip().lower()))
    if "background" in attributes:
        look = look._replace(is_painted=True)
    return look


def parse_declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield properties and values in lower case, without `!important`, comments and escapes.

    Quotes are ignored: a semicolon inside them ends a declaration, and anything that is not a declaration is skipped.
    """
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    for part in style.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            if "\\" in part:
                name, value = _ESCAPE.sub(_decode_escape, name), _ESCAPE.sub(_decode_escape, value)
            yield name.strip().lower(), value.partition("!")[0].strip().lower()


def _decode_escape(escaped: re.Match[str]) -> str:
    if escaped[1] is None:
        return escaped[2]
    code = int(escaped[1], 16)
    return chr(code) if 0 < code <= 0x10FFFF else "\ufffd"


def group_declarations(style: str) -> dict[str, list[str]]:
    """Group values by property.

    A property declared twice keeps both values. Which one wins depends on the features of a browser; here the hiding
    one wins.
    """
    declarations: dict[str, list[str]] = {}
    for name, value in parse_declarations(style):
        declarations.setdefault(name, []).append(value)
    return declarations


def judge_style(declarations: Declarations) -> ElementStyle:
    def has_value(name: str, test: Callable[[str], bool]) -> bool:
        return any(map(test, declarations.get(name, ())))

    def get_last(name: str) -> str | None:
        return declarations[name][-1] if name in declarations else None

    cuts = any(has_value(name, _is_clipping) for name in ("overflow", "overflow-x", "overflow-y"))
    is_narrow = has_value("width", _is_speck) or has_value("max-width", _is_speck)
    is_flat = has_value("height", _is_speck) or has_value("max-height", _is_speck)
    is_placed = has_value("position", lambda value: value in ("absolute", "fixed"))
    is_lost = (
        (is_placed and any(has_value(edge, _is_off_screen) for edge in _EDGES if _is_alone(edge, declarations)))
        or (is_placed and has_value("clip", _is_empty_shape))
        or has_value("clip-path", _is_empty_shape)
        or has_value("text-indent", _is_off_screen)
        or (cuts and is_narrow and is_flat)
    )
    is_folded = (
        has_value("display", lambda value: value == "none")
        or has_value("content-visibility", lambda value: value == "hidden")
        or (has_value("opacity", _is_faint) and _MOVING.isdisjoint(declarations))
        or has_value("filter", _is_filtered_away)
        or has_value("transform", _is_moved_away)
        or (cuts and (is_narrow or is_flat))
    )
    visibility = get_last("visibility")
    has_size = None
    if has_value("font-size", _is_tiny) or has_value("font", lambda value: _NO_SIZE_AT_ALL.search(value) is not None):
        has_size = False
    elif "font-size" in declarations or "font" in declarations:
        has_size = True
    letters = get_last("-webkit-text-fill-color") or get_last("color")
    has_colour = None if letters is None else not _is_clear(letters)
    ground = get_last("background-color") or get_last("background")
    if (
        "text-shadow" in declarations
        or has_value("background-clip", _is_text)
        or has_value("-webkit-background-clip", _is_text)
    ):
        has_colour, letters = True, None
    plain_ground = None if ground is None else _parse_colour(ground)
    is_painted = ground not in (None, "none") and plain_ground is None and not _is_clear(ground or "")
    return ElementStyle(
        is_lost=is_lost,
        is_folded=is_folded,
        has_size=has_size,
        is_visible=None if visibility is None else visibility not in ("hidden", "collapse"),
        has_colour=has_colour,
        colour=None if letters is None else _parse_colour(letters),
        ground=plain_ground,
        is_painted=is_painted or "background-image" in declarations,
    )


def may_hide(declarations: Declarations) -> bool:
    """Return whether declarations hide an element, or put it out of sight once it is positioned."""
    look = judge_style({**declarations, "position": ["absolute"]})
    return look.is_lost or look.is_folded or False in (look.has_size, look.is_visible, look.has_colour)


def _is_alone(edge: str, declarations: Declarations) -> bool:
    """Return whether no other edge moves the element back, as `left: 50%; margin-left: -450px` does."""
    other = edge.removeprefix("margin-")
    return other == edge or all((_parse_length(value) or 0) <= 0 for value in declarations.get(other, ()))


def _is_clipping(value: str) -> bool:
    return "hidden" in value or "clip" in value


def _is_text(value: str) -> bool:
    return "text" in value


def _parse_length(value: str, units: Mapping[str, float] = _PIXELS) -> float | None:
    """Return the approximate pixels of a length, or None if the value is not a length."""
    found = _LENGTH.fullmatch(value)
    unit = None if found is None else units.get(found[2])
    return None if found is None or unit is None else float(found[1]) * unit


def _is_speck(value: str) -> bool:
    size = _parse_length(value)
    return size is not None and size <= SPECK


def _is_off_screen(value: str) -> bool:
    edge = _parse_length(value)
    return edge is not None and edge <= OFF_SCREEN


def _is_tiny(value: str) -> bool:
    size = _parse_length(value, _LETTERS)
    return size is not None and size <= TINY


def _is_faint(value: str) -> bool:
    """Return whether an opacity, as a number or percentage, is invisible."""
    found = _LENGTH.fullmatch(value)
    return found is not None and found[2] in ("", "%") and float(found[1]) * (0.01 if found[2] else 1) <= FAINT


def _is_filtered_away(value: str) -> bool:
    return any(name == "opacity" and _is_faint(size.strip()) for name, size in _FUNCTION.findall(value))


def _is_moved_away(value: str) -> bool:
    for name, given in _FUNCTION.findall(value):
        sizes = [each.strip() for each in given.split(",")]
        if name.startswith("translate") and any((_parse_length(size) or 0) <= FAR_OFF for size in sizes):
            return True
        if name.startswith("scale") and any(map(_is_faint, sizes)):
            return True
    return False


def _is_empty_shape(value: str) -> bool:
    """Return whether the shape that a box is clipped to has no area."""
    for name, given in _FUNCTION.findall(value):
        sizes = given.replace(",", " ").split()
        if name == "inset" and sizes[:1] and sizes[0].endswith("%") and (_parse_length(sizes[0]) or 0) >= 500:
            return True
        if name in ("circle", "ellipse") and sizes[:1] and _parse_length(sizes[0]) == 0:
            return True
        if name == "rect" and len(sizes) == 4:
            top, right, bottom, left = (_parse_length(size) or 0 for size in sizes)
            if "auto" not in sizes and (bottom - top <= SPECK or right - left <= SPECK):
                return True
        if name == "polygon" and sizes and all(_parse_length(size) == 0 for size in sizes):
            return True
    return False


def _is_clear(value: str) -> bool:
    """Return whether a color is transparent."""
    if value == "transparent":
        return True
    for name, given in _FUNCTION.findall(value):
        channels = _CHANNEL.split(given.strip())
        if name in ("rgba", "hsla", "rgb", "hsl") and len(channels) == 4:
            return _is_faint(channels[3])
    return False


def _parse_colour(value: str) -> Colour | None:
    """Return red, green and blue, or None for an unsupported notation or a translucent color."""
    if value in _NAMED_COLOURS:
        return _NAMED_COLOURS[value]
    if _HEX.fullmatch(value):
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        return _make_colour(*(int(digits[place : place + 2], 16) for place in range(0, len(digits), 2)))
    found = _FUNCTION.fullmatch(value)
    if found is not None and found[1] in ("rgb", "rgba"):
        channels = _CHANNEL.split(found[2].strip())
        if all(_WHOLE.fullmatch(channel) for channel in channels[:3]) and len(channels) >= 3:
            red, green, blue = (min(255, int(channel)) for channel in channels[:3])
            return _make_colour(red, green, blue, 255 if channels[3:] in ([], ["1"], ["1.0"], ["100%"]) else 0)
    return None


def _make_colour(red: int, green: int, blue: int, opacity: int = 255) -> Colour | None:
    return (red, green, blue) if opacity >= 0xE0 else None


def is_near(one: Colour, other: Colour) -> bool:
    """Return whether two colors look alike."""
    return all(abs(first - second) <= NEAR for first, second in zip(one, other, strict=True))
