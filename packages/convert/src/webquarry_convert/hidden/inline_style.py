"""Visibility of an element's text, determined by its attributes."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from webquarry_convert.hidden.read_aloud import is_read_aloud
from webquarry_convert.hidden.values import (
    Colour,
    is_clear,
    is_empty_shape,
    is_faint,
    is_filtered_away,
    is_moved_away,
    is_off_screen,
    is_sizeless,
    is_speck,
    is_tiny,
    parse_colour,
    parse_length,
)
from webquarry_convert.tree import Attributes

_HINTS = re.compile(
    r"none|visib|hidden|opacity|size|font|indent|transform|clip|color|background|position|\\", re.IGNORECASE
)
_FOUND_BY_SEARCH = "until-found"
"""Value of `hidden` for content that the browser's page search reveals."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
_EDGES = ("left", "top", "right", "bottom", "inset-inline-start", "inset-block-start", "margin-left", "margin-top")
_MOVING = frozenset({"transform", "-webkit-transform", "transition", "will-change", "animation", "animation-name"})
"""Properties that accompany `opacity` on elements that fade in as the reader scrolls."""


class ElementStyle(NamedTuple):
    """The visibility of one element.

    is_lost: whether it is hidden in a way that pages do not use for content shown later. is_folded: whether it is
    hidden in a way that pages use for content shown later. has_size, is_visible, has_colour: inherited by descendants
    unless they override them; None if not declared. colour, ground: the colors of text and background, if declared as
    plain colors. is_painted: whether the background is something other than a color.
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
Tests = Mapping[str, Callable[[str], bool]]
"""Tests by property. Each returns whether a value hides an element in one way."""


def read_element_style(attributes: Attributes, sheet: Declarations | None = None) -> ElementStyle:
    """Return the visibility that an element's attributes declare. Accepts any attributes and takes linear time.

    sheet: style sheet declarations for the element. Its inline style overrides them.
    """
    style = attributes.get("style")
    if sheet:
        look = judge_style({**sheet, **group_declarations(style or "")})
    else:
        look = PLAIN if not style or _HINTS.search(style) is None else judge_style(group_declarations(style))
    return _add_attributes(look, attributes)


def _add_attributes(look: ElementStyle, attributes: Attributes) -> ElementStyle:
    """Return the style with what the attributes other than `style` declare."""
    if "popover" in attributes or attributes.get("hidden", _FOUND_BY_SEARCH) != _FOUND_BY_SEARCH:
        look = look._replace(is_folded=True)
    if attributes.get("aria-hidden") == "true" and is_read_aloud(attributes):
        look = look._replace(is_lost=True)  # the content is hidden from screen readers
    colour, ground = attributes.get("color"), attributes.get("bgcolor")
    if colour and look.colour is None:
        look = look._replace(colour=parse_colour(colour.strip().lower()))
    if ground and look.ground is None:
        look = look._replace(ground=parse_colour(ground.strip().lower()))
    if "background" in attributes:
        look = look._replace(is_painted=True)
    return look


def parse_declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield properties and values in lower case, without `!important`, comments and escapes.

    Quotes are ignored: a semicolon inside quotes ends a declaration. Anything that is not a declaration is skipped.
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

    A property that is declared twice keeps both values. In browsers, the supported features decide which value wins;
    here, the hiding value wins.
    """
    declarations: dict[str, list[str]] = {}
    for name, value in parse_declarations(style):
        declarations.setdefault(name, []).append(value)
    return declarations


def judge_style(declarations: Declarations) -> ElementStyle:
    """Return the visibility that results from the values of an element's properties."""
    is_lost, is_folded = _judge_box(declarations)
    if "position" in declarations and not _PLACED.isdisjoint(declarations["position"]):
        is_lost = is_lost or _is_placed_away(declarations)
    colour, has_colour = _read_letters(declarations)
    visibility = _get_last(declarations, "visibility")
    ground, is_painted = _read_ground(declarations)
    return ElementStyle(
        is_lost=is_lost or _meets(declarations, _LOSING),
        is_folded=is_folded or _meets(declarations, _FOLDING) or _is_faded(declarations),
        has_size=_has_size(declarations),
        is_visible=None if visibility is None else visibility not in ("hidden", "collapse"),
        has_colour=has_colour,
        colour=colour,
        ground=ground,
        is_painted=is_painted,
    )


