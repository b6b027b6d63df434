"""Classification of pages by common words in their URL, head and body.

A sign is a word and the place where it was found: `path=forum`, `ld=Product`, `body=archive`. Each sign has a
learned weight for each kind.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import exp
from urllib.parse import urlsplit

from webquarry_convert.page.head import Places
from webquarry_convert.tree import Node

KINDS = ("article", "documentation", "forum", "product", "listing", "collection", "service")
MAX_SCANNED = 200_000
"""Maximum number of characters of a JSON-LD block that are searched for types."""
MAX_STEPS = 8
MAX_WORDS = 12
_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_TYPES = re.compile(r'"@type"\s*:\s*"([A-Za-z]{2,40})"')
_NAMED = frozenset({"body", "html"})
_METAS = ("og:type", "generator", "twitter:card", "application-name")


def collect_signs(places: Places, url: str | None) -> set[str]:
    """Return a page's signs, at most about a hundred."""
    found = set(_collect_address_signs(url)) if url else set()
    for name in _METAS:
        value = places.meta(name)
        if value:
            found.update(_make_signs(name, value[:100]))
    for text in places.data:
        found.update([f"ld={name}" for name in _TYPES.findall(text[:MAX_SCANNED])])
    for names in _list_names_of_page(places.tree[0]):
        found.update(_make_signs("body", names[:600]))
    return found


def _list_names_of_page(root: Node) -> list[str]:
    """Return the classes and ids of the outermost elements."""
    named = [node for node in (root, *root.children) if isinstance(node, Node) and node.tag in _NAMED]
    return [node.attributes.get(key) or "" for node in named for key in ("class", "id")]


def estimate_kinds(found: Iterable[str], weights: Mapping[str, Sequence[float]]) -> bytes:
    """Return the likelihood of each of `KINDS`; 255 is certain.

    weights: each sign's weights, one for each kind. The weights of the sign "" apply to every page.
    """
    totals = list(weights[""])
    for sign in found:
        if sign in weights:
            totals = [total + weight for total, weight in zip(totals, weights[sign], strict=True)]
    most = max(totals)
    odds = [exp(total - most) for total in totals]
    whole = sum(odds)
    return bytes([int(255 * each / whole) for each in odds])


def _collect_address_signs(url: str) -> Iterable[str]:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return
    for label in host.lower().split(".")[:-2]:
        yield f"host={label}"
    steps = [step[:200] for step in parts.path.split("/") if step]
    yield f"steps={min(6, len(steps))}"
    for step in steps[:MAX_STEPS]:
        yield from _make_signs("path", step)
    if steps:
        last = steps[-1]
        words = _WORDS.findall(last)
        yield f"last={min(9, len(words))}"
        yield from _make_signs("end", last)
        if any(map(str.isdigit, last)):
            yield "last=number"
    yield from _make_signs("query", parts.query[:200])


def _make_signs(place: str, text: str) -> list[str]:
    return [f"{place}={word.lower()}" for word in _WORDS.findall(text)[:MAX_WORDS]] if text else []
