"""HTML within a file, such as a chapter of a book or the body of a mail, as markdown.

All of it is content: nothing is chosen, as of a page. What no reader sees is left out and counted.
"""

import re
from typing import Final, NamedTuple

from webquarry_convert.file.text.targets import build_target
from webquarry_convert.file.word_lists import gather_lists
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Node, build_tree
from webquarry_convert.unseen import leave_out
from webquarry_convert.write import write

_VOID_NAMES: Final = "area base br col embed hr img input link meta param source track wbr"
_VOID: Final = frozenset(_VOID_NAMES.split())
_CLOSED: Final = re.compile(r"<([a-zA-Z][\w:.-]*+)((?:[^<>\"'/]|\"[^\"<]*+\"|'[^'<]*+'|/(?!>))*+)/>")
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_MARK: Final = 12
"""Characters of a link within the text up to which it may be the mark of a note."""


class Hypertext(NamedTuple):
    """markdown: "" without text. title: of the head. has_heading: whether a heading is in it. hidden: characters that
    are left out because no reader sees them."""

    markdown: str
    title: str | None
    has_heading: bool
    hidden: int


class HypertextPage:
    """A page before it is written. tree: as `build_tree` makes it, without what no reader sees; hidden: characters of
    that."""

    def __init__(self, html: str, *, is_xml: bool = False) -> None:
        """Any text in. is_xml: XHTML, in which any element may be closed as it is opened."""
        html = strip_unreadable(html)
        if is_xml:
            html = _CLOSED.sub(_open_closed_element, html)
        self.tree = build_tree(html)
        self.hidden = leave_out(self.tree, html, is_static=True).characters
        gather_lists(self.tree)

    def write(self, note_prefix: str = "") -> Hypertext:
        """Links that lead into the file itself are only text, and pictures are their descriptions.

        note_prefix: what labels of notes begin with.
        """
        self._describe()
        title = next((found for node in self.tree if node.tag == "title" and (found := _read_text(node))), None)
        has_heading = any(node.tag in HEADINGS and not node.is_dropped for node in self.tree)
        return Hypertext(write(self.tree[0], None, note_prefix=note_prefix), title, has_heading, self.hidden)

    def take_content(self) -> list[Node | str]:
        """What its body holds, for a document that it is a part of. As in `write`."""
        self._describe()
        return next((node.children for node in self.tree if node.tag == "body"), [])

    def _describe(self) -> None:
        for node in self.tree:
            if node.tag == "a":
                _unlink(node)
            elif node.tag == "img":
                _describe_picture(node)


def convert_hypertext(html: str, *, is_xml: bool = False, note_prefix: str = "") -> Hypertext:
    """Any text in; the time grows with its size."""
    return HypertextPage(html, is_xml=is_xml).write(note_prefix)


def _open_closed_element(found: re.Match[str]) -> str:
    """`<a id="x"/>` is an element that begins and ends in XML, and one that only begins in HTML."""
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
    """Keep a picture that has a description, under its name; drop others."""
    source = node.attributes.get("src") or ""
    described = (node.attributes.get("alt") or "").strip()
    if not described or described == source or described.startswith("cid:"):  # programs name a picture so
        node.is_dropped = True
    elif build_target(source) is None:
        node.attributes["src"] = source.partition("?")[0].rpartition("/")[2].rpartition(":")[2] or "picture"


def measure_text(node: Node) -> int:
    """Characters of an element's text, as far as they are more than those of a mark."""
    waiting: list[Node | str] = [*node.children]
    length = 0
    while waiting and length <= MAX_MARK:
        current = waiting.pop()
        if isinstance(current, str):
            length += len(current.strip())
        else:
            waiting += current.children
    return length
