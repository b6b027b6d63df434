"""What each element becomes: the one place that knows all tags.

Lists, tables, links and players have modules of their own; what is short is written here.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from webquarry_convert.text import escape
from webquarry_convert.tree import FACT_ROW, Node
from webquarry_convert.write import code, definitions, links, lists, math, media, raised, tables
from webquarry_convert.write.inline import write_line
from webquarry_convert.write.labels import divide_heading
from webquarry_convert.write.pieces import BREAK, CLOSE_LINK, EMPHASIS, STRIKE, STRONG, Written, is_said

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

Handler: TypeAlias = Callable[["Writer", Node], None]


def write_block(writer: "Writer", node: Node) -> None:
    writer.flush()
    writer.walk(node.children)
    writer.flush()


def skip(writer: "Writer", node: Node) -> None:
    """Nothing of the element is content."""


def _write_control(writer: "Writer", node: Node) -> None:
    """Buttons and the like act and say nothing, unless they are the heading or there is nothing else."""
    if writer.in_heading or writer.keeps_controls:
        writer.walk(node.children)


_BIG = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote", "dl", "section", "article"}
)


def _has_big(node: Node) -> bool:
    """Whether what stands in an element is too much for one line."""
    return any(isinstance(child, Node) and child.tag in _BIG for child in node.children)


def write_heading(writer: "Writer", node: Node, level: int | None = None) -> None:
    if writer.is_flat:
        write_block(writer, node)
        return
    writer.flush()
    if _has_big(node):
        write_block(writer, node)  # a heading that nobody closed
        return
    before = writer.in_heading, writer.is_bold
    writer.in_heading = writer.is_bold = True
    pieces = writer.apart(divide_heading(node.children))
    writer.in_heading, writer.is_bold = before
    says = any(map(is_said, pieces))
    if says and writer.card is not None:
        pieces = [writer.card, *pieces, CLOSE_LINK]
        writer.card = None
    text = write_line(pieces)
    if text:  # an image alone is no heading
        writer.output.block(f"{'#' * (level or int(node.tag[1]))} {escape.hashes(text)}" if says else text)


def _write_strong(writer: "Writer", node: Node) -> None:
    if writer.is_bold:
        writer.walk(node.children)
    else:
        writer.mark(STRONG, node.children)


def _write_emphasis(writer: "Writer", node: Node) -> None:
    writer.mark(EMPHASIS, node.children)


def _write_strike(writer: "Writer", node: Node) -> None:
    writer.mark(STRIKE, node.children)


def _write_break(writer: "Writer", node: Node) -> None:
    if writer.is_flat:
        writer.flush()
    else:
        writer.pieces.append(" " if writer.in_link else BREAK)


def _write_rule(writer: "Writer", node: Node) -> None:
    writer.flush()
    if writer.is_flat:
        return
    if not writer.output.is_at_start and writer.output.pieces[-1] != "---":
        writer.output.block("---")


def _write_code(writer: "Writer", node: Node) -> None:
    children = node.children
    if len(children) == 1 and isinstance(children[0], Node) and children[0].tag == "a":
        # a link in code is text, code in a link is both
        link = children[0]
        inside, outside = Node("code", node.attributes, node.up), Node("a", link.attributes, node.up)
        inside.children, outside.children = link.children, [inside]
        links.write(writer, outside)
    elif not writer.is_flat and not writer.in_link and _is_block_of_code(node):
        writer.write_preformatted(node)
    elif text := code.read_line(node):
        writer.pieces.append(Written(code.write_span(text)))


def _is_block_of_code(node: Node) -> bool:
    """Whether a `code` outside of any `pre` stands on lines of its own."""
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


def _write_preformatted(writer: "Writer", node: Node) -> None:
    writer.write_preformatted(node)


def _write_quote(writer: "Writer", node: Node) -> None:
    if writer.is_flat:
        write_block(writer, node)
        return
    writer.flush()
    before = writer.output.open("> ", "> ")
    writer.walk(node.children)
    writer.flush()
    writer.output.close(before)


def _write_script(writer: "Writer", node: Node) -> None:
    formula = math.read_script(node)
    if formula is not None:
        writer.formula(*formula)


def _write_math(writer: "Writer", node: Node) -> None:
    text, stands_alone, is_tex = math.read_math(node)
    if is_tex:
        writer.formula(text, stands_alone)
    elif text:
        writer.pieces.append(text)


def _write_image(writer: "Writer", node: Node) -> None:
    media.write_image(writer, node)


def _write_quotation(writer: "Writer", node: Node) -> None:
    writer.pieces.append('"')
    writer.walk(node.children)
    writer.pieces.append('"')


def _write_reading(writer: "Writer", node: Node) -> None:
    """How to say the signs before, in parentheses."""
    writer.pieces.append("(")
    writer.walk(node.children)
    writer.pieces.append(")")


def _write_summary(writer: "Writer", node: Node) -> None:
    """What a reader opens: a line in bold, unless it is a heading."""
    if writer.is_flat or _has_big(node):
        write_block(writer, node)
        return
    writer.flush()
    before, writer.in_heading = writer.in_heading, True
    writer.mark(STRONG, node.children)
    writer.in_heading = before
    writer.flush()


_SKIPPED = """
    style template svg canvas object embed head title meta link base select option optgroup textarea datalist map area
    param source track colgroup col rp frame frameset noframes noembed input progress meter dialog-polyfill applet
"""
_BLOCKS = """
    address article aside body center details dialog div dd fieldset figcaption figure footer form header hgroup html
    legend main nav p search section caption tbody thead tfoot tr td th menuitem optgroup
"""
PARAGRAPHS = frozenset(_BLOCKS.split()) | {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "pre"}
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_BLOCKS.split(), write_block),
    **dict.fromkeys(_SKIPPED.split(), skip),
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], write_heading),
    **dict.fromkeys(["strong", "b"], _write_strong),
    **dict.fromkeys(["em", "i"], _write_emphasis),
    **dict.fromkeys(["del", "s", "strike"], _write_strike),
    **dict.fromkeys(["code", "kbd", "samp", "tt"], _write_code),
    **dict.fromkeys(["pre", "listing", "xmp", "plaintext"], _write_preformatted),
    **dict.fromkeys(["ul", "ol", "menu", "dir"], lists.write),
    **dict.fromkeys(["rt", "rtc"], _write_reading),
    **dict.fromkeys(["video", "audio"], media.write_player),
    "a": links.write,
    "blockquote": _write_quote,
    "br": _write_break,
    "button": _write_control,
    "dl": definitions.write_definitions,
    FACT_ROW: definitions.write_fact,
    "dt": definitions.write_term,
    "hr": _write_rule,
    "iframe": media.write_frame,
    "image": _write_image,
    "img": _write_image,
    "li": lists.write_stray,
    "math": _write_math,
    "noscript": media.write_noscript,
    "picture": media.write_picture,
    "q": _write_quotation,
    "script": _write_script,
    "summary": _write_summary,
    "sub": raised.write_lowered,
    "sup": raised.write_raised,
    "table": tables.write,
}
