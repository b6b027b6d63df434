"""Builds nodes from strings."""

import re
from collections.abc import Iterable

from webquarry_convert.text.markup import parse
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Node, copy_tree, read_texts

MAX_TEXT = 200_000
_HTML = re.compile(
    r"<(?:p|div|br|ul|ol|li|h[1-6]|span|strong|em|b|i|a|table|blockquote|pre|code|figure|img|section|article)\b[^<>]*>",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"&lt;(?:p|div|br|ul|ol|li|h[1-6]|span|strong)\b", re.IGNORECASE)
_BOARD_CODE = re.compile(r"\[/(?:p|b|i|u|url|list|quote|code|h[1-6])\]", re.IGNORECASE)
_BOARD_TAG = re.compile(
    r"\[(/?)(p|b|i|u|url|list|\*|quote|h[1-6]|code)(?:=\"?+([^\[\]\"<>\s]{1,2000}+)\"?+)?+\]", re.IGNORECASE
)
_BOARD_TAGS = {"url": "a", "list": "ul", "*": "li", "quote": "blockquote"}
_EMPTY_LINE = re.compile(r"\n\s*\n|\r\n?\s*\r\n?")
_LINE = re.compile(r"[\r\n]+")
_LEFT_OUT = frozenset({"script", "iframe", "form", "button", "input", "nav", "svg", "noscript"})


def make_element(tag: str, *children: Node | str) -> Node:
    node = Node(tag, {}, -1)
    node.children.extend(children)
    return node


def make_list(items: Iterable[Node | str], *, is_numbered: bool = False) -> Node:
    return make_element("ol" if is_numbered else "ul", *(make_element("li", item) for item in items))


def is_html(text: str) -> bool:
    return ("<" in text and _HTML.search(text) is not None) or ("&lt;" in text and _ESCAPED.search(text) is not None)


def parse_text(text: str) -> list[Node]:
    """Parse a text from the page's data.

    HTML and BBCode are interpreted. Blank lines separate paragraphs, or line ends if there are no blank lines.
    """
    text = text[:MAX_TEXT]
    if _BOARD_CODE.search(text) is not None:
        text = _BOARD_TAG.sub(_convert_board_tag, text.replace("<", "&lt;") if not is_html(text) else text)
    if is_html(text):
        return _parse_html(text)
    text = strip_unreadable(text).strip()
    if "&" in text:
        # Entities show that the text was taken from markup. The parser decodes them, together with any escaped tags.
        parsed = parse(text.replace("<", "&lt;"))
        text = parsed.body.text() if parsed.body is not None else text
    paragraphs = _EMPTY_LINE.split(text)
    if len(paragraphs) == 1:
        paragraphs = _LINE.split(text)
    return [make_element("p", paragraph.strip()) for paragraph in paragraphs if paragraph.strip()]


def _convert_board_tag(match: re.Match[str]) -> str:
    """Return the HTML for a BBCode tag, which forums use."""
    slash, name, value = match.groups()
    tag = _BOARD_TAGS.get(name.lower(), name.lower())
    return f'<a href="{value}">' if tag == "a" and value and not slash else f"<{slash}{tag}>"


def _parse_html(text: str) -> list[Node]:
    if _HTML.search(text) is None:
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    tree = copy_tree(parse(text))
    body = next((node for node in tree if node.tag == "body"), None)
    found: list[Node] = []
    inline: list[Node | str] = []
    for child in body.children if body is not None else []:
        if isinstance(child, str) or child.tag in _INLINE:
            inline.append(child)
            continue
        _flush(inline, found)
        if child.tag not in _LEFT_OUT:
            found.append(child)
    _flush(inline, found)
    return found


_INLINE_NAMES = "a abbr b br cite code em i img kbd mark q s samp small span strong sub sup time u var"
_INLINE = frozenset(_INLINE_NAMES.split())


def _flush(inline: list[Node | str], found: list[Node]) -> None:
    if any(isinstance(child, Node) or child.strip() for child in inline):
        found.append(make_element("p", *inline))
    inline.clear()


def get_text(nodes: Iterable[Node | str]) -> str:
    """Return the nodes' text with spaces between its pieces."""
    return " ".join(read_texts(nodes))
