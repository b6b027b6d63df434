"""Variants of a response in which one row of a list is rubbish, wherever the response has rows.

A row is an item of a JSON list whose items are alike, or an element that a reader takes from a page with `Element.rows`
or `Element.each`. JSON is also searched for within strings, within a page's scripts and within its comments.
"""

import html
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from lxml import etree  # type: ignore[import-untyped]  # ships no types

from support.bends import Place, open_json, replace_at
from webquarry.read.html import Element
from webquarry_convert.text.markup import parse

ROWS: Final[tuple[Any, ...]] = (None, {}, 7, "", [])
"""Values in place of a row."""
MEMBERS: Final[tuple[Any, ...]] = (None, "", -1, {})
"""Values in place of a member of a row."""
_JSON: Final = re.compile(rb"\s*(?:\)\]\}'\s*)?(?:\d+\s*)?(?=[\[{])")
_PARTS: Final = re.compile(rb"<script[^>]*>(?P<script>.*?)</script>|<!--(?P<comment>.*?)-->", re.DOTALL)
_XML: Final = b"<?xml"
_SHORTEST: Final = 20
"""Number of characters below which JSON within a script contains no rows."""
_DECODER: Final = json.JSONDecoder(strict=False)


class Spoiled(NamedTuple):
    """A response with rubbish at one place. place: a description of the position and the rubbish."""

    place: str
    body: bytes


def spoil_json(body: bytes, most: int) -> Iterator[Spoiled]:
    """Yield the response with rubbish in its JSON, at most `most` times for each part of the response."""
    start = _JSON.match(body)
    if start is not None and not body.startswith(_XML):
        yield from _spoil_part(body, start.end(), len(body), str, most)
        return
    for part in _PARTS.finditer(body):
        kind = part.lastgroup or ""
        yield from _spoil_part(body, part.start(kind), part.end(kind), html.escape if kind == "comment" else str, most)


def spoil_elements(body: bytes, selectors: list[str]) -> Iterator[Spoiled]:
    """Yield the page without the content of one of the elements that match a selector, for each selector."""
    text = body.decode()
    for selector in selectors:
        number = len(parse(text).css(selector))
        for index in sorted({0, number - 1}) if number else ():
            page = parse(text)
            page.css(selector)[index].inner_html = ""
            yield Spoiled(f"{selector} ({index})", (page.html or "").encode())


def spoil_xml(body: bytes) -> Iterator[Spoiled]:
    """Yield the XML without the content of one of several elements with the same parent and name."""
    names = {(str(node.getparent().tag), str(node.tag)) for node in etree.fromstring(body).iter() if _is_row(node)}
    for parent, name in sorted(names):
        root = etree.fromstring(body)
        row = next(node for node in root.iter(name) if _is_row(node) and node.getparent().tag == parent)
        row[:], row.text = [], ""
        yield Spoiled(f"{parent} > {name}", etree.tostring(root, xml_declaration=True, encoding="utf-8"))


@contextmanager
def list_selectors() -> Iterator[list[str]]:
    """List the selectors with which readers ask for several elements, while the context is open."""
    selectors: list[str] = []

    def listing(method: Callable[[Element, str], list[Element]]) -> Callable[[Element, str], list[Element]]:
        def ask(element: Element, css: str) -> list[Element]:
            if css not in selectors:
                selectors.append(css)
            return method(element, css)

        return ask

    with patch.object(Element, "rows", listing(Element.rows)), patch.object(Element, "each", listing(Element.each)):
        yield selectors


def _spoil_part(body: bytes, start: int, end: int, escape: Callable[[str], str], most: int) -> Iterator[Spoiled]:
    """Yield the body with rubbish in the first JSON value between `start` and `end`."""
    text = body[start:end].decode()
    found = _find_json(html.unescape(text) if escape is html.escape else text)
    if found is None:
        return
    before, value, after = found
    for place, other in _choose(_list_rubbish(value), most):
        written = json.dumps(replace_at(value, place, other)).replace("<", "\\u003c")
        yield Spoiled(
            f"{'.'.join(map(str, place))} = {other!r:.40}",
            body[:start] + escape(before + written + after).encode() + body[end:],
        )


