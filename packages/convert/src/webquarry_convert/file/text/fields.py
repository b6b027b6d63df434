"""Links and fields. A field is an instruction together with its stored result."""

import re
from dataclasses import dataclass, field
from typing import Final

from webquarry_convert.file.text.targets import build_target

_LINK: Final = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))?', re.IGNORECASE)
_BUTTON: Final = re.compile(r"\s*(?:MACRO|GOTO)BUTTON\s++\S++\s++(.*\S)", re.IGNORECASE | re.DOTALL)
_PLACE: Final = re.compile(r'\\l\s+(?:"([^"]*)"|(\S+))', re.IGNORECASE)
MAX_INSTRUCTION: Final = 10_000
MAX_OPEN: Final = 100
"""Maximum number of open fields. Further fields are not tracked."""


@dataclass(slots=True)
class _Field:
    """An open field.

    instruction: the pieces of its instruction. is_result: whether its result, which is the visible text, has begun.
    """

    instruction: list[str] = field(default_factory=list)
    is_result: bool = False


class Fields:
    """The open fields and links. link: the current link target."""

    def __init__(self) -> None:
        self.link: str | None = None
        self._links: list[str | None] = []
        self._open: list[_Field] = []
        self._instructions = 0  # number of open fields whose result has not begun yet

    @property
    def is_instruction(self) -> bool:
        """Whether the current text is an instruction rather than visible text."""
        return self._instructions > 0

    def enter(self, target: str | None) -> None:
        """Open a link. If the target is None because it is unusable, the enclosing link continues."""
        self._links.append(self.link)
        self.link = target or self.link

    def leave(self) -> None:
        self.link = self._links.pop() if self._links else None

    def begin(self) -> None:
        if len(self._open) >= MAX_OPEN:
            self._open, self._links, self._instructions, self.link = [], [], 0, None
        self._open.append(_Field())
        self._instructions += 1

    def add_instruction(self, text: str) -> None:
        if self._open and not self._open[-1].is_result:
            self._open[-1].instruction.append(text)

    def separate(self) -> str:
        """End the instruction, begin the result, and return the instruction."""
        if not self._open or self._open[-1].is_result:
            return ""
        self._open[-1].is_result = True
        self._instructions -= 1
        instruction = "".join(self._open[-1].instruction)
        self.enter(find_link(instruction))
        return instruction

    def end(self) -> str:
        """Close a field.

        For a field without a result, returns the text that the field displays, such as a button's label.
        """
        if not self._open:
            return ""
        ended = self._open.pop()
        if ended.is_result:
            self.leave()
            return ""
        self._instructions -= 1
        shown = _BUTTON.match("".join(ended.instruction)[:MAX_INSTRUCTION])
        return "" if shown is None or self.is_instruction else shown[1]

    def end_paragraph(self) -> None:
        """Close all fields at the end of a damaged paragraph, so that text in later paragraphs is neither hidden nor
        linked.
        """
        if self._open:
            for one in self._open:
                if not one.is_result:
                    one.is_result = True
                    self._links.append(None)
            self._instructions = 0
            self._links = [None] * len(self._links)
            self.link = None


def find_link(instruction: str) -> str | None:
    """Return the external target of a link field, or None for other fields."""
    found = _LINK.match(instruction[:MAX_INSTRUCTION])
    if found is None:
        return None
    address = found[1] or found[2]
    place = _PLACE.search(instruction[:MAX_INSTRUCTION])
    return build_target(address, (place[1] or place[2]) if place is not None else None)
