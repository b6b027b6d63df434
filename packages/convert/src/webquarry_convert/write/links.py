"""Links, with labels on one line and absolute targets.

If a link contains blocks, their heading or first text becomes the link.
"""

from webquarry_convert.tree import Node, read_texts, walk
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.footnotes import refer
from webquarry_convert.write.pieces import CLOSE_LINK, Mark, make_link
from webquarry_convert.write.state import WriterState

_SIGNS = frozenset({"", "#", "¶", "◆", "§", "🔗", "⚓", "⚓︎", "∞", "link", "permalink", "anchor", "[link]", "\uf0c1"})
_BLOCK_NAMES = """
    address article aside blockquote details div dd dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hgroup hr li main nav ol p pre section table ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SILENT = frozenset({"svg", "script", "style"})
MAX_SIGN = 12


def write(state: WriterState, node: Node) -> None:
    """Write an `a` with its content."""
    href = node.attributes.get("href")
    fragment = state.targets.find_fragment(href)
    if fragment is not None and (refer(state, node, fragment) or (state.in_heading and is_permalink(node))):
        return
    target = None if state.in_link else state.targets.of(href)
    if target is None:
        write_children(state, node.children)
    else:
        _write_link(state, target, node.children)


def _write_link(state: WriterState, target: str, children: list[Node | str]) -> None:
    mark = make_link(target)
    pieces = state.pieces
    if pieces and pieces[-1] is CLOSE_LINK:
        pieces.append(" ")  # the page shows adjacent links separately
    if len(children) == 1 and isinstance(only := children[0], str):
        pieces += (mark, only, CLOSE_LINK)
        return
    if not state.is_flat:
        has_blocks, has_heading, has_text = _find_contents(children)
        if has_blocks and has_text:
            _write_card(state, mark, children, waits_for_heading=has_heading)
            return
        if has_blocks:
            state.flush()
    before, state.in_link, state.link_target = state.in_link, True, target
    pieces.append(mark)
    outer = state.is_flat, state.gap
    state.is_flat, state.gap = True, " "
    write_children(state, children)
    state.is_flat, state.gap = outer
    pieces.append(CLOSE_LINK)
    state.in_link, state.link_target = before, None


def _write_card(state: WriterState, mark: Mark, children: list[Node | str], *, waits_for_heading: bool) -> None:
    """Write a link that contains blocks. The heading, or otherwise the first text, becomes the link."""
    state.flush()
    before = state.card, state.card_waits_for_heading, state.in_link
    state.card, state.card_waits_for_heading, state.in_link = mark, waits_for_heading, True
    write_children(state, children)
    state.flush()
    state.card, state.card_waits_for_heading, state.in_link = before


def _find_contents(children: list[Node | str]) -> tuple[bool, bool, bool]:
    """Return whether there is a block, whether there is a heading with text, and whether there is any text."""
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
    """Return whether a link only points to its own position: its text is empty or a permalink symbol."""
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
