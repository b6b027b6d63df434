"""Styles: their formatting, and whether they are used for headings, code or quotes."""

from dataclasses import dataclass, field, replace
from typing import Final

from webquarry_convert.file.text.docx.formats import (
    VAL,
    RunFormat,
    get_value,
    parse_number,
    read_paragraph_properties,
    read_run_format,
)
from webquarry_convert.file.text.line import CODE
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.text.style_names import (
    is_code,
    is_code_word,
    is_quote,
    is_title,
    read_heading_level,
)
from webquarry_convert.file.xml import Element

USUAL_SIZE: Final = 20
"""Default font size of documents, in half points."""


@dataclass(frozen=True, slots=True)
class Style:
    """The properties of a style that matter for markdown.

    outline: heading level from 1, `BODY` for body text, None if not specified. number, level: the list and level of its
    paragraphs; number is "0" for no list, None if not specified. left: the indent, in twentieths of a point.
    """

    identity: str
    name: str
    outline: int | None = None
    is_title: bool = False
    is_code: bool = False
    is_quote: bool = False
    number: str | None = None
    level: int | None = None
    look: RunFormat = field(default_factory=RunFormat)
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

    Each style is read on first use, because most documents declare hundreds of styles and use few.
    """

    def __init__(self, root: Element | None) -> None:
        self._nodes: dict[str, Element] = {}
        self._whole: dict[str, Style] = {}
        self.paragraph = NONE
        """The style of paragraphs that specify no style."""
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
