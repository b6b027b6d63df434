"""The child process's work on a fetched page. The service's own process never parses the page's bytes."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from webquarry.core.errors import ConversionFailed
from webquarry.core.types import Wire
from webquarry.extractors.web.child.page_reply import (
    BlockPageFacts,
    ForeignFacts,
    MovedFacts,
    PageFacts,
    PageReply,
    RefusedFacts,
)
from webquarry.extractors.web.model.page_data import (
    ArticleEntity,
    EventEntity,
    PageData,
    PageEntity,
    PageFeed,
    PageImage,
    PageLink,
    ProductEntity,
    RecipeEntity,
)
from webquarry.workers.job import to_line
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import MAX_PIECE
from webquarry_convert.fetched import Converted, Fetched, Foreign, Moved
from webquarry_convert.media import HTML_TYPES
from webquarry_convert.page import Article, Entity, Event, Product, Recipe
from webquarry_convert.text.escape import heading
from webquarry_convert.text.instants import rfc3339
from webquarry_convert.verdict import BlockKind, BlockPage

HEADING_WITHIN = 8
"""Number of blocks at the start of the content that may contain its main heading."""
_SAMPLE: Final = b"""<!doctype html><html lang=en><title>A page</title><style>.note{color:#333}</style>
<script type="application/ld+json">{"@type":"Article","headline":"A page","datePublished":"2026-01-01"}</script>
<nav><a href=/a>A</a> <a href=/b>B</a></nav><main><h1>A page</h1><p>A paragraph with a <a href=/c>link</a>, <b>bold</b>
words and a sentence that is long enough to be content of the page.</p><ul><li>One</li><li>Two</li></ul>
<table><tr><th>Name<th>Value</tr><tr><td>a<td>1</tr></table><pre><code>x = 1</code></pre></main><footer>2026</footer>"""
_SAMPLE_URL: Final = "https://example.com/"
_SAMPLE_INSTANT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_REMEDIES: Mapping[BlockKind, str] = {
    "login": ". Only public pages can be read. Use the URL of a public page",
    "captcha": ". This service does not do that. Use a different URL or try again later",
    "challenge": ". This service does not circumvent that. Use a different URL or an API of the site",
    "consent": ". This service does not give consent. Use the URL of a page that does not need it",
    "denied": ". Use a different URL or try again later",
    "shell": ". Use the URL of a page that has text",
}


def open_page(
    answer: Wire, requested_url: str, *, is_success: bool
) -> Converted | BlockPageFacts | RefusedFacts | MovedFacts | ForeignFacts:
    """Convert a response, or return why it is not a page. `is_success` states whether the status allows a page."""
    fetched = Fetched(answer)
    if block_page := fetched.block_page(requested_url):
        return BlockPageFacts(kind=block_page.kind, why=explain_block_page(block_page))
    if not is_success:
        return RefusedFacts()
    made = fetched.convert()
    if isinstance(made, Moved):
        return MovedFacts(url=made.url)
    if isinstance(made, Foreign):
        return ForeignFacts(name=to_line(made.name))
    return made


def convert(body: bytes, *, wire: Mapping[str, Any], requested_url: str, is_success: bool) -> Parcel[PageReply]:
    """Return the reply about a response.

    wire: the values of `Wire.about`. requested_url: the address that the caller named. is_success: whether the status
    allows a page. Raises ConversionFailed "limits" if data or markdown are too large.
    """
    answer = Wire.of(wire, body)
    made = open_page(answer, requested_url, is_success=is_success)
    if not isinstance(made, Converted):
        return Parcel(made)
    data = _data(requested_url, answer, made).model_dump_json().encode()
    markdown = add_title(made).encode()
    if max(len(data), len(markdown)) > MAX_PIECE:
        raise ConversionFailed(
            f"The page is too large to convert: its content is more than {MAX_PIECE:,} bytes.", reason="limits"
        )
    facts = PageFacts(is_shell=made.shell is not None, says_enough=bool(made.shell and made.shell.has_text))
    return Parcel(facts, (data, markdown))


def warm() -> None:
    """Convert a small sample page.

    This builds everything that the converter builds on first use, so that the fork server's children do not build it
    again.
    """
    wire = Wire(_SAMPLE, _SAMPLE_URL, _SAMPLE_URL, 200, {"content-type": "text/html; charset=utf-8"}, _SAMPLE_INSTANT)
    convert(_SAMPLE, wire=wire.about(), requested_url=_SAMPLE_URL, is_success=True)


def add_title(made: Converted) -> str:
    """Return the main content under the page's title.

    Usually the content begins with the title, or has the title near the start; otherwise it is added.
    """
    markdown, title = made.page.markdown, made.page.head.title
    beginning = markdown.split("\n\n", HEADING_WITHIN)[:HEADING_WITHIN]
    has_heading = any(block.startswith("# ") for block in beginning)
    if not markdown or title is None or made.media_type not in HTML_TYPES or has_heading:
        return markdown
    return f"# {heading(title)}\n\n{markdown}"


def explain_block_page(block_page: BlockPage) -> str:
    """Return the site's demand and advice for the caller, as a clause that follows the site's name."""
    return f"{block_page.demand}{_REMEDIES[block_page.kind]}."


def _data(requested_url: str, wire: Wire, made: Converted) -> PageData:
    found, head = made.page, made.page.head
    return PageData(
        url=requested_url,
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
        image_url=head.image_url,
        favicon_url=head.favicon_url,
        feeds=[PageFeed(url=feed.url, title=feed.title, form=feed.form) for feed in head.feeds],
        read_at=rfc3339(wire.fetched_at),
        status=wire.status,
        content_type=made.media_type,
        word_count=found.word_count,
        links=[PageLink(url=link.url, text=link.text) for link in found.links],
        images=[PageImage(url=image.url, alt=image.alt) for image in found.images],
        entities=[_describe_entity(entity) for entity in found.entities],
        fetched_with="browser" if wire.rendered else "static",
        warnings=list(found.warnings),
        sources=dict(head.sources),
    )


_MODELS: Mapping[type, type[PageEntity]] = {
    Product: ProductEntity,
    Recipe: RecipeEntity,
    Event: EventEntity,
    Article: ArticleEntity,
}


def _describe_entity(entity: Entity) -> PageEntity:
    return _MODELS[type(entity)].model_validate(asdict(entity))