def _find_json(text: str) -> tuple[str, Any, str] | None:
    """Return the first list or object in a text, with the text before and after it."""
    for match in re.finditer(r"[\[{]", text[:4000]):
        try:
            value, end = _DECODER.raw_decode(text, match.start())
        except ValueError:
            continue
        if end - match.start() >= _SHORTEST:
            return text[: match.start()], value, text[end:]
    return None


def _list_rubbish(value: Any) -> list[tuple[Place, Any]]:
    """Return each place of a row, and of a row's member, with the rubbish that goes there.

    Only one of several similar lists is used, and only the last row of a list.
    """
    found: dict[tuple[object, ...], list[tuple[Place, Any]]] = {}
    waiting: list[tuple[tuple[object, ...], Place, Any]] = [((), (), value)]
    while waiting:
        form, place, here = waiting.pop()
        here = open_json(here)
        if isinstance(here, dict):
            waiting += [((*form, key), (*place, key), item) for key, item in here.items()]
        elif isinstance(here, list):
            alike = _are_alike(here, form)
            if alike:
                found.setdefault(form, _spoil_row((*place, len(here) - 1), here[-1]))
            waiting += [((*form, None if alike else at), (*place, at), item) for at, item in enumerate(here)]
    return [rubbish for rubbishes in found.values() for rubbish in rubbishes]


def _are_alike(items: list[Any], form: tuple[object, ...]) -> bool:
    """Return whether the items of a list are rows, and not the members of a record without names.

    Lists are rows if they have the same kinds of values in the same positions. Numbers within other lists are not rows.
    """
    if not items or len({type(item) for item in items}) > 1:
        return False
    if isinstance(items[0], int | float):
        return bool(form) and isinstance(form[-1], str)
    if not isinstance(items[0], list):
        return True
    kinds = ({type(value) for value in column} - {type(None)} for column in zip(*items, strict=False))
    return len(items) > 1 and min(map(len, items)) > 1 and all(len(column) < 2 for column in kinds)


def _spoil_row(place: Place, row: Any) -> list[tuple[Place, Any]]:
    """Return the rubbish for a row and for its members. A member with lists may be absent, so it stays."""
    spoiled = [(place, other) for other in ROWS if other != row and not (isinstance(row, list) and other is None)]
    if isinstance(row, dict):
        plain = {name: member for name, member in row.items() if not _has_list(member)}
        spoiled += [(place, {key: member for key, member in row.items() if key != name}) for name in plain]
        spoiled += _spoil_members(place, plain)
    return spoiled


def _spoil_members(place: Place, record: dict[str, Any]) -> list[tuple[Place, Any]]:
    """Return the rubbish for a record's members, and for the members of these.

    An empty object is only rubbish for other values.
    """
    spoiled: list[tuple[Place, Any]] = []
    for name, member in record.items():
        others = MEMBERS if not isinstance(member, dict) else [other for other in MEMBERS if other != {}]
        spoiled += [((*place, name), other) for other in others]
        if isinstance(member, str) and member.startswith("https://"):
            spoiled.append(((*place, name), "https://"))
        elif isinstance(member, dict):
            spoiled += _spoil_members((*place, name), member)
    return spoiled


def _has_list(value: Any) -> bool:
    value = open_json(value)
    return isinstance(value, list) or (isinstance(value, dict) and any(map(_has_list, value.values())))


def _choose(items: list[tuple[Place, Any]], most: int) -> list[tuple[Place, Any]]:
    """Return at most `most` items, the same ones every time."""
    return items if len(items) <= most else random.Random(most).sample(items, most)


def _is_row(node: Any) -> bool:
    parent = node.getparent()
    return isinstance(node.tag, str) and parent is not None and len(parent.findall(node.tag)) > 1
