"""Conversion of HTML inside a file, such as a chapter of a book or the body of a mail, to markdown.

Unlike a web page, such HTML is all content, so nothing is filtered. Only hidden text is removed and counted.
"""

import re
from typing import Final, NamedTuple

from webquarry_convert.file.text.targets import build_target
from webquarry_convert.hidden import leave_out
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Node, build_tree
from webquarry_convert.word_lists import gather_lists
from webquarry_convert.write import write

_VOID_NAMES: Final = "area base br col embed hr img input link meta param source track wbr"
_VOID: Final = frozenset(_VOID_NAMES.split())
_CLOSED: Final = re.compile(r"<([a-zA-Z][\w:.-]*+)((?:[^<>\"'/]|\"[^\"<]*+\"|'[^'<]*+'|/(?!>))*+)/>")
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_MARK: Final = 12
"""Maximum length, in characters, of a link that may be a note reference."""


class Hypertext(NamedTuple):
    """Converted HTML.

    markdown: the text, or "" if there is no text. title: the title in the head. has_heading: whether the text contains
    a heading. hidden: number of removed hidden characters.
    """

    markdown: str
    title: str | None
    has_heading: bool
    hidden: int


class HypertextPage:
    """A parsed page.

    tree: the result of `build_tree` without hidden text. hidden: number of removed hidden characters.
    """

    def __init__(self, html: str, *, is_xml: bool = False) -> None:
        """Parse a page; any text is accepted.

        is_xml: whether the page is XHTML, where any element may be self-closing.
        """
        html = strip_unreadable(html)
        if is_xml:
            html = _CLOSED.sub(_open_closed_element, html)
        self.tree = build_tree(html)
        self.hidden = leave_out(self.tree, html, is_static=True).characters
        gather_lists(self.tree)

    def write(self, note_prefix: str = "") -> Hypertext:
        """Write the page as markdown. Links within the file become plain text, and pictures become their descriptions.

        note_prefix: prefix of the note labels.
        """
        self._describe()
        title = next((found for node in self.tree if node.tag == "title" and (found := _read_text(node))), None)
        has_heading = any(node.tag in HEADINGS and not node.is_dropped for node in self.tree)
        return Hypertext(write(self.tree[0], None, note_prefix=note_prefix), title, has_heading, self.hidden)

    def take_content(self) -> list[Node | str]:
        """Return the body's content for insertion into another document, prepared as in `write`."""
        self._describe()
        return next((node.children for node in self.tree if node.tag == "body"), [])

    def _describe(self) -> None:
        for node in self.tree:
            if node.tag == "a":
                _unlink(node)
            elif node.tag == "img":
                _describe_picture(node)


def convert_hypertext(html: str, *, is_xml: bool = False, note_prefix: str = "") -> Hypertext:
    """Convert HTML to markdown. Accepts any text and takes linear time."""
    return HypertextPage(html, is_xml=is_xml).write(note_prefix)


def _open_closed_element(found: re.Match[str]) -> str:
    """Expand a self-closing tag: `<a id="x"/>` is a complete element in XML, but only a start tag in HTML."""
    name = found[1]
    return found[0] if name.lower() in _VOID else f"<{name}{found[2]}></{name}>"


def _read_text(node: Node) -> str:
    return " ".join("".join(child for child in node.children if isinstance(child, str)).split())


def _unlink(node: Node) -> None:
    href = node.attributes.get("href")
    if href is None or build_target(href) is not None:
        return
    if not (href.startswith("#") and measure_text(node) <= MAX_MARK):
        del node.attributes["href"]


def _describe_picture(node: Node) -> None:
    """Keep a picture that has a description, with its file name as the source, and drop other pictures."""
    source = node.attributes.get("src") or ""
    described = (node.attributes.get("alt") or "").strip()
    if not described or described == source or described.startswith("cid:"):  # the description is a generated name
        node.is_dropped = True
    elif build_target(source) is None:
        node.attributes["src"] = source.partition("?")[0].rpartition("/")[2].rpartition(":")[2] or "picture"


def measure_text(node: Node) -> int:
    """Return an element's text length in characters.

    Counting stops as soon as the text is longer than a note reference.
    """
    waiting: list[Node | str] = [*node.children]
    length = 0
    while waiting and length <= MAX_MARK:
        current = waiting.pop()
        if isinstance(current, str):
            length += len(current.strip())
        else:
            waiting += current.children
    return length
