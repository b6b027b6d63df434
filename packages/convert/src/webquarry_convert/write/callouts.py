"""Callouts: notes, tips and warnings, written as quotes whose first line names their kind."""

import re

from webquarry_convert.tree import Node
from webquarry_convert.write.flow import build_line, write_children
from webquarry_convert.write.pieces import collapse_space
from webquarry_convert.write.state import WriterState

_KINDS = {
    "note": "NOTE", "info": "NOTE", "information": "NOTE", "seealso": "NOTE", "secondary": "NOTE", "abstract": "NOTE",
    "tip": "TIP", "hint": "TIP", "success": "TIP", "check": "TIP", "idea": "TIP",
    "important": "IMPORTANT", "attention": "IMPORTANT",
    "warning": "WARNING", "warn": "WARNING", "caution": "CAUTION", "danger": "CAUTION", "error": "CAUTION",
    "bug": "CAUTION", "failure": "CAUTION",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|heading|header|admonitionheading\w*)(?:$|[\s_-])", re.IGNORECASE)
_NO_CALLOUTS = frozenset({"a", "span", "button", "li", "p", "h1", "h2", "h3", "h4", "h5", "h6"})
MAX_TITLE = 200


def write(state: WriterState, node: Node, names: str) -> bool:
    """Write a callout as a quote. Returns False within a line, or if the element does not show its kind."""
    kind = None if state.is_flat or node.tag in _NO_CALLOUTS else _find_kind(node)
    if kind is None:
        return False
    title = _find_title(node)
    text = "" if title is None else build_line(state, title.children)
    if len(text) > MAX_TITLE:
        return False
    state.flush()
    before = state.output.open("> ", "> ")
    # the kind is on a separate line, so the first paragraph follows without an empty line
    shown = "" if collapse_space(text).strip(":!* ").lower() in _KINDS else f" {text}"
    state.output.block(f"[!{kind}]{shown.rstrip()}")
    marked = len(state.output.pieces)
    state.output.is_tight = True
    if title is not None:
        title.is_dropped, was = True, title.is_dropped
        write_children(state, node.children)
        title.is_dropped = was
    else:
        write_children(state, node.children)
    state.flush()
    if len(state.output.pieces) == marked and not shown:
        del state.output.pieces[-1:]
    state.output.is_tight = False
    state.output.close(before)
    return True


def _find_kind(node: Node) -> str | None:
    """Return the kind of the alert. Kinds that only the page's software defines keep their names."""
    named = node.attributes.get("data-callout")
    if named and _WORD.fullmatch(named.lower()):
        return _KINDS.get(named.lower(), named.upper())
    words = _WORD.findall((node.attributes.get("class") or "").lower())
    return next((_KINDS[word] for word in words if word in _KINDS), None)


def _find_title(node: Node) -> Node | None:
    """Return the title element: one of the first elements of the callout, with a matching class."""
    level = node
    for _ in range(3):
        first = _find_first(level)
        if first is None:
            return None
        if _TITLE.search(first.attributes.get("class") or "") or first.tag == "summary":
            return first
        level = first
    return None


def _find_first(node: Node) -> Node | None:
    """Return the first child element, unless text precedes it."""
    if any(isinstance(child, str) and not child.isspace() for child in node.children[:1]):
        return None
    elements = (child for child in node.children if isinstance(child, Node))
    return next((element for element in elements if not element.is_dropped and element.tag != "svg"), None)
