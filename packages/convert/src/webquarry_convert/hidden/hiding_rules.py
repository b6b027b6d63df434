"""Finds the rules in a page's own style sheets that may hide content.

Few sheets have a rule that hides a kept element. Sheets are therefore searched for strings such as `display:none`, and
only rules that contain such a string are parsed.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from webquarry_convert.hidden.inline_style import group_declarations, may_hide
from webquarry_convert.hidden.selectors import split_selectors
from webquarry_convert.hidden.stylesheet import Rule, Scope, StyleSheet
from webquarry_convert.tree import Node

MAX_LOOKED = 50_000
"""Maximum number of characters of a page's style sheets that are searched for hiding rules.

Shorter sheets come first.
"""
MAX_READ = 200_000
"""Maximum number of characters in selectors that are compared with kept elements."""
_NONE = rb"(?:0?\.0|0(?!\.[1-9]))"
_FAR = rb"-(?:\d{3}|\d[\d.]*[a-oq-z%])"
_SIGNS = (
    (b"display:none", None),
    (b"y:hidden", None),
    (b"y:collapse", None),
    (b"opacity", re.compile(rb"opacity[:(]" + _NONE)),
    (b":-", re.compile(rb"(?<=[tpm]):" + _FAR)),
    (b"clip", re.compile(rb"clip(?::rect|-path:)")),
    (b"scale", re.compile(rb"scale[^;}]{0,40}[(,]" + _NONE)),
    (b"translate", re.compile(rb"translate[^;}]{0,40}[(,]-(?:\d{3}|\d[\d.]*[a-oq-z])")),
    (b"color:transparent", re.compile(rb"(?<=[{;}])c|(?<=fill-)c")),
    (b"t-size:", re.compile(rb"t-size:(?:0(?!\.[2-9])|\.[01]|[12](?:\.\d+)?p|\d{1,2}%)")),
    (b"font:0", None),
)
"""Each declaration that may hide an element contains one of these strings, in lower case without white space.

The first item of a pair is searched, and the second must match at its position.
"""
_CUTTING = (b"overflow", re.compile(rb"overflow(?:-[xy])?:(?:hidden|clip)"))
_SPECKS = (
    (b"height:", re.compile(rb"height:(?:0|[12]p)")),
    (b"width:", re.compile(rb"width:(?:0|[12]p)")),
)
"""Small sizes that hide an element if its overflow is cut off."""
_LOW = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_WHITE = b" \t\n\r\f"
_ASIDE = re.compile(r"\([^()]*+\)|\[[^][]*+\]")
_NAMED = re.compile(r"[.#][\w-]++|(?<![\w:.#-])[a-zA-Z][\w-]*+")
_WITHOUT_NAME = frozenset("*[:")

Order = tuple[int, int, int]
"""A rule's position: the indexes of its sheet, of its part, and of the rule within the part."""


class HidingRule(NamedTuple):
    """A rule that may hide content. selectors: the selectors that may select kept elements."""

    selectors: Sequence[str]
    declarations: str
    order: Order


def find_hiding_rules(sheets: Sequence[StyleSheet], nodes: Iterable[Node]) -> list[HidingRule]:
    """Return the rules that apply on every screen and may hide one of the given elements."""
    places = _find_places(sheets)
    if not places:
        return []
    kept = collect_names(nodes)
    found: list[HidingRule] = []
    hides: dict[str, bool] = {}
    for order, rule in _read_rules(sheets, places, kept):
        selectors = [each for each in split_selectors(rule.selectors) if may_select(each, kept)]
        if not selectors:
            continue
        if rule.declarations not in hides:
            hides[rule.declarations] = may_hide(group_declarations(rule.declarations))
        if hides[rule.declarations]:
            found.append(HidingRule(selectors, rule.declarations, order))
    return found


def _read_rules(
    sheets: Sequence[StyleSheet], places: Iterable[tuple[int, int]], kept: set[str]
) -> Iterator[tuple[Order, Rule]]:
    """Yield the rules that apply on every screen, up to `MAX_READ`.

    Only parts that may select a kept element are read.
    """
    room = MAX_READ
    for number, place in places:
        part = sheets[number].parts[place]
        room -= len(part)
        if room < 0:
            return
        for count, rule in enumerate(sheets[number].read_rules(place) if _may_select_in(part, kept) else ()):
            room -= len(rule.selectors)
            if room < 0:
                return
            if rule.scope >= Scope.ALWAYS:
                yield (number, place, count), rule


