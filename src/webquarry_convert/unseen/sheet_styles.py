"""What a page's own style sheets say about elements that they hide.

A rule hides an element when it applies on every screen and no rule that could win against it shows the element: on
another screen, or in a state that a script or a reader brings about (`.menu.open`, `.tab:hover`, `:checked ~ .panel`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from webquarry_convert.tree import Node, Sheet, Tree
from webquarry_convert.unseen.inline_style import group_declarations, may_hide, parse_declarations
from webquarry_convert.unseen.selectors import (
    Compound,
    Selector,
    Weight,
    get_classes,
    matches,
    matches_around,
    parse_selector,
    split_selectors,
)
from webquarry_convert.unseen.stylesheet import Scope, find_conditional, read_rules

MAX_STEPS = 100_000
"""Steps of comparing rules and elements of a page; real pages take a fifth at most. Beyond, few rules are tried on an
element, by the names in their last compound alone, and no rule that shows it is asked."""
MAX_LATE = 8
"""Rules that are tried on an element then."""
MAX_LOOKED = 100_000
"""Characters of a page's style sheets in which rules that hide something are looked for, the shortest sheet first."""
_SUSPECT = (
    "display:none", "y:hidden", "y:collapse", "opacity:0", "opacity:.0", "t:-", "p:-", "m:-", "clip:rect", "clip-path:",
    "scale", "translate", "r:transparent", "e:0", "e:1p", "e:2p", "e:.", "font:0", "overf",
)  # fmt: skip
"""One of these is in each block that may hide an element, without white space and in lower case."""
_SPECKS = ("height:0", "height:1px", "height:2px", "width:0", "width:1px", "width:2px")
"""Sizes that do where what reaches over them is cut off."""
_PASSAGE = re.compile(r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\]++|\\.)*+(?:"|\Z)|'(?:[^'\\]++|\\.)*+(?:'|\Z)""", re.DOTALL)
_ASIDE = re.compile(r"\([^()]*+\)|\[[^][]*+\]")
_NAMED = re.compile(r"[.#][\w-]++|(?<![\w:.#-])[a-zA-Z][\w-]*+")
_WITHOUT_NAME = frozenset("*[:")
_JUDGED = frozenset((
    "display", "visibility", "content-visibility", "opacity", "filter", "transform", "clip", "clip-path", "position",
    "left", "top", "right", "bottom", "inset-inline-start", "inset-block-start", "margin-left", "margin-top",
    "text-indent", "overflow", "overflow-x", "overflow-y", "width", "max-width", "height", "max-height", "font-size",
    "font", "color", "background", "background-color", "background-clip", "-webkit-background-clip", "text-shadow",
    "-webkit-text-fill-color", "animation", "animation-name", "transition", "will-change",
))  # fmt: skip


_SHOWN = {"font-size": "1em", "font": "1em a", "visibility": "visible", "color": "currentcolor"}
"""Values with which an element takes back what those around it say."""
_INHERITED = frozenset(_SHOWN)
_TAKING_BACK = frozenset({*_SHOWN, *map(str.upper, _SHOWN)})
_WORD = re.compile(r"(?<![\w-])[\w-]+(?=\s*:)")


class _Hider(NamedTuple):
    selector: Selector
    order: int
    declarations: str


class _Value(NamedTuple):
    """A value of a property. rank: by which the greatest one wins. is_certain: whether it applies on each screen and to
    the element as it stands."""

    rank: tuple[bool, Weight, int]
    value: str
    is_certain: bool


class Suspects(NamedTuple):
    """declarations: of blocks that may hide something. is_odd: whether some of them were not read exactly."""

    declarations: set[str]
    is_odd: bool


