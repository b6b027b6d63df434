"""Notes, tips and warnings that a page sets apart: quotes that say their kind in the first line."""

import re
from typing import TYPE_CHECKING

from webquarry_convert.tree import Node
from webquarry_convert.write.pieces import collapse_space

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

_KINDS = {
    "note": "NOTE", "info": "NOTE", "information": "NOTE", "seealso": "NOTE", "secondary": "NOTE", "abstract": "NOTE",
    "tip": "TIP", "hint": "TIP", "success": "TIP", "check": "TIP", "idea": "TIP",
    "important": "IMPORTANT", "attention": "IMPORTANT",
    "warning": "WARNING", "warn": "WARNING", "caution": "CAUTION", "danger": "CAUTION", "error": "CAUTION",
    "bug": "CAUTION", "failure": "CAUTION",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_TITLE = re.compile(r"(?:^|[\s_-])(?:title|heading|header|admonitionheading\w*)(?:$|[\s_-])", re.IGNORECASE)
MAX_TITLE = 200


def write(writer: "Writer", node: Node) -> bool:
    """A callout as a quote; False when the element shows no sign of its kind."""
    kind = _find_kind(node)
    if kind is None or node.tag in ("a", "span", "button", "li", "p", "h1", "h2", "h3", "h4", "h5", "h6"):
        return False
    title = _find_title(node)
    text = "" if title is None else writer.line(title.children)
    if len(text) > MAX_TITLE:
        return False
    writer.flush()
    before = writer.output.open("> ", "> ")
    # the kind stands on a line of its own, so the first paragraph follows without an empty line
    shown = "" if collapse_space(text).strip(":!* ").lower() in _KINDS else f" {text}"
    writer.output.block(f"[!{kind}]{shown.rstrip()}")
    marked = len(writer.output.pieces)
    writer.output.is_tight = True
    if title is not None:
        title.is_dropped, was = True, title.is_dropped
        writer.walk(node.children)
        title.is_dropped = was
    else:
        writer.walk(node.children)
    writer.flush()
    if len(writer.output.pieces) == marked and not shown:
        del writer.output.pieces[-1:]
    writer.output.is_tight = False
    writer.output.close(before)
    return True


def _find_kind(node: Node) -> str | None:
    """The kind of the alert; a kind that only the page's engine knows stays as it names it."""
    named = node.attributes.get("data-callout")
    if named and _WORD.fullmatch(named.lower()):
        return _KINDS.get(named.lower(), named.upper())
    words = _WORD.findall((node.attributes.get("class") or "").lower())
    return next((_KINDS[word] for word in words if word in _KINDS), None)


def _find_title(node: Node) -> Node | None:
    """The element that holds the title: among the first of the callout, named so."""
    level = node
    for _ in range(3):
        first = next(
            (
                child
                for child in level.children
                if isinstance(child, Node) and not child.is_dropped and child.tag != "svg"
            ),
            None,
        )
        if first is None or any(isinstance(child, str) and not child.isspace() for child in level.children[:1]):
            return None
        if _TITLE.search(first.attributes.get("class") or "") or first.tag == "summary":
            return first
        level = first
    return None
