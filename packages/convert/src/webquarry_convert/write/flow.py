"""The walk over the tree: each element in its place becomes a block, a mark around text, or nothing.

Inline content gathers in `pieces` until a block begins or ends; marks that are open then are closed for the block and
opened again behind it. Within a heading, a link or a cell (`is_flat`) only a `gap` divides blocks: a space, or in a
cell a break. What an element becomes, its handler says (`handlers`), which gets the writer and the element.
"""

from textwrap import dedent

from webquarry_convert.text import escape
from webquarry_convert.tree import Node
from webquarry_convert.unseen import is_read_aloud
from webquarry_convert.write import callouts, code, inline, links, math
from webquarry_convert.write.handlers import HANDLERS, PARAGRAPHS, skip, write_block
from webquarry_convert.write.labels import CURRENCIES, PARTS, begins_other_price, divide_label, find_gap
from webquarry_convert.write.notes import Notes
from webquarry_convert.write.output import Output
from webquarry_convert.write.pieces import (
    CLOSE,
    CLOSE_LINK,
    Formula,
    Mark,
    Piece,
    Written,
    begins_item,
    collapse_space,
    is_said,
    join_plain_text,
)
from webquarry_convert.write.roles import Role, find_role
from webquarry_convert.write.targets import Targets

MAX_DEPTH = 160
"""Elements within each other that are written as what they are; the text of deeper ones follows plainly. Real pages
stay below 100, and each level takes up to three frames of Python's stack."""

_EMPHASIS = frozenset({"b", "strong", "i", "em", "span", "font", "u"})
MAX_SIGN = 4
"""Signs, and elements around them, that make no emphasis."""
MAX_LOOK_BACK = 5000
"""Characters of a block up to which its last image may still be replaced."""


