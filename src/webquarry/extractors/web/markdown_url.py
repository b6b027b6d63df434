"""A web page as markdown: its main content, and its metadata.

Provider: the page. See docs/upstreams/page.md and walls.md. A page that is empty without its scripts is rendered. A
document is converted like an uploaded document.

Raises Absent for 404 and 410, ProviderError "blocked" for a login, a captcha or another block page, and
ConversionFailed for archives, videos and other unsupported types.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson

from webquarry.core.errors import (
    ConversionFailed,
    EmptyResult,
    ExtractionError,
    ProviderError,
    UnsafeTarget,
    UnsupportedType,
)
from webquarry.core.log import log
from webquarry.core.parsed_text import Url
from webquarry.core.types import Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Artifacts, Extractor, Params, hours, minutes, param
from webquarry.extractors.web.child.page_reply import (
    BlockPageFacts,
    ForeignFacts,
    MovedFacts,
    PageFacts,
    PageReply,
    RefusedFacts,
    make_job,
)
from webquarry.extractors.web.model.document import DocumentData, make_document
from webquarry.extractors.web.model.page_data import PageData
from webquarry.extractors.web.sources import page
from webquarry.workers.parcel import Parcel

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_PAGE_REDIRECTS = 3
RENDER_SHARE = 0.8
"""Share of the remaining time that rendering may use.

The rest is reserved for the conversion. If rendering fails, the static response is converted.
"""
SECOND_BEST = minutes(5)
"""Time for which a page's text is cached if a browser should have rendered the page but did not."""
JOB = "webquarry.extractors.web.child.page_job:convert"
"""The job that converts a page.

It is a name, not an import, because the service's own process does not load the converter.
"""


class PageParams(Params):
    url: Url = param("URL of the page, starting with http:// or https://.", example="https://example.com/")


_TABLE_ENDINGS = {"text/csv": ".csv", "text/tab-separated-values": ".tsv"}
"""File name endings for responses that are served as tables, by media type."""


async def run(params: PageParams, ctx: Context) -> Artifacts:
    net = ctx.net(page.PROVIDER)
    address: str = params.url
    for _ in range(MAX_PAGE_REDIRECTS + 1):
        wire = await page.fetch(address, net, ctx.known)
        made = await _convert(wire, params.url, ctx)
        facts = _judge(wire, made)
        if isinstance(facts, MovedFacts):
            address = facts.url
            continue
        if isinstance(facts, ForeignFacts):
            ctx.keep_wire(wire)
            return await _document(params.url, wire, facts.name, ctx)
        if facts.is_shell:
            wire, made = await _render(wire, made, params.url, net, ctx)
        ctx.keep_wire(wire)
        return _make_artifacts(wire, made)
    raise ProviderError(f"{_host(params.url)} redirects from page to page endlessly.", reason="refused")


async def _document(requested_url: str, wire: Wire, kind: str, ctx: Context) -> Artifacts:
    """Convert a document. Raises ConversionFailed "unsupported_type" if its type is not supported."""
    name = urlsplit(wire.url).path.rpartition("/")[2] + _TABLE_ENDINGS.get(wire.content_type, "")
    try:
        return await make_document(wire.body, name, ctx, requested_url=requested_url, wire=wire)
    except UnsupportedType as error:
        raise ConversionFailed(
            f"This URL serves {kind}, which is not supported. Use the URL of a page, a text or a document.",
            reason="unsupported_type",
        ) from error


async def _render(
    shell: Wire, static: Parcel[PageReply], requested_url: str, net: "Net", ctx: Context
) -> tuple[Wire, Parcel[PageReply]]:
    """Render a JavaScript shell in a browser.

    If that fails or gives no text, return the unrendered shell if it has text.
    """
    has_text = isinstance(static.facts, PageFacts) and static.facts.says_enough and _has_text(static)
    try:
        wire = await page.render(shell.url, net, ctx.deadline.within(RENDER_SHARE * ctx.deadline.remaining_s))
        made = await _convert(wire, requested_url, ctx)
        if isinstance(made.facts, RefusedFacts):
            page.accept(wire)
    except (ExtractionError, UnsafeTarget) as error:
        if not has_text:
            raise
        failure = error.reason or error.code
    else:
        if isinstance(made.facts, BlockPageFacts) and not (has_text and made.facts.kind == "shell"):
            raise _make_blocked_error(wire, made.facts)
        if isinstance(made.facts, PageFacts) and (_has_text(made) or not has_text):
            return wire, made
        failure = "no text"
    ctx.shorten_freshness(SECOND_BEST)
    log.info("page.kept_static", host=_host(shell.url), reason=failure)
    return shell, static


