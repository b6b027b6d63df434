"""A slide of either family of formats as blocks: its title, what else it shows, what its speaker notes."""

from collections.abc import Iterator, Sequence
from typing import Final

from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node

MAX_TITLE: Final = 120
MAX_LISTED: Final = 20
"""Numbers of slides that a warning names."""


def is_title(text: str) -> bool:
    """Whether a line that stands above all else is the title of a slide that names none: short, and no sentence."""
    return len(text) <= MAX_TITLE and not (text.endswith(".") and " " in text and not text.endswith("..."))


def warn_of_hidden(numbers: Sequence[int]) -> list[str]:
    """A warning that slides are among those read which nobody is shown."""
    if not numbers:
        return []
    named = ", ".join(map(str, numbers[:MAX_LISTED]))
    more = f" and {len(numbers) - MAX_LISTED} more" if len(numbers) > MAX_LISTED else ""
    return [f"Slides that are hidden when it is shown are among these: {named}{more}."]


def build_slide(title: Content, content: Content, notes: Content, *, is_first: bool) -> Content:
    """title: blocks that are put on one line. is_first: whether nothing stands before the slide; others without a title
    are set apart by a rule."""
    blocks = [*content]
    if title:
        blocks.insert(0, make_element("h2", list(_join_paragraphs(title))))
    elif blocks and not is_first:
        blocks.insert(0, Node("hr", {}, -1))
    if notes:
        blocks.append(make_element("blockquote", [make_element("p", ["Notes:"]), *notes]))
    return blocks


def _join_paragraphs(paragraphs: Content) -> Iterator[Node | str]:
    """The content of paragraphs as that of one."""
    for at, paragraph in enumerate(paragraphs):
        if at:
            yield " "
        if isinstance(paragraph, str):
            yield paragraph
        else:
            yield from paragraph.children
