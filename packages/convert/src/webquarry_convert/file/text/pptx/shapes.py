"""Converts a slide's shapes in reading order."""

from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.objects import LeftOut
from webquarry_convert.file.text.ooxml import graphics
from webquarry_convert.file.text.ooxml.charts import C, read_chart
from webquarry_convert.file.text.ooxml.graphics import DGM
from webquarry_convert.file.text.ooxml.package import MC, A, Package, R
from webquarry_convert.file.text.placement import Box, sort_by_place
from webquarry_convert.file.text.pptx.placeholders import (
    AROUND,
    TITLES,
    Inherited,
    P,
    Placeholder,
    Sheet,
    read_placeholder,
)
from webquarry_convert.file.text.pptx.text import TextReader
from webquarry_convert.file.text.slides import is_title
from webquarry_convert.file.text.table import MAX_COLUMNS, Budget, Table
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

_SHAPES: Final = frozenset(f"{P}{name}" for name in ("sp", "cxnSp", "pic", "graphicFrame", "grpSp"))
_ON: Final = frozenset({"1", "true"})
_NAME: Final = f"{P}cNvPr"
_OBJECT: Final = f"{P}oleObj"
_OVERLAP: Final = 180_000
"""Tolerated overlap between a title's frame and the content below: half a centimeter."""


@dataclass(slots=True)
class Shape:
    node: Element
    placeholder: Placeholder | None
    inherited: Inherited
    box: Box | None


