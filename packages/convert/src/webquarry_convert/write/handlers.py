"""Handlers of all tags and roles.

Lists, tables, links, players and formulas have separate modules. Short handlers are defined in this module.
"""

from webquarry_convert.text import escape
from webquarry_convert.tree import FACT_ROW, PAGE_START, TAB_LABEL, TAB_PANEL, Node
from webquarry_convert.write import (
    callouts,
    code,
    definitions,
    footnotes,
    formulas,
    links,
    lists,
    math,
    media,
    raised,
    signatures,
    tables,
)
from webquarry_convert.write.flow import (
    BLOCKS,
    collect_pieces,
    skip,
    write_apart,
    write_block,
    write_children,
    write_marked,
)
from webquarry_convert.write.inline import write_line
from webquarry_convert.write.labels import divide_heading
from webquarry_convert.write.listings import write_preformatted
from webquarry_convert.write.pieces import BREAK, CLOSE_LINK, EMPHASIS, STRIKE, STRONG, Written, is_said
from webquarry_convert.write.roles import Role
from webquarry_convert.write.state import Dispatch, Handler, RoleHandler, WriterState


def _write_control(state: WriterState, node: Node) -> None:
    """Skip buttons and other controls, unless they are the heading or the only content."""
    if state.in_heading or state.keeps_controls:
        write_children(state, node.children)


_BIG = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote", "dl", "section", "article"}
)


def _has_big(node: Node) -> bool:
    """Return whether an element's content is too large for one line."""
    return any(isinstance(child, Node) and child.tag in _BIG for child in node.children)


def write_heading(state: WriterState, node: Node, level: int | None = None) -> None:
    if state.is_flat:
        write_apart(state, node)
        return
    state.flush()
    if _has_big(node):
        write_apart(state, node)  # the heading has no end tag
        return
    before = state.in_heading, state.is_bold
    state.in_heading = state.is_bold = True
    pieces = collect_pieces(state, divide_heading(node.children))
    state.in_heading, state.is_bold = before
    says = any(map(is_said, pieces))
    if says and state.card is not None:
        pieces = [state.card, *pieces, CLOSE_LINK]
        state.card = None
    text = write_line(pieces)
    if text:  # a heading needs content other than an image
        state.output.block(f"{'#' * (level or int(node.tag[1]))} {escape.hashes(text)}" if says else text)


def _write_strong(state: WriterState, node: Node) -> None:
    if state.is_bold:
        write_children(state, node.children)
    else:
        write_marked(state, STRONG, node.children)


def _write_emphasis(state: WriterState, node: Node) -> None:
    write_marked(state, EMPHASIS, node.children)


def _write_strike(state: WriterState, node: Node) -> None:
    write_marked(state, STRIKE, node.children)


def _write_break(state: WriterState, node: Node) -> None:
    if state.is_flat:
        state.flush()
    else:
        state.pieces.append(" " if state.in_link else BREAK)


def _write_rule(state: WriterState, node: Node) -> None:
    state.flush()
    if state.is_flat:
        return
    if not state.output.is_at_start and state.output.pieces[-1] != "---":
        state.output.block("---")


def _begin_page(state: WriterState, node: Node) -> None:
    state.flush()
    state.output.begin_page()


def _write_code(state: WriterState, node: Node) -> None:
    children = node.children
    if len(children) == 1 and isinstance(children[0], Node) and children[0].tag == "a":
        # a link inside of code would be shown as text, so the code moves into the link
        link = children[0]
        inside, outside = Node("code", node.attributes, node.up), Node("a", link.attributes, node.up)
        inside.children, outside.children = link.children, [inside]
        links.write(state, outside)
    elif not state.is_flat and not state.in_link and _is_block_of_code(node):
        write_preformatted(state, node)
    elif text := code.read_line(node):
        state.pieces.append(Written(code.write_span(text)))


def _is_block_of_code(node: Node) -> bool:
    """Return whether a `code` outside of a `pre` is a code block."""
    names = node.attributes.get("class")
    if names and ("block" in names.split() or "CodeMirror" in names):
        return True
    lines = 0
    for child in node.children:
        if isinstance(child, Node):
            if child.tag in ("table", "pre"):
                return True
            lines += child.tag in ("br", "div", "p")
        elif "\n" in child.strip() and code.read_language(node) is not None:
            return True
    return lines > 1


def _write_quote(state: WriterState, node: Node) -> None:
    if state.is_flat:
        write_apart(state, node)
        return
    state.flush()
    before = state.output.open("> ", "> ")
    write_children(state, node.children)
    state.flush()
    state.output.close(before)


