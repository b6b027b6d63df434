"""Removes hidden content from a tree and counts the removed characters."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from webquarry_convert.hidden.folding import FoldDetector
from webquarry_convert.hidden.hiding_rules import find_hiding_rules
from webquarry_convert.hidden.inline_style import PLAIN, ElementStyle, read_element_style
from webquarry_convert.hidden.sheet_styles import NOTHING_LOST, Lost, SheetStyles
from webquarry_convert.hidden.stylesheet import StyleSheet
from webquarry_convert.hidden.values import WHITE, Colour, is_near
from webquarry_convert.tree import Attributes, Node, Root, Tree

OWN_SHARE = 0.2
"""Minimum share of a page's text that folded content must have to count as the page's main content, which scripts show
when they run.
"""
_SAYING = frozenset({"style", "hidden", "popover", "aria-hidden", "color", "bgcolor", "background"})
_SILENT = frozenset({"script", "svg", "textarea", "select", "head", "iframe", "datalist"})
_TITLES = frozenset({"h1", "title"})
_SHY = frozenset({"hidden", "style"})
MAX_TITLE = 300
MAX_RATING = 40
"""Maximum length, in characters, of a text that describes a rating drawn as stars."""
_RATING = re.compile(r"\D{0,20}\d{1,2}(?:[.,]\d{1,2})?(?: ?/ ?| ?[^\W\d_][^\d]{0,15})\d{1,3}\D{0,12}")
FEW = 12
"""Number of strings and elements in a heading that are compared."""
_SHEETS = ("<style", "stylesheet")


class Unseen(NamedTuple):
    """Removed hidden content.

    elements: number of outermost removed elements. characters: number of characters in their text, which would
    otherwise be in the markdown.
    """

    elements: int = 0
    characters: int = 0


NOTHING = Unseen()


def warn_of_hidden(characters: int, whole: str) -> list[str]:
    """Return the warning about removed characters. whole: type of the document: page, mail, book or document."""
    if not characters:
        return []
    count = f"{characters:,} character{'s' if characters > 1 else ''}"
    return [f"Hidden text in the {whole} is omitted: {count}."]


def leave_out(tree: Tree, html: str, *, is_static: bool = False) -> Unseen:
    """Drop the elements of a tree whose text is invisible. Takes linear time.

    html: the tree's source. is_static: whether no script can show content later, as in a mail. Elements
    without text are kept, such as pictures that appear on scrolling.
    """
    looks = _read_styles(tree)
    used = set(looks.values())
    if not any(look.is_lost or look.is_folded or False in look[2:5] for look in used):
        if not any(look.colour for look in used):
            return NOTHING
        if not any(look.ground for look in used) and _has_sheet(html):
            return NOTHING
    return _Page(tree, html, looks, is_static=is_static).leave_out()


def _read_styles(tree: Tree) -> dict[int, ElementStyle]:
    """Return the styles of kept elements that declare a style, by index in document order."""
    looks: dict[int, ElementStyle] = {}
    sheets = _read_sheets(tree)
    loss = _Loss()
    known: dict[str, ElementStyle] = {}
    for place, node in _list_kept(tree):
        attributes = node.attributes
        if sheets is not None and (said := sheets.read(place, loss.find(place))) is not None:
            look = read_element_style(attributes, said)
            if look != PLAIN:
                looks[place] = look
                loss.add(look, node)
        elif attributes and not _SAYING.isdisjoint(attributes):
            look = _read_own_style(attributes, known)
            if look is not PLAIN:
                looks[place] = look
        if node.tag == "dialog" and "open" not in attributes:
            looks[place] = looks.get(place, PLAIN)._replace(is_folded=True)
    return looks


def _read_own_style(attributes: Attributes, known: dict[str, ElementStyle]) -> ElementStyle:
    """Return the style that attributes declare.

    known: a cache of styles, by the text of the `style` attribute, for elements that have no other relevant attribute.
    """
    style = attributes.get("style")
    if style is None or len(attributes) > 1:
        return read_element_style(attributes)
    return known.get(style) or known.setdefault(style, read_element_style(attributes))


class _Loss:
    """The properties that descendants lose to ancestors hidden by a style sheet, until the ancestor ends."""

    def __init__(self) -> None:
        self._lost = NOTHING_LOST
        self._end = 0

    def find(self, place: int) -> Lost:
        return self._lost if place < self._end else NOTHING_LOST

    def add(self, look: ElementStyle, node: Node) -> None:
        if False in look[2:5]:
            self._lost = _add_lost(look, self._lost)
            self._end = max(self._end, node.end)


def _add_lost(look: ElementStyle, lost: Lost) -> Lost:
    """Return the properties that the descendants of an element lose.

    lost: the properties that the element has lost to its ancestors.
    """
    said = {"font": look.has_size, "visibility": look.is_visible, "color": look.has_colour}
    return lost | {name for name, is_kept in said.items() if is_kept is False}


def _read_sheets(tree: Tree) -> SheetStyles | None:
    """Return the page's own style sheets, or None if they hide no kept element."""
    root = tree[0]
    if not isinstance(root, Root) or not root.sheets:
        return None
    sheets = [StyleSheet(sheet.text, sheet.media) for sheet in root.sheets]
    hiding = find_hiding_rules(sheets, (node for _, node in _list_kept(tree)))
    if not hiding:
        return None
    styles = SheetStyles(tree, sheets, hiding)
    return styles if styles.hides else None


def _list_kept(tree: Tree) -> Iterator[tuple[int, Node]]:
    """Yield the kept elements in document order, each with its index."""
    place, total = 0, len(tree)
    while place < total:
        node = tree[place]
        if node.is_dropped:
            place = node.end
        else:
            yield place, node
            place += 1


