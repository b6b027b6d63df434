"""Online shops with a public catalog.

- `catalog`: the endpoint
- `model/`: products and the catalog
- `child/`: the jobs that parse a shop's responses in child processes, and their replies
- `sources/untested/`: providers without a complete recorded response
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Online shops",
    about="Public product catalogs of online shops.",
    roots=("storefront",),
    place=7,
)
