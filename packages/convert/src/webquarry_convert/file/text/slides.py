"""A slide of either format as blocks: the title, the content and the speaker notes."""

from collections.abc import Iterator, Sequence
from typing import Final

from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import PAGE_START, Node

MAX_TITLE: Final = 120
MAX_LISTED: Final = 20
"""Maximum number of slides that a warning names."""


def is_title(text: str) -> bool:
    """Return whether a slide's topmost line may be its title, if there is no title placeholder.

    A title is short and is not a sentence.
    """
    return len(text) <= MAX_TITLE and not (text.endswith(".") and " " in text and not text.endswith("..."))


def warn_of_hidden(numbers: Sequence[int]) -> list[str]:
    """Return the warning about hidden slides, whose text is part of the markdown."""
    if not numbers:
        return []
    named = ", ".join(map(str, numbers[:MAX_LISTED]))
    more = f" and {len(numbers) - MAX_LISTED} more" if len(numbers) > MAX_LISTED else ""
    return [f"Hidden slides are included: {named}{more}."]


def build_slide(title: Content, content: Content, notes: Content, *, is_first: bool) -> Content:
    """Build the blocks of a slide.

    title: blocks that are joined on one line. is_first: whether all previous slides are empty. A horizontal rule
    precedes any other slide without a title.
    """
    blocks = [*content]
    if title:
        blocks.insert(0, make_element("h2", list(_join_paragraphs(title))))
    elif blocks and not is_first:
        blocks.insert(0, Node("hr", {}, -1))
    if notes:
        blocks.append(make_element("blockquote", [make_element("p", ["Notes:"]), *notes]))
    return blocks


def begin_slide() -> Node:
    """Return an empty element that marks the beginning of a slide."""
    return Node(PAGE_START, {}, -1)


def _join_paragraphs(paragraphs: Content) -> Iterator[Node | str]:
    """Join several paragraphs' contents into one paragraph."""
    for at, paragraph in enumerate(paragraphs):
        if at:
            yield " "
        if isinstance(paragraph, str):
            yield paragraph
        else:
            yield from paragraph.children
