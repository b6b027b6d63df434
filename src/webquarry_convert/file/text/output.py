"""The tree of a document as markdown."""

from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.tree import Node
from webquarry_convert.write import write

FURNITURE: Final = "Headers and footers are left out."
"""The warning where they say more than numbers of pages."""


def write_document(root: Node) -> str:
    markdown = write(root, None)
    if len(markdown) > MAX_MARKDOWN:
        raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
    return markdown