def _write_image(state: WriterState, node: Node) -> None:
    media.write_image(state, node)


def _write_quotation(state: WriterState, node: Node) -> None:
    state.pieces.append('"')
    write_children(state, node.children)
    state.pieces.append('"')


def _write_reading(state: WriterState, node: Node) -> None:
    """Write the pronunciation of the preceding characters in parentheses."""
    state.pieces.append("(")
    write_children(state, node.children)
    state.pieces.append(")")


def _write_summary(state: WriterState, node: Node) -> None:
    """Write a summary as a line in bold, unless it is a heading."""
    if state.is_flat or _has_big(node):
        write_apart(state, node)
        return
    state.flush()
    before, state.in_heading = state.in_heading, True
    write_marked(state, STRONG, node.children)
    state.in_heading = before
    state.flush()


def _write_panel(state: WriterState, node: Node) -> None:
    """Write a tab panel below the label of its tab."""
    label = Node("strong", {}, -1)
    label.children = [node.attributes.get(TAB_LABEL) or ""]
    state.flush()
    write_children(state, [label])
    write_apart(state, node)


def _skip_copy(state: WriterState, node: Node, names: str) -> bool:
    return math.is_copy(node, names)


def _skip_permalink(state: WriterState, node: Node, names: str) -> bool:
    return links.is_permalink(node)


def _skip_chrome(state: WriterState, node: Node, names: str) -> bool:
    return True


def _write_in_language(state: WriterState, node: Node, names: str) -> bool:
    """Write an element that declares the language of the code inside it. Returns False if it declares no language."""
    language = None if node.tag in _OWN_LANGUAGE else code.read_language(node)
    if language is None:
        return False
    before, state.language = state.language, language
    state.depth += 1
    handler = _ELEMENTS.get(node.tag, write_block)
    (write_apart if handler is write_block else handler)(state, node)
    state.depth -= 1
    state.language = before
    return True


_OWN_LANGUAGE = frozenset({"pre", "code", "table", "a"})
"""Elements that read their language when they are written."""
_SKIPPED = """
    style template svg canvas object embed head title meta link base select option optgroup textarea datalist map area
    param source track colgroup col rp frame frameset noframes noembed input progress meter dialog-polyfill applet
"""
_ELEMENTS: dict[str, Handler] = {
    **dict.fromkeys(BLOCKS, write_block),
    **dict.fromkeys(_SKIPPED.split(), skip),
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], write_heading),
    **dict.fromkeys(["strong", "b"], _write_strong),
    **dict.fromkeys(["em", "i"], _write_emphasis),
    **dict.fromkeys(["del", "s", "strike"], _write_strike),
    **dict.fromkeys(["code", "kbd", "samp", "tt"], _write_code),
    **dict.fromkeys(["pre", "listing", "xmp", "plaintext"], write_preformatted),
    **dict.fromkeys(["ul", "ol", "menu", "dir"], lists.write),
    **dict.fromkeys(["rt", "rtc"], _write_reading),
    **dict.fromkeys(["video", "audio"], media.write_player),
    "a": links.write,
    "blockquote": _write_quote,
    "br": _write_break,
    "button": _write_control,
    "dl": definitions.write_definitions,
    FACT_ROW: definitions.write_fact,
    PAGE_START: _begin_page,
    "dt": definitions.write_term,
    "hr": _write_rule,
    "iframe": media.write_frame,
    "image": _write_image,
    "img": _write_image,
    "li": lists.write_stray,
    "math": formulas.write_math,
    "noscript": media.write_noscript,
    "picture": media.write_picture,
    "q": _write_quotation,
    "script": formulas.write_script,
    "summary": _write_summary,
    "sub": raised.write_lowered,
    "sup": raised.write_raised,
    "table": tables.write,
    TAB_PANEL: _write_panel,
}
_ROLES: dict[Role, RoleHandler] = {
    Role.HIDDEN_COPY: _skip_copy,
    Role.CALLOUT: callouts.write,
    Role.PERMALINK: _skip_permalink,
    Role.CHROME: _skip_chrome,
    Role.INLINE_NOTE: footnotes.refer_inline,
    Role.FORMULA: formulas.write_attribute,
    Role.LANGUAGE: _write_in_language,
    Role.SIGNATURE: signatures.write,
}
DISPATCH = Dispatch(_ELEMENTS, _ROLES, footnotes.write_note)
"""The handlers for all elements of a page."""
