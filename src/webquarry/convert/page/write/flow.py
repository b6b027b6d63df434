"""The walk over the tree: each element in its place becomes a block, a mark around text, or nothing.

Inline content gathers in `pieces` until a block begins or ends; marks that are open then are closed for the block and
opened again behind it. Within a heading or a cell (`is_flat`) blocks are only spaces. Elements that hold more than
that have modules of their own, which get the writer and the element.
"""

from collections.abc import Callable
from textwrap import dedent
from typing import TypeAlias

from webquarry import escape
from webquarry.convert.page.tree import Node
from webquarry.convert.page.write import callouts, code, inline, links, lists, math, media, tables
from webquarry.convert.page.write.inline import BREAK, CLOSE, CLOSE_LINK, EMPHASIS, STRIKE, STRONG, Mark, Piece, Written
from webquarry.convert.page.write.names import Role, role_of
from webquarry.convert.page.write.notes import Notes
from webquarry.convert.page.write.output import Output
from webquarry.convert.page.write.targets import Targets

MAX_DEPTH = 160
"""Elements within each other that are written as what they are; the text of deeper ones follows plainly. Real pages
stay below 100, and each level takes up to three frames of Python's stack."""

MAX_LOOK_BACK = 5000
"""Characters of a block up to which its last image may still be replaced."""


class Writer:
    """What is known while the tree is walked. open_marks: emphasis and links around the current place.

    card: the link around blocks, until one of them has taken it. language: what the elements around say of code.
    link_target: of the link around; shown_image: of the image written last; enlarged: of links around images.
    """

    def __init__(self, root: Node, base: str | None, *, keeps_controls: bool = False) -> None:
        self.output = Output()
        self.targets = Targets(base)
        self.notes = Notes(root)
        self.pieces: list[Piece] = []
        self.open_marks: list[Mark] = []
        self.is_flat = False
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
            self._plainly(children)
            return
        self._depth += 1
        pieces = self.pieces
        definitions = self.notes.definitions
        for child in children:
            if isinstance(child, str):
                if "\\" in child or "$$" in child:
                    self._formulas(child)
                elif pieces or not child.isspace():
                    pieces.append(child)
                continue
            if child.is_dropped:
                continue
            handler = HANDLERS.get(child.tag)
            if handler is _skip:
                continue
            if definitions and id(child) in definitions:
                self.notes.define(self, child)
                continue
            if child.attributes:
                names = child.attributes.get("class")
                if names is not None:
                    role = role_of(names)
                    if role is not None and self._in_role(role, child, names):
                        continue
            if handler is None:
                if child.children:
                    self.walk(child.children)
            elif handler is not _block:
                handler(self, child)
            elif self.is_flat:
                pieces.append(" ")
                self.walk(child.children)
                pieces.append(" ")
            else:
                if pieces:
                    self.flush()
                inner = child.children
                if not inner:
                    continue
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
        """Write the inline content so far as a paragraph; within a cell or a heading it is only a space."""
        pieces = self.pieces
        if self.is_flat:
            pieces.append(" ")
            return
        if not pieces:
            return
        card = self.card
        if card is not None and not self.card_waits_for_heading and any(map(_is_said, pieces)):
            pieces.insert(0, card)
            pieces.append(CLOSE_LINK)
            self.card = None
        try:
            text = "".join(pieces)  # type: ignore[arg-type]  # most runs are texts only
        except TypeError:
            self._paragraphs(inline.lines(pieces))
        else:
            self._paragraph(text)
        pieces[:] = self.open_marks

    def _paragraph(self, text: str) -> None:
        """Raw text as a paragraph."""
        text = inline.collapsed(text)
        if text:
            self.output.block(escape.start(escape.whole(text)))

    def _paragraphs(self, lines: list[str]) -> None:
        """Lines as paragraphs: an empty line ends one, another break is kept within it."""
        paragraph: list[str] = []
        for line in [*lines, ""]:
            if line:
                paragraph.append(escape.further(line) if paragraph else escape.start(line))
            elif paragraph:
                self.output.block("  \n".join(paragraph))
                paragraph = []

    def block(self, text: str) -> None:
        """Write a block of its own behind the inline content so far; in a cell or a heading it joins the line."""
        if self.is_flat:
            self.pieces.append(Written(" ".join(text.split())))
            return
        self.flush()
        self.output.block(text)

    def mark(self, mark: Mark, children: list[Node | str]) -> None:
        """Write children between a mark and its end; within the same mark it adds nothing."""
        if mark in self.open_marks:
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
        return inline.one_line(self.apart(children))

    def apart(self, children: list[Node | str]) -> list[Piece]:
        """The inline pieces of children, apart from the content around."""
        before = self.pieces, self.open_marks, self.is_flat
        pieces: list[Piece] = []
        self.pieces, self.open_marks, self.is_flat = pieces, [], True
        self.walk(children)
        self.pieces, self.open_marks, self.is_flat = before
        return pieces

    def preformatted(self, node: Node) -> None:
        """Write code with its lines; in a cell or a heading as one line."""
        text, language = code.read(node)
        if not text.strip():
            return
        if node.tag == "code":
            text = dedent(text)  # the indentation is that of the page's source
        if self.is_flat:
            self.pieces.append(Written(code.span(" ".join(text.split()))))
            return
        self.flush()
        self.output.block(code.fenced(text, language or self.language))

    def formula(self, tex: str, stands_alone: bool) -> None:
        """Write TeX within the line, or on lines of its own when it stands alone."""
        self.last_formula = tex
        if stands_alone and not self.is_flat and not self.in_link:
            self.block(math.block(tex))
        else:
            self.pieces.append(Written(math.inline(tex)))

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

    def _formulas(self, text: str) -> None:
        """Text with formulas that scripts of the page would find in it."""
        for piece, is_formula in math.parts(text):
            self.pieces.append(Written(piece) if is_formula else piece)

    def _plainly(self, children: list[Node | str]) -> None:
        waiting: list[Node | str] = [*reversed(children)]
        while waiting:
            current = waiting.pop()
            if isinstance(current, str):
                self.pieces.append(current)
            elif not current.is_dropped and HANDLERS.get(current.tag) is not _skip:
                if HANDLERS.get(current.tag) is not None:
                    waiting.append(" ")
                    self.flush() if current.tag in _PARAGRAPHS else self.pieces.append(" ")
                waiting += reversed(current.children)

    def _in_role(self, role: Role, node: Node, names: str) -> bool:
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
        if node.tag not in ("pre", "code", "table", "a"):
            language = code.language_of(node)
            if language is not None:
                before, self.language = self.language, language
                self._depth += 1
                handler = HANDLERS.get(node.tag)
                if handler is not None and handler is not _block:
                    handler(self, node)
                else:
                    self.flush()
                    self.walk(node.children)
                    self.flush()
                self._depth -= 1
                self.language = before
                return True
        return False


