"""The tree of a document as markdown."""

from webquarry.convert.file.document import beyond
from webquarry.convert.file.limits import MAX_MARKDOWN
from webquarry.convert.tree import Node
from webquarry.convert.write import write


def written(root: Node) -> str:
    markdown = write(root, None)
    if len(markdown) > MAX_MARKDOWN:
        raise beyond(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
    return markdown
