"""A site's commerce profile: `/.well-known/ucp` of the Universal Commerce Protocol, in any version.

Response format: docs/upstreams/agent-files.md.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result, field
from webquarry.extractors.domain_intel.sources import agent_files
from webquarry.extractors.domain_intel.sources.agent_files import PRESENT, REASON, Probe
from webquarry.net import Net
from webquarry.read import JsonObject, at, json_of, texts
from webquarry.read.losses import read_rows
from webquarry.render import Md

TRANSPORTS = ("rest", "mcp", "a2a", "embedded")
MAX_PROFILE_DEPTH = 100


class Service(Result):
    name: str = field("Reverse-domain name of the service.", wire="ucp.services")
    transport: str | None = field("Transport: `rest`, `mcp`, `a2a`, `embedded` or another name used by the site.")
    version: str | None = field("Version of the service, usually a date.")
    endpoint: str | None = field("URL of the service.")


class Capability(Result):
    name: str = field("Reverse-domain name of the capability.", wire="ucp.capabilities")
    version: str | None = field("Version of the capability, usually a date.")
    extends: list[str] = field("Capabilities that this one extends.")


class PaymentHandler(Result):
    name: str = field("Reverse-domain name of the handler.", wire="ucp.payment_handlers | payment.handlers")
    id: str | None = field("ID of the handler on this site.")
    version: str | None = field("Version of the handler, usually a date.")


class CommerceProfile(Result):
    present: bool | None = field(PRESENT)
    url: str = field("Requested URL.")
    final_url: str | None = field("Final URL after redirects.")
    status: int | None = field("HTTP status.")
    reason: str | None = field(REASON)
    version: str | None = field("Protocol version stated in the profile.", wire="ucp.version", default=None)
    supported_versions: list[str] = field(
        "Protocol versions that have a separate profile.", wire="ucp.supported_versions", default_factory=list
    )
    services: list[Service] = field("One entry per service and transport.", default_factory=list)
    capabilities: list[Capability] = field("Capabilities available to agents.", default_factory=list)
    payment_handlers: list[PaymentHandler] = field("Payment handlers available to agents.", default_factory=list)
    tool_endpoint: str | None = field("Endpoint of the first `mcp` service.", default=None)
    profile: dict[str, Any] | None = field(
        "Raw profile without its signing keys; null if nested deeper than 100 levels.", default=None
    )


async def read_ucp(probe: Probe, net: Net) -> CommerceProfile:
    """Return the commerce profile, or the reason why it is unknown."""
    if probe.telling is not None:
        return await net.read(read_profile, probe.telling, probe.url)
    answered = (probe.wire.url, probe.wire.status) if probe.wire else (None, None)
    return CommerceProfile(present=None, reason=probe.silence, url=probe.url, final_url=answered[0], status=answered[1])


def read_profile(wire: Wire, url: str) -> CommerceProfile:
    """Parse the profile requested at `url`.

    Any JSON document gives a result; `present` is false if the document is not a profile.
    """
    seen: dict[str, Any] = {"url": url, "final_url": wire.url, "status": wire.status}
    fault = agent_files.find_page_fault(wire)
    if fault in ("http_status", "empty"):
        return CommerceProfile(present=False, reason=fault, **seen)
    try:
        document = json_of(wire)  # a profile may have any media type
    except ProviderError:
        if wire.truncated and fault is None:  # the part after the size limit may complete the JSON
            return CommerceProfile(present=None, reason="truncated", **seen)
        return CommerceProfile(present=False, reason=fault or "not_json", **seen)
    version = at(document, "ucp.version", str)
    if version is None:
        return CommerceProfile(present=False, reason="not_profile", **seen)
    services = list(read_services(document))
    return CommerceProfile(
        present=True,
        reason=None,
        version=version,
        supported_versions=list(at(document, "ucp.supported_versions", dict) or {}),
        services=services,
        capabilities=list(read_capabilities(document)),
        payment_handlers=list(read_payment_handlers(document)),
        tool_endpoint=next((s.endpoint for s in services if s.transport == "mcp" and s.endpoint), None),
        profile=_without_keys(document) if _is_shallow(document, MAX_PROFILE_DEPTH) else None,
        **seen,
    )


def read_services(document: Any) -> Iterator[Service]:
    """Yield the services of every version of the protocol.

    A service is a list of entries with one transport each, or one object with a member per transport.
    """
    for name, entry in _read_entries(document["ucp"].get("services")):
        members = {known: entry[known] for known in TRANSPORTS if isinstance(entry.get(known), dict)}
        transports = (
            [(_read_text(entry, "transport"), entry)] if "transport" in entry or not members else members.items()
        )
        for transport, member in transports:
            yield Service(
                name=name,
                transport=transport,
                version=_read_text(entry, "version"),
                endpoint=_read_text(member, "endpoint"),
            )


def read_capabilities(document: Any) -> Iterator[Capability]:
    for name, entry in _read_entries(document["ucp"].get("capabilities")):
        extends = entry.get("extends") or []
        yield Capability(
            name=name,
            version=_read_text(entry, "version"),
            extends=texts(extends, "[]" if isinstance(extends, list) else ""),
        )


def read_payment_handlers(document: Any) -> Iterator[PaymentHandler]:
    """Yield the payment handlers from `ucp`, and from the top level, where the first version of the protocol has
    them.
    """
    beside = document.get("payment")
    for found in (
        document["ucp"].get("payment_handlers"),
        beside.get("handlers") if isinstance(beside, dict) else None,
    ):
        for name, entry in _read_entries(found):
            yield PaymentHandler(name=name, id=_read_text(entry, "id"), version=_read_text(entry, "version"))


def _read_entries(registry: Any) -> list[tuple[str, JsonObject]]:
    """Return pairs of name and object, from a map (name → object or list of objects) or a list of objects with a name.

    Other values are counted as dropped.
    """
    named: list[tuple[str | None, Any]] = []
    if isinstance(registry, dict):
        for name, found in registry.items():
            named += [(name, entry) for entry in (found if isinstance(found, list) else [found])]
    elif isinstance(registry, list):
        named = [(at(entry, "name", str) or None, entry) for entry in registry]
    return read_rows(named, _read_entry, "ucp")


def _read_entry(named: tuple[str | None, Any]) -> tuple[str, JsonObject] | None:
    name, entry = named
    return (name, entry) if name is not None and isinstance(entry, dict) else None


def _read_text(entry: Mapping[str, Any], name: str) -> str | None:
    """Return an optional string of an entry without counting a missing string as dropped data.

    Most strings are optional in some version of the protocol.
    """
    value = entry.get(name)
    return value if isinstance(value, str) else None


def _without_keys(document: Mapping[str, Any]) -> JsonObject:
    return {name: value for name, value in document.items() if name not in ("keys", "signing_keys")}


def _is_shallow(value: Any, depth: int) -> bool:
    """Return whether `value` nests at most `depth` levels. Deeper values can't be serialized."""
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_shallow(child, depth - 1) for child in children)


def render_profile(page: Md, ucp: CommerceProfile) -> None:
    page.heading("Commerce profile (UCP)")
    page.facts(
        {
            "Version": ucp.version,
            "Supported versions": ucp.supported_versions,
            "Tool endpoint": ucp.tool_endpoint,
        }
    )
    services = [(s.name, s.transport, s.version, s.endpoint) for s in ucp.services]
    page.table("Services", ("Service", "Transport", "Version", "Endpoint"), services)
    capabilities = [(c.name, c.version, c.extends) for c in ucp.capabilities]
    page.table("Capabilities", ("Capability", "Version", "Extends"), capabilities)
    handlers = [(h.name, h.id, h.version) for h in ucp.payment_handlers]
    page.table("Payment handlers", ("Handler", "Id", "Version"), handlers)
