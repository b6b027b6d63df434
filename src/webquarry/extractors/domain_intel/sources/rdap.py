"""RDAP: registries' data about a name (RFC 9082, 9083), with the registry found in IANA's table (RFC 9224).

The table ships with the package (`data/rdap_dns.json`: https://data.iana.org/rdap/dns.json as published 2025-11-06,
white space removed) and is refreshed once a day. Response format: docs/upstreams/rdap.md.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from email.utils import format_datetime
from importlib import resources
from typing import Any, Protocol
from urllib.parse import urlsplit

from webquarry.core.errors import Absent, EmptyResult, ProviderError, ServiceError
from webquarry.core.types import Domain, Politeness, Provider, Wire
from webquarry.net import Kept, Net
from webquarry.read import JsonObject, at, each, instant, json_of, must, texts
from webquarry.read.block_pages import refuse_block_page
from webquarry.read.losses import read_rows

RDAP = Provider(
    name="rdap",
    title="RDAP services of the domain registries",
    politeness=Politeness(concurrency=2),
)

ACCEPT = "application/rdap+json, application/json;q=0.9"
TABLE_URL = "https://data.iana.org/rdap/dns.json"
REDIRECTOR_URL = "https://rdap.org/"
REFRESH_EVERY = timedelta(days=1)
RETRY_EVERY = timedelta(hours=1)
REFRESH_TIMEOUT_S = 2.0
MAX_NESTING = 3

_IDENTITY_DIGITAL = "https://rdap.identitydigital.services/rdap/"
OVERLAY: Mapping[str, str] = {
    **dict.fromkeys(("ac", "ag", "bz", "io", "lc", "me", "mn", "pr", "sc", "sh", "vc"), _IDENTITY_DIGITAL),
    "bh": "https://rdap.centralnic.com/bh/",
    "ch": "https://rdap.nic.ch/",
    "co": "https://rdap.registry.co/co/",
    "de": "https://rdap.denic.de/",
    "gl": "https://rdap.centralnic.com/gl/",
    "li": "https://rdap.nic.li/",
    "my": "https://rdap.mynic.my/rdap/",
    "us": "https://rdap.nic.us/",
}
"""Working services that are missing from IANA's table. An entry in the table takes precedence."""


class HasDomain(Protocol):
    @property
    def domain(self) -> Domain: ...


async def lookup(params: HasDomain, net: Net) -> Wire:
    """Return the registry's response about the registrable name, an RFC 9083 "domain" object.

    Raises Absent if the registry does not have the name, and EmptyResult if the TLD has no RDAP service. If IANA's
    table can't be refreshed, a TLD that is missing from the current copy is looked up at rdap.org.
    """
    name = params.domain.registrable
    services = await find_services(net)
    base = services.base_of(name)
    if base is None and services.is_current:
        raise _without_service(params.domain)
    url = f"{base or REDIRECTOR_URL}domain/{name}"
    wire = await net.get(url, accept=ACCEPT, ok_on=(200, 404), absent_on=())
    if wire.status == 200:
        return wire
    if _read_host(wire.url) == _read_host(REDIRECTOR_URL):
        raise _without_service(params.domain)
    # registries send JSON or an empty body; a response in HTML means that the service has moved
    if wire.content_type == "text/html":
        host = _read_host(wire.url)
        await net.read(refuse_block_page, wire, host)
        raise ProviderError(f"{host} sent a page instead of RDAP data.", reason="changed")
    raise Absent(f"{name} is not registered.")


@dataclass(frozen=True, slots=True)
class Services:
    """The registries by suffix: the last fetched version of IANA's table, with the overlay for suffixes that it lacks.

    bases: base URLs by TLD or longer suffix, lower case. condition: headers of a conditional request for the table.
    is_current: whether the last refresh succeeded.
    """

    bases: Mapping[str, str]
    condition: Mapping[str, str]
    is_current: bool = False

    @classmethod
    def read(cls, document: Any) -> "Services":
        """Parse IANA's table. Raises ProviderError "changed" if the document is not a table."""
        return cls(read_bases(document), _read_validator(document))

    def base_of(self, name: str) -> str | None:
        """Return the base URL of the registry for `name`, ending in `/`; the longest matching suffix wins."""
        labels = name.split(".")
        suffixes = [".".join(labels[i:]) for i in range(len(labels))]
        return next((bases[s] for bases in (self.bases, OVERLAY) for s in suffixes if s in bases), None)


async def find_services(net: Net) -> Services:
    """Return this process's table, which starts as a copy of the table in the package.

    A table older than a day is refreshed. The refresh takes at most REFRESH_TIMEOUT_S and never fails: on an error the
    table is kept, and the next attempt is an hour later.
    """
    kept: Kept[str, Services] = Kept.of(net, "services")

    async def refresh() -> Services:
        known: Services | None = net.memo.get("table")
        if known is None:
            known = await asyncio.to_thread(load_shipped)
        net.memo["table"] = found = await _refresh(known, net)
        return found

    lasts_s = {True: REFRESH_EVERY.total_seconds(), False: RETRY_EVERY.total_seconds()}
    return await kept.get("", refresh, lasts_s=lambda services: lasts_s[services.is_current])


