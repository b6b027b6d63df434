"""Links: labels of one line with an absolute target. One around blocks goes to its heading or its first text."""

from typing import TYPE_CHECKING

from webquarry_convert.tree import Node, read_texts, walk
from webquarry_convert.write.pieces import CLOSE_LINK, make_link

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer
    from webquarry_convert.write.pieces import Mark

_SIGNS = frozenset({"", "#", "¶", "◆", "§", "🔗", "⚓", "⚓︎", "∞", "link", "permalink", "anchor", "[link]", "\uf0c1"})
_BLOCK_NAMES = """
    address article aside blockquote details div dd dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hgroup hr li main nav ol p pre section table ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SILENT = frozenset({"svg", "script", "style"})
MAX_SIGN = 12


def write(writer: "Writer", node: Node) -> None:
    """An `a` with what it holds."""
    children = node.children
    href = node.attributes.get("href")
    fragment = writer.targets.find_fragment(href)
    if fragment is not None:
        if writer.notes.refer(writer, node, fragment):
            return
        if writer.in_heading and is_permalink(node):
            return
    target = None if writer.in_link else writer.targets.of(href)
    if target is None:
        writer.walk(children)
        return
    mark = make_link(target)
    pieces = writer.pieces
    if pieces and pieces[-1] is CLOSE_LINK:
        pieces.append(" ")  # links side by side stand apart on the page
    if len(children) == 1 and children[0].__class__ is str:
        pieces += (mark, children[0], CLOSE_LINK)
        return
    if not writer.is_flat:
        has_blocks, has_heading, has_text = _find_contents(children)
        if has_blocks and has_text:
            _write_card(writer, mark, children, waits_for_heading=has_heading)
            return
        if has_blocks:
            writer.flush()
    before, writer.in_link, writer.link_target = writer.in_link, True, target
    pieces.append(mark)
    outer = writer.is_flat, writer.gap
    writer.is_flat, writer.gap = True, " "
    writer.walk(children)
    writer.is_flat, writer.gap = outer
    pieces.append(CLOSE_LINK)
    writer.in_link, writer.link_target = before, None


def _write_card(writer: "Writer", mark: "Mark", children: list[Node | str], *, waits_for_heading: bool) -> None:
    """A link around blocks: the heading, or else the first text, takes it."""
    writer.flush()
    before = writer.card, writer.card_waits_for_heading, writer.in_link
    writer.card, writer.card_waits_for_heading, writer.in_link = mark, waits_for_heading, True
    writer.walk(children)
    writer.flush()
    writer.card, writer.card_waits_for_heading, writer.in_link = before


def _find_contents(children: list[Node | str]) -> tuple[bool, bool, bool]:
    """Whether there are blocks, a heading with text, and text."""
    has_blocks = has_heading = has_text = False
    for current in walk(children, without=_SILENT):
        if isinstance(current, str):
            has_text = has_text or not current.isspace()
        else:
            has_blocks = has_blocks or current.tag in _BLOCKS
            has_heading = has_heading or (current.tag in _HEADINGS and _has_text(current))
    return has_blocks, has_heading, has_text


def _has_text(node: Node) -> bool:
    return not all(map(str.isspace, read_texts(node.children, without=_SILENT)))


def is_permalink(node: Node) -> bool:
    """Whether a link only points to its own place: its text is a sign for that, or nothing."""
    if node.tag != "a" and node.tag != "span":
        return False
    text = ""
    for current in walk(node.children, without=_SILENT):
        if isinstance(current, str):
            text += current
        elif current.tag == "img":
            return False
        if len(text) > 10 * MAX_SIGN:
            return False
    sign = " ".join(text.split()).lower()
    return sign in _SIGNS or sign.startswith(("permalink", "link to ", "direct link", "anchor link", "copy link"))
