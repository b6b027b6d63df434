"""A web page as markdown: its main content for a reader, and what the page says about itself.

Upstream: the page. Wire notes: docs/upstreams/page.md. A page that answers 404 or 410 → Absent; one that gives no text
without running its scripts → ProviderError (blocked); a document, an image or an archive → ConversionFailed.
"""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field

from webquarry.convert.fetched import Converted, Moved, convert_fetched
from webquarry.declare import PAGE_DEADLINE_S, Context, Extractor, Params, Result, field, hours, param
from webquarry.errors import EmptyResult, ProviderError
from webquarry.providers import page
from webquarry.types import Url, Wire

MAX_PAGE_REDIRECTS = 3


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
    word_count: int = field("Words of the markdown; each Chinese, Japanese or Korean sign counts as one.", unit="words")
    links: list[PageLink] = field("Links of the main content, each address once, in their order.")
    images: list[PageImage] = field("Images of the main content, each address once, in their order.")
    fetched_with: Literal["static", "browser"] = field("Whether a browser had to render the page.")
    sources: Mapping[str, str] = field("For each field that the page gave, where it was found.")
    markdown: str = Field(exclude=True, repr=False, description="The main content; the answer's other artifact.")


async def run(params: PageParams, ctx: Context) -> PageData:
    net = ctx.net(page.PROVIDER)
    address: str = params.url
    for _ in range(MAX_PAGE_REDIRECTS + 1):
        wire = await page.fetch(address, net)
        made = await ctx.compute(_convert, wire)
        if isinstance(made, Converted):
            ctx.keep_wire(wire)
            return _data(params.url, wire, made)
        address = made.url
    raise ProviderError(f"{urlsplit(params.url).hostname} leads from page to page without end.", reason="refused")


def read(wire: Wire, params: PageParams) -> PageData:
    """One recorded page alone. EmptyResult when all it does is lead to another one."""
    made = _convert(wire)
    if isinstance(made, Moved):
        raise EmptyResult(f"The page only leads to {made.url}.")
    return _data(params.url, wire, made)


def _convert(wire: Wire) -> Converted | Moved:
    return convert_fetched(wire.body, wire.headers.get("content-type", ""), wire.url)


def _data(asked: str, wire: Wire, made: Converted) -> PageData:
    """ProviderError (blocked) or EmptyResult when there is nothing to read."""
    found = made.page
    if not found.markdown and made.has_scripts:
        raise ProviderError(
            f"{urlsplit(wire.url).hostname} gives no readable text without running its scripts.", reason="blocked"
        )
    if not found.markdown:
        raise EmptyResult(f"The page at {urlsplit(wire.url).hostname} holds no text.")
    return PageData(
        url=asked,
        final_url=wire.url,
        canonical_url=found.canonical_url,
        title=found.title,
        description=found.description,
        language=found.language,
        site_name=found.site_name,
        author=found.author,
        published_at=found.published_at,
        modified_at=found.modified_at,
        kind=found.kind,
        status=wire.status,
        content_type=made.media_type,
        word_count=found.word_count,
        links=[PageLink(url=link.url, text=link.text) for link in found.links],
        images=[PageImage(url=image.url, alt=image.alt) for image in found.images],
        fetched_with="static",
        sources=dict(found.sources),
        markdown=found.markdown,
    )


def render(data: PageData) -> str:
    return data.markdown


extractor = Extractor(
    name="markdown_url",
    path="/markdown/url",
    version=1,
    group="web",
    title="Web page to markdown",
    description=(
        "Reads one public web page and gives its main content as markdown with headings, lists, tables, links and "
        "images, without navigation, advertisements and boilerplate, together with the page's metadata."
    ),
    params=PageParams,
    result=PageData,
    credits=1,
    fresh=hours(24),
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    read=read,
    providers=(page.PROVIDER,),
    render=render,
    example={"url": "https://example.com/"},
)
