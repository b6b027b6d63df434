"""Features of a page that a visitor sees before scripts run and before the first click."""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry_convert.text.markup import parse
from webquarry_convert.tree import Tree
from webquarry_convert.words import count_words

RICH_PROSE = 450
"""Minimum number of words outside links and controls that proves that a page has content."""
RICH_LABELS = 900
"""Minimum number of words in links and controls that proves that a page has content, at least as a list."""
MAX_NODES = 30_000
"""Maximum number of nodes that are examined. A page with more nodes counts as rich."""
MAX_TEXT = 8_000
MAX_NODE_TEXT = 20_000
APART = "\u00b7"
"""Separator between blocks in a page's strings. It prevents phrases from matching across blocks."""
_UNSEEN = frozenset({"script", "style", "template", "head", "title", "svg", "math", "iframe", "object", "textarea"})
_LABELS = frozenset({"a", "button", "select", "label", "nav", "footer", "datalist", "dialog", "legend"})
_PICTURES = frozenset({"img", "picture", "video", "canvas", "audio", "embed"})
_INLINE = frozenset({"a", "abbr", "b", "em", "font", "i", "label", "mark", "small", "span", "strong", "u"})
_BANNERS = (
    "[id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i], [id*=gdpr i], [class*=gdpr i], "
    "[id*=onetrust i], [id*=didomi i], [id*=usercentrics i], [id*=cmpbox i], [id*=sp_message i]"
)
MAX_BANNERS = 200
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PIXEL = re.compile(r"[01](?:px)?")


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page and its visible features.

    html: the decoded page as received. tree: the page parsed by `markup.parse`. prose: number of words outside links,
    buttons, labels, navigation and footers. labels: number of words inside them. unscripted: number of words in
    `noscript`. pictures: number of images and players. Counting stops when `is_rich` becomes True. title, text, notice
    (the text of `noscript`): as returned by `normalise_text`, at most `MAX_TEXT` characters each, with `APART` between
    blocks.
    """

    html: str
    tree: LexborHTMLParser
    is_rich: bool
    prose: int
    labels: int
    unscripted: int
    pictures: int
    title: str
    text: str
    notice: str

    @property
    def words(self) -> int:
        return self.prose + self.labels


def measure_page(html: str, tree: LexborHTMLParser | None = None, nodes: Tree | None = None) -> PageFeatures:
    """Measure a page. Stops as soon as the page is known to have content.

    html: the decoded page as received, with its scripts. tree: the result of `markup.parse`, and nodes: the result of
    `copy_tree`, if available.
    """
    if tree is None:
        tree = parse(html)
    look = _WordCounter()
    is_rich = nodes is not None and look.walk_nodes(nodes)
    if not is_rich:
        look = _WordCounter()
        is_rich = look.walk_page(tree.root) if tree.root is not None else False
    title = None if is_rich else tree.css_first("title")
    return PageFeatures(
        html=html,
        tree=tree,
        is_rich=is_rich,
        prose=look.prose,
        labels=look.labels,
        unscripted=look.unscripted,
        pictures=look.pictures,
        title="" if title is None else normalise_text(title.text()[:500]),
        text="" if is_rich else normalise_text(" ".join(look.seen)),
        notice="" if is_rich else normalise_text(" ".join(look.noticed)),
    )


def normalise_text(text: str) -> str:
    """Return the text in lower case with single spaces and straight apostrophes, like the phrases in `marks`."""
    return " ".join(text[: 4 * MAX_TEXT].lower().replace("\u2019", "'").replace("\u2026", "...").split())[:MAX_TEXT]


def is_hidden(node: LexborNode) -> bool:
    """Return whether the markup hides the node or one of its ancestors. Ignores style sheets."""
    at: LexborNode | None = node
    while at is not None:
        if at.tag in ("dialog", "template"):
            return True
        attributes = at.attributes
        if "hidden" in attributes or _HIDDEN.search((attributes.get("style") or "")[:1000]):
            return True
        at = at.parent
    return False


def count_banner_words(page: PageFeatures) -> int:
    """Return the number of words in cookie and consent banners, counting nested banners once."""
    words = 0
    counted: set[int] = set()
    for node in page.tree.css(_BANNERS)[:MAX_BANNERS]:
        if node.tag not in ("html", "body", "main") and not _is_within(node, counted):
            counted.add(node.mem_id)
            words += count_words(normalise_text(node.text(separator=" ")))
    return words


def _is_within(node: LexborNode, counted: set[int]) -> bool:
    at: LexborNode | None = node
    while at is not None:
        if at.mem_id in counted:
            return True
        at = at.parent
    return False


class _WordCounter:
    """Counts the words of nodes in document order."""

    def __init__(self) -> None:
        self.prose = self.labels = self.unscripted = self.pictures = 0
        self.seen: list[str] = []
        self.noticed: list[str] = []
        self._chars = 0
        self._is_apart = False  # whether the next text begins a new block
        # number of nodes that were open when the label and the notice began; 0 outside of them
        self._label_at = self._notice_at = 0

    def walk_nodes(self, nodes: Tree) -> bool:
        """Count the words of a light tree. Returns True as soon as the page is rich.

        This is much faster than `walk_page`, because a light tree has fewer strings, and suffices for most pages.
        """
        place = label_end = notice_end = 0
        while place < len(nodes):
            node = nodes[place]
            if node.tag in _UNSEEN:
                place = node.end
                continue
            if node.tag in _LABELS:
                label_end = max(label_end, node.end)
            elif node.tag == "noscript":
                notice_end = max(notice_end, node.end)
            for child in node.children:
                if isinstance(child, str) and not child.isspace():  # skips about half of the strings
                    self._count(child[:MAX_NODE_TEXT], is_label=place < label_end, is_notice=place < notice_end)
            if self.prose > RICH_PROSE or self.labels > RICH_LABELS:
                return True
            place += 1
        return False

    def walk_page(self, root: LexborNode) -> bool:
        """Walk the page in document order. Returns True as soon as the page is rich."""
        node = root.child
        open_nodes: list[LexborNode] = []
        for _ in range(MAX_NODES):
            if node is None:
                return False
            tag = node.tag
            if tag == "-text":
                self._say(node.text_content or "")
                if self.prose > RICH_PROSE or self.labels > RICH_LABELS:
                    return True
            elif tag not in _UNSEEN:
                self._pass(node, tag)
                if node.child is not None:
                    open_nodes.append(node)
                    self._open(tag, len(open_nodes))
                    node = node.child
                    continue
            following = node.next
            while following is None and open_nodes:
                following = self._close(open_nodes)
            node = following
        return True

    def _pass(self, node: LexborNode, tag: str | None) -> None:
        """Count an element if it is a picture, and record the start of a block."""
        if tag in _PICTURES:
            self.pictures += self._notice_at == 0 and not is_pixel(node)
        if tag not in _INLINE:
            self._is_apart = True

    def _open(self, tag: str | None, depth: int) -> None:
        if tag in _LABELS:
            self._label_at = self._label_at or depth
        elif tag == "noscript":
            self._notice_at = self._notice_at or depth

    def _close(self, open_nodes: list[LexborNode]) -> LexborNode | None:
        """Close the innermost open elements that have ended, and return the next node."""
        if self._label_at == len(open_nodes):
            self._label_at = 0
        if self._notice_at == len(open_nodes):
            self._notice_at = 0
        closed = open_nodes.pop()
        if closed.tag not in _INLINE:
            self._is_apart = True
        return closed.next

    def _say(self, text: str) -> None:
        is_notice = self._notice_at > 0
        text = text[:MAX_NODE_TEXT]
        if not text or text.isspace():
            return
        self._count(text, is_label=self._label_at > 0, is_notice=is_notice)
        if self._chars < MAX_TEXT:
            self._chars += len(text)
            texts = self.noticed if is_notice else self.seen
            if self._is_apart:
                texts.append(APART)
            texts.append(text[:MAX_TEXT])
        self._is_apart = False

    def _count(self, text: str, *, is_label: bool, is_notice: bool) -> None:
        words = len(text.split()) if text.isascii() else count_words(text)
        if is_notice:
            self.unscripted += words
        elif is_label:
            self.labels += words
        else:
            self.prose += words


def is_pixel(node: LexborNode) -> bool:
    """Return whether a picture or frame is a tracking pixel."""
    attributes = node.attributes
    return any(_PIXEL.fullmatch(attributes.get(side) or "") is not None for side in ("width", "height"))
