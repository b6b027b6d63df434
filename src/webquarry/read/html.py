"""Reading of untrusted HTML into typed values.

Functions are pure and accept any page. Each loss is counted under its selector.

    page = html_of(wire)
    for row in page.each("div.result"):
        row.text("h2"), row.link("h2 a"), row.attribute("time", "datetime")

Selectors are CSS written by the caller, never untrusted text. A selector may also match the element itself.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

from selectolax.lexbor import LexborNode

from webquarry.core.process.loop import watch_parsing
from webquarry.core.types import Wire
from webquarry.core.urls import normalise_url
from webquarry.read.losses import lose
from webquarry_convert.text.charset import decode
from webquarry_convert.text.markup import parse

MAX_ROWS = 200
"""Maximum number of elements returned by `each`. The lists that readers use are shorter on one page."""

_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "title", "svg"})
# Elements within a line of text. The text of any other element is separated by spaces.
_INLINE_NAMES = """
    a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike
    strong sub sup time tt u var wbr
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_SPACE_IN_URL = re.compile(r"[ \xa0]+")
_DROPPED_FROM_URL = re.compile(r"[\t\r\n]")


@dataclass(frozen=True)
class Element:
    """An element of a page. `base` is the URL against which its relative URLs are resolved."""

    node: LexborNode
    base: str

    def each(self, css: str) -> list["Element"]:
        """Return every match in the page's order, at most `MAX_ROWS`. The absence of a match is counted as a loss."""
        found = self.node.css(css)[:MAX_ROWS]
        if not found:
            lose(css)
        return [Element(node, self.base) for node in found]

    def rows(self, css: str) -> list["Element"]:
        """Return the matches that are not within other matches: the rows of a list.

        If a page nests matches, each row would otherwise be read once per level.
        """
        found = self.node.css(css)
        rows: list[Element] = []
        index = 0
        while index < len(found) and len(rows) < MAX_ROWS:
            rows.append(Element(found[index], self.base))
            index += max(1, len(found[index].css(css)))  # matches in document order, including the element itself
        if not rows:
            lose(css)
        return rows

    def has(self, css: str) -> bool:
        """Return whether any element matches. The absence of a match is not counted as a loss."""
        return self.node.css_first(css) is not None

    def first(self, css: str) -> "Element | None":
        """Return the first match."""
        node = self.node.css_first(css)
        if node is None:
            lose(css)
            return None
        return Element(node, self.base)

    def text(self, css: str, without: str | None = None) -> str | None:
        """Return the visible text of the first match as one line, or None. Omit elements that match `without`."""
        found = self.first(css)
        if found is None:
            return None
        text = found.plain if without is None else found.plain_without(without)
        if not text:
            lose(css)
        return text or None

    def attribute(self, css: str, name: str) -> str | None:
        """Return an attribute of the first match, trimmed, or None if the attribute is absent or blank."""
        node = self.node.css_first(css)
        value = (node.attributes.get(name) or "").strip() if node is not None else ""
        if not value:
            lose(f"{css}/@{name}")
        return value or None

    def link(self, css: str, name: str = "href") -> str | None:
        """Return the absolute http or https URL in an attribute of the first match."""
        value = self.attribute(css, name)
        if value is None:
            return None
        url = absolute(value, self.base)
        if url is None:
            lose(f"{css}/@{name}")
        return url

    @cached_property
    def plain(self) -> str:
        """The element's visible text as one line."""
        return _plain(self.node, frozenset())

    @property
    def raw(self) -> str:
        """The element's raw text, for example the source of a script."""
        return self.node.text()

    def plain_without(self, css: str) -> str:
        """Return the visible text as one line, without elements that match `css`."""
        return _plain(self.node, frozenset(node.mem_id for node in self.node.css(css)))


def html_of(wire: Wire) -> Element:
    """Parse the body as a page and return its root element. Relative URLs are resolved against the page's `base`."""
    watch_parsing(len(wire.body))
    root = parse(decode(wire.body, wire.headers.get("content-type", "")).text).root
    if root is None:  # the parser creates a root for any text, even empty
        raise AssertionError("a page without root")
    base = root.css_first("base[href]")
    href = base.attributes.get("href") if base is not None else None
    return Element(root, (href and absolute(href, wire.url)) or wire.url)


def plain_text(markup: str) -> str:
    """Return an HTML fragment, such as a snippet within JSON, as one line of text without tags or entities."""
    if "<" not in markup and "&" not in markup:
        return " ".join(markup.split())
    body = parse(f"<body>{markup}").body
    return "" if body is None else _plain(body, frozenset())


def absolute(link: str, base: str) -> str | None:
    """Resolve a link from a page at `base` to an http or https URL, including its fragment; return None for other
    links.
    """
    written = _SPACE_IN_URL.sub("%20", _DROPPED_FROM_URL.sub("", link).strip())
    try:
        url = urljoin(base, written)
        normalise_url(url)
    except ValueError:
        return None
    return url


def _plain(root: LexborNode, left_out: frozenset[int]) -> str:
    """Return the visible text, with each run of white space (including no-break spaces) as one space."""
    pieces: list[str] = []
    open_blocks: list[bool] = []  # whether each open element is a block element
    node = root
    while True:
        tag = node.tag or ""
        if tag == "-text":
            pieces.append(node.text_content or "")
        is_seen = not open_blocks or (tag not in _UNSEEN and node.mem_id not in left_out)
        child = node.first_child if is_seen else None
        if child is not None:
            open_blocks.append(tag not in _INLINE)
            pieces.append(" " if open_blocks[-1] else "")
            node = child
            continue
        if tag in ("br", "hr", "img"):
            pieces.append(" ")
        following = None
        while open_blocks and (following := node.next) is None:
            pieces.append(" " if open_blocks.pop() else "")
            node = node.parent or root
        if following is None:
            return " ".join("".join(pieces).split())
        node = following
