"""Preloaded data of pages: JSON scripts whose objects may be at any depth."""

from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from webquarry.read.fields import to_address
from webquarry.read.html import Element
from webquarry.read.losses import lose
from webquarry.read.values import parse_json

MAX_FIELDS: Final = 50
MAX_SCRIPTS: Final = 1_000


def find_scripts(page: Element, *words: str) -> Iterator[Any]:
    """Yield the values of the page's JSON scripts that contain one of the words.

    Other scripts are not parsed, which skips most of a large page.
    """
    for node in page.node.css('script[type="application/json" i]')[:MAX_SCRIPTS]:
        text = node.text()
        if any(word in text for word in words):
            try:
                yield parse_json(text.encode("utf-8", "replace"))
            except ValueError:
                lose("application/json")


def values_at(values: Iterable[Any], *names: str) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) for all fields with these names, at any depth, outer ones first, in text order."""
    wanted = frozenset(names)
    for value in values:
        rest = [value]
        while rest:
            node = rest.pop()
            if isinstance(node, dict):
                yield from ((name, node[name]) for name in node if name in wanted)
                rest.extend(reversed(node.values()))
            elif isinstance(node, list):
                rest.extend(reversed(node))


def objects_at(values: Iterable[Any], *names: str) -> Iterator[dict[str, Any]]:
    """Yield the objects among the fields with these names."""
    return (value for _, value in values_at(values, *names) if isinstance(value, dict))


def find_outward(value: Any, *hosts: str) -> str | None:
    """Return a link's target, taken from a redirect (`?u=`) on one of the hosts.

    Returns None if it is not a web address.
    """
    link = to_address(value)
    if link is None:
        return None
    try:
        parts = urlsplit(link)
        inner = (
            parse_qs(parts.query, max_num_fields=MAX_FIELDS).get("u", [None])[0] if parts.hostname in hosts else None
        )
    except ValueError:
        return link
    return to_address(inner) if parts.hostname in hosts else link