Handler: TypeAlias = Callable[[Writer, Node], None]


def _is_said(piece: Piece) -> bool:
    """Whether a piece says something: text, code, a formula, no image."""
    if isinstance(piece, str):
        return not piece.isspace()
    return isinstance(piece, Written) and not piece.text.startswith("![")


def _block(writer: Writer, node: Node) -> None:
    writer.flush()
    writer.walk(node.children)
    writer.flush()


def _skip(writer: Writer, node: Node) -> None:
    """Nothing of the element is content."""


def _control(writer: Writer, node: Node) -> None:
    """Buttons and the like act and say nothing, unless they are the heading or there is nothing else."""
    if writer.in_heading or writer.keeps_controls:
        writer.walk(node.children)


_BIG = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote", "dl", "section", "article"}
)


def heading(writer: Writer, node: Node, level: int | None = None) -> None:
    if writer.is_flat:
        _block(writer, node)
        return
    writer.flush()
    if any(child.__class__ is not str and child.tag in _BIG for child in node.children):  # type: ignore[union-attr]
        _block(writer, node)  # a heading that nobody closed
        return
    before = writer.in_heading, writer.is_bold
    writer.in_heading = writer.is_bold = True
    pieces = writer.apart(node.children)
    writer.in_heading, writer.is_bold = before
    says = any(map(_is_said, pieces))
    if says and writer.card is not None:
        pieces = [writer.card, *pieces, CLOSE_LINK]
        writer.card = None
    text = inline.one_line(pieces)
    if text:  # an image alone is no heading
        writer.output.block(f"{'#' * (level or int(node.tag[1]))} {escape.hashes(text)}" if says else text)


def _strong(writer: Writer, node: Node) -> None:
    if writer.is_bold:
        writer.walk(node.children)
    else:
        writer.mark(STRONG, node.children)


def _emphasis(writer: Writer, node: Node) -> None:
    writer.mark(EMPHASIS, node.children)


def _strike(writer: Writer, node: Node) -> None:
    writer.mark(STRIKE, node.children)


def _break(writer: Writer, node: Node) -> None:
    writer.pieces.append(" " if writer.is_flat or writer.in_link else BREAK)


