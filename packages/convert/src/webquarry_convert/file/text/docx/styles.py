"""Styles: recognizes headings, code and list items, and the formatting of character styles."""

import re
from dataclasses import dataclass, replace
from typing import Final

from webquarry_convert.file.text.line import BOLD, CODE, ITALIC, LOWERED, RAISED, STRIKE
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.text.style_names import (
    is_code,
    is_code_word,
    is_monospaced,
    is_quote,
    is_title,
    read_heading_level,
)
from webquarry_convert.file.xml import Element

VAL: Final = f"{W}val"
_OFF: Final = frozenset({"0", "false", "off", "none"})
BODY: Final = 10
"""The outline level of body text, counted from 1 like headings."""
USUAL_SIZE: Final = 20
"""Default font size of documents, in half points."""


@dataclass(frozen=True, slots=True)
class RunFormat:
    """Character formatting; None where not specified.

    marks: formats turned on. cleared: formats turned off. size, position: font size and raised position, in half
    points. is_white: whether the text is white. is_painted: whether its background is colored.
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


@dataclass(frozen=True, slots=True)
class Style:
    """A style.

    outline: heading level from 1, `BODY` for body text, None if not specified. number, level: the list of its
    paragraphs; "0" for no list, None if not specified. left: indent, in twentieths of a point.
    """

    identity: str
    name: str
    outline: int | None = None
    is_title: bool = False
    is_code: bool = False
    is_quote: bool = False
    number: str | None = None
    level: int | None = None
    look: RunFormat = PLAIN
    left: int | None = None
    is_painted: bool = False

    def over(self, below: "Style") -> "Style":
        return replace(
            self,
            outline=below.outline if self.outline is None else self.outline,
            is_title=self.is_title or (below.is_title and self.outline is None),
            is_code=self.is_code or below.is_code,
            is_quote=self.is_quote or below.is_quote,
            number=below.number if self.number is None else self.number,
            level=below.level if self.level is None else self.level,
            look=self.look.over(below.look),
            left=below.left if self.left is None else self.left,
            is_painted=self.is_painted or below.is_painted,
        )


NONE: Final = Style("", "")
_IDENTITY: Final = f"{W}styleId"
_KIND: Final = f"{W}type"
_DEFAULT: Final = f"{W}default"


class Styles:
    """The styles of a document by id, with inherited formatting.

    Each style is read on first use, because most documents declare hundreds and use few.
    """

    def __init__(self, root: Element | None) -> None:
        self._nodes: dict[str, Element] = {}
        self._whole: dict[str, Style] = {}
        self.paragraph = NONE
        """The style of paragraphs without an explicit style."""
        self.language: str | None = None
        self.size = USUAL_SIZE
        """Default font size, in half points."""
        if root is None:
            return
        size = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}sz")
        self.size = parse_number(None if size is None else size.get(VAL)) or USUAL_SIZE
        language = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}lang")
        self.language = None if language is None else language.get(VAL)
        default = ""
        for node in root.iterchildren(f"{W}style"):
            identity = node.get(_IDENTITY, "")
            self._nodes[identity] = node
            if node.get(_DEFAULT) in ("1", "true", "on") and node.get(_KIND) == "paragraph":
                default = identity
        self.paragraph = self.get(default) or NONE

    def get(self, identity: str) -> Style | None:
        known = self._whole.get(identity)
        if known is not None or identity not in self._nodes:
            return known
        chain: list[Style] = []
        whole = NONE
        seen: set[str] = set()
        name: str | None = identity
        while name is not None and name in self._nodes and name not in seen:
            if name in self._whole:
                whole = self._whole[name]
                break
            seen.add(name)
            style, name = _read_style(self._nodes[name])
            chain.append(style)
        while chain:
            whole = chain.pop().over(whole)
            self._whole[whole.identity] = whole
        return whole


def _read_style(node: Element) -> tuple[Style, str | None]:
    """Return a style without inherited formatting, and the id of the style it is based on."""
    identity = node.get(_IDENTITY, "")
    name = get_value(node, "name") or identity
    properties = read_paragraph_properties(node.find(f"{W}pPr"))
    outline = properties.outline
    if outline is None:
        outline = read_heading_level(name) or read_heading_level(identity)
    is_word = node.get(_KIND) == "character"
    look = read_run_format(node.find(f"{W}rPr"))
    if is_word and is_code_word(name):
        look = replace(look, marks=look.marks | CODE)
    style = Style(
        identity,
        name,
        outline,
        is_title=is_title(name),
        is_code=not is_word and is_code(name),
        is_quote=not is_word and is_quote(name),
        number=properties.number,
        level=properties.level,
        look=look,
        left=properties.left,
        is_painted=properties.is_painted,
    )
    return style, get_value(node, "basedOn")


def get_value(node: Element, name: str) -> str | None:
    """Return the value of a child element."""
    child = node.find(f"{W}{name}")
    return None if child is None else child.get(VAL)


def parse_number(text: str | None) -> int | None:
    """Return the number in an attribute, or None if it is invalid."""
    if text is None or len(text) > 10:
        return None
    try:
        return int(text)
    except ValueError:
        return None


def is_on(node: Element | None) -> bool:
    """Return whether a boolean property is on. A property without a value is on."""
    return node is not None and node.get(VAL, "1") not in _OFF


@dataclass(slots=True)
class ParagraphProperties:
    """Formatting of a paragraph or a paragraph style; None where not specified.

    outline, left: see `Style`. number, level: of a list. is_joined: whether its end was deleted, or it is the drop cap
    of the next paragraph.
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
        tag = node.tag
        if tag == _STYLE_NAME:
            made.style = node.get(VAL)
        elif tag == _OUTLINE:
            level = parse_number(node.get(VAL))
            made.outline = None if level is None else min(max(level, 0), BODY - 1) + 1
        elif tag == _ITEM:
            made.number, made.level = get_value(node, "numId"), parse_number(get_value(node, "ilvl"))
        elif tag == _INDENTATION:
            made.left = read_left(node)
        elif tag == _END:
            made.is_joined = made.is_joined or node.find(_DELETED) is not None
        elif tag == _SHADING:
            made.is_painted = _is_painted(node)
        elif tag == _FRAME:
            made.is_joined = node.get(_DROPPED, "none") != "none"
    return made


