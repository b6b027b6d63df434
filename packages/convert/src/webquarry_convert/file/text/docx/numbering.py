"""Lists and the label of each item, counted as Word does.

A paragraph refers to a list (`num`) and a level. A list takes its levels from an abstract list. All lists based on an
abstract list share its counters, unless one of them restarts.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from webquarry_convert.file.text.blocks import Item
from webquarry_convert.file.text.docx.formats import VAL, get_value, parse_number, read_left
from webquarry_convert.file.text.labels import MAX_LABEL, MAX_NUMBER, format_label
from webquarry_convert.file.text.list_counting import LEVELS, count_item
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.xml import Element

_PLACE: Final = re.compile(r"%([1-9])")
_FORMATS: Final = {
    "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I", "decimalZero": "01",
}  # fmt: skip


_SPELLED: Final = frozenset({"none", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman"})
"""Number formats whose labels must not be replaced with digits, because the text refers to "(b)" and "iv."."""

NO_LIST: Final = "0"
"""The list number that removes a paragraph from its style's list."""


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    is_legal: bool = False
    left: int | None = None


_BULLET: Final = _Level(format="bullet")


@dataclass(slots=True)
class _AbstractList:
    """An abstract list. counts: the last displayed number on each level, or None if there is no number yet."""

    levels: dict[int, _Level] = field(default_factory=dict)
    styles: dict[str, int] = field(default_factory=dict)
    counts: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


@dataclass(slots=True)
class _List:
    abstract: _AbstractList
    levels: dict[int, _Level]
    starts: dict[int, int]
    begun: set[int] = field(default_factory=set)

    def level(self, level: int) -> _Level | None:
        return self.levels.get(level) or self.abstract.levels.get(level)


def _is_plain(here: _Level, level: int) -> bool:
    """Return whether a level's labels are plain numbers, without text and without the numbers of other levels."""
    if here.format in _SPELLED or _PLACE.findall(here.text) != [str(level + 1)]:
        return False
    return not any(map(str.isalnum, _PLACE.sub("", here.text)))


class Numbering:
    """The lists of a document and their counters. Each list is read on first use."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._nodes: dict[str, Element] = {}
        self._abstracts: dict[str, _AbstractList] = {}
        self._abstract_nodes: dict[str, Element] = {}
        self._by_style: dict[str, str] | None = None
        if root is not None:
            self._nodes = {node.get(f"{W}numId", ""): node for node in root.iterchildren(f"{W}num")}
            self._abstract_nodes = {
                node.get(f"{W}abstractNumId", ""): node for node in root.iterchildren(f"{W}abstractNum")
            }

    def _list(self, number: str) -> _List | None:
        known = self._lists.get(number)
        if known is None and number in self._nodes:
            node = self._nodes[number]
            abstract = self._find_abstract(get_value(node, "abstractNumId") or "")
            if abstract is not None:
                known = self._lists[number] = _read_list(node, abstract)
        return known

    def _find_abstract(self, identity: str) -> _AbstractList | None:
        """Return an abstract list.

        If the list only refers to a numbering style, the list with the style's levels is returned instead.
        """
        node = self._abstract_nodes.get(identity)
        if node is None:
            return None
        style = get_value(node, "numStyleLink")
        if style is not None:
            if self._by_style is None:
                self._by_style = {
                    get_value(other, "styleLink") or "": name for name, other in self._abstract_nodes.items()
                }
            identity = self._by_style.get(style, identity)
        known = self._abstracts.get(identity)
        if known is None:
            known = self._abstracts[identity] = _read_abstract(self._abstract_nodes[identity])
        return known

    def find_level(self, number: str, style: str) -> int | None:
        """Return the list level assigned to a paragraph style."""
        found = self._list(number)
        return None if found is None else found.abstract.styles.get(style)

    def find_left(self, number: str, level: int) -> int | None:
        """Return the indent of an item's text, as in `Item.left`."""
        found = self._list(number)
        here = None if found is None else found.level(level)
        return None if here is None else here.left

    def next(self, number: str, level: int) -> Item | None:
        """Return a list's next item, or None if its label is invisible and the paragraph is ordinary text."""
        found = None if number == NO_LIST else self._list(number)
        if found is None or not 0 <= level < LEVELS:
            return None
        here = found.level(level) or _BULLET
        is_alone = len(found.abstract.levels) == 1
        if here.format == "bullet":
            return None if here.text.isspace() else Item(level, left=here.left, is_alone=is_alone)
        count = count_item(found.abstract.counts, found, level, here)
        label = _PLACE.sub(lambda place: self._shown(found, here, int(place[1]) - 1), here.text).strip()
        if not label:
            return None
        if _is_plain(here, level):
            return Item(level, count, shown=label, left=here.left, is_alone=is_alone)
        return Item(level, label=label, shown=label, left=here.left, is_alone=is_alone)

    @staticmethod
    def _shown(found: _List, here: _Level, at: int) -> str:
        level = found.level(at) or _Level()
        count = found.abstract.counts[at]
        number = level.start if count is None else count
        return format_label(
            number, "1" if here.is_legal else _FORMATS.get(level.format, "1" if level.format != "none" else "")
        )


def _read_abstract(node: Element) -> _AbstractList:
    abstract = _AbstractList()
    for child in node.iterchildren(f"{W}lvl"):
        at = parse_number(child.get(f"{W}ilvl"))
        if at is not None and 0 <= at < LEVELS:
            abstract.levels[at] = _read_level(child)
            style = get_value(child, "pStyle")
            if style:
                abstract.styles[style] = at
    return abstract


def _read_list(node: Element, abstract: _AbstractList) -> _List:
    levels: dict[int, _Level] = {}
    starts: dict[int, int] = {}
    for change in node.iterchildren(f"{W}lvlOverride"):
        at = parse_number(change.get(f"{W}ilvl"))
        if at is None or not 0 <= at < LEVELS:
            continue
        own = change.find(f"{W}lvl")
        if own is not None:
            levels[at] = _read_level(own)
        start = parse_number(get_value(change, "startOverride"))
        if start is not None:
            starts[at] = min(max(start, 0), MAX_NUMBER)
    return _List(abstract, levels, starts)


def _read_level(node: Element) -> _Level:
    start = parse_number(get_value(node, "start"))
    legal = node.find(f"{W}isLgl")
    return _Level(
        start=1 if start is None else min(max(start, 0), MAX_NUMBER),
        format=get_value(node, "numFmt") or "decimal",
        text=(get_value(node, "lvlText") or "")[:MAX_LABEL],
        restart=parse_number(get_value(node, "lvlRestart")),
        is_legal=legal is not None and legal.get(VAL, "1") not in ("0", "false"),
        left=read_left(node.find(f"{W}pPr/{W}ind")),
    )
