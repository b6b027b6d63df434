"""Writes a document's tree as markdown."""

from collections.abc import Iterable
from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.tree import Node
from webquarry_convert.write import write, write_pages

MAX_FURNITURE: Final = 500
"""Maximum length of headers and footers that a warning quotes, in characters."""


def warn_of_furniture(lines: Iterable[str]) -> list[str]:
    """Return a warning with the text of headers and footers, or [] if they contain only page numbers.

    The warning quotes each distinct line once.
    """
    said: dict[str, None] = {}
    length = 0
    for line in lines:
        text = " ".join(line.split())
        if any(map(str.isalpha, text)) and text not in said:
            said[text] = None
            length += len(text)
            if length > MAX_FURNITURE:
                break
    if not said:
        return []
    quoted = " / ".join(said)
    more = "…" if len(quoted) > MAX_FURNITURE else ""
    return [f"Headers and footers are omitted: {quoted[:MAX_FURNITURE]}{more}"]


def write_document(root: Node) -> str:
    return _check_length(write(root, None))


def write_slides(root: Node) -> tuple[str, tuple[int, ...]]:
    """Return the markdown of slides, and the offset at which each slide begins, in characters."""
    markdown, starts = write_pages(root)
    return _check_length(markdown), tuple(starts)


def _check_length(markdown: str) -> str:
    if len(markdown) > MAX_MARKDOWN:
        raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
    return markdown
