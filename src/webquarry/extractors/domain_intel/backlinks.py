"""Links from other sites to a domain, to a host and to its home page.

Upstreams: Semrush's API, DataForSEO, Semrush's toolbar service. Response format: docs/upstreams/semrush.md,
docs/upstreams/dataforseo.md. The counts are zero if the index reports the name as unknown. A failure raises an error
and never becomes zeros.
"""

from typing import Any, Final, Literal
from urllib.parse import urlencode

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Domain, Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, days, field, param
from webquarry.extractors.domain_intel.model.names import make_root_url
from webquarry.extractors.domain_intel.sources.untested import dataforseo, semrush, toolbar
from webquarry.net import Net
from webquarry.read import take
from webquarry.read.fields import to_count, to_whole
from webquarry.render import Md

SourceName = Literal["semrush_toolbar", "semrush", "dataforseo"]
TITLES: Final[dict[SourceName, str]] = {
    "semrush_toolbar": "Semrush (toolbar)",
    "semrush": "Semrush",
    "dataforseo": "DataForSEO",
}
_TOOLBAR_URL: Final = "https://bl.publicapi.semrush.com/?url="
_SEMRUSH_URL: Final = "https://api.semrush.com/analytics/v1/?"
_COLUMNS: Final = "ascore,total,domains_num,urls_num,ips_num,follows_num,nofollows_num"
_ROUTE: Final = "backlinks/summary/live"


class BacklinksParams(Params):
    domain: Domain = param(
        "Bare domain or full URL. Links to its registrable domain, its host and the host's https home page are "
        "counted.",
        example="example.com",
    )


class Scopes(Result):
    root_domain: int = field("Links to any URL on the registrable domain.", wire="links_domain")
    hostname: int | None = field("Links to any URL on the host.", wire="links_hostname")
    url: int | None = field("Links to `url` itself.", wire="links")


class Backlinks(Result):
    domain: str = field("Requested host.")
    url: str = field("URL for which exact links are counted.")
    backlinks: int = field("Links to the registrable domain: the headline number.", wire="links_domain")
    scopes: Scopes = field("Links by scope; null if not requested from the provider.")
    referring_domains: int | None = field("Number of linking domains, if available.", wire="domains_num")
    found: bool = field("Whether the index knows the domain. For unknown domains, all counts are 0.", wire="status")
    source: SourceName = field("Name of the provider.")


async def lookup_by_toolbar(params: BacklinksParams, net: Net) -> Wire:
    return await toolbar.ask(net, _TOOLBAR_URL, make_root_url(params.domain))


def read_toolbar(wire: Wire, params: BacklinksParams) -> Backlinks:
    """Parse the three counts.

    Zeros are only returned for a complete response with the provider's "not found" mark. Raises ProviderError "changed"
    if a count is missing.
    """
    elements = toolbar.read_elements(wire)
    if toolbar.is_not_found(elements):
        if not toolbar.is_well_formed(wire):
            raise toolbar.make_changed_error("an end")
        return _unknown(params, "semrush_toolbar")
    root, host, page = (to_count(elements.get(name)) for name in ("links_domain", "links_hostname", "links"))
    if root is None or host is None or page is None:
        raise toolbar.make_changed_error("the three counts of links")
    return _backlinks(params, "semrush_toolbar", Scopes(root_domain=root, hostname=host, url=page), None)


async def ask_semrush(params: BacklinksParams, net: Net) -> tuple[Backlinks, Wire]:
    """Make one request per scope; return the counts and the first response.

    If Semrush does not know the domain, only the first request is made.
    """
    wire = await _ask_semrush(net, params.domain.registrable, "root_domain")
    found = await net.read(read_semrush, wire, params)
    if not found.found:
        return found, wire
    host = await net.read(read_total, await _ask_semrush(net, params.domain.host, "domain"))
    page = await net.read(read_total, await _ask_semrush(net, make_root_url(params.domain), "url"))
    scopes = Scopes(root_domain=found.backlinks, hostname=host, url=page)
    return found.model_copy(update={"scopes": scopes}), wire


def read_semrush(wire: Wire, params: BacklinksParams) -> Backlinks:
    """Parse the response for the registrable domain; the other scopes are null."""
    try:
        row = semrush.read_row(wire)
    except EmptyResult:
        return _unknown(params, "semrush")
    referring = to_whole(semrush.read_cell(row, "domains_num", "referring domains"))
    return _backlinks(params, "semrush", Scopes(root_domain=_read_total(row), hostname=None, url=None), referring)


