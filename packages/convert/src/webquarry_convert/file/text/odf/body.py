"""Converts an OpenDocument file's content by walking over its elements and adding blocks.

Deleted text is stored separately and is dropped, together with its comments. A frame or a shape with text follows its
anchor paragraph.
"""

from dataclasses import dataclass, field
from typing import Final

from webquarry_convert.file.text import formula
from webquarry_convert.file.text.blocks import Blocks
from webquarry_convert.file.text.comments import name_author
from webquarry_convert.file.text.line import Content, Line, make_element
from webquarry_convert.file.text.objects import LeftOut
from webquarry_convert.file.text.odf.controls import find_control, read_controls, read_field
from webquarry_convert.file.text.odf.numbering import Numbering, OpenList, label_item
from webquarry_convert.file.text.odf.package import (
    CHART,
    DC,
    DRAW,
    FIELD,
    OFFICE,
    PRESENTATION,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    Package,
)
from webquarry_convert.file.text.odf.styles import PLAIN, Style, Styles, parse_number
from webquarry_convert.file.text.odf.tables import REPEATED, is_layout_table
from webquarry_convert.file.text.table import Budget, Table
from webquarry_convert.file.text.targets import build_target
from webquarry_convert.file.text.walk import Handler, Leave, do_nothing, skip, walk_mixed
from webquarry_convert.file.xml import Element
from webquarry_convert.formula import MATHML
from webquarry_convert.tree import Node

MAX_REPEATED: Final = 100
"""Maximum number of repetitions of a row or a cell with text."""
MAX_SPACES: Final = 200


@dataclass(slots=True)
class _Paragraph:
    line: Line
    style: Style
    outline: int | None
    label: str
    floats: Content = field(default_factory=list)