def _rule(writer: Writer, node: Node) -> None:
    if writer.is_flat:
        writer.pieces.append(" ")
        return
    writer.flush()
    if not writer.output.is_at_start and writer.output.pieces[-1] != "---":
        writer.output.block("---")


def _code(writer: Writer, node: Node) -> None:
    children = node.children
    if len(children) == 1 and isinstance(children[0], Node) and children[0].tag == "a":
        # a link in code is text, code in a link is both
        link = children[0]
        inside, outside = Node("code", node.attributes, node.up), Node("a", link.attributes, node.up)
        inside.children, outside.children = link.children, [inside]
        links.write(writer, outside)
    elif not writer.is_flat and not writer.in_link and _is_block_of_code(node):
        writer.preformatted(node)
    elif text := code.raw(node):
        writer.pieces.append(Written(code.span(text)))


def _is_block_of_code(node: Node) -> bool:
    """Whether a `code` outside of any `pre` stands on lines of its own."""
    names = node.attributes.get("class")
    if names and ("block" in names.split() or "CodeMirror" in names):
        return True
    lines = 0
    for child in node.children:
        if isinstance(child, Node):
            if child.tag in ("table", "pre"):
                return True
            lines += child.tag in ("br", "div", "p")
        elif "\n" in child.strip() and code.language_of(node) is not None:
            return True
    return lines > 1


def _preformatted(writer: Writer, node: Node) -> None:
    writer.preformatted(node)


def _quote(writer: Writer, node: Node) -> None:
    if writer.is_flat:
        _block(writer, node)
        return
    writer.flush()
    before = writer.output.open("> ", "> ")
    writer.walk(node.children)
    writer.flush()
    writer.output.close(before)


def _script(writer: Writer, node: Node) -> None:
    formula = math.of_script(node)
    if formula is not None:
        writer.formula(*formula)


def _math(writer: Writer, node: Node) -> None:
    text, stands_alone, is_tex = math.of_math(node)
    if is_tex:
        writer.formula(text, stands_alone)
    elif text:
        writer.pieces.append(text)


def _image(writer: Writer, node: Node) -> None:
    media.image(writer, node)


def _quotation(writer: Writer, node: Node) -> None:
    writer.pieces.append('"')
    writer.walk(node.children)
    writer.pieces.append('"')


def _reading(writer: Writer, node: Node) -> None:
    """How to say the signs before, in parentheses."""
    writer.pieces.append("(")
    writer.walk(node.children)
    writer.pieces.append(")")


def _summary(writer: Writer, node: Node) -> None:
    """What a reader opens: a line in bold, unless it is a heading."""
    if writer.is_flat or any(child.__class__ is not str and child.tag in _BIG for child in node.children):  # type: ignore[union-attr]
        _block(writer, node)
        return
    writer.flush()
    before, writer.in_heading = writer.in_heading, True
    writer.mark(STRONG, node.children)
    writer.in_heading = before
    writer.flush()


_SKIPPED = """
    style template svg canvas object embed head title meta link base select option optgroup textarea datalist map area
    param source track colgroup col rp frame frameset noframes noembed input progress meter dialog-polyfill applet
"""
_BLOCKS = """
    address article aside body center details dialog div dd fieldset figcaption figure footer form header hgroup html
    legend main nav p search section caption tbody thead tfoot tr td th menuitem optgroup
"""
_PARAGRAPHS = frozenset(_BLOCKS.split()) | {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "pre"}
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_BLOCKS.split(), _block),
    **dict.fromkeys(_SKIPPED.split(), _skip),
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], heading),
    **dict.fromkeys(["strong", "b"], _strong),
    **dict.fromkeys(["em", "i"], _emphasis),
    **dict.fromkeys(["del", "s", "strike"], _strike),
    **dict.fromkeys(["code", "kbd", "samp", "tt"], _code),
    **dict.fromkeys(["pre", "listing", "xmp", "plaintext"], _preformatted),
    **dict.fromkeys(["ul", "ol", "menu", "dir"], lists.write),
    **dict.fromkeys(["rt", "rtc"], _reading),
    **dict.fromkeys(["video", "audio"], media.player),
    "a": links.write,
    "blockquote": _quote,
    "br": _break,
    "button": _control,
    "dl": lists.definitions,
    "dt": lists.term,
    "hr": _rule,
    "iframe": media.frame,
    "image": _image,
    "img": _image,
    "li": lists.stray,
    "math": _math,
    "noscript": media.noscript,
    "picture": media.picture,
    "q": _quotation,
    "script": _script,
    "summary": _summary,
    "sup": links.raised,
    "table": tables.write,
}
