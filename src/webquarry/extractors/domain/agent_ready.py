"""Agent readiness: which files a site keeps for agents, and what its commerce profile offers them.

Upstream: the site itself, three addresses at once. Wire notes: docs/upstreams/agent-files.md.
A wall or a fault of the server says nothing about a file (`present` null); when no address told anything, the gravest
failure is the answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from webquarry.context import Context
from webquarry.declare import Extractor, Params, Result, days, field, param
from webquarry.errors import ProviderError
from webquarry.extractors.domain import agent_files
from webquarry.extractors.domain.agent_files import Probe, Probes
from webquarry.net import Net
from webquarry.read import at, json_of
from webquarry.render import Md
from webquarry.types import Domain, Wire

TRANSPORTS = ("rest", "mcp", "a2a", "embedded")
MAX_PROFILE_DEPTH = 100
NOTES = {
    "http_status": "no such file",
    "empty": "empty answer",
    "html_page": "a page of HTML in its place",
    "not_text": "not text",
    "catch_all": "the site answers the same everywhere",
    "not_json": "not JSON",
    "not_profile": "JSON, but not a profile",
    "blocked": "a wall for robots",
    "refused": "fault of the server",
    "truncated": "longer than 512 KB",
}
_PRESENT = "True when the file is there, false when it is not, null when the site did not let itself be asked."
_REASON = (
    "Why not present: `http_status`, `empty`, `html_page` (a soft 404), `not_text`, `catch_all` (the site answers the "
    "same everywhere), `not_json`, `not_profile`. Why unknown: `blocked`, `refused`, `truncated`, or the failure's "
    "word and text. With a file that is present: `truncated` when only its first 512 KB were read."
)


class AgentReadyParams(Params):
    domain: Domain = param("Site to probe: a bare domain or a full URL.", example="example.com")


class TextFile(Result):
    present: bool | None = field(_PRESENT)
    url: str = field("Address asked for.")
    final_url: str | None = field("Address that answered, after redirects.")
    status: int | None = field("HTTP status of the answer.")
    content_type: str | None = field("Media type as sent, without parameters.", wire="content-type")
    bytes: int | None = field("Size of the answer's body as read, at most 512 KB.", unit="bytes")
    title: str | None = field("First heading of the file.")
    reason: str | None = field(_REASON)


class Service(Result):
    name: str = field("Reverse-domain name of the service.", wire="ucp.services")
    transport: str | None = field("`rest`, `mcp`, `a2a`, `embedded`, or what the site calls it.")
    version: str | None = field("Version of the service, usually a date.")
    endpoint: str | None = field("Address at which the service is called.")


class Capability(Result):
    name: str = field("Reverse-domain name of the capability.", wire="ucp.capabilities")
    version: str | None = field("Version of the capability, usually a date.")
    extends: list[str] = field("Capabilities that this one extends.")


class PaymentHandler(Result):
    name: str = field("Reverse-domain name of the handler.", wire="ucp.payment_handlers | payment.handlers")
    id: str | None = field("The site's own id of the handler.")
    version: str | None = field("Version of the handler, usually a date.")


class CommerceProfile(Result):
    present: bool | None = field(_PRESENT)
    url: str = field("Address asked for.")
    final_url: str | None = field("Address that answered, after redirects.")
    status: int | None = field("HTTP status of the answer.")
    reason: str | None = field(_REASON)
    version: str | None = field("Protocol version that the profile claims.", wire="ucp.version", default=None)
    supported_versions: list[str] = field(
        "Protocol versions with a profile of their own.", wire="ucp.supported_versions", default_factory=list
    )
    services: list[Service] = field("One entry per service and transport.", default_factory=list)
    capabilities: list[Capability] = field("What an agent can do.", default_factory=list)
    payment_handlers: list[PaymentHandler] = field("How an agent can pay.", default_factory=list)
    tool_endpoint: str | None = field("Endpoint of the first `mcp` service.", default=None)
    profile: dict[str, Any] | None = field(
        "The profile as served, without its signing keys; null when nested deeper than 100 levels.", default=None
    )


class AgentReady(Result):
    domain: str = field("Host as asked for.")
    base_url: str = field("Origin that answered, after redirects of the first file found (else of the first answer).")
    score: int = field("How many of the three files are present.")
    agent_ready: bool = field("True when any of the three is present.")
    llms_txt: TextFile = field("`/llms.txt`, a guide to the site for language models.")
    agents_md: TextFile = field("`/agents.md`, instructions for agents.")
    ucp: CommerceProfile = field("`/.well-known/ucp`, a profile of the Universal Commerce Protocol.")


def read_text(probe: Probe, catch_all: bytes | None = None) -> TextFile:
    """One text file. catch_all: what the host serves where nothing is."""
    wire = probe.telling
    reason = agent_files.text_fault(wire, catch_all) if wire else _describe_silence(probe)
    present = reason is None if wire else None
    return TextFile(
        present=present,
        url=probe.url,
        final_url=probe.wire.url if probe.wire else None,
        status=probe.wire.status if probe.wire else None,
        content_type=probe.wire.content_type or None if probe.wire else None,
        bytes=len(probe.wire.body) if probe.wire else None,
        title=_title(agent_files.head_of(wire.body)) if wire and present else None,
        reason="truncated" if wire and present and wire.truncated else reason,
    )


async def read_ucp(probe: Probe, net: Net) -> CommerceProfile:
    """The commerce profile, or why nothing is known of it."""
    if probe.telling is not None:
        return await net.read(read_profile, probe.telling, probe.url)
    answered = (probe.wire.url, probe.wire.status) if probe.wire else (None, None)
    return CommerceProfile(
        present=None, reason=_describe_silence(probe), url=probe.url, final_url=answered[0], status=answered[1]
    )


def read_profile(wire: Wire, url: str) -> CommerceProfile:
    """The profile that was asked for at `url`. Whatever JSON arrives is an answer: at worst `present` is false."""
    seen: dict[str, Any] = {"url": url, "final_url": wire.url, "status": wire.status}
    fault = agent_files.page_fault(wire)
    if fault in ("http_status", "empty"):
        return CommerceProfile(present=False, reason=fault, **seen)
    try:
        document = json_of(wire)  # a profile is one under any media type
    except ProviderError:
        if wire.truncated and fault is None:  # the missing rest may be what makes it JSON
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
    """Services of every generation: a list of entries that name their transport, or one object with a member each."""
    for name, entry in _entries(document["ucp"].get("services")):
        members = {known: entry[known] for known in TRANSPORTS if isinstance(entry.get(known), dict)}
        transports = [(_text(entry, "transport"), entry)] if "transport" in entry or not members else members.items()
        for transport, member in transports:
            yield Service(
                name=name, transport=transport, version=_text(entry, "version"), endpoint=_text(member, "endpoint")
            )


def read_capabilities(document: Any) -> Iterator[Capability]:
    for name, entry in _entries(document["ucp"].get("capabilities")):
        extends = entry.get("extends")
        names = extends if isinstance(extends, list) else [extends]
        yield Capability(
            name=name, version=_text(entry, "version"), extends=[one for one in names if isinstance(one, str)]
        )


def read_payment_handlers(document: Any) -> Iterator[PaymentHandler]:
    """Handlers inside `ucp`, and those of the first generation beside it."""
    beside = document.get("payment")
    for found in (
        document["ucp"].get("payment_handlers"),
        beside.get("handlers") if isinstance(beside, dict) else None,
    ):
        for name, entry in _entries(found):
            yield PaymentHandler(name=name, id=_text(entry, "id"), version=_text(entry, "version"))


def assess(domain: Domain, probes: Probes, ucp: CommerceProfile) -> AgentReady:
    """The whole answer. Raises the gravest failure when no address told anything."""
    if failure := probes.failure:
        raise failure
    llms_txt = read_text(probes.llms_txt, probes.catch_all)
    agents_md = read_text(probes.agents_md, probes.catch_all)
    score = sum(file.present is True for file in (llms_txt, agents_md, ucp))
    base = urlsplit(first_success(probes, (llms_txt, agents_md, ucp)).url)
    return AgentReady(
        domain=domain.host,
        base_url=f"{base.scheme}://{base.netloc}",
        score=score,
        agent_ready=score > 0,
        llms_txt=llms_txt,
        agents_md=agents_md,
        ucp=ucp,
    )


def first_success(probes: Probes, files: Iterable[TextFile | CommerceProfile]) -> Wire:
    """The wire of the first file that is present, else of the first address that told anything (one has to)."""
    successes = [(file, wire) for file, probe in zip(files, probes, strict=True) if (wire := probe.telling)]
    return next((wire for file, wire in successes if file.present), successes[0][1])


async def run(params: AgentReadyParams, ctx: Context) -> AgentReady:
    net = ctx.net(agent_files.PROVIDER)
    probes = await agent_files.probe(params.domain, net, ctx.deadline)
    result = assess(params.domain, probes, await read_ucp(probes.ucp, net))
    ctx.keep_wire(first_success(probes, (result.llms_txt, result.agents_md, result.ucp)))
    return result


def _entries(registry: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Named objects of a map (name → object or list of objects) or of a list of objects that hold their name."""
    if isinstance(registry, dict):
        for name, found in registry.items():
            for entry in found if isinstance(found, list) else [found]:
                if isinstance(entry, dict):
                    yield name, entry
    elif isinstance(registry, list):
        for entry in registry:
            if isinstance(entry, dict) and (name := _text(entry, "name")):
                yield name, entry


