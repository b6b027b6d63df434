"""A page as a light tree of plain objects: what every later stage works on.

lexbor parses, one walk copies what matters; nothing afterwards touches the parser. Programs, style sheets and what
drawings are made of are left out, data in scripts (JSON, TeX) stays. Total: depth and attributes are bounded before the
parser sees them (`markup`), and what the parser nests deeper all the same is text here.

No node points at its parent: a tree with cycles is freed by the collector alone, which doubles the time of a page. The
place of the parent in the tree's list of nodes does the same.
"""

from sys import intern

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry.convert.page.markup import parse

Attributes = dict[str, str | None]
_TEXT = LexborHTMLParser("x").body.child.tag_id  # type: ignore[union-attr]  # a body has a text
LEFT_OUT = frozenset({"style", "template", "object", "embed", "canvas"})
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


Tree = list[Node]
"""All elements in document order; the first is `html`."""


def grow(html: str) -> Tree:
    """The tree of a page. Any text in."""
    return copied(parse(html))


def copied(parsed: LexborHTMLParser) -> Tree:
    """The tree of a parsed page."""
    source = parsed.root
    root = Node("html", {} if source is None else source.attributes, -1)
    tree = [root]
    if source is not None:
        _copy(source, root, tree)
    root.end = len(tree)
    return tree


def _copy(source: LexborNode, root: Node, tree: Tree) -> None:
    """Adds all below the root. Each look at the parser's nodes makes an object, so there are as few as can be."""
    names: dict[int, str] = {}  # one string per tag: its hash is taken once, for the whole page
    above: list[tuple[LexborNode, Node, int]] = []
    target, place = root, 0
    append = root.children.append
    child = source.child
    while True:
        while child is None:
            target.end = len(tree)
            if not above:
                return
            done, target, place = above.pop()
            append = target.children.append
            child = done.next
        code = child.tag_id
        if code == _TEXT:
            append(child.text_content or "")
            child = child.next
            continue
        tag = names.get(code)
        if tag is None:
            tag = names[code] = intern(child.tag or "-")
        if tag[0] != "-" and tag not in LEFT_OUT:
            attributes = child.attributes
            if tag == "script" and not _holds_data(attributes):
                pass
            elif len(above) == MAX_DEPTH:
                append(child.text(separator=" "))
            else:
                node = Node(tag, attributes, place)
                append(node)
                tree.append(node)
                below = child.child
                if below is not None and tag != "svg":
                    above.append((child, target, place))
                    target, place = node, len(tree) - 1
                    append = node.children.append
                    child = below
                    continue
                node.end = len(tree)
        child = child.next


def _holds_data(attributes: Attributes) -> bool:
    kind = (attributes.get("type") or "").lower()
    return "json" in kind or kind.startswith("math/") or kind.endswith("tex")
