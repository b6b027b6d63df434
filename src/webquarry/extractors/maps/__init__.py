"""Places on the map: a search for them, and one of them.

- `search`, `place`: the endpoints
- `model/`: parameters, results and markdown of both, and the values that all readers share
- `sources/rpc/`: Google Maps without a key
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Maps",
    about="Search for places, and get the details of a place.",
    roots=("maps",),
    place=3,
)
