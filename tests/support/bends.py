"""Systematic variants of a response, each changed at one position: the value there is replaced or removed.

A body is JSON, possibly behind a guard, with strings that contain JSON; or a page, with scripts that contain JSON. Of
similar items in a list only one is changed per position.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final, TypeVar

from lxml import html as lxml_html  # type: ignore[import-untyped]  # ships no types

OTHERS: Final[tuple[Any, ...]] = (None, True, -1, 1e300, "", "\u202e7", [], [[]], {}, {"": [None]})
"""Replacement values."""
_GUARD: Final = re.compile(rb"\s*(?:\)\]\}'[^\n\[{]*\n?)?(?=[\[{])")
_SCRIPT: Final = re.compile(rb"<script[^>]*>(?:[^<{\[]*=\s*)?\s*([\[{][^<]*[\]}])[;\s]*</script>")
_Item = TypeVar("_Item")
Place = tuple[str | int, ...]
_Form = tuple[str | int | None, ...]
"""A position in which similar items of a list are equal."""


def bend(body: bytes, others: int = len(OTHERS), most: int | None = None) -> Iterator[bytes]:
    """Yield bodies that differ from this one at one position each.

    others: number of `OTHERS` used per position, in rotation; most: number of positions changed in each part of the
    body, evenly spread, or None for all.
    """
    guard = _GUARD.match(body)
    if guard is not None and (value := _parse(body[guard.end() :])) is not None:
        yield from (guard[0] + bent for bent in _bend_json(value, others, most))
        return
    for script in _SCRIPT.finditer(body):
        if (value := _parse(script[1])) is not None:
            for bent in _bend_json(value, others, most):
                yield body[: script.start(1)] + bent.replace(b"<", b"\\u003c") + body[script.end(1) :]
    yield from _bend_page(body, most)


def _bend_json(value: Any, others: int, most: int | None) -> Iterator[bytes]:
    for number, place in enumerate(_thin(_list_places(value), most)):
        for other in islice(cycle(OTHERS), number % len(OTHERS), number % len(OTHERS) + others):
            yield json.dumps(replace_at(value, place, other)).encode()


def _list_places(value: Any) -> list[Place]:
    """Return the first position of each form. `()` is the whole value; JSON within a string is searched too."""
    found: dict[_Form, Place] = {}
    waiting: list[tuple[_Form, Place, Any]] = [((), (), value)]
    while waiting:
        form, place, here = waiting.pop()
        found.setdefault(form, place)
        here = open_json(here)
        if isinstance(here, dict):
            waiting += [((*form, key), (*place, key), item) for key, item in here.items()]
        elif isinstance(here, list):
            alike = len({type(item) for item in here}) == 1 and not isinstance(here[0], list)
            waiting += [((*form, None if alike else at), (*place, at), item) for at, item in enumerate(here)]
    return list(found.values())


def open_json(value: Any) -> Any:
    """Parse a string that contains JSON. Return anything else unchanged."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return _parse(value) or value
    return value


def replace_at(value: Any, place: Place, other: Any) -> Any:
    """Return a copy with another value at one position."""
    if not place:
        return other
    opened, step = open_json(value), place[0]
    copied = dict(opened) if isinstance(opened, dict) else list(opened)
    copied[step] = replace_at(copied[step], place[1:], other)  # type: ignore[index]  # of the kind that the place was made from
    return json.dumps(copied) if isinstance(value, str) else copied


def _bend_page(body: bytes, most: int | None) -> Iterator[bytes]:
    """Yield the page without each kind of element, with each kind emptied, and without its attributes' values."""
    kinds: dict[tuple[str, str], int] = {}
    root = lxml_html.document_fromstring(body)
    for number, node in enumerate(root.iter("*")):
        kinds.setdefault((str(node.tag), node.get("class") or ""), number)
    for number in _thin(list(kinds.values()), most):
        for change in (_drop, _empty, _strip):
            root = lxml_html.document_fromstring(body)
            node = next(islice(root.iter("*"), number, None))
            if node.getparent() is not None:
                change(node)
                yield lxml_html.tostring(root)


def _drop(node: lxml_html.HtmlElement) -> None:
    node.getparent().remove(node)


def _empty(node: lxml_html.HtmlElement) -> None:
    node[:] = []
    node.text = ""


def _strip(node: lxml_html.HtmlElement) -> None:
    for name in node.attrib:
        node.set(name, "")


def _thin(items: Sequence[_Item], most: int | None) -> Sequence[_Item]:
    return items if most is None else items[:: 1 + len(items) // most]


def _parse(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
