"""State of the writer: the current inline content, the context of the current position, and element handlers."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from webquarry_convert.text import escape
from webquarry_convert.tree import Node
from webquarry_convert.write.inline import write_lines
from webquarry_convert.write.notes import Notes
from webquarry_convert.write.output import Output
from webquarry_convert.write.pieces import (
    CLOSE_LINK,
    Mark,
    Piece,
    Written,
    begins_item,
    collapse_space,
    is_said,
    join_plain_text,
)
from webquarry_convert.write.roles import Role
from webquarry_convert.write.targets import Targets

Handler: TypeAlias = Callable[["WriterState", Node], None]
"""A function that writes an element."""
RoleHandler: TypeAlias = Callable[["WriterState", Node, str], bool]
"""A function that writes an element according to its class names, which are the last argument.

Returns False if the class names do not affect the element.
"""


class Dispatch(NamedTuple):
    """The handlers by tag, the handlers by role, and the handler of elements that contain a note."""

    elements: Mapping[str, Handler]
    roles: Mapping[Role, RoleHandler]
    note: Handler


class WriterState:
    """The state of one text that is being written.

    Inline content is collected in `pieces` until a block begins or ends. Marks that are open at this point are closed
    for the block and reopened after it. Within a heading, a link or a cell (`is_flat`), blocks are separated only by a
    `gap`: a space, or a line break in a cell.

    open_marks: emphasis and links around the current position. card: the link that contains blocks, until one of the
    blocks becomes the link. language: the code language that enclosing elements declare. link_target: target of the
    enclosing link. shown_image: target of the last image. enlarged: targets of links around images. depth: number of
    elements that enclose the current position.
    """

    __slots__ = (
        "card",
        "card_waits_for_heading",
        "depth",
        "dispatch",
        "enlarged",
        "gap",
        "in_heading",
        "in_link",
        "is_bold",
        "is_flat",
        "keeps_controls",
        "language",
        "last_formula",
        "link_target",
        "notes",
        "open_marks",
        "output",
        "pieces",
        "shown_image",
        "targets",
    )

    def __init__(
        self,
        root: Node,
        base: str | None,
        dispatch: Dispatch,
        *,
        keeps_controls: bool = False,
        note_prefix: str = "",
    ) -> None:
        self.dispatch = dispatch
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
        self.depth = 0

    def flush(self) -> None:
        """Write the pending inline content as a paragraph. Within a cell or a heading, only add a gap."""
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
            self._write_paragraphs(write_lines(pieces))
        else:
            self.write_paragraph(text)
        pieces[:] = self.open_marks

    def write_paragraph(self, text: str) -> None:
        """Write raw text as a paragraph."""
        text = collapse_space(text)
        if text:
            self.output.block(escape.start(escape.whole(text)))

    def _write_paragraphs(self, lines: list[str]) -> None:
        """Write lines as paragraphs. A blank line ends a paragraph, and other line breaks are kept."""
        paragraph: list[str] = []
        for line in [*lines, ""]:
            if line:
                paragraph.append(escape.further(line) if paragraph else escape.start(line))
            elif paragraph:
                text = "  \n".join(paragraph)
                # a picture that occurs twice, such as once for narrow and once for wide screens, is written once
                if not (text.startswith(("![", "[![")) and self.output.ends_with(text)):
                    self.output.block(text)
                paragraph = []

    def write_block(self, text: str) -> None:
        """Write finished markdown as a block after the pending inline content.

        In a cell or a heading, append it to the line.
        """
        if self.is_flat:
            self.pieces.append(Written(" ".join(text.split())))
            return
        self.flush()
        self.output.block(text)