class Body:
    """A reader of an element's content.

    blocks: the list to which content is added. notes: the list to which notes are added as blocks. whole: the document
    type's name.
    """

    def __init__(self, package: Package, styles: Styles, whole: str = "document") -> None:
        self.blocks = Blocks()
        self.notes: Content = []
        self.title: str | None = None
        self._package = package
        self._styles = styles
        self._paragraph: _Paragraph | None = None
        self._tables: list[Table | None] = []  # None represents a layout table
        self._in_head = False
        self._lists: list[OpenList] = []
        self._numbering = Numbering(styles)
        self._looks: list[Style] = []
        self._links: list[str | None] = []
        self._note_count = 0
        self._controls: dict[str, str] = {}
        self._budget = Budget()
        self.left_out = LeftOut(whole)

    def read(self, root: Element) -> Content:
        walk_mixed(self, root, HANDLERS, self.say)
        return self.blocks.nodes

    def apart(self, root: Element, *, is_cell: bool = False) -> Content:
        """Return an element's content without adding it to the blocks."""
        outer, self.blocks = self.blocks, Blocks(is_cell=is_cell)
        content = self.read(root)
        self.blocks = outer
        return content

    def shape(self, node: Element, *, is_cell: bool = False) -> Content:
        """Return the content of a frame or another shape on a slide. is_cell: whether to write it on a single line."""
        outer, self.blocks = self.blocks, Blocks(is_cell=is_cell)
        walk_mixed(self, (node,), HANDLERS, self.say)
        content, self.blocks = self.blocks.nodes, outer
        return content

    # text

    def say(self, text: str) -> None:
        paragraph = self._paragraph
        if paragraph is None:
            return
        look = self._looks[-1] if self._looks else PLAIN
        hidden = paragraph.style.is_hidden if look.is_hidden is None else look.is_hidden
        if not hidden:
            paragraph.line.text(text, look.marks, self._links[-1] if self._links else None)

    def _add_node(self, node: Node) -> None:
        if self._paragraph is not None:
            link = self._links[-1] if self._links and node.tag != "a" else None
            self._paragraph.line.node(node, 0, link)
        else:
            line = Line()
            line.node(node)
            self.blocks.paragraph(line)

    def span(self, node: Element) -> Leave:
        look = self._styles.get("text", node.get(f"{TEXT}style-name"))
        self._looks.append(look.over(self._looks[-1]) if self._looks else look)
        return self._end_span

    def _end_span(self) -> None:
        self._looks.pop()

    def link(self, node: Element) -> Leave:
        target = build_target(node.get(f"{XLINK}href"))
        self._links.append(target or (self._links[-1] if self._links else None))
        return self._end_link

    def _end_link(self) -> None:
        self._links.pop()

    def read_spaces(self, node: Element) -> None:
        self.say(" " * min(parse_number(node.get(f"{TEXT}c")) or 1, MAX_SPACES))

    def read_tab(self, node: Element) -> None:
        self.say("\t")

    def add_line_break(self, node: Element) -> None:
        if self._paragraph is not None:
            self._paragraph.line.add_line_break(self._links[-1] if self._links else None)

    def read_field(self, node: Element) -> None:
        self.say(read_field(node))

    # controls

    def read_forms(self, node: Element) -> None:
        self._controls |= read_controls(node)

    def read_control(self, node: Element) -> None:
        """Add a control's text, either in its line or after its anchor paragraph."""
        shown = find_control(self._controls, node)
        self._budget.charge_repeated([shown], 1)
        if self._paragraph is not None and node.get(f"{TEXT}anchor-type") == "as-char":
            self.say(shown)
        elif shown:
            self._add_behind([make_element("p", [shown])])

    # paragraphs

    def paragraph(self, node: Element) -> Leave:
        style = self._styles.get("paragraph", node.get(f"{TEXT}style-name"))
        return self._begin(_Paragraph(Line(), style, style.outline, ""))

    def heading(self, node: Element) -> Leave:
        style = self._styles.get("paragraph", node.get(f"{TEXT}style-name"))
        level = min(max(parse_number(node.get(f"{TEXT}outline-level")) or 1, 1), 10)
        return self._begin(_Paragraph(Line(), style, level, self._numbering.label_heading(node, level)))

    def _begin(self, paragraph: _Paragraph) -> Leave:
        outer = self._paragraph, self._looks, self._links
        self._paragraph, self._looks, self._links = paragraph, [], []

        def leave() -> None:
            self._paragraph, self._looks, self._links = outer
            self._place(paragraph)
            self.blocks.add(paragraph.floats)

        return leave

    def _place(self, paragraph: _Paragraph) -> None:
        """Add a paragraph as a heading, list item, code block or paragraph."""
        line, style = paragraph.line, paragraph.style
        text = line.plain()
        if not text.strip() and not line.has_nodes:
            return
        outline = paragraph.outline
        if outline is None and style.is_title and not self.blocks.is_cell and not self._lists:
            self.title = self.title or " ".join(text.split())
            outline = 1
        if outline is not None:
            self.blocks.heading(outline, line, paragraph.label)
        elif self._lists:
            self._add_to_list(self._lists[-1], line)
        else:
            self.blocks.flow(line, text, is_code=style.is_code, is_quote=style.is_quote, worn=style.marks)

    # lists

    def begin_list(self, node: Element) -> Leave:
        outer = self._lists
        opened = self._numbering.begin_list(node, outer)
        self._lists = [*outer, opened]

        def leave() -> None:
            self._lists = outer
            self._numbering.end_list(opened, len(outer) + 1)

        return leave

    def list_item(self, node: Element) -> Leave:
        if self._lists:
            self._lists[-1].begin_item(node)
        return do_nothing

    def list_header(self, node: Element) -> Leave:
        if self._lists:
            self._lists[-1].is_new, self._lists[-1].has_label = True, False
        return do_nothing

    def _add_to_list(self, opened: OpenList, line: Line) -> None:
        if opened.is_new:
            opened.is_new = False
            self._add_item(opened, line)
        else:
            self.blocks.add_further(len(self._lists) - 1, line)

    def _add_item(self, opened: OpenList, line: Line) -> None:
        if not opened.has_label:
            self.blocks.add_further(len(self._lists) - 1, line)
        elif (item := label_item(self._lists)) is None:
            self.blocks.paragraph(line)
        else:
            self.blocks.item(item, line)

    # notes, frames, objects

    def note(self, node: Element) -> None:
        body = node.find(f"{TEXT}note-body")
        if body is not None and self._paragraph is not None:
            self._add_note(body)

    def read_comment(self, node: Element) -> None:
        if self._paragraph is None:
            return
        author = node.findtext(f"{DC}creator") or ""
        name_author(self._add_note(node), " ".join(author.split()))

    def _add_note(self, body: Element) -> Content:
        """Return the content of a note. The note is also added to `notes`."""
        self._note_count += 1
        count = self._note_count
        self._add_node(make_element("a", [str(count)], href=f"#note-{count}", role="doc-noteref"))
        outer = self._set_apart()
        content = self.apart(body)
        self._restore(outer)
        self.notes.append(make_element("div", content, id=f"note-{count}"))
        return content

    def read_text_box(self, node: Element) -> Leave:
        """Read the blocks of a text box, which will be placed after the enclosing paragraph."""
        outer = self._set_apart()
        around, self.blocks = self.blocks, Blocks(is_cell=self.blocks.is_cell)

        def leave() -> None:
            content = self.blocks.nodes
            self.blocks = around
            self._restore(outer)
            self._add_behind(content)

        return leave

    def _add_behind(self, content: Content) -> None:
        if self._paragraph is None:
            self.blocks.add(content)
        else:
            self._paragraph.floats += content

    def _set_apart(self) -> tuple[_Paragraph | None, list[OpenList], list[Table | None]]:
        outer = self._paragraph, self._lists, self._tables
        self._paragraph, self._lists, self._tables = None, [], []
        return outer

    def _restore(self, outer: tuple[_Paragraph | None, list[OpenList], list[Table | None]]) -> None:
        self._paragraph, self._lists, self._tables = outer

    def frame(self, node: Element) -> Leave:
        picture, text = node.find(f"{DRAW}image"), _read_description(node)
        is_picture = node.find(f"{DRAW}text-box") is None and node.find(f"{DRAW}object") is None
        if picture is not None and is_picture and text:
            name = picture.get(f"{XLINK}href", "").rpartition("/")[2]
            self._add_node(Node("img", {"alt": text, "src": name or "picture"}, -1))
        return do_nothing

    def object(self, node: Element) -> None:
        """Add a formula as TeX, or a chart as a table of its data."""
        root = next((child for child in node if child.tag in _OBJECTS), None)
        if root is None:
            root = self._package.object(node.get(f"{XLINK}href", ""))
        if root is None:
            return
        if root.tag.rpartition("}")[2] == "math":
            self.read_inline_formula(root)
            return
        chart = root.find(f"{OFFICE}body/{OFFICE}chart/{CHART}chart")
        if chart is None:
            self.left_out.add()
        else:
            outer = self._set_apart()
            content = self.apart(chart)
            self._restore(outer)
            self._add_behind(content)

    def leave_out_object(self, node: Element) -> None:
        self.left_out.add()

    def read_inline_formula(self, node: Element) -> None:
        tex = formula.convert_mathml(node)
        if tex:
            self._add_node(Node("math", {"alttext": tex}, -1))

    def section(self, node: Element) -> Leave | None:
        return None if node.get(f"{TEXT}display") == "none" else do_nothing

    # tables

    def table(self, node: Element) -> Leave:
        # A table nested in a cell becomes text of the cell.
        is_text = self.blocks.is_cell or is_layout_table(node, len(self._tables))
        table = None if is_text else Table(self._budget)
        outer = self._lists
        self._tables.append(table)
        self._lists = []

        def leave() -> None:
            self._tables.pop()
            self._lists = outer
            if table is not None:
                self._add_behind(table.nodes())

        return leave

    def read_header_rows(self, node: Element) -> Leave:
        self._in_head = True

        def leave() -> None:
            self._in_head = False

        return leave

    def row(self, node: Element) -> Leave:
        table = self._tables[-1] if self._tables else None
        if table is None:
            return do_nothing
        table.row(is_head=self._in_head)
        times = min(parse_number(node.get(f"{TABLE}number-rows-repeated")) or 1, MAX_REPEATED)
        return (lambda: table.copy_last_row(times)) if times > 1 else do_nothing

    def cell(self, node: Element) -> Leave:
        table = self._tables[-1] if self._tables else None
        if table is None:
            return do_nothing
        outer, self.blocks = self.blocks, Blocks(is_cell=True)
        times = parse_number(node.get(REPEATED)) or 1

        def leave() -> None:
            content = self.blocks.nodes
            self.blocks = outer
            table.cell(content, times=min(times, MAX_REPEATED))
            table.skip(times - MAX_REPEATED)

        return leave

    def skip_covered_cell(self, node: Element) -> None:
        table = self._tables[-1] if self._tables else None
        if table is not None:
            table.skip(parse_number(node.get(REPEATED)) or 1)