class _Inherited(NamedTuple):
    """Values inherited from ancestors. ground: background color; None if unknown."""

    has_size: bool = True
    is_visible: bool = True
    has_colour: bool = True
    colour: Colour | None = None
    ground: Colour | None = None

    @property
    def is_unseen(self) -> bool:
        is_told = self.has_size and self.is_visible and self.has_colour
        return not is_told or (
            self.colour is not None and self.ground is not None and is_near(self.colour, self.ground)
        )

    def within(self, node: Node, look: ElementStyle) -> "_Inherited":
        ground = look.ground
        if ground is None and not look.is_painted and "class" not in node.attributes and "id" not in node.attributes:
            ground = self.ground  # the sheet is unlikely to set a different background
        return _Inherited(
            self.has_size if look.has_size is None else look.has_size,
            self.is_visible if look.is_visible is None else look.is_visible,
            self.has_colour if look.has_colour is None else look.has_colour,
            look.colour or (None if look.has_colour else self.colour),
            ground,
        )


class _Page:
    """A page with content that may be hidden."""

    def __init__(self, tree: Tree, html: str, looks: dict[int, ElementStyle], *, is_static: bool) -> None:
        self._is_static = is_static
        self._tree = tree
        self._looks = looks
        self._places = list(looks)
        self._before = list(accumulate(_measure_texts(tree), initial=0))
        hidden = [place for place, look in looks.items() if look.is_folded or look.is_visible is False]
        self._folded = FoldDetector(tree, hidden) if hidden else None
        self._white = None if _has_sheet(html) else WHITE
        self._titles: set[str] | None = None
        self._elements = self._characters = 0

    def leave_out(self) -> Unseen:
        self._judge(0, _Inherited(ground=self._white))
        return Unseen(self._elements, self._characters)

    def _judge(self, place: int, around: _Inherited) -> None:
        """Drop the element at index `place`, or drop its hidden parts."""
        node = self._tree[place]
        look = self._looks.get(place, PLAIN)
        if (look.is_folded or look.is_visible is False) and self._is_shown_later(place):
            look = look._replace(is_folded=False, is_visible=True)
        own = around.within(node, look)
        if look.is_folded or (look.is_lost and not self._is_rating(place)):
            self._drop(place)
        elif self._is_mixed(place):
            self._judge_within(place, own)
        elif own.is_unseen:
            self._drop(place)

    def _judge_within(self, place: int, own: _Inherited) -> None:
        node = self._tree[place]
        unseen = 0
        at = place + 1
        for number, child in enumerate(node.children):
            if isinstance(child, str):
                if own.is_unseen and (size := _measure_text(child)):
                    unseen += size
                    node.children[number] = " "
                continue
            if not child.is_dropped and self._size(at):
                self._judge(at, own)
            at = child.end
        self._elements += unseen > 0
        self._characters += unseen

    def _drop(self, place: int) -> None:
        self._tree[place].is_dropped = True
        self._elements += 1
        self._characters += self._size(place)

    def _size(self, place: int) -> int:
        """Return the length of an element's text, in characters."""
        return self._before[self._tree[place].end] - self._before[place]

    def _is_shown_later(self, place: int) -> bool:
        if self._is_static:
            return False
        if self._size(place) >= OWN_SHARE * self._before[-1] or self._is_title_copy(place):
            return True
        return self._folded is not None and self._folded.is_folded(place)

    def _is_rating(self, place: int) -> bool:
        """Return whether the text of an element describes a rating drawn as stars, such as "4.5 out of 5"."""
        if self._size(place) > MAX_RATING:
            return False
        return _RATING.fullmatch(_join_texts(self._tree[place])) is not None

    def _is_title_copy(self, place: int) -> bool:
        """Return whether an element repeats the page's main heading. Themes show only one of the two."""
        node = self._tree[place]
        if self._size(place) > MAX_TITLE:
            return False
        if self._titles is None:
            self._titles = {
                _join_texts(other) for other in self._tree if other.tag in _TITLES and not _SHY & {*other.attributes}
            }
        return _join_texts(node) in self._titles

    def _is_mixed(self, place: int) -> bool:
        """Return whether a descendant of the element at index `place` declares a different visibility."""
        following = bisect_right(self._places, place)
        return following < len(self._places) and self._places[following] < self._tree[place].end


def _has_sheet(html: str) -> bool:
    """Return whether the page has a style sheet."""
    if any(sign in html for sign in _SHEETS):  # usually true, and converting the page to lower case would copy it
        return True
    low = html.lower()
    return any(sign in low for sign in _SHEETS)


def _measure_texts(tree: Tree) -> list[int]:
    """Return, for each kept element, the number of characters of text directly inside it."""
    sizes = [0] * len(tree)
    place, total = 0, len(tree)
    while place < total:
        node = tree[place]
        if node.is_dropped or node.tag in _SILENT:
            place = node.end
            continue
        sizes[place] = sum([_measure_text(child) for child in node.children if child.__class__ is str])
        place += 1
    return sizes


def _join_texts(node: Node) -> str:
    """Return an element's first strings, joined on one line."""
    waiting: list[Node | str] = [node]
    texts: list[str] = []
    while waiting and len(texts) < FEW:
        at = waiting.pop()
        if isinstance(at, str):
            texts.append(at[:MAX_TITLE])
        else:
            waiting += at.children[FEW::-1]
    return " ".join("".join(texts).split())


def _measure_text(text: str) -> int:
    return len(text.strip())
