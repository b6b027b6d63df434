"""Answers bent at one place each, systematically: whatever is at the place is something else, or nothing.

A body is JSON, perhaps behind a guard, with texts that are JSON themselves; or a page, with scripts that hold JSON. A
place is bent once for all items of a list, which look alike.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final, TypeVar

from lxml import html as lxml_html  # type: ignore[import-untyped]  # ships no types

OTHERS: Final[tuple[Any, ...]] = (None, True, -1, 1e300, "", "\u202e7", [], [[]], {}, {"": [None]})
"""What stands at a bent place instead."""
_GUARD: Final = re.compile(rb"\s*(?:\)\]\}'[^\n\[{]*\n?)?(?=[\[{])")
_SCRIPT: Final = re.compile(rb"<script[^>]*>(?:[^<{\[]*=\s*)?\s*([\[{][^<]*[\]}])[;\s]*</script>")
_Item = TypeVar("_Item")
_Place = tuple[str | int, ...]
_Form = tuple[str | int | None, ...]
"""A place in which the items of a list that are alike are not told apart."""


def bend(body: bytes, others: int = len(OTHERS), most: int | None = None) -> Iterator[bytes]:
    """Bodies that differ from this one at one place each.

    others: how many of `OTHERS` stand in for what is at each place, by turns; most: places of each part of the body
    that are bent, evenly chosen, None: all.
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
            yield json.dumps(_replace(value, place, other)).encode()


def _list_places(value: Any) -> list[_Place]:
    """The first place of each form: `()` is the whole, a text that is JSON is gone into as what it says."""
    found: dict[_Form, _Place] = {}
    waiting: list[tuple[_Form, _Place, Any]] = [((), (), value)]
    while waiting:
        form, place, here = waiting.pop()
        found.setdefault(form, place)
        here = _open(here)
        if isinstance(here, dict):
            waiting += [((*form, key), (*place, key), item) for key, item in here.items()]
        elif isinstance(here, list):
            alike = len({type(item) for item in here}) == 1 and not isinstance(here[0], list)
            waiting += [((*form, None if alike else at), (*place, at), item) for at, item in enumerate(here)]
    return list(found.values())


def _open(value: Any) -> Any:
    """What a text that is JSON says; anything else as it is."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return _parse(value) or value
    return value


def _replace(value: Any, place: _Place, other: Any) -> Any:
    """A copy with another value at one place."""
    if not place:
        return other
    opened, step = _open(value), place[0]
    copied = dict(opened) if isinstance(opened, dict) else list(opened)
    copied[step] = _replace(copied[step], place[1:], other)  # type: ignore[index]  # of the kind that the place was made from
    return json.dumps(copied) if isinstance(value, str) else copied


def _bend_page(body: bytes, most: int | None) -> Iterator[bytes]:
    """The page without each kind of element, with each kind emptied, and without what its attributes say."""
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
