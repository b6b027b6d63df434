"""Converts a Word document's text to blocks.

Deleted and hidden text is dropped, and inserted text is kept. Of several alternatives for different programs, the first
is used. A text box follows its anchor paragraph. `handlers` maps elements to the methods that read them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from webquarry_convert.file.text import symbols
from webquarry_convert.file.text.blocks import Blocks
from webquarry_convert.file.text.docx.formats import (
    PLAIN,
    RunFormat,
    get_value,
    is_on,
    parse_number,
    read_paragraph_properties,
    read_run_format,
)
from webquarry_convert.file.text.docx.forms import read_form_states
from webquarry_convert.file.text.docx.numbering import Numbering
from webquarry_convert.file.text.docx.paragraph import Counts, Paragraph, place
from webquarry_convert.file.text.docx.styles import Styles
from webquarry_convert.file.text.docx.tables import is_layout_table, read_cell_frame
from webquarry_convert.file.text.fields import Fields, find_link
from webquarry_convert.file.text.line import Content, Line, find_place_mark, make_element
from webquarry_convert.file.text.ooxml.package import MC, Package, R, W
from webquarry_convert.file.text.table import Table
from webquarry_convert.file.text.targets import build_target
from webquarry_convert.file.text.walk import Handler, Leave, do_nothing, walk
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

TINY: Final = 2
"""Maximum font size of illegible text, in half points."""


class Body:
    """A reader of one story: the main text or a note.

    part: the name of the part that contains it. blocks: the output.
    """

    def __init__(self, package: Package, part: str, styles: Styles, numbering: Numbering, counts: Counts) -> None:
        self.blocks = Blocks()
        self.package = package
        self._styles = styles
        self._numbering = numbering
        self.relations = package.get_relations(part)
        self.counts = counts
        self._paragraph: Paragraph | None = None
        self._carried: Paragraph | None = None  # its end mark was deleted, so the next one continues it
        self._tables: list[Table | None] = []  # None represents a layout table
        self._fields = Fields()
        self._look = PLAIN
        self.is_hidden = False
        self._is_boxed = False

    def read(self, root: Element, handlers: "Mapping[str, Handler[Body]]") -> Content:
        """Return an element's content. handlers: the handlers by tag."""
        walk(self, root, handlers)
        self.settle()
        return self.blocks.nodes

    # paragraphs

    def paragraph(self, node: Element) -> Leave:
        # some programs write properties after bookmarks
        properties = read_paragraph_properties(node.find(_PARAGRAPH_PROPERTIES))
        style = (
            self._styles.paragraph
            if properties.style is None
            else self._styles.get(properties.style) or self._styles.paragraph
        )
        line = Line() if self._carried is None else self._carried.line
        self._carried = None
        outer, self._paragraph = self._paragraph, Paragraph(line, style, properties)

        def leave() -> None:
            done, self._paragraph = self._paragraph, outer
            if done is not None:
                self._end_paragraph(done)

        return leave

    def _end_paragraph(self, paragraph: Paragraph) -> None:
        if self._paragraph is None:
            self._fields.end_paragraph()
        if paragraph.properties.is_joined and not paragraph.floats:
            self._carried = paragraph
            return
        self._place(paragraph)
        self.blocks.add(paragraph.floats)

    def settle(self) -> None:
        """Add the pending paragraph, because no other paragraph continues it."""
        carried, self._carried = self._carried, None
        if carried is not None:
            self._place(carried)

    def _place(self, paragraph: Paragraph) -> None:
        place(paragraph, self.blocks, self._numbering, self.counts)

    # runs

    def run(self, node: Element) -> Leave | None:
        if not len(node):
            return None
        has_properties = node[0].tag == _RUN_PROPERTIES
        look = self._read_look(node[0]) if has_properties else PLAIN
        is_hidden = self._is_hidden_run(node, look)
        # field characters count even if they are deleted or hidden
        if is_hidden and node.find(_FIELD_CHARACTER) is None and node.find(_INSTRUCTION) is None:
            return None
        if len(node) == 1 + has_properties and node[-1].tag == _TEXT and not is_hidden:
            self._add_text(node[-1].text, look)
            return None
        before = self._look, self.is_hidden
        self._look, self.is_hidden = look, is_hidden

        def leave() -> None:
            self._look, self.is_hidden = before

        return leave

    def _read_look(self, properties: Element) -> RunFormat:
        """Return the formatting of a run, including its character style and its position above or below the line."""
        look = read_run_format(properties)
        name = get_value(properties, "rStyle")
        style = None if name is None else self._styles.get(name)
        if style is not None:
            look = look.over(style.look)
        if look.position and self._paragraph is not None:
            usual = self._paragraph.style.look.size or self._styles.size
            mark = find_place_mark(look.position, look.size or usual, usual)
            look = replace(look, marks=look.marks | mark)
        return look

    def _is_hidden_run(self, run: Element, look: RunFormat) -> bool:
        """Return whether a run's text is invisible.

        Text that is invisible for another reason than being marked as hidden is counted.
        """
        is_hidden = look.is_hidden
        if is_hidden is None and self._paragraph is not None:
            is_hidden = self._paragraph.style.look.is_hidden
        if is_hidden or not (self._is_too_small(look) or self._is_white_on_white(look)):
            return bool(is_hidden)
        letters = _count_letters(run)
        self.counts.hidden += letters
        return letters > 0

    def _is_too_small(self, look: RunFormat) -> bool:
        """Return whether a run's text is too small to be legible."""
        size = look.size
        if size is None and self._paragraph is not None:
            size = self._paragraph.style.look.size
        return size is not None and size <= TINY

    def _is_white_on_white(self, look: RunFormat) -> bool:
        """Return whether a run's text is white on a white page.

        The background is unknown in tables and text boxes, and on pages with a background color or picture.
        """
        paragraph = self._paragraph
        if not self.counts.is_white or paragraph is None or self._tables or self._is_boxed or self.blocks.is_cell:
            return False
        whole = look.over(paragraph.style.look)
        return bool(whole.is_white) and not (
            whole.is_painted or paragraph.properties.is_painted or paragraph.style.is_painted
        )

    def text(self, node: Element) -> None:
        if not self.is_hidden:
            self._add_text(node.text, self._look)

    def _add_text(self, text: str | None, look: RunFormat) -> None:
        if not text or self._paragraph is None or self._fields.is_instruction:
            return
        self._paragraph.line.text(symbols.translate_text(text, look.font), look.marks, self._fields.link)

    def read_tab(self, node: Element) -> None:
        self._add_text("\t", self._look)

    def read_hyphen(self, node: Element) -> None:
        self._add_text("\u2011", self._look)

    def add_line_break(self, node: Element) -> None:
        if self._paragraph is None or self._fields.is_instruction or self.is_hidden:
            return
        if node.get(_TYPE) in ("page", "column"):
            self._add_text(" ", PLAIN)
        else:
            self._paragraph.line.add_line_break(self._fields.link)

    def symbol(self, node: Element) -> None:
        try:
            code = int(node.get(f"{W}char", ""), 16)
        except ValueError:
            return
        if not self.is_hidden:
            self._add_text(symbols.find_sign(code, node.get(f"{W}font", "")), replace(self._look, font=None))

    def add_node(self, node: Node) -> None:
        if self._paragraph is not None and not self._fields.is_instruction and not self.is_hidden:
            self._paragraph.line.node(node, 0, None if node.tag == "a" else self._fields.link)

    # links and fields

    def read_hyperlink(self, node: Element) -> Leave:
        relation = self.relations.get(node.get(_ID, ""))
        target = relation.target if relation is not None and relation.is_outside else None
        return self._enter_link(build_target(target, node.get(f"{W}anchor")))

    def read_simple_field(self, node: Element) -> Leave:
        return self._enter_link(find_link(node.get(f"{W}instr", "")))

    def _enter_link(self, target: str | None) -> Leave:
        self._fields.enter(target)
        return self._fields.leave

    def read_field_character(self, node: Element) -> None:
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            for state in read_form_states(node):
                self._add_text(state, PLAIN)
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate()
        elif kind == "end":
            shown = self._fields.end()
            if not self.is_hidden:
                self._add_text(shown, self._look)

    def instruction(self, node: Element) -> None:
        self._fields.add_instruction(node.text or "")

    # notes

    def read_footnote(self, node: Element) -> None:
        self._note("footnote", node)

    def read_endnote(self, node: Element) -> None:
        self._note("endnote", node)

    def _note(self, kind: str, node: Element) -> None:
        identity = node.get(f"{W}id")
        if identity is None or self._paragraph is None or self._fields.is_instruction or self.is_hidden:
            return
        notes = self.counts.notes
        number = notes.setdefault((kind, identity), len(notes) + 1)
        self.add_node(make_element("a", [str(number)], href=f"#note-{number}", role="doc-noteref"))

    def read_comment(self, node: Element) -> None:
        if node.get(f"{W}id") in self.counts.comments:
            self._note("comment", node)

    def add_behind(self, content: Content) -> None:
        """Add blocks after the current paragraph."""
        if self._paragraph is None:
            self.blocks.add(content)
        else:
            self._paragraph.floats += content

    def choose_alternative(self, node: Element) -> Leave | None:
        """Return the first alternative for the same content, or the fallback if there are no alternatives."""
        chosen = node.find(f"{MC}Choice")
        if chosen is None or not len(chosen):
            chosen = node.find(f"{MC}Fallback")
        if chosen is None:
            return None
        for other in list(node):
            if other is not chosen:
                node.remove(other)
        return do_nothing

    def read_text_box(self, node: Element) -> Leave:
        outer = self.blocks, self._paragraph, self._carried, self._tables
        self.blocks = Blocks(is_cell=self.blocks.is_cell)
        self._paragraph, self._carried, self._tables = None, None, []
        was_boxed, self._is_boxed = self._is_boxed, True

        def leave() -> None:
            self.settle()
            self._is_boxed = was_boxed
            content = self.blocks.nodes
            self.blocks, self._paragraph, self._carried, self._tables = outer
            self.add_behind(content)

        return leave

    # tables

    def table(self, node: Element) -> Leave:
        self.settle()
        # a table in a cell becomes text in the cell
        is_text = self.blocks.is_cell or is_layout_table(node, len(self._tables))
        table = None if is_text else Table(self.counts.budget)
        self._tables.append(table)

        def leave() -> None:
            self._tables.pop()
            if table is not None:
                self.blocks.add(table.nodes())

        return leave

    def row(self, node: Element) -> Leave | None:
        properties = node.find(f"{W}trPr")
        if properties is not None and properties.find(f"{W}del") is not None:
            return None
        table = self._tables[-1] if self._tables else None
        if table is not None:
            is_head = properties is not None and is_on(properties.find(f"{W}tblHeader"))
            table.row(is_head=is_head)
            if properties is not None:
                table.skip(parse_number(get_value(properties, "gridBefore")) or 0)
        return do_nothing

    def cell(self, node: Element) -> Leave | None:
        table = self._tables[-1] if self._tables else None
        frame = read_cell_frame(node)
        if frame is None:
            return None
        across, goes_on = frame
        if table is None:
            return do_nothing
        if goes_on:
            table.skip(across)
            return None
        outer = self.blocks, self._carried
        self.blocks, self._carried = Blocks(is_cell=True), None

        def leave() -> None:
            self.settle()
            content = self.blocks.nodes
            self.blocks, self._carried = outer
            table.cell(content, across)

        return leave


def _count_letters(run: Element) -> int:
    """Return the number of characters in a run, or 0 if it contains anything but text."""
    if any(node.tag not in _ONLY_TEXT for node in run):
        return 0
    return sum(len((node.text or "").strip()) for node in run.iterchildren(_TEXT))


_TEXT: Final = f"{W}t"
_ONLY_TEXT: Final = frozenset({f"{W}rPr", f"{W}t", f"{W}tab", f"{W}br", f"{W}lastRenderedPageBreak"})
_TYPE: Final = f"{W}type"
_ID: Final = f"{R}id"
_RUN_PROPERTIES: Final = f"{W}rPr"
_PARAGRAPH_PROPERTIES: Final = f"{W}pPr"
_FIELD_CHARACTER: Final = f"{W}fldChar"
_INSTRUCTION: Final = f"{W}instrText"
