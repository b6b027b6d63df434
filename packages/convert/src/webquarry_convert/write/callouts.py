"""Callouts, which are notes, tips and warnings. They are written as quotes whose first line names the kind."""

import re
from itertools import islice

from webquarry_convert.tree import Node, read_texts
from webquarry_convert.write.flow import build_line, write_children
from webquarry_convert.write.pieces import collapse_space
from webquarry_convert.write.state import WriterState

_KINDS = {
    "note": "NOTE", "info": "NOTE", "information": "NOTE", "seealso": "NOTE", "secondary": "NOTE", "primary": "NOTE",
    "abstract": "NOTE",
    "tip": "TIP", "hint": "TIP", "success": "TIP", "check": "TIP", "idea": "TIP",
    "important": "IMPORTANT", "attention": "IMPORTANT",
    "warning": "WARNING", "warn": "WARNING", "caution": "CAUTION", "danger": "CAUTION", "error": "CAUTION",
    "bug": "CAUTION", "failure": "CAUTION",
}  # fmt: skip
_CONTAINERS = frozenset({"hint", "note", "information"})
"""Kinds that also occur as general names of callouts: `hint hint-danger`, `note warning`."""
_PLAIN_KINDS = frozenset({"note", "tip", "important", "warning", "caution", "danger", "attention"})
"""Kinds that identify a callout if they are a class of an `aside` or of an element with a title."""
_NAMED = re.compile(r"admonition|admonish|alert|callout|custom-block|notecard|notice--|hint|information-macro|aside--")
_WORD = re.compile(r"[a-z]+")
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|heading|header|admonitionheading\w*)(?:$|[\s_-])", re.IGNORECASE)
_NO_CALLOUTS = frozenset({"a", "span", "button", "li", "h1", "h2", "h3", "h4", "h5", "h6"})
_KIND_ATTRIBUTES = ("data-callout", "data-callout-type")
MAX_TITLE = 200
MAX_TEXTS = 12
"""Number of an element's texts that are compared with the kinds."""


def write(state: WriterState, node: Node, names: str) -> bool:
    """Write a callout as a quote.

    Returns False, and writes nothing, within a line or for an element without a recognizable kind.
    """
    kind = None if state.is_flat or node.tag in _NO_CALLOUTS else _find_kind(node, names)
    if kind is None:
        return False
    title = _find_title(node)
    if not _is_callout(node, names, title):
        return False
    text = "" if title is None else build_line(state, title.children)
    if len(text) > MAX_TITLE:
        return False
    state.flush()
    before = state.output.open("> ", "> ")
    # the kind is on a separate line, so the first paragraph follows without a blank line
    shown = "" if collapse_space(text).strip(":!* ").lower() in _KINDS else f" {text}"
    state.output.block(f"[!{kind}]{shown.rstrip()}")
    marked = len(state.output.pieces)
    state.output.is_tight = True
    _write_content(state, node, title)
    state.flush()
    if len(state.output.pieces) == marked and not shown:
        del state.output.pieces[-1:]
    state.output.is_tight = False
    state.output.close(before)
    return True


def _write_content(state: WriterState, node: Node, title: Node | None) -> None:
    """Write the children of a callout without its title."""
    if title is None:
        write_children(state, node.children)
        return
    title.is_dropped, was = True, title.is_dropped
    write_children(state, node.children)
    title.is_dropped = was


def _find_kind(node: Node, names: str) -> str | None:
    """Return the callout's kind. Kinds that only the page's software defines keep their names."""
    for attribute in _KIND_ATTRIBUTES:
        named = node.attributes.get(attribute)
        if named and _WORD.fullmatch(named.lower()):
            return _KINDS.get(named.lower(), named.upper())
    kinds = _read_kinds(names)
    word = next((kind for kind in kinds if kind not in _CONTAINERS), kinds[0] if kinds else None)
    return None if word is None else _KINDS[word]


def _read_kinds(names: str) -> list[str]:
    """Return the kinds in a class attribute. A kind is the last word of a class name."""
    last = (words[-1] for name in names.lower().split() if (words := _WORD.findall(name)))
    return [word for word in last if word in _KINDS]


def _is_callout(node: Node, names: str, title: Node | None) -> bool:
    """Return whether an element with a kind is a callout.

    A general name of callouts or two kinds (`note warning`) suffice. A single kind also occurs on other elements, so
    the element needs a title, too: `<div class="warning"><b>Warning:</b> …`.
    """
    if not node.attributes.keys().isdisjoint(_KIND_ATTRIBUTES):
        return True
    kinds = _read_kinds(names)
    if _NAMED.search(names.lower()) and any(kind not in _CONTAINERS or kind in names.split() for kind in kinds):
        return node.tag != "p" or any(kind not in _CONTAINERS for kind in kinds)
    if title is not None and _names_kind(title):
        return True
    is_plain = not _PLAIN_KINDS.isdisjoint(kinds)
    return is_plain and (len({*kinds}) > 1 or node.tag == "aside" or (title is not None and node.tag != "p"))


def _names_kind(title: Node) -> bool:
    text = collapse_space("".join(islice(read_texts(title.children), MAX_TEXTS)))
    return text.strip(":!* ").lower() in _KINDS


def _find_title(node: Node) -> Node | None:
    """Return the title element.

    It is among the callout's first elements, and has a title's class or a kind as its text.
    """
    level = node
    for _ in range(3):
        first = _find_first(level)
        if first is None:
            return None
        if _TITLE.search(first.attributes.get("class") or "") or first.tag == "summary" or _names_kind(first):
            return first
        level = first
    return None


def _find_first(node: Node) -> Node | None:
    """Return the first child element, unless text precedes it."""
    if any(isinstance(child, str) and not child.isspace() for child in node.children[:1]):
        return None
    elements = (child for child in node.children if isinstance(child, Node))
    return next((element for element in elements if not element.is_dropped and element.tag != "svg"), None)