class SheetStyles:
    """The rules of one page."""

    def __init__(self, tree: Tree, sheets: Sequence[Sheet], kept: set[str], suspects: Suspects) -> None:
        """kept: as `collect_names` gives it; suspects: as `find_suspects` does."""
        self._tree = tree
        self._rules = [rule for sheet in sheets for rule in read_rules(sheet.text, sheet.media)]
        self._steps = MAX_STEPS
        self._hiders: dict[str, list[_Hider]] = {}
        self._candidates: dict[tuple[str, str | None], Sequence[_Hider]] = {}
        self._by_word: dict[tuple[str, bool], Sequence[int]] = {}
        self._within: dict[tuple[str, str | None, str | None], dict[str, list[str]]] = {}
        self._parsed: dict[str, Selector | None] = {}
        known: dict[str, bool] = {}
        for order, rule in enumerate(self._rules):
            if rule.scope < Scope.ALWAYS or not (
                rule.declarations in suspects.declarations
                or (suspects.is_odd and _is_suspect(_squeeze(rule.declarations)))
            ):
                continue
            selectors = [each for each in split_selectors(rule.selectors) if _names_kept(each, kept)]
            if not selectors:
                continue
            hides = known.get(rule.declarations)
            if hides is None:
                hides = known[rule.declarations] = may_hide(group_declarations(rule.declarations))
            if hides:
                self._add_hiders(selectors, rule.declarations, order)

        self.hides = bool(self._hiders)
        """Whether a rule may hide an element that is kept."""
        self._has_ids = any(key.startswith("#") for key in self._hiders)

    def _add_hiders(self, selectors: Sequence[str], declarations: str, order: int) -> None:
        for text in selectors:
            selector = parse_selector(text)
            if selector is not None and selector.is_known:
                key = _get_key(selector.last)
                self._hiders.setdefault(key, []).append(_Hider(selector, order, declarations))

    def read(self, place: int, *, is_within: bool = False) -> dict[str, list[str]] | None:
        """Return the declarations that hold for an element in every state, or None where no rule may hide it.

        is_within: whether an element around is hidden in a way that this one may take back.
        """
        node = self._tree[place]
        key = (node.tag, node.attributes.get("class"), node.attributes.get("id"))
        if is_within and key in self._within:
            return self._within[key]
        hiders = self._find_hiders(place) if self._find_candidates(node) else []
        if not hiders and not is_within:
            return None
        values: dict[str, list[_Value]] = {}
        for hider in hiders:
            _add_values(values, hider.declarations, hider.selector.weight, hider.order, is_certain=True)
        self._add_others(values, hiders, place)
        chosen = {name: [value] for name, found in values.items() if (value := _choose_value(found)) is not None}
        if is_within:
            for name in _INHERITED.intersection(values) - chosen.keys():
                chosen[name] = [_SHOWN[name]]
        if not ("color" in chosen and ("background" in chosen or "background-color" in chosen)):
            _drop_plain_colours(chosen)
        if not hiders:
            self._within[key] = chosen  # other rules are asked wherever the element stands
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
                self._steps -= 8  # its declarations are read
        return found

    def _applies(self, selector: Selector, place: int) -> bool:
        if self._steps <= 0:
            return bool(selector.last.names) and matches(selector.last, self._tree[place])
        self._steps -= 1
        if not matches(selector.last, self._tree[place]):
            return False
        self._steps -= len(selector.compounds)
        return matches_around(selector, self._tree, place)

    def _add_others(self, values: dict[str, list[_Value]], hiders: Sequence[_Hider], place: int) -> None:
        """Add what other rules say, and would say in another state."""
        node = self._tree[place]
        words = {node.tag, *get_classes(node)} if not hiders else {*get_classes(node)}
        if identity := node.attributes.get("id"):
            words.add(identity)
        nameless = [hider.selector for hider in hiders if not hider.selector.last.names]
        for each in nameless:
            words |= {name[1:] for compound in each.compounds for name in compound.names} or {each.last.tag}
        tags = {each.last.tag for each in nameless}
        found = {order for word in words for order in self._find_rules(word, is_within=not hiders)}
        for order in sorted(found):
            if self._steps <= 0:
                break
            rule = self._rules[order]
            for text in split_selectors(rule.selectors):
                selector = self._parse(text)
                if selector is None or selector.last.is_focused or not _may_be(selector.last, node, tags):
                    continue
                is_certain = rule.scope == Scope.ALWAYS and selector.is_known and self._matches(selector, place)
                _add_values(values, rule.declarations, selector.weight, order, is_certain=is_certain)

    def _matches(self, selector: Selector, place: int) -> bool:
        return matches(selector.last, self._tree[place]) and matches_around(selector, self._tree, place)

    def _parse(self, text: str) -> Selector | None:
        self._steps -= 1
        if text not in self._parsed:
            self._steps -= 5
            self._parsed[text] = None if self._steps <= 0 else parse_selector(text)
        return self._parsed[text]

    def _find_rules(self, word: str, *, is_within: bool) -> Sequence[int]:
        """Return the numbers of the rules whose selectors hold a word.

        is_within: whether only those are asked for that take back what the elements around say.
        """
        found = self._by_word.get((word, is_within))
        if found is None:
            self._steps -= len(self._rules) // 10  # a tenth of a step each
            found = self._by_word[word, is_within] = (
                [
                    order
                    for order, rule in enumerate(self._rules)
                    if word in rule.selectors
                    and not (is_within and _TAKING_BACK.isdisjoint(_WORD.findall(rule.declarations)))
                ]
                if self._steps > 0
                else ()
            )
        return found


