"""Comments in a document, which are written as notes after the text."""

from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node


def name_author(content: Content, author: str) -> None:
    """Insert the word "comment" and the author's name into the first paragraph of a note."""
    label = f"Comment of {author}: " if author else "Comment: "
    first = content[0] if content else None
    if isinstance(first, Node) and first.tag == "p":
        first.children.insert(0, label)
    else:
        content.insert(0, make_element("p", [label.rstrip(" ")]))
