"""Endpoints for a browser's extension store: a listing and its user reviews.

- `extension`, `reviews`: the endpoints
- `model/params`: the parameters that name an extension
- `sources/webstore/`: RPCs, pages and readers of the store
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Extension store",
    about="Listings and reviews of browser extensions.",
    roots=("extension-store",),
    place=6,
)