_OBJECTS: Final = frozenset({f"{MATHML}math", f"{OFFICE}document"})
_LEFT_OUT: Final = """
    tracked-changes note-citation ruby-text variable-decls sequence-decls user-field-decls dde-connection-decls
    alphabetical-index-auto-mark-file script table-of-content-source illustration-index-source table-index-source
    object-index-source user-index-source alphabetical-index-source bibliography-source
"""
_SHAPE_NAMES: Final = """
    text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path connector caption measure
"""
HANDLERS: Final[dict[str, Handler[Body]]] = {
    **{f"{TEXT}{name}": skip for name in _LEFT_OUT.split()},
    **{f"{DRAW}{name}": Body.read_text_box for name in _SHAPE_NAMES.split()},
    f"{OFFICE}annotation": Body.read_comment,
    f"{OFFICE}forms": Body.read_forms,
    f"{OFFICE}binary-data": skip,
    f"{SVG}title": skip,
    f"{SVG}desc": skip,
    f"{DRAW}enhanced-geometry": skip,
    f"{DRAW}object-ole": Body.leave_out_object,
    f"{PRESENTATION}notes": skip,
    f"{TEXT}p": Body.paragraph,
    f"{TEXT}h": Body.heading,
    f"{TEXT}span": Body.span,
    f"{TEXT}a": Body.link,
    f"{TEXT}s": Body.read_spaces,
    f"{TEXT}tab": Body.read_tab,
    f"{TEXT}line-break": Body.add_line_break,
    f"{FIELD}fieldmark": Body.read_field,
    f"{TEXT}list": Body.begin_list,
    f"{TEXT}list-item": Body.list_item,
    f"{TEXT}list-header": Body.list_header,
    f"{TEXT}note": Body.note,
    f"{TEXT}section": Body.section,
    f"{DRAW}control": Body.read_control,
    f"{DRAW}frame": Body.frame,
    f"{DRAW}object": Body.object,
    f"{MATHML}math": Body.read_inline_formula,
    f"{TABLE}table": Body.table,
    f"{TABLE}table-header-rows": Body.read_header_rows,
    f"{TABLE}table-row": Body.row,
    f"{TABLE}table-cell": Body.cell,
    f"{TABLE}covered-table-cell": Body.skip_covered_cell,
}


def _read_description(frame: Element) -> str:
    """Return a picture's description, or otherwise its title, or "" if it has neither."""
    texts = [" ".join((frame.findtext(f"{SVG}{name}") or "").split()) for name in ("desc", "title")]
    return next(filter(None, texts), "")
