"""What pages preload: values of JSON scripts in which objects lie wherever the page's modules have put them."""

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
    """The values of the page's scripts of JSON in which one of the words stands: most of a large page is about how it
    is built, and need not be parsed."""
    for node in page.node.css('script[type="application/json" i]')[:MAX_SCRIPTS]:
        text = node.text()
        if any(word in text for word in words):
            try:
                yield parse_json(text.encode("utf-8", "replace"))
            except ValueError:
                lose("application/json")


def values_at(values: Iterable[Any], *names: str) -> Iterator[tuple[str, Any]]:
    """Every member of these names, wherever it lies, outer ones first, in the order of the text: (name, value)."""
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
    """Of these members those that are objects."""
    return (value for _, value in values_at(values, *names) if isinstance(value, dict))


def find_outward(value: Any, *hosts: str) -> str | None:
    """A link as where it leads: out of the redirect (`?u=`) of one of the hosts; None for what is no web address."""
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
