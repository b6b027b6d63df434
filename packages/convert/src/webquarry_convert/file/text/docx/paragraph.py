"""Paragraphs of a Word document, and their conversion to headings, list items, listings and plain text."""

from dataclasses import dataclass, field, replace
from typing import Final

from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.docx.formats import BODY, ParagraphProperties
from webquarry_convert.file.text.docx.numbering import Numbering
from webquarry_convert.file.text.docx.styles import Style
from webquarry_convert.file.text.line import Content, Line
from webquarry_convert.file.text.objects import LeftOut
from webquarry_convert.file.text.table import Budget

MAX_HEADING: Final = 500
"""Maximum length of a heading, in characters, on any level."""
_TITLE: Final = 0
"""The outline level of a paragraph with the title style. No other paragraph has this level."""


@dataclass(slots=True)
class Counts:
    """Counts over the whole document.

    notes: the notes referenced so far, as pairs of kind and id. comments: ids of the existing comments. hidden: number
    of characters that readers can't see because they are too small, white on white, or hidden in an embedded page.
    is_white: whether the pages have a plain white background.
    """

    comments: frozenset[str] = frozenset()
    notes: dict[tuple[str, str], int] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    left_out: LeftOut = field(default_factory=LeftOut)
    title: str | None = None
    hidden: int = 0
    is_white: bool = False


@dataclass(slots=True)
class Paragraph:
    """A paragraph that is being read. floats: blocks that are added after it."""

    line: Line
    style: Style
    properties: ParagraphProperties
    floats: Content = field(default_factory=list)


def place(paragraph: Paragraph, blocks: Blocks, numbering: Numbering, counts: Counts) -> None:
    """Add a paragraph to the blocks. A paragraph without text is not added, but counts as a list item."""
    line, style = paragraph.line, paragraph.style
    number, level = _find_list(paragraph, numbering)
    item = None if number is None else numbering.next(number, level)
    text = line.plain()
    if not text.strip() and not line.has_nodes:
        return
    outline = _find_outline(paragraph, is_cell=blocks.is_cell)
    if outline == _TITLE:
        counts.title = counts.title or " ".join(text.split())
    if outline < BODY and len(text) <= MAX_HEADING:
        blocks.heading(max(outline, 1), line, item.shown if item else "")
    elif item:
        blocks.item(_indent(item, paragraph), line)
    else:
        left = _find_left(paragraph, numbering, number, level)
        blocks.flow(line, text, is_code=style.is_code, is_quote=style.is_quote, left=left)


def _find_list(paragraph: Paragraph, numbering: Numbering) -> tuple[str | None, int]:
    """Return the number of a paragraph's list, or None if the paragraph is in no list, and the paragraph's level in the
    list.
    """
    properties, style = paragraph.properties, paragraph.style
    level = properties.level
    if properties.number is not None or style.number is None:
        return properties.number, level or 0
    if level is None:
        level = numbering.find_level(style.number, style.identity) if style.level is None else style.level
    return style.number, level or 0


def _find_outline(paragraph: Paragraph, *, is_cell: bool) -> int:
    """Return the outline level of a paragraph: `_TITLE` for the title style, `BODY` for ordinary text."""
    for outline in (paragraph.properties.outline, paragraph.style.outline):
        if outline is not None:
            return outline
    return _TITLE if paragraph.style.is_title and not is_cell else BODY


def _indent(item: Item, paragraph: Paragraph) -> Item:
    """Return an item with the indent of its paragraph or, if that is missing, of its list or its style."""
    is_of_style = paragraph.properties.number is None
    style = paragraph.style
    left = paragraph.properties.left or (style.left if is_of_style else None) or item.left or style.left
    return item if left == item.left else replace(item, left=left)


def _find_left(paragraph: Paragraph, numbering: Numbering, number: str | None, level: int) -> int:
    """Return the indent, in twentieths of a point, of a paragraph that is not a list item."""
    left = paragraph.style.left if paragraph.properties.left is None else paragraph.properties.left
    if left is None and number is not None:
        left = numbering.find_left(number, level)
    return left or 0