def _find_places(sheets: Sequence[StyleSheet]) -> list[tuple[int, int]]:
    """Return the index of each sheet that may hide something, together with the indexes of the relevant parts."""
    squeezed: list[bytes] = []
    starts: list[int] = []
    numbers: list[int] = []
    room, total = MAX_LOOKED, 0
    for number in sorted(range(len(sheets)), key=lambda number: len(sheets[number])):
        room -= len(sheets[number])
        if room < 0:
            break
        text = sheets[number].text
        numbers.append(number)
        starts.append(total)
        squeezed.append(text.encode("utf-8", "replace").translate(_LOW, _WHITE))
        total += text.count("}") + 1
    found = _find_hiding_parts(b"}".join(squeezed))  # joined, because searching each of many small parts is slow
    places = []
    for place in found:
        at = bisect_right(starts, place) - 1
        places.append((numbers[at], place - starts[at]))
    return sorted(places)


def _find_hiding_parts(squeezed: bytes) -> set[int]:
    """Return the indexes of the parts, separated by braces, that may hide something."""
    found: set[int] = set()
    for sign in _SIGNS:
        found |= _find_parts(squeezed, *sign)
    if cutting := _find_parts(squeezed, *_CUTTING) - found:
        for sign in _SPECKS:
            found |= cutting & _find_parts(squeezed, *sign)
    return found | _find_escapes(squeezed) if b"\\" in squeezed else found


def _find_parts(squeezed: bytes, sign: bytes, pattern: re.Pattern[bytes] | None) -> set[int]:
    """Return the indexes of the parts that contain `sign`, at a position where the pattern matches if there is one."""
    found: set[int] = set()
    place = start = 0
    at = squeezed.find(sign)
    while at >= 0:
        end = at + len(sign)
        if pattern is None or pattern.match(squeezed, at):
            place += squeezed.count(b"}", start, at)
            found.add(place)
            end = start = squeezed.find(b"}", at)
            if end < 0:
                break
        at = squeezed.find(sign, end)
    return found


def _find_escapes(squeezed: bytes) -> set[int]:
    """Return the indexes of parts with an escape in their declarations.

    A string that begins with an escape, as icons do, doesn't count.
    """
    parts = squeezed.replace(b'"\\', b"").replace(b"'\\", b"").split(b"}")
    return {place for place, part in enumerate(parts) if b"\\" in part and b"\\" in part.rpartition(b"{")[2]}


def collect_names(nodes: Iterable[Node]) -> set[str]:
    """Return the elements' tags, ids and classes as written in selectors."""
    tags, ids, classes = set(), set(), set()
    for node in nodes:
        tags.add(node.tag)
        if attributes := node.attributes:
            ids.add(attributes.get("id"))
            classes.add(attributes.get("class"))
    names = {name for several in classes if several for name in several.split()}
    return {*tags, *(f"#{name}" for name in ids if name), *(f".{name}" for name in names)}


def _may_select_in(part: str, kept: set[str]) -> bool:
    """Return whether a part may contain rules for kept elements.

    This is a quick check. It returns True for every part with more than one rule.
    """
    before, _, following = part.partition("{")
    return "{" in following or ";" in before or any(may_select(each, kept) for each in split_selectors(before))


def may_select(selector: str, kept: set[str]) -> bool:
    """Return whether all names in a selector occur among the kept elements, so that it may select one.

    The selector is parsed only roughly; unusual selectors return True. kept: the result of `collect_names`.
    """
    if "\\" in selector or "&" in selector:
        return True
    if "::" in selector or selector.rstrip().endswith((":before", ":after")):
        return False
    names = _NAMED.findall(_ASIDE.sub(" ", selector) if "(" in selector or "[" in selector else selector)
    if not names:
        return not _WITHOUT_NAME.isdisjoint(selector)
    return all((name if name[0] in ".#" else name.lower()) in kept for name in names)