async def ask_dataforseo(params: BacklinksParams, net: Net) -> tuple[Backlinks, Wire]:
    """Make one request per scope; return the counts and the first response."""
    questions: tuple[dict[str, Any], ...] = (
        {"target": params.domain.registrable, "include_subdomains": True},
        {"target": params.domain.host, "include_subdomains": False},
        {"target": make_root_url(params.domain)},
    )
    wires = [await dataforseo.ask(net, _ROUTE, question) for question in questions]
    found = await net.read(read_dataforseo, wires[0], params)
    host, page = [await net.read(read_count, wire) for wire in wires[1:]]
    scopes = Scopes(root_domain=found.backlinks, hostname=host, url=page)
    return found.model_copy(update={"scopes": scopes}), wires[0]


def read_dataforseo(wire: Wire, params: BacklinksParams) -> Backlinks:
    """Parse the response for the registrable domain; the other scopes are null."""
    result = dataforseo.find_result(wire)
    scopes = Scopes(root_domain=_count(result), hostname=None, url=None)
    return _backlinks(params, "dataforseo", scopes, take(result, "referring_domains", to_count))


async def _ask_semrush(net: Net, target: str, target_type: str) -> Wire:
    query = {"type": "backlinks_overview", "target": target, "target_type": target_type, "export_columns": _COLUMNS}
    return await semrush.ask(net, _SEMRUSH_URL + urlencode(query))


def read_total(wire: Wire) -> int:
    """Parse Semrush's number of links; 0 means that Semrush found nothing."""
    try:
        return _read_total(semrush.read_row(wire))
    except EmptyResult:
        return 0


def _read_total(row: dict[str, str]) -> int:
    total = to_whole(semrush.read_cell(row, "total", "backlinks"))
    if total is None or total < 0:
        raise ProviderError("Semrush sent a row without a number of links.", reason="changed")
    return total


def read_count(wire: Wire) -> int:
    """Parse DataForSEO's number of links in one scope."""
    return _count(dataforseo.find_result(wire))


def _count(result: dict[str, Any]) -> int:
    found = take(result, "backlinks", to_count, required=True)
    if found is None:
        raise ProviderError("DataForSEO sent a response without a number of links.", reason="changed")
    return found


def _backlinks(
    params: BacklinksParams, source: SourceName, scopes: Scopes, referring_domains: int | None, *, found: bool = True
) -> Backlinks:
    return Backlinks(
        domain=params.domain.host,
        url=make_root_url(params.domain),
        backlinks=scopes.root_domain,
        scopes=scopes,
        referring_domains=referring_domains,
        found=found,
        source=source,
    )


def _unknown(params: BacklinksParams, source: SourceName) -> Backlinks:
    return _backlinks(params, source, Scopes(root_domain=0, hostname=0, url=0), None, found=False)


def render(r: Backlinks) -> str:
    summary = f"{r.backlinks:,} links from other sites, by {TITLES[r.source]}."
    rows = [
        ("Root domain", r.scopes.root_domain, "links"),
        ("Hostname", r.scopes.hostname, "links"),
        (f"The page {r.url}", r.scopes.url, "links"),
        ("Referring domains", r.referring_domains, "domains"),
    ]
    shown = [(scope, f"{count:,}", unit) for scope, count, unit in rows if count is not None]
    md = Md(f"{r.domain}: backlinks").paragraph(
        summary if r.found else f"{TITLES[r.source]} does not know this domain."
    )
    return md.table("", ("Scope", "Count", "Unit"), shown).source(TITLES[r.source]).text()


extractor = Extractor(
    name="seo_backlinks",
    path="/seo/backlinks",
    version=1,
    group="domain_intel",
    title="Backlinks",
    description=(
        "Returns the number of links from other sites to the registrable domain, the requested host and its home "
        "page. A domain that the index doesn't know has zeros and `found: false`."
    ),
    params=BacklinksParams,
    result=Backlinks,
    credits=1,
    fresh=days(1),
    sources=(
        Source(semrush.SEMRUSH, None, read_semrush, ask=ask_semrush),
        Source(dataforseo.DATAFORSEO, None, read_dataforseo, ask=ask_dataforseo),
        Source(toolbar.TOOLBAR, lookup_by_toolbar, read_toolbar),
    ),
    render=render,
    example={"domain": "example.com"},
)
