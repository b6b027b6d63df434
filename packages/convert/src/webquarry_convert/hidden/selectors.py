"""Selectors of style sheets, matched against the light tree.

Tags, ids, classes, attributes, `:not()`, `:is()`, `:where()`, `:root`, and the descendant and child combinators are
supported. Other selectors become None, because it is unknown which elements they match.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from webquarry_convert.tree import Attributes, Node, Tree

MAX_SELECTOR = 300
"""Maximum length of a selector that is read, in characters."""
MAX_COMPOUNDS = 8
"""Maximum number of compounds in a selector that is read."""
_NAME = r"(?:[a-zA-Z0-9_-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}[ ]?|\\[^0-9a-fA-F\n])++"
_PART = re.compile(
    rf"(?P<tag>\*|{_NAME})|\.(?P<class>{_NAME})|#(?P<id>{_NAME})"
    rf"|\[\s*+(?P<key>{_NAME})\s*+"
    r"(?:(?P<sign>[~|^$*]?=)\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\]\s]*+)\s*+(?:[iIsS]\s*+)?)?\]"
    r"|(?P<pseudo>::?[\w-]+)(?:\((?P<inner>[^()]*)\))?"
    r"|(?P<combinator>\s*[>+~]\s*|\s+)"
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6}) ?|(.))")
_MARKS = re.compile(r"[(),]")
_ALTERNATIVES = frozenset({":is", ":where", ":matches", ":-webkit-any", ":-moz-any"})
_PSEUDO_ELEMENTS = (":before", ":after", ":first-l", "::")
_FOCUS = frozenset({":focus", ":focus-visible", ":active"})
"""Pseudo-classes of an element with keyboard focus, such as the link that skips a menu."""

Weight = tuple[int, int, int]
"""Specificity: the numbers of ids, classes and tags."""


class Attribute(NamedTuple):
    key: str
    sign: str
    value: str


class Compound(NamedTuple):
    """The conditions of a selector for one element.

    others: compounds that must not match. alternatives: compounds of which at least one must match. is_known: whether
    there are no further conditions. is_focused: whether the element must have focus.
    """

    tag: str = ""
    identity: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[Attribute, ...] = ()
    others: tuple["Compound", ...] = ()
    alternatives: tuple[tuple["Compound", ...], ...] = ()
    is_known: bool = True
    is_focused: bool = False

    @property
    def names(self) -> frozenset[str]:
        """The ids and classes with their prefixes (`#`, `.`)."""
        names = frozenset([f".{name}" for name in self.classes])
        return names | {f"#{self.identity}"} if self.identity else names


class Selector(NamedTuple):
    """A parsed CSS selector.

    compounds: the compounds for the ancestors, followed by the compound for the element itself. combinators: ">" or " "
    between the compounds.
    """

    compounds: tuple[Compound, ...]
    combinators: tuple[str, ...]
    weight: Weight
    is_known: bool

    @property
    def last(self) -> Compound:
        return self.compounds[-1]


def split_selectors(selectors: str) -> list[str]:
    if "," not in selectors:
        return [selectors]
    ends, depth = [-1], 0
    for mark in _MARKS.finditer(selectors):
        if mark[0] == ",":
            ends += [mark.start()] if depth <= 0 else []
        else:
            depth += 1 if mark[0] == "(" else -1
    return [selectors[start + 1 : end] for start, end in pairwise([*ends, len(selectors)])]


def parse_selector(text: str) -> Selector | None:
    """Parse a selector.

    Returns None if the selector selects no element (a pseudo-element) or is not supported. `is_known` is False for a
    selector with a condition that cannot be evaluated, such as `:hover`.
    """
    text = text.strip()
    if not text or len(text) > MAX_SELECTOR:
        return None
    parts: list[re.Match[str]] = []
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part.end() == at:
            return None
        parts.append(part)
        at = part.end()
    return _build_selector(parts)


def _build_selector(parts: Sequence[re.Match[str]]) -> Selector | None:
    groups, combinators = _split_compounds(parts)
    if not all(groups) or len(groups) > MAX_COMPOUNDS:
        return None
    compounds = []
    for group in groups:
        compound = _build_compound(group)
        if compound is None:
            return None
        compounds.append(compound)
    is_known = all(compound.is_known for compound in compounds) and not {"+", "~"}.intersection(combinators)
    return Selector(tuple(compounds), tuple(combinators), _weigh(compounds), is_known)


def _split_compounds(parts: Sequence[re.Match[str]]) -> tuple[list[list[re.Match[str]]], list[str]]:
    """Return the parts of each compound, and the combinators between them. A missing compound becomes an empty list."""
    groups: list[list[re.Match[str]]] = [[]]
    combinators: list[str] = []
    for part in parts:
        if part["combinator"] is None:
            groups[-1].append(part)
        else:
            combinators.append(part["combinator"].strip() or " ")
            groups.append([])
    return groups, combinators


def _weigh(compounds: Sequence[Compound]) -> Weight:
    ids = classes = tags = 0
    for compound in compounds:
        ids += compound.identity != ""
        classes += len(compound.classes) + len(compound.attributes) + (not compound.is_known)
        classes += len(compound.others) + len(compound.alternatives)
        tags += compound.tag != ""
    return ids, classes, tags


def _build_compound(parts: Sequence[re.Match[str]]) -> Compound | None:
    """Return a compound with these conditions, or None if it selects no element."""
    conditions = _Conditions()
    return conditions.build() if all(map(conditions.add, parts)) else None


class _Conditions:
    """The conditions of a compound that is being read."""

    def __init__(self) -> None:
        self._tag = self._identity = ""
        self._classes: set[str] = set()
        self._attributes: list[Attribute] = []
        self._others: list[Compound] = []
        self._alternatives: list[tuple[Compound, ...]] = []
        self._is_known, self._is_focused = True, False

    def add(self, part: re.Match[str]) -> bool:
        """Add a condition. Returns whether an element can meet all conditions together."""
        if part["class"] is not None:
            self._classes.add(_unescape(part["class"]))
        elif part["id"] is not None:
            if self._identity:
                return False
            self._identity = _unescape(part["id"])
        elif part["tag"] is not None:
            if part["tag"] != "*":
                self._tag = _unescape(part["tag"]).lower()
        elif part["key"] is not None:
            self._add_attribute(part)
        else:
            return self._add_pseudo(part["pseudo"].lower(), part["inner"])
        return True

    def _add_attribute(self, part: re.Match[str]) -> None:
        value = part["value"] or ""
        value = value[1:-1] if value[:1] in ("'", '"') else value
        self._attributes.append(Attribute(part["key"].lower(), part["sign"] or "", value))

    def _add_pseudo(self, pseudo: str, argument: str | None) -> bool:
        if pseudo.startswith(_PSEUDO_ELEMENTS):
            return False
        inner = None if argument is None else _parse_compounds(argument)
        if pseudo == ":root":
            self._tag = "html"
        elif pseudo == ":not" and inner:
            self._others += inner
        elif pseudo in _ALTERNATIVES and inner:
            self._alternatives.append(inner)
        else:
            self._is_known = False
            self._is_focused = self._is_focused or pseudo in _FOCUS
        return True

    def build(self) -> Compound:
        return Compound(
            self._tag,
            self._identity,
            frozenset(self._classes),
            tuple(self._attributes),
            tuple(self._others),
            tuple(self._alternatives),
            self._is_known,
            self._is_focused,
        )


def _parse_compounds(inner: str) -> tuple[Compound, ...] | None:
    """Parse a list of selectors in brackets. Returns None if one of them is more than a compound."""
    found = []
    for each in inner.split(","):
        selector = parse_selector(each)
        if selector is None or len(selector.compounds) != 1 or not selector.is_known:
            return None
        found.append(selector.last)
    return tuple(found)


def _unescape(name: str) -> str:
    return _ESCAPE.sub(_decode, name) if "\\" in name else name


def _decode(escaped: re.Match[str]) -> str:
    if escaped[1] is None:
        return escaped[2]
    code = int(escaped[1], 16)
    return chr(code) if 0 < code <= 0x10FFFF else "\ufffd"


def matches(compound: Compound, node: Node) -> bool:
    """Return whether an element meets a compound. Unknown conditions count as met."""
    if compound.tag and compound.tag != node.tag:
        return False
    if compound.identity and compound.identity != node.attributes.get("id"):
        return False
    if compound.classes and not compound.classes <= get_classes(node):
        return False
    return not (compound.attributes or compound.others or compound.alternatives) or _meets_rest(compound, node)


def _meets_rest(compound: Compound, node: Node) -> bool:
    """Return whether an element meets the compound's conditions other than tag, id and classes."""
    return (
        all(_has_attribute(node.attributes, asked) for asked in compound.attributes)
        and not any(matches(other, node) for other in compound.others)
        and all(any(matches(each, node) for each in either) for either in compound.alternatives)
    )