def load_shipped() -> Services:
    """Return the table shipped with the package."""
    shipped = resources.files("webquarry.extractors.domain_intel").joinpath("data/rdap_dns.json")
    return Services.read(json.loads(shipped.read_bytes()))


async def _refresh(known: Services, net: Net) -> Services:
    try:
        async with asyncio.timeout(REFRESH_TIMEOUT_S):
            wire = await net.get(TABLE_URL, headers=known.condition, ok_on=(200, 304))
        if wire.status == 304:
            return replace(known, is_current=True)
        table = await net.read(read_table, wire)
        if len(table.bases) < len(known.bases) / 2:
            raise ProviderError("IANA's table of RDAP services has lost most of its entries.", reason="changed")
    except (ServiceError, TimeoutError):
        return replace(known, is_current=False)
    etag = wire.headers.get("etag")
    return Services(table.bases, {"If-None-Match": etag} if etag else table.condition, is_current=True)


def read_table(wire: Wire) -> Services:
    """Parse IANA's table from a response. Raises ProviderError "changed" if the response is not a table."""
    return Services.read(json_of(wire))


def read_bases(document: Any) -> dict[str, str]:
    """Return the base URL of each TLD in IANA's table; an https URL is preferred.

    Raises ProviderError "changed" if the document is not a table.
    """
    bases = {}
    for service in must(document, "services", list):
        urls = sorted(texts(service, "[1][]"), key=lambda url: not url.startswith("https://"))
        for tld in texts(service, "[0][]"):
            if urls:
                bases[tld.lower()] = urls[0].rstrip("/") + "/"
    return bases


def find_domain(wire: Wire) -> JsonObject:
    """Return the response's "domain" object. Raises ProviderError "changed" for any other response."""
    answer: JsonObject = must(json_of(wire), "", dict)
    if must(answer, "objectClassName", str).lower() != "domain":
        raise ProviderError(f"{_read_host(wire.url)} responded with something other than a domain.", reason="changed")
    return answer


def find_entity(holder: Mapping[str, Any], role: str) -> JsonObject | None:
    """Return the holder's entity with this role. Entities closer to the holder are preferred to nested ones.

    Among several, an entity that is not inactive is preferred (a former registrar is inactive), then the sponsor, which
    holds the registration (RFC 9083 10.2.2 and 10.2.4), then the first entity.
    """
    level = list_objects(holder, "entities")
    for _ in range(MAX_NESTING):
        with_role = [candidate for candidate in level if role in _read_words(candidate, "roles")]
        if with_role:
            return min(with_role, key=_rank_candidate)
        level = [inner for outer in level if "entities" in outer for inner in list_objects(outer, "entities")]
    return None


def _rank_candidate(candidate: Mapping[str, Any]) -> tuple[bool, bool]:
    return "inactive" in _read_words(candidate, "status"), "sponsor" not in _read_words(candidate, "roles")


def _read_words(candidate: Mapping[str, Any], member: str) -> set[str]:
    """Return the strings of an optional list in lower case. Some servers send a single string instead of a list."""
    if candidate.get(member) is None:
        return set()
    words = texts(candidate, f"{member}[]" if isinstance(candidate[member], list) else member)
    return {word.strip().lower() for word in words}


def read_card(holder: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the strings of an entity's jCard by property (`fn`, `tel`, …), in order.

    Only the first part of a compound value is returned. Supported are the standard form `["vcard", [property, …]]`, and
    two forms that some servers send: properties without the enclosing list, and lists without "vcard".
    """
    array = at(holder, "vcardArray", list) or []
    is_flat = any(map(_is_property, array))
    lists = [part for part in array if isinstance(part, list)]
    properties = lists if is_flat else [inner for part in lists for inner in part]
    found: dict[str, list[str]] = {}
    for name, _parameters, _type, value, *_more in read_rows(properties, _read_property, "vcardArray[]"):
        values = texts(value, "[]" if isinstance(value, list) else "")
        if values:
            found.setdefault(name.lower(), []).append(values[0].strip())
    return found


def list_objects(value: Mapping[str, Any], member: str) -> list[JsonObject]:
    """Return the objects of a list. Some servers send a single object instead of a list."""
    return each(value, f"{member}[]" if isinstance(value.get(member), list) else member)


def _is_property(part: Any) -> bool:
    return isinstance(part, list) and len(part) > 3 and isinstance(part[0], str)


def _read_property(part: Any) -> list[Any] | None:
    return part if _is_property(part) else None


def _without_service(domain: Domain) -> EmptyResult:
    return EmptyResult(
        f"The top-level domain .{domain.tld} has no RDAP service, so no data is available for {domain.registrable}."
    )


def _read_validator(document: Any) -> dict[str, str]:
    """Return headers that request the table only if it has changed."""
    published = instant(document, "publication")
    return {"If-Modified-Since": format_datetime(published, usegmt=True)} if published else {}


def _read_host(url: str) -> str:
    return urlsplit(url).hostname or ""
