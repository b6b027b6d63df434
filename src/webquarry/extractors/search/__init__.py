"""Web search, and the answer that an engine writes above its results.

- `search`, `ai_overview`: the endpoints
- `model/`: parameters and results of both, and the window of rows that is cut out of a source's pages
- `sources/`: one module for each engine; `addresses`, `browser`, `leads`, `pieces` are shared by engines
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Search",
    about="Web search results and AI overviews.",
    roots=("search",),
    place=2,
)
