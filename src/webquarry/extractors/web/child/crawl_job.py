"""The child process's work on a page of a crawl: it lists the page's links, and decides which links the crawl
follows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from itertools import accumulate, pairwise
from typing import Any, Final

import orjson

from webquarry.core.types import Wire
from webquarry.crawl.addresses import DROPPED, canonical, clean
from webquarry.crawl.copies import digest_text, list_identities
from webquarry.crawl.frontier import find_place
from webquarry.crawl.globs import Glob
from webquarry.crawl.repeats import find_furniture, list_parts
from webquarry.crawl.scope import Scope
from webquarry.crawl.site import Site
from webquarry.crawl.traps import find_trap
from webquarry.excerpts.blocks import split
from webquarry.extractors.web.child.anchors import list_anchors
from webquarry.extractors.web.child.crawl_reply import MAX_LINKS, FoundLink, FoundLinks, PageFollowed
from webquarry.net import Rule, Rules
from webquarry.workers.parcel import Parcel
from webquarry_convert.text.charset import decode

_FETCHED: Final = re.compile(rb"\*Fetched [0-9TZ:-]{10,30}\*\s*\Z")
"""The line with the time of the response, in which otherwise equal pages differ."""


def follow(
    body: bytes,
    *,
    lengths: Sequence[int],
    wire: Mapping[str, Any] | None,
    url: str,
    depth: int,
    scope: Mapping[str, Any],
    dropped: Sequence[str],
    rules: Sequence[tuple[bool, str]],
    today: str,
    known: Sequence[str],
) -> Parcel[PageFollowed]:
    """Return the identities of a page, the further pages that it names, and its parts that repeat.

    body: four parts of the given `lengths`: the fetched page, its data and markdown, and the data of a map or nothing.
    wire: the values of `Wire.about` for the first part; None if it is not stored, so that only links of the content are
    known. depth: of the page. rules: of robots.txt at the page's origin. known: parts that repeat on the site's pages.
    """
    parts = [body[start:end] for start, end in pairwise(accumulate(lengths, initial=0))]
    text = _FETCHED.sub(b"", parts[2])
    data = orjson.loads(parts[1])
    names = (*DROPPED, *dropped)
    identities = list_identities(url, data["final_url"], data.get("canonical_url"), text, names)
    links = _Links(_read_scope(scope), depth + 1, names, rules, date.fromisoformat(today))
    for address, priority in _list_addresses(parts, wire, data):
        links.add(address, priority)
    outline = split(text.decode() if data.get("object") == "page" else "")
    facts = PageFollowed(
        identities=[digest(identity) for identity in identities],
        text=digest_text(text)[:32],
        skipped=dict(links.skipped),
        parts=list_parts(outline),
        furniture=[[*span] for span in find_furniture(outline, frozenset(known))],
    )
    return Parcel(facts, (FoundLinks(links=[*links.found.values()]).model_dump_json().encode(),))


def digest(text: str) -> str:
    """Return the digest of an identity or of a canonical address, by which a crawl recognizes its pages."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _list_addresses(
    parts: Sequence[bytes], wire: Mapping[str, Any] | None, data: Mapping[str, Any]
) -> Iterator[tuple[str, float]]:
    """Yield the addresses that a page links to and the addresses in a map, each with its priority."""
    if parts[3]:
        yield from ((entry["url"], 0.6) for entry in orjson.loads(parts[3])["urls"])
    if wire is not None and data.get("object") == "page":
        page = Wire.of(wire, parts[0])
        html = decode(page.body, page.headers.get("content-type", "")).text
        yield from ((anchor.url, 0.5) for anchor in list_anchors(html, page.url))
    yield from ((link["url"], 0.5) for link in data.get("links", ()))


class _Links:
    """The addresses that the crawl follows, and the number of skipped addresses by reason."""

    def __init__(
        self, scope: Scope, depth: int, dropped: Sequence[str], rules: Sequence[tuple[bool, str]], today: date
    ) -> None:
        self.found: dict[str, FoundLink] = {}
        self.skipped: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._scope = scope
        self._depth = depth
        self._dropped = dropped
        self._rules = Rules(tuple(Rule(allow, pattern) for allow, pattern in rules))
        self._today = today

    def add(self, address: str, priority: float) -> None:
        try:
            url = clean(address, self._dropped)
            key = digest(canonical(url, self._dropped))
        except ValueError:
            return
        if key in self._seen:
            return
        self._seen.add(key)
        reason: str | None = self._scope.judge(url, self._depth) or find_trap(url, self._today)
        if reason is None and len(self.found) == MAX_LINKS:
            reason = "links"
        if reason is None and not self._rules.allows(url):
            reason = "robots"
        if reason is not None:
            self.skipped[reason] += 1
        else:
            self.found[key] = FoundLink(url=url, digest=key, place=find_place(url, self._depth, priority))


def _read_scope(fields: Mapping[str, Any]) -> Scope:
    return Scope(
        Site(frozenset(fields["hosts"]), fields["domain"]),
        fields["depth"],
        tuple(Glob(pattern) for pattern in fields["include"]),
        tuple(Glob(pattern) for pattern in fields["exclude"]),
    )
