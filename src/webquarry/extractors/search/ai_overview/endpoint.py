"""AI overview: the answer that the search engine writes above its results, block by block, with its sources.

Upstreams: SerpApi (a second call where the answer comes late), the page of results in a browser, Gemini with a web
search. Wire notes: docs/upstreams/ai-overview.md. No overview for a query → EmptyResult.
"""

from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from webquarry.declare import Extractor, Source, days
from webquarry.errors import EmptyResult
from webquarry.extractors.search.ai_overview import gemini, grounded, page, search_page, serpapi
from webquarry.extractors.search.ai_overview.overview import Overview, OverviewParams
from webquarry.extractors.search.ai_overview.written import render
from webquarry.providers import serpapi as serpapi_calls
from webquarry.providers.languages import google_language
from webquarry.types import Wire
from webquarry.urls import MAX_URL

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_ENCODED = MAX_URL - 300
"""Characters of an encoded question: what else stands in its address is short."""


async def ask_serpapi(params: OverviewParams, net: "Net") -> tuple[Overview, Wire]:
    """A search, and where its overview comes late a second call. An answer that holds nothing of the overview that it
    names is asked for once more, with a new search."""
    question = {"q": params.q, "gl": params.gl, "hl": google_language(params.hl).lower()}
    try:
        return await _searched(params, net, question)
    except serpapi.Unwritten:
        return await _searched(params, net, {**question, "no_cache": "true"})


async def _searched(params: OverviewParams, net: "Net", question: dict[str, str]) -> tuple[Overview, Wire]:
    wire = await serpapi_calls.ask(net, "google", **question)
    token = await net.read(serpapi.token_of, wire)
    if token is None:
        return await net.read(serpapi.read, wire, params), wire
    wire = await serpapi_calls.ask(net, "google_ai_overview", page_token=token)
    try:
        return await net.read(serpapi.read, wire, params), wire
    except EmptyResult as exc:  # there is one, says the token
        raise serpapi.Unwritten(exc.message) from exc


async def ask_page(params: OverviewParams, net: "Net") -> tuple[Overview, Wire]:
    """The page, once more (each has a new session) when the engine did not write what it had begun."""
    wire = await search_page.rendered(net, params.q, params.gl, google_language(params.hl))
    try:
        return await net.read(page.read, wire, params), wire
    except page.Declined:
        wire = await search_page.rendered(net, params.q, params.gl, google_language(params.hl))
        return await net.read(page.read, wire, params), wire


async def ask_gemini(params: OverviewParams, net: "Net") -> Wire:
    return await gemini.grounded(net, params.q, params.hl)


def too_long(params: OverviewParams) -> str | None:
    """Why sources whose question stands in an address cannot be asked it."""
    if len(quote_plus(params.q)) <= MAX_ENCODED:
        return None
    return "The question is too long for an address once it is encoded: ask in fewer words."


extractor = Extractor(
    name="search_ai_overview",
    path="/search/ai-overview",
    version=2,
    group="search",
    title="AI overview of a search",
    description=(
        "The answer that the search engine writes above its results: paragraphs, headings, lists, tables and code in "
        "order, with [n] for the references. About half of all queries have one; one that has none is an empty_result "
        "and free, and a later try may find one."
    ),
    params=OverviewParams,
    result=Overview,
    credits=2,
    fresh=days(1),
    sources=(
        Source(serpapi_calls.SERPAPI, None, serpapi.read, reads_params=True, ask=ask_serpapi, skips=too_long),
        Source(search_page.SEARCH_PAGE, None, page.read, reads_params=True, ask=ask_page, skips=too_long),
        Source(gemini.GEMINI, ask_gemini, grounded.read, reads_params=True),
    ),
    render=render,
    example={"q": "why is the sky blue"},
    deadline_s=60.0,
)
