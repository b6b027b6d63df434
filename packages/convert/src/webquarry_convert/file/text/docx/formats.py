"""Formatting of characters and paragraphs. Styles, paragraphs and runs all have these properties."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.text.line import BOLD, CODE, ITALIC, LOWERED, RAISED, STRIKE
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.text.style_names import is_monospaced
from webquarry_convert.file.xml import Element

VAL: Final = f"{W}val"
_OFF: Final = frozenset({"0", "false", "off", "none"})
BODY: Final = 10
"""The outline level of body text. Levels are counted from 1, as in headings."""
_TOGGLES: Final = {
    f"{W}b": BOLD,
    f"{W}i": ITALIC,
    f"{W}strike": STRIKE,
    f"{W}dstrike": STRIKE,
}
_ASCII: Final = f"{W}ascii"
_WHITE: Final = re.compile("(?:[fF][0-9a-fA-F]){3}")
_MAX_FONT: Final = 100
"""Maximum length of a font name, in characters. The name is looked up for each run."""
_PLACES: Final = {"superscript": RAISED, "subscript": LOWERED}


@dataclass(slots=True)
class RunFormat:
    """Character formatting; None where not specified. Instances are not changed after they are read.


    marks: formats turned on. cleared: formats turned off. size, position: the font size, and the height above the line,
    in half points. is_white: whether the text is white. is_painted: whether the background is colored.
    """

    marks: int = 0
    cleared: int = 0
    is_hidden: bool | None = None
    font: str | None = None
    size: int | None = None
    position: int | None = None
    is_white: bool | None = None
    is_painted: bool | None = None

    def over(self, below: "RunFormat") -> "RunFormat":
        return RunFormat(
            self.marks | (below.marks & ~self.cleared),
            self.cleared | (below.cleared & ~self.marks),
            below.is_hidden if self.is_hidden is None else self.is_hidden,
            self.font or below.font,
            below.size if self.size is None else self.size,
            below.position if self.position is None else self.position,
            below.is_white if self.is_white is None else self.is_white,
            below.is_painted if self.is_painted is None else self.is_painted,
        )


PLAIN: Final = RunFormat()


def read_run_format(properties: Element | None) -> RunFormat:
    """Return the formatting in an `rPr` element."""
    if properties is None:
        return PLAIN
    found = RunFormat()
    for node in properties:
        read = _RUN_PROPERTIES.get(node.tag)
        if read is not None:
            read(found, node)
    return PLAIN if found == PLAIN else found


def _read_toggle(found: RunFormat, node: Element) -> None:
    mark = _TOGGLES[node.tag]
    if is_on(node):
        found.marks |= mark
    else:
        found.cleared |= mark


def _read_place(found: RunFormat, node: Element) -> None:
    found.marks |= _PLACES.get(node.get(VAL, ""), 0)


def _read_size(found: RunFormat, node: Element) -> None:
    found.size = parse_number(node.get(VAL))


def _read_position(found: RunFormat, node: Element) -> None:
    found.position = parse_number(node.get(VAL))


def _read_hidden(found: RunFormat, node: Element) -> None:
    found.is_hidden = is_on(node)


def _read_colour(found: RunFormat, node: Element) -> None:
    found.is_white = _WHITE.fullmatch(node.get(VAL, "")) is not None


def _read_highlight(found: RunFormat, node: Element) -> None:
    found.is_painted = node.get(VAL, "none") not in ("none", "white")


def _read_shading(found: "RunFormat | ParagraphProperties", node: Element) -> None:
    """Record whether a `shd` element gives its text a background other than white."""
    fill = node.get(f"{W}fill", "auto")
    is_plain = node.get(VAL, "clear") in ("clear", "nil")
    found.is_painted = not is_plain or (fill != "auto" and _WHITE.fullmatch(fill) is None)


def _read_fonts(found: RunFormat, node: Element) -> None:
    found.font = node.get(_ASCII, "")[:_MAX_FONT] or None
    if found.font is not None and is_monospaced(found.font):
        found.marks |= CODE


_RUN_PROPERTIES: Final[Mapping[str, Callable[[RunFormat, Element], None]]] = {
    **dict.fromkeys(_TOGGLES, _read_toggle),
    f"{W}vertAlign": _read_place,
    f"{W}sz": _read_size,
    f"{W}position": _read_position,
    f"{W}vanish": _read_hidden,
    f"{W}color": _read_colour,
    f"{W}shd": _read_shading,
    f"{W}highlight": _read_highlight,
    f"{W}rFonts": _read_fonts,
}


@dataclass(slots=True)
class ParagraphProperties:
    """Formatting of a paragraph or a paragraph style; None where not specified.

    outline, left: see `Style`. number, level: the paragraph's list and its level in the list. is_joined: whether its
    end mark was deleted, or the paragraph is the drop cap of the next paragraph.
    """

    style: str | None = None
    outline: int | None = None
    number: str | None = None
    level: int | None = None
    left: int | None = None
    is_joined: bool = False
    is_painted: bool = False


def read_paragraph_properties(properties: Element | None) -> ParagraphProperties:
    """Return the formatting in a `pPr` element."""
    made = ParagraphProperties()
    for node in properties if properties is not None else ():
        read = _PARAGRAPH_PROPERTIES.get(node.tag)
        if read is not None:
            read(made, node)
    return made


def _read_style_name(made: ParagraphProperties, node: Element) -> None:
    made.style = node.get(VAL)


def _read_outline(made: ParagraphProperties, node: Element) -> None:
    level = parse_number(node.get(VAL))
    made.outline = None if level is None else min(max(level, 0), BODY - 1) + 1


def _read_item(made: ParagraphProperties, node: Element) -> None:
    made.number, made.level = get_value(node, "numId"), parse_number(get_value(node, "ilvl"))


def _read_indentation(made: ParagraphProperties, node: Element) -> None:
    made.left = read_left(node)


def _read_end(made: ParagraphProperties, node: Element) -> None:
    made.is_joined = made.is_joined or node.find(f"{W}del") is not None


def _read_frame(made: ParagraphProperties, node: Element) -> None:
    made.is_joined = node.get(f"{W}dropCap", "none") != "none"


_PARAGRAPH_PROPERTIES: Final[Mapping[str, Callable[[ParagraphProperties, Element], None]]] = {
    f"{W}pStyle": _read_style_name,
    f"{W}outlineLvl": _read_outline,
    f"{W}numPr": _read_item,
    f"{W}ind": _read_indentation,
    f"{W}rPr": _read_end,
    f"{W}shd": _read_shading,
    f"{W}framePr": _read_frame,
}


def read_left(indentation: Element | None) -> int | None:
    """Return the left indent in an `ind` element, which applies to all lines but the first."""
    return None if indentation is None else parse_number(indentation.get(f"{W}left") or indentation.get(f"{W}start"))


def get_value(node: Element, name: str) -> str | None:
    """Return the value of a child element."""
    child = node.find(f"{W}{name}")
    return None if child is None else child.get(VAL)


def parse_number(text: str | None) -> int | None:
    """Return the number in an attribute, or None if the attribute is invalid."""
    if text is None or len(text) > 10:
        return None
    try:
        return int(text)
    except ValueError:
        return None


def is_on(node: Element | None) -> bool:
    """Return whether a boolean property is on. A property without a value is on."""
    return node is not None and node.get(VAL, "1") not in _OFF
