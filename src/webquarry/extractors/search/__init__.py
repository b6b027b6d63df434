"""Endpoints for web search, and for the answer that an engine writes above its results.

- `search`, `ai_overview`: the endpoints
- `model/`: parameters and results of both, and the window of requested rows across a source's pages
- `sources/`: one module per engine; engines share `addresses`, `browser`, `leads` and `pieces`
- `sources/untested/`: sources for which no complete response is recorded
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Search",
    about="Web search results and AI overviews.",
    roots=("search",),
    place=2,
)
