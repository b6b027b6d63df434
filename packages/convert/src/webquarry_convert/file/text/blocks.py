"""The blocks of a document, a cell or a note in reading order, with lists nested by level.

Word processors store paragraphs with a level and a label rather than lists. Adjacent paragraphs with levels become one
list. Other content ends the list, and the next list continues its numbers.
"""

import re
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.text.line import CODE, Content, Line, make_element
from webquarry_convert.file.text.style_names import is_code_text
from webquarry_convert.tree import Node

MAX_LEVEL: Final = 9
_BOXES: Final = {"\u2610": False, "\u2611": True, "\u2612": True}
_TOLERANCE: Final = 30
"""Tolerance for equal indents, in twentieths of a point. A millimeter has 57 of these units."""
_BLANKS: Final = " \t\xa0\n"
_TYPED_BULLET: Final = re.compile(r"[ \t\xa0]*+([•●▪■‣⁃∙·◦○])[ \t\xa0]++(?=\S)")
"""Matches a bullet that was typed as text."""
_INNER_BULLETS: Final = "◦○"


@dataclass(frozen=True, slots=True)
class Item:
    """The position of a paragraph in a list.

    level: level from 0. number: the displayed number, or None for a bullet. label: a label other than a plain number or
    a bullet, such as `2.1.3` or `Article 5`; it is kept as text. shown: the complete label, for headings. left: the
    indent of the text in twentieths of a point. is_alone: whether its list has only this level, in which case only
    `left` determines the depth.
    """

    level: int
    number: int | None = None
    label: str = ""
    shown: str = ""
    left: int | None = None
    is_alone: bool = False


@dataclass(slots=True)
class _OpenList:
    level: int
    node: Node
    item: Item
    last: Node
    has_blocks: bool = False  # whether the last item consists of more than one line


