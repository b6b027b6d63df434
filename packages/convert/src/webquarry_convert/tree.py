"""A page as a light tree of plain objects, the input of every later stage.

lexbor parses the page, and one walk copies the relevant nodes. Later stages don't use the parser. Programs, style
sheets and the contents of drawings are dropped; data in scripts (JSON, TeX) is kept. A declarative shadow root
(`<template shadowrootmode>`) replaces the children of its host, which fill its slots. Never fails: depth and attributes
are limited before parsing (`markup`), and elements nested too deeply are replaced with their text.

Nodes have no reference to their parent, because a tree with cycles is freed only by the garbage collector, which
doubles the time per page. Each node has the index of its parent in the tree's list of nodes instead.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from sys import intern
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry_convert.text.markup import parse

Attributes = dict[str, str | None]
_TEXT = LexborHTMLParser("x").body.child.tag_id  # type: ignore[union-attr]  # a body has a text
LEFT_OUT = frozenset({"style", "template", "object", "embed", "canvas"})
_SHADOW = frozenset({"shadowrootmode", "shadowroot"})
"""Attributes of a declarative shadow root; the second is an earlier name."""
_FRAMES = 3
"""Number of stack frames that a slot needs. A slot counts as this many nested elements."""
FACT_ROW = "fact-row"
"""Tag of an element that the converter identified as a label with its value. No page contains this tag."""
PAGE_START = "#page"
"""Tag of an empty element that marks the start of a document's page. Parsers never create such an element."""
TAB_PANEL = "tab-panel"
TAB_LABEL = "tab-label"
"""Tag of a tab panel, and the name of the attribute that contains the tab's label."""
MAX_DEPTH = 300
"""Maximum number of nested elements that become nodes. Deeper elements are replaced with their text.

The deepest real page had fewer than 100. Stages walk the tree recursively, with one stack frame per level.
"""


