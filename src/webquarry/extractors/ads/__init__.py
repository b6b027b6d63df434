"""Endpoints for public ad libraries: a search engine's and a social network's.

- `creatives`, `creative`, `advertiser`, `socialnet`: the endpoints
- `model/library`: the ads of a social network page
- `sources/transparency/`: the search engine's transparency center
- `sources/untested/`: sources for which no complete response is recorded
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Ads",
    about="Ads and advertisers from public ad libraries.",
    roots=("ads",),
    place=8,
)