def matches_around(selector: Selector, tree: Tree, place: int) -> bool:
    """Return whether the ancestors of the element at index `place` match a selector.

    Each compound takes the nearest matching ancestor. If ">" then requires a different parent, more distant ancestors
    are not tried. The time therefore grows linearly with the depth.
    """
    compounds, combinators = selector.compounds, selector.combinators
    at = tree[place].up
    for number in range(len(compounds) - 2, -1, -1):
        if combinators[number] == " ":
            while at >= 0 and not matches(compounds[number], tree[at]):
                at = tree[at].up
        elif at >= 0 and not matches(compounds[number], tree[at]):
            return False
        if at < 0:
            return False
        at = tree[at].up
    return True


def get_classes(node: Node) -> frozenset[str]:
    name = node.attributes.get("class")
    return _split_classes(name) if name else _NO_CLASSES


@lru_cache(maxsize=512)
def _split_classes(name: str) -> frozenset[str]:
    return frozenset(name.split())


_NO_CLASSES: frozenset[str] = frozenset()


def _has_attribute(attributes: Attributes, asked: Attribute) -> bool:
    if asked.key not in attributes:
        return False
    if not asked.sign:
        return True
    value, wanted = attributes[asked.key] or "", asked.value
    if asked.sign in _MATCHES_EMPTY:
        return _MATCHES_EMPTY[asked.sign](value, wanted)
    return wanted != "" and _MATCHES_PART[asked.sign](value, wanted)


_MATCHES_EMPTY: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
}
"""Functions that compare an attribute's value with the selector's value, by operator.

An empty selector value can match.
"""
_MATCHES_PART: Mapping[str, Callable[[str, str], bool]] = {
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": str.__contains__,
}
"""Functions that compare as above, but never match an empty selector value."""