class Node:
    """An element of the tree.

    children: child elements and strings in document order. up: index of the parent in the tree's list; -1 for the root.
    end: index after the last descendant. The descendants of the node at `i` are `nodes[i + 1 : node.end]`. is_dropped:
    whether the element and its descendants are missing in the result.
    """

    __slots__ = ("attributes", "children", "end", "is_dropped", "tag", "up")

    def __init__(self, tag: str, attributes: Attributes, up: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.up = up
        self.end = 0
        self.children: list[Node | str] = []
        self.is_dropped = False


class Sheet(NamedTuple):
    """A `<style>` element's text and `media` attribute."""

    text: str
    media: str


class Root(Node):
    """The outermost element of a page. sheets: the page's own style sheets, in document order."""

    __slots__ = ("sheets",)

    def __init__(self, attributes: Attributes, sheets: Sequence[Sheet] = ()) -> None:
        super().__init__("html", attributes, -1)
        self.sheets = sheets


Tree = list[Node]
"""All elements in document order. The first is `html`."""


def walk(items: Iterable[Node | str], *, without: Container[str] = ()) -> Iterator[Node | str]:
    """Yield elements, their descendants and strings in document order.

    Skips dropped elements and elements with a tag in `without`, together with their descendants.
    """
    waiting = [*items]
    waiting.reverse()
    while waiting:
        current = waiting.pop()
        if current.__class__ is str:
            yield current
        elif not current.is_dropped and current.tag not in without:  # type: ignore[union-attr]  # no text
            yield current
            waiting += reversed(current.children)  # type: ignore[union-attr]  # as above


def read_texts(items: Iterable[Node | str], *, without: Container[str] = ()) -> Iterator[str]:
    """Yield only the strings that `walk` yields, unchanged."""
    return (current for current in walk(items, without=without) if isinstance(current, str))


def drop_child(node: Node, at: int) -> None:
    """Remove the element's child at this index from the result. The other children keep their indexes."""
    child = node.children[at]
    if isinstance(child, str):
        node.children[at] = ""
    else:
        child.is_dropped = True


def build_tree(html: str) -> Tree:
    """Build the tree of a page. Accepts any text."""
    return copy_tree(parse(html))


def copy_tree(parsed: LexborHTMLParser) -> Tree:
    """Copy a parsed page to a tree."""
    source = parsed.root
    root = Root({} if source is None else source.attributes, [*_find_sheets(parsed)])
    tree: Tree = [root]
    if source is not None:
        _Copier(tree).copy_siblings(source.child, root, 0, 1)
    root.end = len(tree)
    return tree


def _find_sheets(parsed: LexborHTMLParser) -> Iterator[Sheet]:
    """Yield the style sheets that apply in a browser with scripts."""
    for element in parsed.tags("style"):
        text, parent = element.child, element.parent
        if text is None or (parent is not None and parent.tag == "noscript"):
            continue
        attributes = element.attributes
        if attributes.get("type") in (None, "", "text/css"):
            yield Sheet(text.text_content or "", attributes.get("media") or "")


class _Copier:
    """Copies a parsed page to a tree.

    tags: the name for each of the parser's tag codes, as one shared string per page; "" for tags that are dropped.
    scopes: the nodes for the slots of each shadow root around the current place, by name; the innermost is the last.
    """

    __slots__ = ("scopes", "tags", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.tags: dict[int, str] = {}
        self.scopes: list[dict[str, list[LexborNode]]] = []

    def copy_siblings(
        self, child: LexborNode | None, target: Node, place: int, depth: int, *, is_single: bool = False
    ) -> None:
        """Add `child` and its following siblings to `target`, which is at index `place`.

        is_single: whether to add only `child`.

        Each access to a parser node creates an object, so accesses are kept to a minimum.
        """
        tree, tags, text = self.tree, self.tags, _TEXT
        append, new = target.children.append, Node.__new__
        while child is not None:
            code = child.tag_id
            if code == text:
                append(child.text_content or "")
                child = None if is_single else child.next
                continue
            tag = tags.get(code)
            if tag is None:
                tag = tags[code] = self._get_tag(child)
            if tag:
                attributes = child.attributes
                if tag == "script" and not _has_data(attributes):
                    pass
                elif depth > MAX_DEPTH:
                    append(child.text(separator=" "))
                else:
                    node = new(Node)  # does the same as `__init__`, but saves a call
                    node.tag = tag
                    node.attributes = attributes
                    node.up = place
                    node.children = []
                    node.is_dropped = False
                    append(node)
                    tree.append(node)
                    if tag != "svg" and (below := child.child) is not None:
                        if below.tag_id == text and below.next is None:
                            node.children.append(below.text_content or "")
                        else:
                            self.copy_siblings(below, node, len(tree) - 1, depth + 1)
                    node.end = len(tree)
            elif self._copy_shadow(child, target, place, depth):
                return
            child = None if is_single else child.next

    def _copy_shadow(self, source: LexborNode, target: Node, place: int, depth: int) -> bool:
        """Copy a shadow root, or the content of a slot within one. Returns False for other elements.

        The siblings of a shadow root are shown only in its slots, each in the first slot with its name.
        """
        if depth > MAX_DEPTH:
            return False
        if self.scopes and source.tag == "slot":
            self._fill_slot(source, target, place, depth + _FRAMES)
            return False
        if source.tag != "template" or _SHADOW.isdisjoint(source.attributes):
            return False
        self.scopes.append(_assign_slots(source))
        outer, self.tags = self.tags, {}
        for fragment in source.template_fragments()[:1]:
            self.copy_siblings(fragment.first_child, target, place, depth + _FRAMES)
        self.tags = outer
        self.scopes.pop()
        return True

    def _fill_slot(self, slot: LexborNode, target: Node, place: int, depth: int) -> None:
        scope = self.scopes.pop()
        assigned = scope.pop(slot.attributes.get("name") or "", ())
        outer, self.tags = self.tags, {}
        for node in assigned:
            self.copy_siblings(node, target, place, depth, is_single=True)
        self.tags = outer
        self.scopes.append(scope)
        if not assigned:
            self.copy_siblings(slot.child, target, place, depth)

    def _get_tag(self, source: LexborNode) -> str:
        tag = source.tag
        if tag is None or tag.startswith("-") or tag in LEFT_OUT or (tag == "slot" and self.scopes):
            return ""
        return intern(tag)


def _assign_slots(template: LexborNode) -> dict[str, list[LexborNode]]:
    """Group the siblings of a shadow root by the name of their slot. The name is "" for siblings without a slot."""
    slots: dict[str, list[LexborNode]] = {}
    host = template.parent
    node = None if host is None else host.child
    while node is not None:
        if node.mem_id != template.mem_id:
            name = (node.attributes.get("slot") or "") if node.is_element_node else ""
            slots.setdefault(name, []).append(node)
        node = node.next
    return slots


def _has_data(attributes: Attributes) -> bool:
    kind = (attributes.get("type") or "").lower()
    return "json" in kind or kind.startswith("math/") or kind.endswith("tex")