class Writer:
    """What is known while the tree is walked. open_marks: emphasis and links around the current place.

    card: the link around blocks, until one of them has taken it. language: what the elements around say of code.
    link_target: of the link around; shown_image: of the image written last; enlarged: of links around images.
    """

    def __init__(self, root: Node, base: str | None, *, keeps_controls: bool = False, note_prefix: str = "") -> None:
        self.output = Output()
        self.targets = Targets(base)
        self.notes = Notes(root, note_prefix)
        self.pieces: list[Piece] = []
        self.open_marks: list[Mark] = []
        self.is_flat = False
        self.gap: Piece = " "
        self.is_bold = False
        self.in_heading = False
        self.in_link = False
        self.keeps_controls = keeps_controls
        self.card: Mark | None = None
        self.card_waits_for_heading = False
        self.language: str | None = None
        self.last_formula = ""
        self.shown_image: str | None = None
        self.link_target: str | None = None
        self.enlarged: set[str] = set()
        self._depth = 0

    def walk(self, children: list[Node | str]) -> None:
        """Write nodes in their order."""
        if self._depth >= MAX_DEPTH:
            self._write_plainly(children)
            return
        self._depth += 1
        pieces = self.pieces
        definitions = self.notes.definitions
        before: Node | None = None  # the part right before, without white space between
        for child in children:
            if isinstance(child, str):
                if before is not None:
                    if pieces and child[:1].isalnum() and is_read_aloud(before.attributes):
                        pieces.append(" ")
                    before = None
                if "\\" in child or "$$" in child:
                    self._add_formulas(child)
                elif pieces or not child.isspace():
                    if child[:1] in CURRENCIES and pieces and begins_other_price(child, pieces[-1]):
                        pieces.append(" ")
                    pieces.append(child)
                continue
            if child.is_dropped:
                continue
            handler = HANDLERS.get(child.tag)
            if handler is skip:
                continue
            is_part = child.tag in PARTS
            if is_part and before is not None and pieces and (gap := find_gap(before, child)):
                pieces.append(gap)
            if not is_part or child.children:  # what only dots fill divides nothing
                before = child if is_part else None
            if definitions and id(child) in definitions:
                self.notes.write_note(self, child)
                continue
            if child.attributes:
                names = child.attributes.get("class")
                if names is not None:
                    role = find_role(names)
                    if role is not None and self._write_in_role(role, child, names):
                        continue
            if handler is None:
                if child.children:
                    if "-" in child.tag and code.is_code_element(child):
                        self.write_preformatted(child)
                    else:
                        self.walk(child.children)
            elif handler is not write_block:
                handler(self, child)
            elif self.is_flat:
                self.flush()
                self.walk(child.children)
                self.flush()
            else:
                if pieces:
                    self.flush()
                inner = child.children
                if not inner:
                    continue
                if child.tag == "div":
                    inner = divide_label(inner)
                if len(inner) == 1 and not pieces and self.card is None:
                    only = inner[0]
                    if isinstance(only, str) and "\\" not in only and "$$" not in only:
                        self._paragraph(only)
                        continue
                self.walk(inner)
                if pieces:
                    self.flush()
        self._depth -= 1

    def flush(self) -> None:
        """Write the inline content so far as a paragraph; within a cell or a heading it only has a gap behind it."""
        pieces = self.pieces
        if self.is_flat:
            if not begins_item(pieces):
                pieces.append(self.gap)
            return
        if not pieces:
            return
        card = self.card
        if card is not None and not self.card_waits_for_heading and any(map(is_said, pieces)):
            pieces.insert(0, card)
            pieces.append(CLOSE_LINK)
            self.card = None
        text = join_plain_text(pieces)
        if text is None:
            self._paragraphs(inline.write_lines(pieces))
        else:
            self._paragraph(text)
        pieces[:] = self.open_marks

    def _paragraph(self, text: str) -> None:
        """Raw text as a paragraph."""
        text = collapse_space(text)
        if text:
            self.output.block(escape.start(escape.whole(text)))

    def _paragraphs(self, lines: list[str]) -> None:
        """Lines as paragraphs: an empty line ends one, another break is kept within it."""
        paragraph: list[str] = []
        for line in [*lines, ""]:
            if line:
                paragraph.append(escape.further(line) if paragraph else escape.start(line))
            elif paragraph:
                text = "  \n".join(paragraph)
                # a picture that stands twice, as for narrow and wide screens, is shown once
                if not (text.startswith(("![", "[![")) and self.output.ends_with(text)):
                    self.output.block(text)
                paragraph = []

    def block(self, text: str) -> None:
        """Write a block of its own behind the inline content so far; in a cell or a heading it joins the line."""
        if self.is_flat:
            self.pieces.append(Written(" ".join(text.split())))
            return
        self.flush()
        self.output.block(text)

    def mark(self, mark: Mark, children: list[Node | str]) -> None:
        """Write children between a mark and its end; within the same mark, and around nothing but a sign, it adds
        nothing."""
        if mark in self.open_marks or (len(children) == 1 and _is_sign(children[0])):
            self.walk(children)
            return
        pieces = self.pieces
        pieces.append(mark)
        self.open_marks.append(mark)
        self.walk(children)
        self.open_marks.pop()
        pieces.append(CLOSE)

    def line(self, children: list[Node | str]) -> str:
        """Children as one line of inline markdown, apart from the content around."""
        return inline.write_line(self.apart(children))

    def apart(self, children: list[Node | str], gap: Piece = " ") -> list[Piece]:
        """The inline pieces of children, apart from the content around. gap: what divides blocks."""
        before = self.pieces, self.open_marks, self.is_flat, self.gap
        pieces: list[Piece] = []
        self.pieces, self.open_marks, self.is_flat, self.gap = pieces, [], True, gap
        self.walk(children)
        self.pieces, self.open_marks, self.is_flat, self.gap = before
        return pieces

    def write_preformatted(self, node: Node) -> None:
        """Write code with its lines; in a cell or a heading as one line."""
        text, language = code.read(node)
        if not text.strip():
            return
        if node.tag == "code":
            text = dedent(text)  # the indentation is that of the page's source
        if self.is_flat:
            self.pieces.append(Written(code.write_span(" ".join(text.split()))))
            return
        self.flush()
        self.output.block(code.write_fenced(text, language or self.language))

    def formula(self, tex: str, stands_alone: bool) -> None:
        """Write TeX within the line, or on lines of its own when it stands alone."""
        self.last_formula = tex
        if stands_alone and not self.is_flat and not self.in_link:
            self.block(math.write_block(tex))
        else:
            self.pieces.append(Formula(math.write_inline(tex)))

    def replace_image(self, target: str) -> None:
        """Let the image that was written last lead to another file."""
        before, after = f"]({self.shown_image})", f"]({target})"
        for piece in self.pieces[:-9:-1]:  # right before, so that the time stays linear
            if isinstance(piece, Written) and piece.text.endswith(before):
                piece.text = piece.text.removesuffix(before) + after
                break
        else:
            written = self.output.pieces
            if written and len(written[-1]) < MAX_LOOK_BACK and written[-1].endswith(before):
                written[-1] = written[-1].removesuffix(before) + after
        self.shown_image = target

    def _add_formulas(self, text: str) -> None:
        """Text with formulas that scripts of the page would find in it."""
        for piece, delimiter in math.split_formulas(text):
            self.pieces.append(Formula(piece, in_dollars=delimiter[0] == "$") if delimiter else piece)

    def _write_plainly(self, children: list[Node | str]) -> None:
        waiting: list[Node | str] = [*reversed(children)]
        while waiting:
            current = waiting.pop()
            if isinstance(current, str):
                self.pieces.append(current)
            elif not current.is_dropped and HANDLERS.get(current.tag) is not skip:
                if HANDLERS.get(current.tag) is not None:
                    waiting.append(" ")
                    self.flush() if current.tag in PARAGRAPHS else self.pieces.append(" ")
                waiting += reversed(current.children)

    def _write_in_role(self, role: Role, node: Node, names: str) -> bool:
        """Write an element by its class names; False when they do not change how it is written."""
        if role is Role.HIDDEN_COPY:
            return math.is_copy(node, names)
        if role is Role.CALLOUT:
            return not self.is_flat and callouts.write(self, node)
        if role is Role.PERMALINK:
            return links.is_permalink(node)
        if role is Role.CHROME:
            return True
        if role is Role.INLINE_NOTE:
            return node.tag == "span" and self.notes.refer_inline(self, node)
        if role is Role.FORMULA:
            formula = math.read_attribute(node)
            if formula is not None:
                self.formula(*formula)
            return formula is not None
        if node.tag not in ("pre", "code", "table", "a"):
            language = code.read_language(node)
            if language is not None:
                before, self.language = self.language, language
                self._depth += 1
                handler = HANDLERS.get(node.tag)
                if handler is not None and handler is not write_block:
                    handler(self, node)
                else:
                    self.flush()
                    self.walk(node.children)
                    self.flush()
                self._depth -= 1
                self.language = before
                return True
        return False


def _is_sign(child: Node | str) -> bool:
    """Whether an element or text is a short run of signs without a letter or digit, as the stop behind a link is."""
    for _ in range(MAX_SIGN):
        if isinstance(child, str):
            text = child.strip()
            return 0 < len(text) <= MAX_SIGN and not any(map(str.isalnum, text))
        if len(child.children) != 1 or child.tag not in _EMPHASIS:
            break
        child = child.children[0]
    return False
