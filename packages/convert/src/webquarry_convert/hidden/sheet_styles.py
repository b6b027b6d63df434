"""Declarations of a page's own style sheets for the elements that they hide.

A rule hides an element if it applies on every screen and no rule that could override it shows the element, on another
screen or in a state that a script or a reader causes (`.menu.open`, `.tab:hover`, `:checked ~ .panel`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from webquarry_convert.hidden.hiding_rules import HidingRule, Order
from webquarry_convert.hidden.inline_style import parse_declarations
from webquarry_convert.hidden.selectors import (
    Compound,
    Selector,
    Weight,
    get_classes,
    matches,
    matches_around,
    parse_selector,
    split_selectors,
)
from webquarry_convert.hidden.stylesheet import Rule, Scope, StyleSheet
from webquarry_convert.tree import Node, Tree

MAX_STEPS = 100_000
"""Maximum number of steps for comparing a page's rules with its elements.

Real pages take at most a fifth of this number.

Beyond it, only a few rules are tried per element, chosen by the names in their last compound, and rules that show the
element are ignored.
"""
MAX_LATE = 8
"""Number of rules that are tried per element beyond `MAX_STEPS`."""
SEARCHED = 1_000
"""Number of characters that are searched for a name in one step."""
_JUDGED = frozenset((
    "display", "visibility", "content-visibility", "opacity", "filter", "transform", "clip", "clip-path", "position",
    "left", "top", "right", "bottom", "inset-inline-start", "inset-block-start", "margin-left", "margin-top",
    "text-indent", "overflow", "overflow-x", "overflow-y", "width", "max-width", "height", "max-height", "font-size",
    "font", "color", "background", "background-color", "background-clip", "-webkit-background-clip", "text-shadow",
    "-webkit-text-fill-color", "animation", "animation-name", "transition", "will-change",
))  # fmt: skip


_SHOWN = {"font-size": "1em", "font": "1em a", "visibility": "visible", "color": "currentcolor"}
"""Values that make an element visible although an ancestor is hidden."""
_INHERITED = frozenset(_SHOWN)
_TAKES_BACK = {
    "font": re.compile(r"(?<![\w-])font(?:-size)?\s*:", re.IGNORECASE),
    "visibility": re.compile(r"(?<![\w-])visibility\s*:", re.IGNORECASE),
    "color": re.compile(r"(?<![\w-])color\s*:", re.IGNORECASE),
}
"""Patterns of declarations that make an element visible again, by the property through which an ancestor hides it."""


Lost = frozenset[str]
"""Properties through which an element's ancestors hide it and that it may override: keys of `_TAKES_BACK`."""
NOTHING_LOST: Lost = frozenset()


class _Hider(NamedTuple):
    selector: Selector
    order: Order
    declarations: str


class _Value(NamedTuple):
    """A value of a property.

    rank: the precedence of the value. The highest rank wins. is_certain: whether the value applies on every screen and
    to the element in its current state.
    """

    rank: tuple[bool, Weight, Order]
    value: str
    is_certain: bool