def read_left(indentation: Element | None) -> int | None:
    """Return the left indent in an `ind` element, of all lines but the first."""
    return None if indentation is None else parse_number(indentation.get(f"{W}left") or indentation.get(f"{W}start"))


_INDENTATION: Final = f"{W}ind"
_STYLE_NAME: Final = f"{W}pStyle"
_OUTLINE: Final = f"{W}outlineLvl"
_ITEM: Final = f"{W}numPr"
_END: Final = f"{W}rPr"
_DELETED: Final = f"{W}del"
_FRAME: Final = f"{W}framePr"
_DROPPED: Final = f"{W}dropCap"
_TOGGLES: Final = {
    f"{W}b": BOLD,
    f"{W}i": ITALIC,
    f"{W}strike": STRIKE,
    f"{W}dstrike": STRIKE,
}
_HIDDEN: Final = f"{W}vanish"
_RAISE: Final = f"{W}vertAlign"
_FONTS: Final = f"{W}rFonts"
_ASCII: Final = f"{W}ascii"
_SIZE: Final = f"{W}sz"
_POSITION: Final = f"{W}position"
_COLOUR: Final = f"{W}color"
_SHADING: Final = f"{W}shd"
_HIGHLIGHT: Final = f"{W}highlight"
_WHITE: Final = re.compile("(?:[fF][0-9a-fA-F]){3}")
_MAX_FONT: Final = 100
"""Maximum length of a font name, in characters. The name is looked up for each run."""


def read_run_format(properties: Element | None) -> RunFormat:
    """Return the formatting in an `rPr` element."""
    if properties is None:
        return PLAIN
    marks = cleared = 0
    is_hidden: bool | None = None
    font: str | None = None
    size: int | None = None
    position: int | None = None
    is_white: bool | None = None
    is_painted: bool | None = None
    for node in properties:
        tag = node.tag
        mark = _TOGGLES.get(tag)
        if mark is not None:
            if node.get(VAL, "1") in _OFF:
                cleared |= mark
            else:
                marks |= mark
        elif tag == _RAISE:
            place = node.get(VAL)
            marks |= RAISED if place == "superscript" else LOWERED if place == "subscript" else 0
        elif tag == _SIZE:
            size = parse_number(node.get(VAL))
        elif tag == _POSITION:
            position = parse_number(node.get(VAL))
        elif tag == _HIDDEN:
            is_hidden = node.get(VAL, "1") not in _OFF
        elif tag == _COLOUR:
            is_white = _WHITE.fullmatch(node.get(VAL, "")) is not None
        elif tag == _SHADING:
            is_painted = _is_painted(node)
        elif tag == _HIGHLIGHT:
            is_painted = node.get(VAL, "none") not in ("none", "white")
        elif tag == _FONTS:
            font = node.get(_ASCII, "")[:_MAX_FONT] or None
            if font is not None and is_monospaced(font):
                marks |= CODE
    said = (is_hidden, is_white, is_painted)
    if not (marks or cleared or font or size or position or said != (None, None, None)):
        return PLAIN
    return RunFormat(marks, cleared, is_hidden, font, size, position, is_white, is_painted)


def _is_painted(shading: Element) -> bool:
    """Return whether a `shd` element gives its text a background other than white."""
    fill = shading.get(f"{W}fill", "auto")
    is_plain = shading.get(VAL, "clear") in ("clear", "nil")
    return not is_plain or (fill != "auto" and _WHITE.fullmatch(fill) is None)