class Blocks:
    """Blocks in the order in which they are added.

    is_cell: whether the blocks are in a cell, which is written on one line.
    """

    def __init__(self, *, is_cell: bool = False) -> None:
        self.nodes: Content = []
        self.is_cell = is_cell
        self._open: list[_OpenList] = []
        self._code: Node | None = None
        self._quote: Node | None = None

    def flow(
        self, line: Line, text: str, *, is_code: bool = False, is_quote: bool = False, worn: int = 0, left: int = 0
    ) -> None:
        """Add a paragraph that is not a heading or list item: ordinary text, code or a quote.

        A paragraph with the same indent as the last item's text continues this item. text: the line's plain text.
        is_code, is_quote: the kind according to its style. worn: marks that its style applies to the whole paragraph.
        left: see `Item`.
        """
        if self.is_cell:
            self.paragraph(line)
        elif not (line.has_nodes and line.formula()) and (is_code or self._is_code_line(line, text, worn)):
            self.code(text)
        elif is_quote:
            self.quote(line)
        elif (bullet := _TYPED_BULLET.match(text)) is not None:
            line.drop_start(bullet.end())
            self.item(Item(1 if self._open and bullet[1] in _INNER_BULLETS else 0), line)
        elif left > 0 and text.lstrip(_BLANKS)[:1] not in _BOXES and (level := self._find_level(left)) is not None:
            self.add_further(level, line)
        else:
            self.paragraph(line)

    def _is_code_line(self, line: Line, text: str, worn: int) -> bool:
        """Return whether a line is code.

        A monospaced font does not suffice: the line must also follow a code block, or its text must look like code.
        """
        return bool((line.find_common_marks() | worn) & CODE) and (self._code is not None or is_code_text(text))

    def _find_level(self, left: int) -> int | None:
        """Return the deepest level whose last item has text with this indent."""
        for opened in reversed(self._open):
            if opened.item.left is not None and abs(opened.item.left - left) <= _TOLERANCE:
                return opened.level
        return None

    def paragraph(self, line: Line) -> None:
        content = self._content(line)
        if content:
            checked = _take_box(content)
            if checked is not None:
                self._task(checked, content)
                return
            self._end()
            self.nodes.append(make_element("p", content))

    def heading(self, level: int, line: Line, label: str = "") -> None:
        content = line.content(is_plain=True)
        if not content:
            return
        self._end()
        if label:
            content = [f"{label} ", *content]
        self.nodes.append(make_element(f"h{min(level, 6)}" if not self.is_cell else "p", content))

    def code(self, text: str) -> None:
        """Add one or more lines of code. Adjacent lines form one code block."""
        if self._code is not None:
            self._code.children.append(f"\n{text}")
            return
        self._end()
        self._code = make_element("pre", [text])
        self.nodes.append(self._code)

    def quote(self, line: Line) -> None:
        """Add a quoted paragraph. Adjacent quoted paragraphs form one quote."""
        content = self._content(line)
        if content:
            if self._quote is None:
                self._end()
                self._quote = make_element("blockquote", [])
                self.nodes.append(self._quote)
            self._quote.children.append(make_element("p", content))

    def item(self, item: Item, line: Line) -> None:
        content = self._content(line)
        if not content:
            return
        if self.is_cell:
            label = item.label or ("-" if item.number is None else f"{item.number}.")
            self.nodes.append(make_element("p", [f"{label} ", *content]))
            return
        if item.label:
            content = [f"{item.label} ", *content]
        self._place(item, make_element("li", content))

    def add_further(self, level: int, line: Line) -> None:
        """Add a paragraph to the last item on a level."""
        while self._open and self._open[-1].level > min(level, MAX_LEVEL):
            self._open.pop()
        if not self._open:
            self.paragraph(line)
            return
        content = self._content(line)
        if content:
            self._within(self._open[-1], make_element("p", content))

    def add(self, nodes: Content) -> None:
        """Add finished blocks, such as a table or a text box."""
        if nodes:
            self._end()
            self.nodes += nodes

    def _content(self, line: Line) -> Content:
        formula = line.formula()
        if formula is not None:
            formula.attributes["display"] = "block"
            return [formula]
        return line.content(is_plain=self.is_cell)

    def _end(self) -> None:
        self._open = []
        self._code = self._quote = None

    def _task(self, is_checked: bool, content: Content) -> None:
        box = f"[{'x' if is_checked else ' '}]"
        if self.is_cell:
            self.nodes.append(make_element("p", [f"- {box} ", *content]))
            return
        attributes: dict[str, str | None] = {"type": "checkbox", "checked": ""} if is_checked else {"type": "checkbox"}
        self._place(Item(0), make_element("li", [Node("input", attributes, -1), *content]))

    def _place(self, item: Item, node: Node) -> None:
        """Add an item to the list on its level."""
        self._code = self._quote = None
        depth = self._find_depth(item.left) if item.is_alone and item.left is not None else item.level
        level = min(max(depth, 0), MAX_LEVEL)
        opened = self._open
        while opened and opened[-1].level > level:
            opened.pop()
        if opened and opened[-1].level == level:
            if self._is_continued(opened[-1].item, item):
                self._append(opened[-1], item, node)
                return
            opened.pop()
        kind = make_element("ul", [node]) if item.number is None else make_element("ol", [node], start=str(item.number))
        if opened:
            self._within(opened[-1], kind)
        else:
            self.nodes.append(kind)
        opened.append(_OpenList(level, kind, item, node))

    @staticmethod
    def _append(opened: _OpenList, item: Item, node: Node) -> None:
        """Append an item to an open list. If the list skips a number, the item gets an explicit one."""
        before = opened.item.number
        if item.number is not None and before is not None and item.number > before + 1:
            node.attributes["value"] = str(item.number)
        opened.node.children.append(node)
        opened.item, opened.last, opened.has_blocks = item, node, False

    def _find_depth(self, left: int) -> int:
        """Return the level of an item with this indent. It is one below the last item with a smaller indent."""
        for opened in reversed(self._open):
            other = opened.item.left
            if other is not None and left >= other - _TOLERANCE:
                return opened.level + (left > other + _TOLERANCE)
        return 0

    @staticmethod
    def _is_continued(before: Item, item: Item) -> bool:
        if before.number is None or item.number is None:
            return before.number is item.number
        return item.number > before.number

    @staticmethod
    def _within(opened: _OpenList, block: Node) -> None:
        """Add a block to the last item. The item's line becomes a paragraph, unless the block is a list."""
        item = opened.last
        if block.tag == "p" and not opened.has_blocks:
            item.children = [make_element("p", item.children)]
        opened.has_blocks = True
        item.children.append(block)


def _take_box(content: Content) -> bool | None:
    """Remove the check box at the start of a paragraph. Returns whether it is ticked, or None if there is no box."""
    first = content[0]
    if not isinstance(first, str):
        return None
    text = first.lstrip(_BLANKS)
    checked = _BOXES.get(text[:1])
    if checked is not None:
        content[0] = text[1:].lstrip(_BLANKS)
    return checked