class SheetStyles:
    """The rules of one page."""

    def __init__(self, tree: Tree, sheets: Sequence[StyleSheet], hiding: Sequence[HidingRule]) -> None:
        """Index the rules. hiding: the result of `find_hiding_rules`."""
        self._tree = tree
        self._sheets = sheets
        self._steps = MAX_STEPS
        self._hiders: dict[str, list[_Hider]] = {}
        self._candidates: dict[tuple[str, str | None], Sequence[_Hider]] = {}
        self._by_name: dict[str, Sequence[Order]] = {}
        self._within: dict[tuple[str, str | None, str | None, Lost], dict[str, list[str]]] = {}
        self._parsed: dict[str, Selector | None] = {}
        self._declared: dict[str, Sequence[tuple[str, str, bool]]] = {}
        for rule in hiding:
            for text in rule.selectors:
                selector = parse_selector(text)
                if selector is not None and selector.is_known:
                    key = _get_key(selector.last)
                    self._hiders.setdefault(key, []).append(_Hider(selector, rule.order, rule.declarations))
        self.hides = bool(self._hiders)
        """Whether a rule may hide a kept element."""
        self._has_ids = any(key.startswith("#") for key in self._hiders)

    def read(self, place: int, lost: Lost = NOTHING_LOST) -> dict[str, list[str]] | None:
        """Return the declarations that apply to an element in every state, or None if no rule may hide the element.

        lost: properties through which ancestors hide the element and that it may override.
        """
        node = self._tree[place]
        key = (node.tag, node.attributes.get("class"), node.attributes.get("id"), lost)
        if lost and key in self._within:
            return self._within[key]
        hiders = self._find_hiders(place) if self._find_candidates(node) else []
        if not hiders and not lost:
            return None
        values: dict[str, list[_Value]] = {}
        for hider in hiders:
            self._add_values(values, hider.declarations, hider.selector.weight, hider.order, is_certain=True)
        self._add_others(values, hiders, lost, place)
        chosen = _choose_values(values, lost)
        if not hiders:
            self._within[key] = chosen  # without hiders, the result doesn't depend on the ancestors
        return chosen

    def _find_candidates(self, node: Node) -> Sequence[_Hider]:
        attributes = node.attributes
        name = attributes.get("class")
        found = self._candidates.get((node.tag, name))
        if found is None:
            keys = [node.tag, "*", *(f".{each}" for each in get_classes(node))]
            found = [hider for key in keys for hider in self._hiders.get(key, ())]
            self._candidates[node.tag, name] = found
        if self._has_ids and attributes.get("id"):
            return [*found, *self._hiders.get(f"#{attributes['id']}", ())]
        return found

    def _find_hiders(self, place: int) -> list[_Hider]:
        found = []
        for number, hider in enumerate(self._find_candidates(self._tree[place])):
            if self._steps <= 0 and number >= MAX_LATE:
                break
            if self._applies(hider.selector, place):
                found.append(hider)
                self._steps -= 8  # the approximate cost of reading the element's declarations
        return found

    def _applies(self, selector: Selector, place: int) -> bool:
        if self._steps <= 0:
            return bool(selector.last.names) and matches(selector.last, self._tree[place])
        self._steps -= 1
        if not matches(selector.last, self._tree[place]):
            return False
        self._steps -= len(selector.compounds)
        return matches_around(selector, self._tree, place)

    def _add_others(self, values: dict[str, list[_Value]], hiders: Sequence[_Hider], lost: Lost, place: int) -> None:
        """Add the values that other rules set, including rules for other states of the element."""
        names, tags = _list_names(self._tree[place], hiders)
        orders = {order for name in names for order in self._find_rules(name)}
        for order in sorted(orders):
            if self._steps <= 0:
                break
            rule = self._get_rule(order)
            if hiders or _takes_back(rule, lost):
                self._add_rule(values, rule, order, place, tags)

    def _add_rule(self, values: dict[str, list[_Value]], rule: Rule, order: Order, place: int, tags: set[str]) -> None:
        """Add a rule's values once for each selector that the element matches or may match in another state."""
        node = self._tree[place]
        self._steps -= len(rule.selectors) // SEARCHED
        for text in split_selectors(rule.selectors):
            selector = self._parse(text)
            if selector is None or selector.last.is_focused or not _may_be(selector.last, node, tags):
                continue
            is_certain = rule.scope == Scope.ALWAYS and selector.is_known and self._matches(selector, place)
            self._add_values(values, rule.declarations, selector.weight, order, is_certain=is_certain)

    def _matches(self, selector: Selector, place: int) -> bool:
        return matches(selector.last, self._tree[place]) and matches_around(selector, self._tree, place)

    def _parse(self, text: str) -> Selector | None:
        self._steps -= 1
        if text not in self._parsed:
            self._steps -= 5
            self._parsed[text] = None if self._steps <= 0 else parse_selector(text)
        return self._parsed[text]

    def _get_rule(self, order: Order) -> Rule:
        sheet, part, number = order
        return self._sheets[sheet].read_rules(part)[number]

    def _add_values(
        self, values: dict[str, list[_Value]], declarations: str, weight: Weight, order: Order, *, is_certain: bool
    ) -> None:
        if declarations not in self._declared:
            self._declared[declarations] = [each for each in _parse(declarations) if each[0] in _JUDGED]
        for name, value, is_important in self._declared[declarations]:
            values.setdefault(name, []).append(_Value((is_important, weight, order), value, is_certain))

    def _find_rules(self, name: str) -> Sequence[Order]:
        """Return the positions of rules whose selectors contain a name such as `.menu`, `#top` or `div`."""
        found = self._by_name.get(name)
        if found is None:
            written = _escape(name)
            orders: list[Order] = []
            for number, sheet in enumerate(self._sheets):
                self._steps -= 1 + len(sheet.text) // SEARCHED + len(sheet.nesting) // 20
                if self._steps <= 0:
                    break
                for part in {*sheet.find_parts(written), *sheet.find_nested(written)}:
                    self._steps -= 1
                    orders += [
                        (number, part, count)
                        for count, rule in enumerate(sheet.read_rules(part))
                        if written in rule.selectors
                    ]
            found = self._by_name[name] = orders
        return found


