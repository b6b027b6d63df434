"""Public ad libraries: of a search engine (its creatives, one of them, an advertiser) and of a social network.

- `creatives`, `creative`, `advertiser`, `socialnet`: the endpoints
- `model/library`: the ads of a page of the social network
- `sources/transparency/`: the search engine's transparency center
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Ads",
    about="Ads and advertisers from public ad libraries.",
    roots=("ads",),
    place=8,
)
