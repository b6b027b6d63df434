"""AI overview: the answer that the search engine writes above its results, as blocks with sources.

Upstreams: SerpApi (with a second request if the answer is delayed), the results page in a browser, Gemini with a web
search. Response format: docs/upstreams/ai-overview.md. A query without an overview raises EmptyResult.
"""

from urllib.parse import quote_plus

from webquarry.core.urls import MAX_URL
from webquarry.endpoints.declare import Extractor, Source, days
from webquarry.extractors.search.model.overview import Block, Item, Overview, OverviewParams, Reference, write_markers
from webquarry.extractors.search.sources import gemini
from webquarry.extractors.search.sources.untested import search_page, serpapi
from webquarry.providers.serpapi import SERPAPI
from webquarry.render import Bold, Line, Link, Md
from webquarry_convert.text import escape

MAX_ENCODED = MAX_URL - 300
"""Maximum length of a URL-encoded query in characters; the rest of the URL is short."""
_NOT_THE_ENGINES_OWN = {
    "gemini_grounding": "This answer was written by Gemini based on a web search. It is not the search "
    "engine's AI overview."
}


def too_long(params: OverviewParams) -> str | None:
    """Return the reason why a query is too long for sources that send it in a URL, or None if it fits."""
    if len(quote_plus(params.q)) <= MAX_ENCODED:
        return None
    return "The query is too long once it is URL-encoded. Use fewer words."


def render(overview: Overview) -> str:
    document = Md(f"AI overview: {overview.query}").paragraph(_NOT_THE_ENGINES_OWN.get(overview.source))
    for block in overview.text_blocks:
        _write(block, document)
    return (
        document.numbered("References", ([_write_reference(reference)] for reference in overview.references))
        .source(f"{overview.source}, by {overview.provider}")
        .text()
    )


def _write(block: Block, document: Md) -> None:
    cited = write_markers(block.reference_indexes).strip()
    if block.type == "heading":
        document.heading(block.text or "", block.level or 2)
    elif block.items is not None:
        document.nested(((item.level, _write_item(item)) for item in block.items), ordered=bool(block.ordered))
        document.paragraph(cited)
    elif block.rows:
        document.table("", block.rows[0], block.rows[1:])
        document.paragraph(cited)
    elif block.type == "code":
        document.code(block.text or "", block.language)
        document.paragraph(cited)
    else:
        document.paragraph((block.text, cited))


def _write_item(item: Item) -> Line:
    return (Bold(f"{item.title}:") if item.title else None, item.text, write_markers(item.reference_indexes).strip())


def _write_reference(reference: Reference) -> Line:
    name = reference.source or reference.domain
    return (Link(reference.title or reference.domain, reference.link), f"- {escape.clean_line(name)}")


extractor = Extractor(
    name="search_ai_overview",
    path="/search/ai-overview",
    version=2,
    group="search",
    title="AI overview",
    description=(
        "Returns the AI-generated answer that a search engine shows above its results: paragraphs, headings, lists, "
        "tables and code in order, with [n] markers for the references. About half of all queries have one. "
        "Otherwise the request returns `empty_result` free of charge, and a later retry may succeed."
    ),
    params=OverviewParams,
    result=Overview,
    credits=2,
    fresh=days(1),
    sources=(
        Source(SERPAPI, None, serpapi.read, ask=serpapi.ask, skips=too_long),
        Source(search_page.SEARCH_PAGE, None, search_page.read, ask=search_page.ask, skips=too_long),
        Source(gemini.GEMINI, gemini.fetch, gemini.read),
    ),
    render=render,
    ends={
        "empty_result": "The search engine shows no overview for this query. A later request may find one.",
    },
    example={"q": "why is the sky blue"},
    deadline_s=60.0,
)
