"""Code that has one `div` per line and no `pre`. Documentation generators and editors write it."""

import re
from itertools import islice

from webquarry_convert.tree import Node, Tree

_CODE = re.compile(r"(?:fragment|view-lines|cm-content)(?:\s|\Z)")
_LINE = re.compile(r"(?:line|view-line|cm-line)(?:\s|\Z)")
"""Matches the beginning of class names for such code and its lines."""
MAX_LOOKED = 500
"""Maximum number of lines that are checked."""


def name_code(tree: Tree) -> None:
    """Turn elements that contain only lines of code into `pre`."""
    for node in tree:
        if node.tag == "div" and (names := node.attributes.get("class")) and _CODE.match(names) and _holds_lines(node):
            node.tag = "pre"


def _holds_lines(node: Node) -> bool:
    children = [*islice(node.children, MAX_LOOKED)]
    lines = [child for child in children if isinstance(child, Node)]
    return (
        bool(lines)
        and all(_LINE.match(line.attributes.get("class") or "") for line in lines)
        and not any(isinstance(child, str) and not child.isspace() for child in children)
    )
