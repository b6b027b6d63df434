"""Web search: results, and what the source tells beside them (answer, facts, videos, questions, related searches).

Upstreams: keyed ones first where their key is set, then an instance of one's own, then pages that serve anybody. Wire
notes: docs/upstreams/search.md. Nothing found is an empty list when the source itself says so; a page without results
that does not say so is a failure of that source.
"""

from webquarry.endpoints.declare import Extractor, hours
from webquarry.extractors.search.serp.params import SearchParams
from webquarry.extractors.search.serp.render import render
from webquarry.extractors.search.serp.result import Search
from webquarry.extractors.search.serp.sources import SOURCES

extractor = Extractor(
    name="search",
    path="/search",
    version=3,
    group="search",
    title="Web search",
    description=(
        "Returns web search results with title, URL, snippet and position and, if available, an answer box, a "
        "knowledge graph, videos, related questions and related searches. Which of these are available depends on "
        "the provider. `warnings` lists parameters that the provider doesn't support."
    ),
    params=SearchParams,
    result=Search,
    credits=1,
    fresh=hours(1),
    sources=tuple(paged.source() for paged in SOURCES),
    render=render,
    example={"q": "coffee"},
)
