"""Converts a story's paragraphs to blocks.

Deleted and hidden text is dropped, and inserted text is kept. A text box follows its anchor paragraph.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.text import symbols
from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.fields import Fields
from webquarry_convert.file.text.line import Content, Line, find_place_mark, make_element
from webquarry_convert.file.text.objects import LeftOut
from webquarry_convert.file.text.table import MAX_LAYOUT_DEPTH, Budget, is_layout
from webquarry_convert.file.text.table import Table as Cells
from webquarry_convert.file.word97 import forms, pictures
from webquarry_convert.file.word97.characters import USUAL_SIZE, CharacterFormat
from webquarry_convert.file.word97.paragraphs import BODY
from webquarry_convert.file.word97.source import NOTE, PARAGRAPH, Fonts, Paragraph, Source
from webquarry_convert.file.word97.tables import Grid, Row, Story, Table, group_paragraphs
from webquarry_convert.tree import Node

MAX_HEADING: Final = 500
"""Maximum length of a heading, in characters, on any level."""
MAX_PICTURES: Final = 20_000
"""Maximum number of pictures. Many pictures may share one position, and each requires reading its properties."""
MAX_FIELDS: Final = 100
"""Maximum number of open fields at the end of a paragraph.

If there are more, the file is damaged and no field is continued.
"""
_CONTROL: Final = re.compile("[\0-\x08\x0a-\x1f]")
_FIELD, _RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_OBJECT, _DRAWING = "\x01", "\x08"
_WRITTEN: Final = {"\x0c": " ", "\x0e": " ", "\x1e": "\u2011"}
_LINE: Final = "\x0b"
_DROPPED: Final = 0x7


@dataclass(slots=True)
class Counts:
    """Data about the whole document.

    marks: the notes by their reference's position. notes: the notes referenced so far. boxes: the contents of text
    boxes by their anchor's position.
    """

    marks: dict[int, tuple[str, int]] = field(default_factory=dict)
    notes: dict[tuple[str, int], int] = field(default_factory=dict)
    boxes: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    pictures: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)
    title: str | None = None


class Body:
    """Converts a story or a part of it: the main text, a note or a text box."""

    def __init__(self, source: Source, counts: Counts) -> None:
        self._source = source
        self._counts = counts
        self._fields = Fields()
        self._opened = 0  # number of open fields
        # The paragraph whose end mark was deleted. The next paragraph continues it.
        self._carried: tuple[Paragraph, Line] | None = None
        self._floats: Content = []
        self._blocks = Blocks()

    def read(self, first: int, end: int) -> Content:
        """Convert the text between two positions."""
        self._add(group_paragraphs(self._source.paragraphs(first, end)), 0)
        return self._blocks.nodes

    def _add(self, content: Story, depth: int) -> None:
        """Add a story's content. depth: number of enclosing tables, at most `tables.MAX_DEPTH`."""
        for one in content:
            if isinstance(one, Table):
                self._settle()
                self._table(one, depth)
            else:
                self._paragraph(one)
        self._settle()

    # paragraphs

    def _paragraph(self, paragraph: Paragraph) -> None:
        line = Line() if self._carried is None else self._carried[1]
        self._carried = None
        for first, end, look in self._source.runs(paragraph.first, paragraph.end):
            self._run(line, first, end, look, paragraph)
        self._fields.end_paragraph()
        if self._opened > MAX_FIELDS:  # each paragraph would search all fields
            self._fields, self._opened = Fields(), 0
        floats, self._floats = self._floats, []
        is_joined = self._source.look_at(paragraph.end).is_deleted or (paragraph.properties.drop_cap or 0) & _DROPPED
        if paragraph.mark == PARAGRAPH and is_joined and not floats:
            self._carried = paragraph, line
            return
        self._place(paragraph, line)
        self._blocks.add(floats)

    def _settle(self) -> None:
        """Add the pending paragraph, because no later paragraph continues it."""
        carried, self._carried = self._carried, None
        if carried is not None:
            self._place(*carried)

    def _place(self, paragraph: Paragraph, line: Line) -> None:
        """Add a paragraph as a heading, list item, code block or paragraph."""
        properties, style, blocks = paragraph.properties, paragraph.style, self._blocks
        numbering = self._source.numbering
        item = numbering.item(properties)  # an item without text is counted, too
        text = line.plain()
        if not text.strip() and not line.has_nodes:
            return
        if item is None:
            numbering.reset_old_count()
        outline = properties.outline
        if style.is_title and (outline is None or outline >= BODY) and not blocks.is_cell:
            self._counts.title = self._counts.title or " ".join(text.split())
            outline = 0
        if outline is not None and outline < BODY and len(text) <= MAX_HEADING:
            blocks.heading(outline + 1, line, "" if item is None else _find_label(item))
        elif item is not None:
            left = item.left if properties.left is None else properties.left
            blocks.item(replace(item, left=left), line)
        else:
            blocks.flow(line, text, is_code=style.is_code, left=properties.left or 0)

    # runs

    def _run(self, line: Line, first: int, end: int, look: CharacterFormat, paragraph: Paragraph) -> None:
        if look.style is not None:
            look = look.over(self._source.styles.get(look.style).look)
        below = paragraph.style.look
        is_hidden = look.decide_hidden(below) or look.is_deleted
        marks = look.marks | (look.turned & ~below.marks)
        if look.position:
            usual = below.size or USUAL_SIZE
            marks |= find_place_mark(look.position, look.size or usual, usual)
        letters = self._source.letters
        if look.symbol is not None:
            if not is_hidden:
                code, shown_in = look.symbol
                self._text(line, symbols.find_sign(code, shown_in) * letters.count("(", first, end), marks)
            return
        font, far_font = look.font or below.font, look.far_font or below.far_font
        for found in _CONTROL.finditer(letters, first, end):
            self._letters(line, first, found.start(), (font, far_font), marks, is_hidden=is_hidden)
            first = found.end()
            if found[0] == _OBJECT and look.picture is not None:
                self._object(line, look, is_hidden=is_hidden)
            else:
                self._sign(line, found[0], found.start(), is_hidden=is_hidden)
        self._letters(line, first, end, (font, far_font), marks, is_hidden=is_hidden)

    def _letters(self, line: Line, first: int, end: int, fonts: Fonts, marks: int, *, is_hidden: bool) -> None:
        if first < end and (not is_hidden or self._fields.is_instruction):
            text = self._source.decoded(first, end, fonts)
            self._text(line, symbols.translate_text(text, None if fonts[0] is None else fonts[0].name), marks)

    def _text(self, line: Line, text: str, marks: int) -> None:
        if self._fields.is_instruction:
            self._fields.add_instruction(text)
        elif text:
            line.text(text, marks, self._fields.link)

    def _sign(self, line: Line, sign: str, position: int, *, is_hidden: bool) -> None:
        """Process a control character. Field marks count even if they are hidden."""
        fields = self._fields
        if sign == _FIELD:
            fields.begin()
            self._opened += 1
        elif sign == _RESULT:
            self._counts.left_out.add_field(fields.separate())
        elif sign == _FIELD_END:
            shown = fields.end()
            self._opened = max(0, self._opened - 1)
            if shown and not is_hidden:
                line.text(shown, 0, fields.link)
        elif not is_hidden and not fields.is_instruction:
            self._shown_sign(line, sign, position)

    def _shown_sign(self, line: Line, sign: str, position: int) -> None:
        """Return the visible text that a control character represents."""
        fields = self._fields
        if sign == _LINE:
            line.add_line_break(fields.link)
        elif sign == NOTE:
            self._note(line, position)
        elif sign == _DRAWING:
            for first, end in self._counts.boxes.pop(position, ()):
                self._floats += Body(self._source, self._counts).read(first, end)
        elif sign in _WRITTEN:
            line.text(_WRITTEN[sign], 0, fields.link)

    def _object(self, line: Line, look: CharacterFormat, *, is_hidden: bool) -> None:
        """Add a form field's value, which is stored in its instruction, or a picture's description."""
        at = look.picture
        if at is None or is_hidden:
            return
        if look.is_data:
            state = forms.read_state(self._source.data, at)
            self._counts.budget.charge_repeated([state], 1)
            line.text(state)
        elif not self._fields.is_instruction:
            self._counts.pictures += 1
            if self._counts.pictures > MAX_PICTURES:
                raise make_limit_error(f"more than {MAX_PICTURES:,} pictures")
            described = pictures.read_description(self._source.data, at)
            if described:
                self._counts.budget.charge_repeated([described], 1)
                line.node(Node("img", {"alt": described, "src": "picture"}, -1), 0, self._fields.link)

    def _note(self, line: Line, position: int) -> None:
        mark = self._counts.marks.get(position)
        if mark is not None:
            notes = self._counts.notes
            number = notes.setdefault(mark, len(notes) + 1)
            line.node(make_element("a", [str(number)], href=f"#note-{number}", role="doc-noteref"))

    # tables

    def _table(self, table: Table, depth: int) -> None:
        if self._is_layout_table(table, depth):
            for row in table.rows:
                if not self._is_deleted(row):
                    for cell in row.cells:
                        self._add(cell.content, depth + 1)
            return
        grid = Grid(table)
        cells = Cells(self._counts.budget)
        outer = self._blocks
        for row in table.rows:
            if self._is_deleted(row):
                continue
            properties = row.properties
            cells.row(is_head=bool(properties is not None and properties.is_head))
            for cell, (before, across) in zip(row.cells, grid.spans(row), strict=True):
                cells.skip(before)
                self._blocks = Blocks(is_cell=True)
                self._add(cell.content, depth + 1)
                cells.cell(self._blocks.nodes, across)
        self._blocks = outer
        outer.add(cells.nodes())

    def _is_deleted(self, row: Row) -> bool:
        return row.end is not None and self._source.look_at(row.end.end).is_deleted

    def _is_layout_table(self, table: Table, depth: int) -> bool:
        """Return whether a table is used for layout.

        Such a table has one cell, has a few long cells, or contains tables larger than itself. depth: number of
        enclosing tables.
        """
        if self._blocks.is_cell:
            return True  # a table inside a cell is written as the cell's text
        if depth >= MAX_LAYOUT_DEPTH:
            return False
        cells = [cell for row in table.rows for cell in row.cells]
        longest = max((sum(isinstance(one, Paragraph) for one in cell.content) for cell in cells), default=0)
        if is_layout(len(cells), longest, len(table.rows)):
            return True
        inner = max((one.cells for cell in cells for one in cell.content if isinstance(one, Table)), default=0)
        return inner > 0 and (len(table.rows) == 1 or inner > 2 * len(cells))


def _find_label(item: Item) -> str:
    """Return the label of a heading that is also a list item."""
    return item.label or (f"{item.number}" if item.number is not None else "")