def find_suspects(sheets: Sequence[Sheet], kept: set[str]) -> Suspects | None:
    """Return the blocks that may hide what is kept of a page, or None where there are none: a quick look at the sheets.

    kept: as `collect_names` gives it.
    """
    found: set[str] = set()
    is_odd = False
    room = MAX_LOOKED
    for sheet in sorted(sheets, key=_measure):
        room -= len(sheet.text)
        if room < 0:
            break
        squeezed = _squeeze(sheet.text)
        suspect = [each for each in (*_SUSPECT, "\\", "/*") if each in squeezed]
        if not suspect:
            continue
        blocks, squeezed_blocks = sheet.text.split("}"), squeezed.split("}")
        places = {place for each in suspect for place, block in enumerate(squeezed_blocks) if each in block}
        chosen = [place for place in places if _is_suspect(squeezed_blocks[place]) and _may_select(blocks[place], kept)]
        if not chosen:
            continue
        conditional = find_conditional(sheet.text)
        for place in chosen:
            if place not in conditional:
                block = blocks[place]
                before, _, declarations = block.rpartition("{")
                found.add(declarations)
                is_odd = is_odd or "/*" in block or "\\" in block or ('"' in block or "'" in block) or ";" in before
    return Suspects(found, is_odd) if found else None


def _measure(sheet: Sheet) -> int:
    return len(sheet.text)


def collect_names(nodes: Iterable[Node]) -> set[str]:
    """Return tags, ids and classes of elements, as selectors write them."""
    tags, ids, classes = set(), set(), set()
    for node in nodes:
        tags.add(node.tag)
        if attributes := node.attributes:
            ids.add(attributes.get("id"))
            classes.add(attributes.get("class"))
    names = {name for several in classes if several for name in several.split()}
    return {*tags, *(f"#{name}" for name in ids if name), *(f".{name}" for name in names)}


def _may_select(block: str, kept: set[str]) -> bool:
    """Return whether one of the selectors before a block may select something that is kept.

    All that a selector names has to be kept. Read roughly: where selectors look odd, they may.
    """
    before, brace, _ = block.rpartition("{")
    selectors = before[max(before.rfind("{"), before.rfind(";")) + 1 :]
    if not brace or "*/" in selectors:
        return True
    return any(_names_kept(selector, kept) for selector in split_selectors(selectors))


def _names_kept(selector: str, kept: set[str]) -> bool:
    if "\\" in selector or "&" in selector:
        return True
    if "::" in selector or selector.rstrip().endswith((":before", ":after")):
        return False
    names = _NAMED.findall(_ASIDE.sub(" ", selector) if "(" in selector or "[" in selector else selector)
    if not names:
        return not _WITHOUT_NAME.isdisjoint(selector)
    return all((name if name[0] in ".#" else name.lower()) in kept for name in names)


def _is_suspect(squeezed: str) -> bool:
    """Return whether declarations may hide something.

    squeezed: the declarations, with or without the selectors before them.
    """
    if "\\" in squeezed or "/*" in squeezed:
        squeezed = _PASSAGE.sub("", squeezed.rpartition("{")[2])
        if "\\" in squeezed:
            return True
    for each in _SUSPECT:
        if each in squeezed and (
            (each != "overf" or _has_any(squeezed, _SPECKS))
            and (each != "translate" or _has_any(squeezed, ("(-", ",-")))
        ):
            return True
    return False


def _squeeze(text: str) -> str:
    return "".join(text.lower().split())


def _has_any(text: str, wanted: Iterable[str]) -> bool:
    for each in wanted:  # noqa: SIM110  # any() with a generator takes twice as long
        if each in text:
            return True
    return False


def _drop_plain_colours(chosen: dict[str, list[str]]) -> None:
    """Drop a colour without a ground, and a ground without a colour: the other one is not known."""
    for name in ("color", "background", "background-color"):
        if name in chosen and chosen[name] != ["transparent"]:
            del chosen[name]


def _get_key(compound: Compound) -> str:
    """The name by which the elements are found that a compound may match."""
    if compound.identity:
        return f"#{compound.identity}"
    return f".{min(compound.classes)}" if compound.classes else compound.tag or "*"


def _may_be(compound: Compound, node: Node, tags: set[str]) -> bool:
    """Return whether an element is as a compound asks, or may become so when its classes and attributes change.

    tags: of the compounds without names that hide the element.
    """
    if compound.tag and compound.tag != node.tag:
        return False
    if compound.identity and compound.identity != node.attributes.get("id"):
        return False
    if not compound.names:
        return matches(compound, node)
    return compound.identity != "" or not compound.classes.isdisjoint(get_classes(node)) or compound.tag in tags


def _add_values(
    values: dict[str, list[_Value]], declarations: str, weight: Weight, order: int, *, is_certain: bool
) -> None:
    for name, value, is_important in _parse(declarations):
        if name in _JUDGED:
            values.setdefault(name, []).append(_Value((is_important, weight, order), value, is_certain))


def _parse(declarations: str) -> Iterator[tuple[str, str, bool]]:
    for part in declarations.split(";"):
        is_important = "!" in part and "important" in part.lower()
        for name, value in parse_declarations(part):
            yield name, value, is_important


def _choose_value(found: Sequence[_Value]) -> str | None:
    """Return the value that wins, or None where another one would in some state."""
    certain = [each for each in found if each.is_certain]
    if not certain:
        return None
    best = max(certain)
    is_contested = any(each.rank > best.rank and each.value != best.value for each in found)
    return None if is_contested else best.value
