"""Signatures of functions and classes in documentation, written as code on one line."""

import re

from webquarry_convert.tree import Node
from webquarry_convert.write import code
from webquarry_convert.write.state import WriterState

MAX_CHARS = 2000
"""Maximum length of a signature, in characters. Longer signatures are written as ordinary text."""
MAX_PARTS = 12
"""Maximum number of elements in a term that are examined."""
_TAGS = frozenset({"div", "p", "section", "li", "span", "table"})
_BLOCKS = frozenset({"dd", "dl", "div", "p", "td", "tr", "li", "br"})
_NO_LINE = frozenset({"pre", "img", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"})
_SKIPPED = frozenset({"script", "style", "svg", "button", "template"})
_NAMED = re.compile(r"(?:^|\s)(?:sig|sig-object|descname)(?=$|\s)")
_BESIDE = re.compile(r"(?:^|[\s_-])(?:headerlink|viewcode-link|permalink|anchor|source|src-?link)(?=$|[\s_-])")
_SOURCES = frozenset({"[source]", "[src]", "source", "src", "view source", "¶", "#", "§"})
_GAPS = re.compile(r"(?<=[(\[]) | (?=[)\],])")


def write(state: WriterState, node: Node, names: str) -> bool:
    """Write an element with the class of a signature. Returns False if it is not a signature."""
    return node.tag in _TAGS and write_signature(state, node)


def is_signature(term: Node) -> bool:
    """Return whether the class of a term, or of a name in it, marks the term as a signature."""
    parts = [term, *[child for child in term.children if isinstance(child, Node)][:MAX_PARTS]]
    return any(_NAMED.search(part.attributes.get("class") or "") for part in parts)


def write_signature(state: WriterState, node: Node) -> bool:
    """Write a signature as a line of code. Returns False within a line, or if the element has other content."""
    text = None if state.is_flat else read_signature(node)
    if text is None:
        return False
    state.write_block(code.write_span(text))
    return True


def read_signature(node: Node) -> str | None:
    """Return a signature's text without links to its source and its position, or None if it has more than one line."""
    pieces: list[str] = []
    waiting: list[Node | str] = [*reversed(node.children)]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            pieces.append(current)
        elif current.tag in _NO_LINE:
            return None
        elif not current.is_dropped and current.tag not in _SKIPPED and not _is_beside(current):
            if current.tag in _BLOCKS:
                pieces.append(" ")
            waiting += reversed(current.children)
    text = _GAPS.sub("", " ".join("".join(pieces).split()))
    return text if 0 < len(text) <= MAX_CHARS else None


def _is_beside(node: Node) -> bool:
    """Return whether an element only links to the source or the position of the signature."""
    if node.tag not in ("a", "span"):
        return False
    names = node.attributes.get("class")
    if names and _BESIDE.search(names):
        return True
    return node.tag == "a" and code.read_line(node).lower() in _SOURCES
