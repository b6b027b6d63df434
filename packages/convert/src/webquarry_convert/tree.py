"""A page as a light tree of plain objects: what every later stage works on.

lexbor parses, one walk copies what matters; nothing afterwards touches the parser. Programs, style sheets and what
drawings are made of are left out, data in scripts (JSON, TeX) stays. Total: depth and attributes are bounded before the
parser sees them (`markup`), and what the parser nests deeper all the same is text here.

No node points at its parent: a tree with cycles is freed by the collector alone, which doubles the time of a page. The
place of the parent in the tree's list of nodes does the same.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from sys import intern
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry_convert.text.markup import parse

Attributes = dict[str, str | None]
_TEXT = LexborHTMLParser("x").body.child.tag_id  # type: ignore[union-attr]  # a body has a text
LEFT_OUT = frozenset({"style", "template", "object", "embed", "canvas"})
FACT_ROW = "fact-row"
"""Tag that an element gets which holds a label and its value: no page has it."""
MAX_DEPTH = 300
"""Elements within each other that are nodes; of deeper ones the text is kept. The deepest real page seen has under
100. Stages walk the tree by recursion, one frame a level."""


class Node:
    """An element. children: elements and texts in document order.

    up: place of the parent in the tree's list, -1 at the root; end: place after the last node within this one, so the
    node at `i` holds `nodes[i + 1 : node.end]`. is_dropped: left out of the result with everything in it.
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
    """The text of a `<style>` element, and its attribute `media`."""

    text: str
    media: str


class Root(Node):
    """The outermost element of a page. sheets: of the page's own style sheets, in their order."""

    __slots__ = ("sheets",)

    def __init__(self, attributes: Attributes, sheets: Sequence[Sheet] = ()) -> None:
        super().__init__("html", attributes, -1)
        self.sheets = sheets


Tree = list[Node]
"""All elements in document order; the first is `html`."""


def walk(items: Iterable[Node | str], *, without: Container[str] = ()) -> Iterator[Node | str]:
    """Elements, all that they hold, and the texts among them, in document order. What is dropped, and elements with a
    tag of `without`, are passed over with everything in them."""
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
    """The texts of `walk`, as they stand."""
    return (current for current in walk(items, without=without) if isinstance(current, str))


def drop_child(node: Node, at: int) -> None:
    """Leave the child at this place of an element out of the result; the other children keep their places."""
    child = node.children[at]
    if isinstance(child, str):
        node.children[at] = ""
    else:
        child.is_dropped = True


def build_tree(html: str) -> Tree:
    """The tree of a page. Any text in."""
    return copy_tree(parse(html))


def copy_tree(parsed: LexborHTMLParser) -> Tree:
    """The tree of a parsed page."""
    source = parsed.root
    root = Root({} if source is None else source.attributes, [*_find_sheets(parsed)])
    tree: Tree = [root]
    if source is not None:
        _Copier(tree).copy_siblings(source.child, root, 0, 1)
    root.end = len(tree)
    return tree


def _find_sheets(parsed: LexborHTMLParser) -> Iterator[Sheet]:
    """Yield the style sheets that apply in a browser which runs scripts."""
    for element in parsed.tags("style"):
        text, parent = element.child, element.parent
        if text is None or (parent is not None and parent.tag == "noscript"):
            continue
        attributes = element.attributes
        if attributes.get("type") in (None, "", "text/css"):
            yield Sheet(text.text_content or "", attributes.get("media") or "")


class _Copier:
    """tags: name of each of the parser's codes, one string for the whole page; "" for what is left out."""

    __slots__ = ("tags", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.tags: dict[int, str] = {}

    def copy_siblings(self, child: LexborNode | None, target: Node, place: int, depth: int) -> None:
        """Adds `child` and what stands after it to `target`, which is at `place`.

        Each look at the parser's nodes makes an object, so there are as few as can be.
        """
        tree, tags, text = self.tree, self.tags, _TEXT
        append, new = target.children.append, Node.__new__
        while child is not None:
            code = child.tag_id
            if code == text:
                append(child.text_content or "")
                child = child.next
                continue
            tag = tags.get(code)
            if tag is None:
                tag = tags[code] = _get_tag(child)
            if tag:
                attributes = child.attributes
                if tag == "script" and not _has_data(attributes):
                    pass
                elif depth > MAX_DEPTH:
                    append(child.text(separator=" "))
                else:
                    node = new(Node)  # what `__init__` does, without the call
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
            child = child.next


def _get_tag(source: LexborNode) -> str:
    tag = source.tag
    return "" if tag is None or tag.startswith("-") or tag in LEFT_OUT else intern(tag)


def _has_data(attributes: Attributes) -> bool:
    kind = (attributes.get("type") or "").lower()
    return "json" in kind or kind.startswith("math/") or kind.endswith("tex")
