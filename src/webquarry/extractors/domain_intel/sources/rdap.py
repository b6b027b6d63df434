"""RDAP: what a domain registry says about a name (RFC 9082, 9083), the registry found by IANA's table (RFC 9224).

The table ships with the package (`data/rdap_dns.json`: https://data.iana.org/rdap/dns.json as published
2025-11-06, white space removed) and is refreshed once a day. Wire notes: docs/upstreams/rdap.md.
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
from webquarry.read import at, each, instant, json_of, must, texts
from webquarry.read.block_pages import refuse_block_page

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
"""Services that work and that IANA's table lacks; an entry of the table wins."""


class HasDomain(Protocol):
    @property
    def domain(self) -> Domain: ...


async def lookup(params: HasDomain, net: Net) -> Wire:
    """The registry's answer about the registrable name, an RFC 9083 "domain" object.

    Raises Absent when the registry has no such name, EmptyResult when the TLD has no RDAP service. While IANA's
    table could not be refreshed, a TLD that our copy lacks is asked of rdap.org, which knows the newest table.
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
    if wire.content_type == "text/html":  # registries send JSON or nothing; a page means the service has moved
        host = _read_host(wire.url)
        await net.read(refuse_block_page, wire, host)
        raise ProviderError(f"{host} answered with a page instead of RDAP data.", reason="changed")
    raise Absent(f"{name} is not registered.")


@dataclass(frozen=True, slots=True)
class Services:
    """Which registry answers for which names: IANA's table as last seen, and the overlay where that says nothing.

    bases: by TLD or longer suffix, lower case. condition: under which IANA need not send the table again. is_current:
    whether it said so, or sent it, when it was asked last.
    """

    bases: Mapping[str, str]
    condition: Mapping[str, str]
    is_current: bool = False

    @classmethod
    def read(cls, document: Any) -> "Services":
        """ProviderError "changed" for no table."""
        return cls(read_bases(document), _read_validator(document))

    def base_of(self, name: str) -> str | None:
        """Address, ending in /, below which the registry of `name` answers; the longest matching suffix decides."""
        labels = name.split(".")
        suffixes = [".".join(labels[i:]) for i in range(len(labels))]
        return next((bases[s] for bases in (self.bases, OVERLAY) for s in suffixes if s in bases), None)


async def find_services(net: Net) -> Services:
    """This process's table, at first the one that ships with the package. It is fetched when a day has passed, which
    takes at most REFRESH_TIMEOUT_S and never fails: then it stays as it was, and is asked for again in an hour."""
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
    """The table that ships with the package."""
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
    """IANA's table. ProviderError "changed" for no table."""
    return Services.read(json_of(wire))


def read_bases(document: Any) -> dict[str, str]:
    """TLD → base address of IANA's table; https where there is a choice. ProviderError "changed" for no table."""
    bases = {}
    for service in must(document, "services", list):
        urls = sorted(texts(service, "[1][]"), key=lambda url: not url.startswith("https://"))
        for tld in texts(service, "[0][]"):
            if urls:
                bases[tld.lower()] = urls[0].rstrip("/") + "/"
    return bases


def read_domain(wire: Wire) -> dict[str, Any]:
    """The wire's "domain" object; ProviderError "changed" when it is anything else."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    if must(answer, "objectClassName", str).lower() != "domain":
        raise ProviderError(f"{_read_host(wire.url)} responded with something other than a domain.", reason="changed")
    return answer


def find_entity(holder: Mapping[str, Any], role: str) -> dict[str, Any] | None:
    """The entity that has this role among the holder's; nearer ones before those nested in other entities.

    Of several one that is not inactive, which a registrar of the past is, then the sponsor, which holds the
    registration (RFC 9083 10.2.2 and 10.2.4), then the first.
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
    """The texts of a list that may be missing, lower case; some servers send a list of one as the text itself."""
    if candidate.get(member) is None:
        return set()
    words = texts(candidate, f"{member}[]" if isinstance(candidate[member], list) else member)
    return {word.strip().lower() for word in words}


def read_card(holder: Mapping[str, Any]) -> dict[str, list[str]]:
    """Texts of an entity's jCard by property (`fn`, `tel`, …), in order; of a compound value the first part.

    Takes the standard form `["vcard", [property, …]]` and, as some servers send, the properties without that list
    or without the word.
    """
    array = at(holder, "vcardArray", list) or []
    properties = _read_properties(array) or [
        p for part in array if isinstance(part, list) for p in _read_properties(part)
    ]
    found: dict[str, list[str]] = {}
    for name, _parameters, _type, value, *_more in properties:
        values = texts(value, "[]" if isinstance(value, list) else "")
        if values:
            found.setdefault(name.lower(), []).append(values[0].strip())
    return found


def list_objects(value: Mapping[str, Any], member: str) -> list[dict[str, Any]]:
    """The objects of a list; some servers send a list of one as the object itself."""
    return each(value, f"{member}[]" if isinstance(value.get(member), list) else member)


def _read_properties(array: list[Any]) -> list[list[Any]]:
    return [p for p in array if isinstance(p, list) and len(p) > 3 and isinstance(p[0], str)]


def _without_service(domain: Domain) -> EmptyResult:
    return EmptyResult(
        f"The top-level domain .{domain.tld} has no RDAP service, so no data is available for {domain.registrable}."
    )


def _read_validator(document: Any) -> dict[str, str]:
    """The condition under which IANA need not send the table again: unchanged since this one was published."""
    published = instant(document, "publication")
    return {"If-Modified-Since": format_datetime(published, usegmt=True)} if published else {}


def _read_host(url: str) -> str:
    return urlsplit(url).hostname or ""