def read(wire: Wire, params: PageParams) -> PageData:
    """Parse one recorded page without further requests. Raises EmptyResult if it only redirects."""
    # Imported here because the service itself never parses recorded pages.
    from webquarry.extractors.web.child.page_job import convert

    made = convert(wire.body, **_make_options(wire, params.url))
    facts = _judge(wire, made)
    if isinstance(facts, MovedFacts):
        raise EmptyResult(f"The page only redirects to {facts.url}.")
    if isinstance(facts, ForeignFacts):
        raise EmptyResult(f"This URL serves {facts.name}. Use `webquarry get markdown_file` to convert it.")
    if facts.is_shell and not facts.says_enough:
        raise ProviderError(f"{_host(wire.url)} has no readable text without JavaScript.", reason="blocked")
    artifacts = _make_artifacts(wire, made)
    return PageData(**orjson.loads(artifacts.data), markdown=artifacts.markdown.decode())


def render(data: PageData | DocumentData) -> str:
    return data.markdown


async def _convert(wire: Wire, requested_url: str, ctx: Context) -> Parcel[PageReply]:
    """Return the reply of `page_job.convert` in a child process.

    Raises ConversionFailed if the page exceeds the limits.
    """
    job = make_job(JOB, wire, requested_url)
    return await ctx.isolated(job, wire.body, _make_options(wire, requested_url), origin=wire.origin, subject="page")


def _make_options(wire: Wire, requested_url: str) -> dict[str, Any]:
    return {"wire": wire.about(), "requested_url": requested_url, "is_success": wire.status in page.SUCCESS}


def _make_blocked_error(wire: Wire, block_page: BlockPageFacts) -> ProviderError:
    return page.make_blocked_error(wire, f"{_host(wire.url)} {block_page.why}")


def _judge(wire: Wire, made: Parcel[PageReply]) -> MovedFacts | ForeignFacts | PageFacts:
    """Return the part of the reply that describes the response.

    Raises ProviderError "blocked" for a block page, and "refused" for any other response that is not a success.
    """
    facts = made.facts
    if isinstance(facts, BlockPageFacts):
        raise _make_blocked_error(wire, facts)
    if isinstance(facts, RefusedFacts):
        page.accept(wire)
        raise AssertionError("a success was refused")  # `page_reply` rejects a reply like this
    return facts


def _has_text(made: Parcel[PageReply]) -> bool:
    return isinstance(made.facts, PageFacts) and bool(made.pieces[1])


def _make_artifacts(wire: Wire, made: Parcel[PageReply]) -> Artifacts:
    """Return the result. Raises EmptyResult if there is no text."""
    if not _has_text(made):
        raise EmptyResult(f"The page at {_host(wire.url)} has no text.")
    data, markdown = made.pieces
    return Artifacts(data, markdown)


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


extractor = Extractor(
    name="markdown_url",
    path="/markdown/url",
    version=12,
    group="web",
    title="Web page to markdown",
    description=(
        "Converts a public web page to markdown. The result has the main content with headings, lists, tables, "
        "links and images, without navigation, ads and boilerplate, and the page's metadata. Pages that need "
        "JavaScript are rendered in a browser. PDFs, office documents and spreadsheets are converted like uploaded "
        "files."
    ),
    params=PageParams,
    result=PageData,
    also={"of a URL that serves a document": DocumentData},
    credits=1,
    fresh=hours(24),
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    read=read,
    providers=(page.PROVIDER,),
    render=render,
    ends={
        "not_found": "The site reports that the page does not exist (404 or 410).",
    },
    example={"url": "https://example.com/"},
)