def _list_names(node: Node, hiders: Sequence[_Hider]) -> tuple[set[str], set[str]]:
    """Return the names under which an element's rules are indexed, and the tags in hiding compounds without names."""
    names = {f".{name}" for name in get_classes(node)}
    if identity := node.attributes.get("id"):
        names.add(f"#{identity}")
    if not hiders:
        names.add(node.tag)
    nameless = [hider.selector for hider in hiders if not hider.selector.last.names]
    for each in nameless:
        names |= _list_other_names(each)
    return names, {each.last.tag for each in nameless}


def _list_other_names(selector: Selector) -> set[str]:
    """Return the names to index for a selector whose last compound has no name.

    These are the names of the earlier compounds, or otherwise the last compound's tag and attributes.
    """
    around = {name for compound in selector.compounds for name in compound.names}
    return around or {selector.last.tag, *[asked.key for asked in selector.last.attributes]} - {""}


def _takes_back(rule: Rule, lost: Lost) -> bool:
    return any(_TAKES_BACK[each].search(rule.declarations) for each in lost)


def _choose_values(values: Mapping[str, Sequence[_Value]], lost: Lost) -> dict[str, list[str]]:
    """Return the properties whose value is the same in every state, with their values."""
    chosen = {name: [value] for name, found in values.items() if (value := _choose_value(found)) is not None}
    if lost:
        for name in _INHERITED.intersection(values) - chosen.keys():
            chosen[name] = [_SHOWN[name]]
    if not ("color" in chosen and ("background" in chosen or "background-color" in chosen)):
        _drop_plain_colours(chosen)
    return chosen


def _drop_plain_colours(chosen: dict[str, list[str]]) -> None:
    """Drop a text color without a background color and vice versa, because the missing color is unknown."""
    for name in ("color", "background", "background-color"):
        if name in chosen and chosen[name] != ["transparent"]:
            del chosen[name]


def _get_key(compound: Compound) -> str:
    """Return the name under which a compound is indexed."""
    if compound.identity:
        return f"#{compound.identity}"
    return f".{min(compound.classes)}" if compound.classes else compound.tag or "*"


def _may_be(compound: Compound, node: Node, tags: set[str]) -> bool:
    """Return whether an element matches a compound now, or may match it when its classes and attributes change.

    tags: tags of the nameless compounds that hide the element.
    """
    if compound.tag and compound.tag != node.tag:
        return False
    if compound.identity and compound.identity != node.attributes.get("id"):
        return False
    if not compound.names:
        return matches(compound, node)
    return compound.identity != "" or not compound.classes.isdisjoint(get_classes(node)) or compound.tag in tags


def _parse(declarations: str) -> Iterator[tuple[str, str, bool]]:
    for part in declarations.split(";"):
        is_important = "!" in part and "important" in part.lower()
        for name, value in parse_declarations(part):
            yield name, value, is_important


def _choose_value(found: Sequence[_Value]) -> str | None:
    """Return the winning value, or None if a different value would win in some state."""
    certain = [each for each in found if each.is_certain]
    if not certain:
        return None
    best = max(certain)
    is_contested = any(each.rank > best.rank and each.value != best.value for each in found)
    return None if is_contested else best.value


def _escape(name: str) -> str:
    """Return a name escaped as in style sheets. name: a tag, or a class or id with its sign."""
    if name.replace("-", "").replace("_", "")[1:].isalnum():
        return name
    return name[0] + "".join([letter if letter.isalnum() or letter in "-_" else f"\\{letter}" for letter in name[1:]])
