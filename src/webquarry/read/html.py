"""Foreign HTML into typed values, as `read` does it for JSON: pure, total, each loss counted under its selector.

    page = html_of(wire)
    for row in page.each("div.result"):
        row.text("h2"), row.link("h2 a"), row.attribute("time", "datetime")

Selectors are CSS and the caller's own, never foreign text. What is asked for within an element may be that element
itself.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

from selectolax.lexbor import LexborNode

from webquarry.core.types import Wire
from webquarry.core.urls import normalise_url
from webquarry.process.loop import watch_parsing
from webquarry.read.losses import lose
from webquarry_convert.text.charset import decode
from webquarry_convert.text.markup import parse

MAX_ROWS = 200
"""Elements that `each` gives at most: no list that is read here is longer on one page."""

_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "title", "svg"})
# Elements that stand in the middle of a line; the text of any other is a word of its own.
_INLINE_NAMES = """
    a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike
    strong sub sup time tt u var wbr
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_SPACE_IN_URL = re.compile(r"[ \xa0]+")
_DROPPED_FROM_URL = re.compile(r"[\t\r\n]")


@dataclass(frozen=True)
class Element:
    """One element of a page. base: what its relative addresses are relative to."""

    node: LexborNode
    base: str

    def each(self, css: str) -> list["Element"]:
        """Every match, in the page's order, `MAX_ROWS` at most. None at all counts as a loss."""
        found = self.node.css(css)[:MAX_ROWS]
        if not found:
            lose(css)
        return [Element(node, self.base) for node in found]

    def rows(self, css: str) -> list["Element"]:
        """As `each`, without matches within others: the rows of a list. A page that nests them, each holding all that
        follow, would have what it says read as often as it nests."""
        found = self.node.css(css)
        rows: list[Element] = []
        index = 0
        while index < len(found) and len(rows) < MAX_ROWS:
            rows.append(Element(found[index], self.base))
            index += max(1, len(found[index].css(css)))  # in the page's order, and itself among them
        if not rows:
            lose(css)
        return rows

    def has(self, css: str) -> bool:
        """Whether anything matches; that nothing does is no loss."""
        return self.node.css_first(css) is not None

    def first(self, css: str) -> "Element | None":
        """The first match."""
        node = self.node.css_first(css)
        if node is None:
            lose(css)
            return None
        return Element(node, self.base)

    def text(self, css: str, without: str | None = None) -> str | None:
        """What a reader sees of the first match, as one line; `without`: but for what matches this. Blank is None."""
        found = self.first(css)
        if found is None:
            return None
        text = found.plain if without is None else found.plain_without(without)
        if not text:
            lose(css)
        return text or None

    def attribute(self, css: str, name: str) -> str | None:
        """An attribute of the first match, trimmed. Absent and blank are both None."""
        node = self.node.css_first(css)
        value = (node.attributes.get(name) or "").strip() if node is not None else ""
        if not value:
            lose(f"{css}/@{name}")
        return value or None

    def link(self, css: str, name: str = "href") -> str | None:
        """The absolute http or https address in an attribute of the first match."""
        value = self.attribute(css, name)
        if value is None:
            return None
        url = absolute(value, self.base)
        if url is None:
            lose(f"{css}/@{name}")
        return url

    @cached_property
    def plain(self) -> str:
        """All of its text that a reader sees, as one line."""
        return _plain(self.node, frozenset())

    @property
    def raw(self) -> str:
        """All of its text as it stands, such as what is in a script."""
        return self.node.text()

    def plain_without(self, css: str) -> str:
        """The same without what matches."""
        return _plain(self.node, frozenset(node.mem_id for node in self.node.css(css)))


def html_of(wire: Wire) -> Element:
    """The body as a page, whatever it is; its root element. Relative addresses honour the page's `base`."""
    watch_parsing(len(wire.body))
    root = parse(decode(wire.body, wire.headers.get("content-type", "")).text).root
    if root is None:  # the parser makes a root of anything, the empty text included
        raise AssertionError("a page without root")
    base = root.css_first("base[href]")
    href = base.attributes.get("href") if base is not None else None
    return Element(root, (href and absolute(href, wire.url)) or wire.url)


def plain_text(markup: str) -> str:
    """A piece of HTML, such as a snippet within JSON, as one line of text: without tags, entities as what they mean."""
    if "<" not in markup and "&" not in markup:
        return " ".join(markup.split())
    body = parse(f"<body>{markup}").body
    return "" if body is None else _plain(body, frozenset())


def absolute(link: str, base: str) -> str | None:
    """A link as the http or https address it leads to from a page at `base`, its fragment kept; None for any other."""
    written = _SPACE_IN_URL.sub("%20", _DROPPED_FROM_URL.sub("", link).strip())
    try:
        url = urljoin(base, written)
        normalise_url(url)
    except ValueError:
        return None
    return url


def _plain(root: LexborNode, left_out: frozenset[int]) -> str:
    """Runs of any white space (no-break spaces too) are one space."""
    pieces: list[str] = []
    open_blocks: list[bool] = []  # of each open element whether it is a block
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