def _meets(declarations: Declarations, tests: Tests) -> bool:
    """Return whether a value of any property passes the property's test."""
    return any(name in declarations and any(map(test, declarations[name])) for name, test in tests.items())


def _get_last(declarations: Declarations, name: str) -> str | None:
    return declarations[name][-1] if name in declarations else None


def _judge_box(declarations: Declarations) -> tuple[bool, bool]:
    """Return whether a box that cuts off its overflow is hidden (it has no size), and whether it is folded in one
    direction.
    """
    if not _meets(declarations, _CUTTING):
        return False, False
    is_narrow, is_flat = _meets(declarations, _NARROW), _meets(declarations, _FLAT)
    return is_narrow and is_flat, is_narrow or is_flat


def _is_placed_away(declarations: Declarations) -> bool:
    """Return whether a positioned element is off the screen or clipped to nothing."""
    return _meets(declarations, _CLIPPED) or any(
        edge in declarations and any(map(is_off_screen, declarations[edge])) and _is_alone(edge, declarations)
        for edge in _EDGES
    )


def _is_faded(declarations: Declarations) -> bool:
    return _meets(declarations, _FAINT) and _MOVING.isdisjoint(declarations)


def _has_size(declarations: Declarations) -> bool | None:
    """Return whether the letters have a readable size, or None if the size is not declared."""
    if _meets(declarations, _SIZELESS):
        return False
    return True if "font-size" in declarations or "font" in declarations else None


def _read_letters(declarations: Declarations) -> tuple[Colour | None, bool | None]:
    """Return the color of the letters if it is declared plainly, and whether they have a color.

    The second value is None if no color is declared. Letters without a color are visible if they have a shadow or a
    background.
    """
    if "text-shadow" in declarations or _meets(declarations, _FILLED):
        return None, True
    letters = _get_last(declarations, "-webkit-text-fill-color") or _get_last(declarations, "color")
    return (None, None) if letters is None else (parse_colour(letters), not is_clear(letters))


def _read_ground(declarations: Declarations) -> tuple[Colour | None, bool]:
    """Return the background color if it is declared plainly, and whether the background is something other than a
    color.
    """
    ground = _get_last(declarations, "background-color") or _get_last(declarations, "background")
    plain = None if ground is None else parse_colour(ground)
    is_other = ground not in (None, "none") and plain is None and not is_clear(ground or "")
    return plain, is_other or "background-image" in declarations


def may_hide(declarations: Declarations) -> bool:
    """Return whether declarations hide an element, or move it out of sight if it is positioned."""
    look = judge_style({**declarations, "position": ["absolute"]})
    return look.is_lost or look.is_folded or False in (look.has_size, look.is_visible, look.has_colour)


def _is_alone(edge: str, declarations: Declarations) -> bool:
    """Return whether no other edge moves the element back, as in `left: 50%; margin-left: -450px`."""
    other = edge.removeprefix("margin-")
    return other == edge or all((parse_length(value) or 0) <= 0 for value in declarations.get(other, ()))


def _is_clipping(value: str) -> bool:
    return "hidden" in value or "clip" in value


def _is_text(value: str) -> bool:
    return "text" in value


_PLACED = frozenset({"absolute", "fixed"})
_LOSING: Tests = {"clip-path": is_empty_shape, "text-indent": is_off_screen}
_CLIPPED: Tests = {"clip": is_empty_shape}
_FOLDING: Tests = {
    "display": "none".__eq__,
    "content-visibility": "hidden".__eq__,
    "filter": is_filtered_away,
    "transform": is_moved_away,
}
_FAINT: Tests = {"opacity": is_faint}
_SIZELESS: Tests = {"font-size": is_tiny, "font": is_sizeless}
_CUTTING: Tests = dict.fromkeys(("overflow", "overflow-x", "overflow-y"), _is_clipping)
_NARROW: Tests = dict.fromkeys(("width", "max-width"), is_speck)
_FLAT: Tests = dict.fromkeys(("height", "max-height"), is_speck)
_FILLED: Tests = dict.fromkeys(("background-clip", "-webkit-background-clip"), _is_text)
