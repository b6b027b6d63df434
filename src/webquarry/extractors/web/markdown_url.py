"""A web page as markdown: its main content for a reader, and what the page says about itself.

Upstream: the page. Wire notes: docs/upstreams/page.md and walls.md. A page that is nothing without its scripts is
rendered, and a document is converted as an uploaded one is. One that answers 404 or 410 → Absent; a log-in, a captcha
or another wall → ProviderError (blocked); an archive, a film and what else is not read → ConversionFailed.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from pydantic import Field

from webquarry.convert.fetched import Converted, Fetched, Foreign, Moved
from webquarry.convert.file.detect import detect
from webquarry.convert.media import HTML_TYPES
from webquarry.convert.verdict import Wall, WallKind
from webquarry.declare import PAGE_DEADLINE_S, Context, Extractor, Params, Result, field, hours, minutes, param
from webquarry.errors import (
    ConversionFailed,
    EmptyResult,
    ExtractionError,
    ProviderError,
    UnsafeTarget,
    UnsupportedType,
)
from webquarry.escape import heading
from webquarry.extractors.web.document import DocumentData, document_of
from webquarry.log import log
from webquarry.providers.web import page
from webquarry.types import Url, Wire

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_PAGE_REDIRECTS = 3
HEADING_WITHIN = 8
"""Blocks of the content within which its own main heading stands."""
RENDER_SHARE = 0.8
"""Of what is left of the deadline: the rest is for the conversion, or for the static answer in its place."""
SMALL = 8 * 1024
"""Bytes of a body that is converted where it stands: in a millisecond or two, the worst hostile one in twenty. A change
of threads would cost as much."""
SECOND_BEST = minutes(5)
"""How long the text of a page serves others that a browser should have made more of, and did not."""
_REMEDIES: Mapping[WallKind, str] = {
    "login": ", and only public pages are read: give the address of one",
    "captcha": ", which is not done here: give another address, or try again later",
    "challenge": ", which is not evaded here: give another address, or ask the site for an interface to its data",
    "consent": ", which is not done on a visitor's behalf: give the address of a page that needs none",
    "denied": ": give another address, or try again later",
    "shell": ": give the address of a page that has text",
}


class PageParams(Params):
    url: Url = param("Address of the page, with http:// or https://.", example="https://example.com/")


class PageLink(Result):
    url: str = field("Absolute http or https address.")
    text: str = field("Its label, plain text.")


class PageImage(Result):
    url: str = field("Absolute http or https address.")
    alt: str = field("Its alternative text.")


class PageData(Result):
    url: str = field("The address asked for.")
    final_url: str = field("The address that answered, after redirects.")
    canonical_url: str | None = field("The address that the page calls its own.", wire="link[rel=canonical]")
    title: str | None = field("Title of the page.")
    description: str | None = field("The page's own summary.")
    language: str | None = field("Language tag (BCP 47).")
    site_name: str | None = field("Name of the site.")
    author: str | None = field("Author or authors, comma-separated.")
    published_at: str | None = field("Instant (RFC 3339, UTC) or bare date of publication.")
    modified_at: str | None = field("Instant (RFC 3339, UTC) or bare date of the last change.")
    kind: str | None = field(
        "article, documentation, forum, product, listing, collection or service, where it says so."
    )
    status: int = field("HTTP status of the answer.")
    content_type: str = field("Media type, lower case, without parameters.", wire="content-type")
    word_count: int = field(
        "Words of the main content; each Chinese, Japanese or Korean sign counts as one.", unit="words"
    )
    links: list[PageLink] = field("Links of the main content, each address once, in their order.")
    images: list[PageImage] = field("Images of the main content, each address once, in their order.")
    fetched_with: Literal["static", "browser"] = field("Whether a browser had to render the page.")
    sources: Mapping[str, str] = field("For each field that the page gave, where it was found.")
    markdown: str = Field(exclude=True, repr=False, description="The main content; the answer's other artifact.")


async def run(params: PageParams, ctx: Context) -> PageData | DocumentData:
    net = ctx.net(page.PROVIDER)
    address: str = params.url
    for _ in range(MAX_PAGE_REDIRECTS + 1):
        wire = await page.fetch(address, net)
        made = await _converted(wire, params.url, ctx)
        if isinstance(made, Moved):
            address = made.url
            continue
        if isinstance(made, Wall):
            raise _blocked(wire, made)
        if isinstance(made, Foreign):
            ctx.keep_wire(wire)
            return await _document(wire, made, ctx)
        if made.shell is not None:
            wire, made = await _rendered(wire, made, params.url, net, ctx)
        ctx.keep_wire(wire)
        return _data(params.url, wire, made)
    raise ProviderError(f"{_host(params.url)} leads from page to page without end.", reason="refused")


async def _document(wire: Wire, foreign: Foreign, ctx: Context) -> DocumentData:
    """What a document holds. ConversionFailed (unsupported_type) when it is of no type that is read."""
    name = urlsplit(wire.url).path.rpartition("/")[2]
    try:
        detect(wire.body)
    except UnsupportedType as error:
        raise ConversionFailed(
            f"This address serves {foreign.name}, which is not read: give the address of a page, a text or a document.",
            reason="unsupported_type",
        ) from error
    return await document_of(wire.body, name, ctx)


async def _rendered(shell: Wire, static: Converted, asked: str, net: "Net", ctx: Context) -> tuple[Wire, Converted]:
    """What a browser makes of a shell; the shell itself when that fails or gives no text, and the shell has one."""
    has_text = bool(static.shell and static.shell.has_text and static.page.markdown)
    try:
        wire = await page.render(shell.url, net, ctx.deadline.within(RENDER_SHARE * ctx.deadline.remaining_s))
        made = await _converted(wire, asked, ctx)
    except (ExtractionError, UnsafeTarget) as error:
        if not has_text:
            raise
        failure = error.reason or error.code
    else:
        if isinstance(made, Wall) and not (has_text and made.kind == "shell"):
            raise _blocked(wire, made)
        if isinstance(made, Converted) and (made.page.markdown or not has_text):
            return wire, made
        failure = "no text"
    ctx.hasten(SECOND_BEST)
    log.info("page.kept_static", host=_host(shell.url), reason=failure)
    return shell, static


def read(wire: Wire, params: PageParams) -> PageData:
    """One recorded page alone, as it stands. EmptyResult when all it does is lead to another one."""
    made = _convert(wire, params.url)
    if isinstance(made, Moved):
        raise EmptyResult(f"The page only leads to {made.url}.")
    if isinstance(made, Wall):
        raise _blocked(wire, made)
    if isinstance(made, Foreign):
        raise EmptyResult(f"The address serves {made.name}, which `webquarry get markdown_file` converts.")
    if made.shell is not None and not made.shell.has_text:
        raise ProviderError(f"{_host(wire.url)} gives no readable text without running its scripts.", reason="blocked")
    return _data(params.url, wire, made)


async def _converted(wire: Wire, asked: str, ctx: Context) -> Converted | Moved | Foreign | Wall:
    """As `_convert`, in another thread where it may take long."""
    if len(wire.body) <= SMALL:
        return _convert(wire, asked)
    return await ctx.compute(_convert, wire, asked)


def _convert(wire: Wire, asked: str) -> Converted | Moved | Foreign | Wall:
    """Absent, or ProviderError (refused), when the status says so and the page is no wall."""
    fetched = Fetched(wire)
    if wall := fetched.wall(asked):
        return wall
    page.accept(wire)
    return fetched.convert()


def _blocked(wire: Wire, wall: Wall) -> ProviderError:
    return page.blocked(wire, f"{_host(wire.url)} {wall.demand}{_REMEDIES[wall.kind]}.")


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _data(asked: str, wire: Wire, made: Converted) -> PageData:
    """EmptyResult when there is nothing to read."""
    found, head = made.page, made.page.head
    if not found.markdown:
        raise EmptyResult(f"The page at {_host(wire.url)} holds no text.")
    return PageData(
        url=asked,
        final_url=wire.url,
        canonical_url=head.canonical_url,
        title=head.title,
        description=head.description,
        language=head.language,
        site_name=head.site_name,
        author=head.author,
        published_at=head.published_at,
        modified_at=head.modified_at,
        kind=head.kind,
        status=wire.status,
        content_type=made.media_type,
        word_count=found.word_count,
        links=[PageLink(url=link.url, text=link.text) for link in found.links],
        images=[PageImage(url=image.url, alt=image.alt) for image in found.images],
        fetched_with="browser" if wire.rendered else "static",
        sources=dict(head.sources),
        markdown=found.markdown,
    )


def render(data: PageData | DocumentData) -> str:
    """The main content under the page's title. What is chosen as content mostly begins with it, or holds it soon."""
    if isinstance(data, DocumentData):
        return data.markdown
    beginning = data.markdown.split("\n\n", HEADING_WITHIN)[:HEADING_WITHIN]
    if data.title is None or data.content_type not in HTML_TYPES or any(block.startswith("# ") for block in beginning):
        return data.markdown
    return f"# {heading(data.title)}\n\n{data.markdown}"


extractor = Extractor(
    name="markdown_url",
    path="/markdown/url",
    version=1,
    group="web",
    title="Web page to markdown",
    description=(
        "Reads one public web page and gives its main content as markdown with headings, lists, tables, links and "
        "images, without navigation, advertisements and boilerplate, together with the page's metadata. A page that is "
        "nothing without its scripts is rendered in a browser; a PDF, an office document or a table is converted as an "
        "uploaded file is."
    ),
    params=PageParams,
    result=PageData,
    also={"of an address that serves a document": DocumentData},
    credits=1,
    fresh=hours(24),
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    read=read,
    providers=(page.PROVIDER,),
    render=render,
    example={"url": "https://example.com/"},
)
