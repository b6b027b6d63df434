"""Agent readiness: the files that a site publishes for agents, and the content of its commerce profile.

Upstream: the site itself, three URLs requested concurrently. Response format: docs/upstreams/agent-files.md. After a
block page or a server error, it is unknown whether a file exists (`present` is null). If no URL gives a usable
response, the most serious failure is raised.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from webquarry.core.types import Domain, Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Extractor, Params, Result, days, field, param
from webquarry.extractors.domain_intel.sources import agent_files
from webquarry.extractors.domain_intel.sources.agent_files import PRESENT, REASON, Probe, Probes
from webquarry.extractors.domain_intel.sources.commerce_profile import CommerceProfile, read_ucp, render_profile
from webquarry.render import Md

NOTES = {
    "http_status": "no such file",
    "empty": "empty answer",
    "html_page": "an HTML page instead",
    "not_text": "not text",
    "catch_all": "the site sends the same response for every path",
    "not_json": "not JSON",
    "not_profile": "JSON, but not a profile",
    "blocked": "a block page",
    "refused": "server error",
    "truncated": "longer than 512 KB",
}


class AgentReadyParams(Params):
    domain: Domain = param("Site to probe: a bare domain or a full URL.", example="example.com")


class TextFile(Result):
    present: bool | None = field(PRESENT)
    url: str = field("Requested URL.")
    final_url: str | None = field("Final URL after redirects.")
    status: int | None = field("HTTP status.")
    content_type: str | None = field("Media type from the response header, without parameters.", wire="content-type")
    bytes: int | None = field("Size of the body, up to 512 KB.", unit="bytes")
    title: str | None = field("First heading of the file.")
    reason: str | None = field(REASON)


class AgentReady(Result):
    domain: str = field("Requested host.")
    base_url: str = field("Final origin after redirects, of the first file found or else of the first response.")
    score: int = field("Number of files found, out of three.")
    agent_ready: bool = field("Whether at least one of the three files exists.")
    llms_txt: TextFile = field("`/llms.txt`: a guide to the site for language models.")
    agents_md: TextFile = field("`/agents.md`: instructions for agents.")
    ucp: CommerceProfile = field("`/.well-known/ucp`: a profile of the Universal Commerce Protocol.")


def read_text(probe: Probe, catch_all: bytes | None = None) -> TextFile:
    """Return the result for one text file. catch_all: the body that the host serves for missing files."""
    wire = probe.telling
    reason = agent_files.find_text_fault(wire, catch_all) if wire else probe.silence
    present = reason is None if wire else None
    return TextFile(
        present=present,
        url=probe.url,
        final_url=probe.wire.url if probe.wire else None,
        status=probe.wire.status if probe.wire else None,
        content_type=probe.wire.content_type or None if probe.wire else None,
        bytes=len(probe.wire.body) if probe.wire else None,
        title=_read_title(agent_files.read_head(wire.body)) if wire and present else None,
        reason="truncated" if wire and present and wire.truncated else reason,
    )


def assess(domain: Domain, probes: Probes, ucp: CommerceProfile) -> AgentReady:
    """Return the whole result.

    Raises the most serious failure if no URL gave a usable response.
    """
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
    """Return the response with the first file that is present, otherwise the first usable response.

    At least one response must be usable.
    """
    successes = [(file, wire) for file, probe in zip(files, probes, strict=True) if (wire := probe.telling)]
    return next((wire for file, wire in successes if file.present), successes[0][1])


async def run(params: AgentReadyParams, ctx: Context) -> AgentReady:
    net = ctx.net(agent_files.PROVIDER)
    probes = await agent_files.probe(params.domain, net, ctx.deadline)
    result = assess(params.domain, probes, await read_ucp(probes.ucp, net))
    ctx.keep_wire(first_success(probes, (result.llms_txt, result.agents_md, result.ucp)))
    return result


def _read_title(head: str) -> str | None:
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
        render_profile(page, r.ucp)
    return page.text()


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
        "Checks which agent-facing files a site has: `/llms.txt`, `/agents.md` and the commerce profile "
        "`/.well-known/ucp` with its versions, capabilities, payment handlers and tool endpoint. Redirects are "
        "followed. An HTML page instead of a file counts as absent."
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
