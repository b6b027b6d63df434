"""Endpoints for places on the map: a search, and a single place.

- `search`, `place`: the endpoints
- `model/`: parameters, results and markdown of both, and values shared by all readers
- `sources/rpc/`: Google Maps without a key
- `sources/untested/`: sources for which no complete response is recorded
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Maps",
    about="Search for places, and get the details of a place.",
    roots=("maps",),
    place=3,
)