class SlideReader:
    """Reads one slide. part: name of the slide's part. sheet: the slide's layout."""

    def __init__(self, package: Package, part: str, sheet: Sheet, budget: Budget, left_out: LeftOut) -> None:
        self._package = package
        self._relations = package.get_relations(part)
        self._sheet = sheet
        self._budget = budget
        self._left_out = left_out
        self._text = TextReader(self._relations)

    def read(self, root: Element) -> tuple[Content, Content]:
        """Return the title and the content of a slide."""
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else self._list_shapes(tree)
        shapes = [shape for shape in shapes if shape.placeholder is None or shape.placeholder.kind not in AROUND]
        heading = self._find_title(shapes)
        title = [] if heading is None else self._read_title(heading)
        return title, self._read_all([shape for shape in shapes if shape is not heading])

    def read_notes(self, root: Element) -> Content:
        """Return the speaker notes. root: root of the notes page."""
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else self._list_shapes(tree)
        return self._read_all([shape for shape in shapes if shape.placeholder and shape.placeholder.kind == "body"])

    def _list_shapes(self, tree: Element) -> list[Shape]:
        shapes: list[Shape] = []
        for child in tree:
            node = _choose_alternative(child) if child.tag == f"{MC}AlternateContent" else child
            if node is None or node.tag not in _SHAPES or _is_hidden(node):
                continue
            placeholder = read_placeholder(node)
            inherited = Inherited(node, placeholder, self._sheet)
            shapes.append(Shape(node, placeholder, inherited, inherited.find_box()))
        return shapes

    def _find_title(self, shapes: list[Shape]) -> Shape | None:
        """Return the title placeholder, or otherwise the topmost shape if it consists of one short line."""
        for shape in shapes:
            if shape.placeholder is not None and shape.placeholder.kind in TITLES and _read_plain(shape.node):
                return shape
        return self._find_title_line(shapes)

    def _find_title_line(self, shapes: list[Shape]) -> Shape | None:
        """Return the topmost shape if it has one short line and is above all others."""
        placed = sorted(
            ((shape.box, shape) for shape in shapes if shape.box is not None and shape.box.bottom > shape.box.top),
            key=lambda one: one[0].top,
        )
        if len(placed) < 2 or placed[0][1].node.tag != f"{P}sp":
            return None
        box, shape = placed[0]
        lines = _read_plain(shape.node)
        is_above = all(other.top >= box.bottom - _OVERLAP for other, _ in placed[1:])
        return shape if is_above and len(lines) == 1 and is_title(lines[0]) else None

    def _read_title(self, shape: Shape) -> Content:
        body = shape.node.find(f"{P}txBody")
        return [] if body is None else self._text.read(body, shape.inherited, is_title=True)

    def _read_all(self, shapes: list[Shape]) -> Content:
        content: Content = []
        for at in sort_by_place([shape.box for shape in shapes]):
            content += self._read_shape(shapes[at])
        return content

    def _read_shape(self, shape: Shape) -> Content:
        node = shape.node
        if node.tag == f"{P}grpSp":
            return self._read_all(self._list_shapes(node))  # recursion is safe, because the nesting of XML is limited
        if node.tag == f"{P}graphicFrame":
            return self._read_graphic(node)
        if node.tag == f"{P}pic":
            return self._read_picture(node)
        body = node.find(f"{P}txBody")
        return [] if body is None else self._text.read(body, shape.inherited)

    def _read_picture(self, node: Element) -> Content:
        """Return a picture's description. A picture without a description is dropped."""
        properties = node.find(f"{P}nvPicPr/{P}cNvPr")
        text = "" if properties is None else graphics.clean_description(properties.get("descr"))
        if not text:
            return []
        blip = node.find(f"{P}blipFill/{A}blip")
        relation = None if blip is None else self._relations.get(blip.get(f"{R}embed", ""))
        name = "" if relation is None else relation.target.rpartition("/")[2]
        return [make_element("p", [Node("img", {"alt": text, "src": name or "picture"}, -1)])]

    def _read_graphic(self, node: Element) -> Content:
        data = node.find(f"{A}graphic/{A}graphicData")
        for child in data if data is not None else ():
            if child.tag == f"{A}tbl":
                return self._read_table(child)
            if child.tag == f"{C}chart":
                root = self._parse_related(child.get(f"{R}id"), "charts")
                return [] if root is None else read_chart(root, self._budget)
            if child.tag == f"{DGM}relIds":
                root = self._parse_related(child.get(f"{R}dm"), "diagrams")
                return [] if root is None else graphics.read_diagram(root)
            self._left_out.add(next((one.get("progId", "") for one in child.iter(_OBJECT)), ""))
        return []

    def _parse_related(self, identity: str | None, title: str) -> Element | None:
        relation = self._relations.get(identity or "")
        if relation is None or relation.is_outside:
            return None
        return self._package.parse_optional(relation.target, title)

    def _read_table(self, node: Element) -> Content:
        properties = node.find(f"{A}tblPr")
        has_head = properties is not None and properties.get("firstRow") in _ON
        table = Table(self._budget)
        for at, row in enumerate(node.iterchildren(f"{A}tr")):
            table.row(is_head=has_head and at == 0)
            for cell in row.iterchildren(f"{A}tc"):
                if cell.get("hMerge") in _ON:
                    continue  # the previous cell covers this cell
                if cell.get("vMerge") in _ON:
                    table.skip(_parse_span(cell))
                    continue
                body = cell.find(f"{A}txBody")
                table.cell([] if body is None else self._text.read(body, None, is_cell=True), _parse_span(cell))
        return table.nodes()


def _parse_span(cell: Element) -> int:
    text = cell.get("gridSpan", "1")
    return min(max(int(text), 1), MAX_COLUMNS) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _choose_alternative(node: Element) -> Element | None:
    """Return the first supported alternative of a shape."""
    for form in node.iterchildren(f"{MC}Choice", f"{MC}Fallback"):
        for child in form:
            if child.tag in _SHAPES:
                return child
    return None


def _is_hidden(node: Element) -> bool:
    named = node[0].find(_NAME) if len(node) else None
    return named is not None and named.get("hidden") in _ON


def _read_plain(node: Element) -> list[str]:
    """Return the non-empty paragraphs of a shape."""
    body = node.find(f"{P}txBody")
    if body is None:
        return []
    paragraphs = ("".join(text.text or "" for text in one.iter(f"{A}t")).strip() for one in body.iterchildren(f"{A}p"))
    return [text for text in paragraphs if text]
