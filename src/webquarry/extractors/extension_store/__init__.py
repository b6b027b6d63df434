"""Extensions of a browser's store: a listing, and what its users write of it.

- `extension`, `reviews`: the endpoints
- `model/params`: how an extension is named
- `sources/webstore/`: calls, pages and readers of the store
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Extension store",
    about="Listings and reviews of browser extensions.",
    roots=("extension-store",),
    place=6,
)