def _text(entry: Mapping[str, Any], name: str) -> str | None:
    """An optional text of an entry; most are optional in some generation, so an absent one is no loss to count."""
    value = entry.get(name)
    return value if isinstance(value, str) else None


def _without_keys(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in ("keys", "signing_keys")}


def _is_shallow(value: Any, depth: int) -> bool:
    """True when `value` nests at most `depth` levels; deeper ones cannot be serialised."""
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_shallow(child, depth - 1) for child in children)


def _describe_silence(probe: Probe) -> str | None:
    """Why an address told nothing: one word where it answered (the status says the rest), else word and text."""
    failure = probe.failure
    if failure is None:
        return None
    word = failure.reason or failure.code
    return word if probe.wire else f"{word}: {failure.message}"


def _title(head: str) -> str | None:
    return next((line[2:].strip() for line in head.splitlines() if line.startswith("# ")), None) or None


def render(r: AgentReady) -> str:
    files = (("/llms.txt", r.llms_txt), ("/agents.md", r.agents_md), ("/.well-known/ucp", r.ucp))
    page = Md(f"{r.domain}: agent readiness")
    page.facts({"Files present": f"{r.score} of {len(files)}", "Site": r.base_url})
    page.table(
        "Files",
        ("File", "Present", "Note"),
        [(path, "unknown" if file.present is None else file.present, _note(file)) for path, file in files],
    )
    if r.ucp.present:
        _render_ucp(page, r.ucp)
    return page.text()


def _render_ucp(page: Md, ucp: CommerceProfile) -> None:
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


def _note(file: TextFile | CommerceProfile) -> str | None:
    if isinstance(file, CommerceProfile) and file.present:
        return f"version {file.version}"
    if isinstance(file, TextFile) and file.present:
        return f"{file.title or 'no heading'}{f' (first {file.bytes} bytes read)' if file.reason else ''}"
    if file.reason in ("blocked", "refused", "http_status"):
        return f"{NOTES[file.reason]} (HTTP {file.status})"
    return NOTES.get(file.reason or "", file.reason)


extractor = Extractor(
    name="agent_ready",
    path="/agent-ready",
    version=1,
    group="domain_intel",
    title="Agent readiness",
    description=(
        "Which files a site keeps for agents: `/llms.txt`, `/agents.md` and the commerce profile `/.well-known/ucp` "
        "with its versions, capabilities, payment handlers and tool endpoint. Redirects are followed; a page of HTML "
        "in place of a file counts as absent."
    ),
    params=AgentReadyParams,
    result=AgentReady,
    credits=1,
    fresh=days(1),
    run=run,
    providers=(agent_files.PROVIDER,),
    render=render,
    example={"domain": "example.com"},
)
