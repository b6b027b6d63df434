"""AI overview: the answer that the search engine writes above its results, block by block, with its sources.

Upstreams: SerpApi (a second call where the answer comes late), the page of results in a browser, Gemini with a web
search. Wire notes: docs/upstreams/ai-overview.md. No overview for a query → EmptyResult.
"""

from urllib.parse import quote_plus

from webquarry.core.urls import MAX_URL
from webquarry.endpoints.declare import Extractor, Source, days
from webquarry.extractors.search.ai_overview import gemini, search_page, serpapi
from webquarry.extractors.search.ai_overview.overview import Overview, OverviewParams
from webquarry.extractors.search.ai_overview.written import render
from webquarry.providers.serpapi import SERPAPI

MAX_ENCODED = MAX_URL - 300
"""Characters of an encoded question: what else stands in its address is short."""


def too_long(params: OverviewParams) -> str | None:
    """Why sources whose question stands in an address cannot be asked it."""
    if len(quote_plus(params.q)) <= MAX_ENCODED:
        return None
    return "The query is too long once it is URL-encoded. Use fewer words."


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
