"""Online shops, by the catalogue that they keep public.

- `catalog`: the endpoint
- `model/`: products and the catalogue
- `child/`: the jobs that read a shop's answers in child processes, and what these jobs may answer
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Online shops",
    about="Public product catalogs of online shops.",
    roots=("storefront",),
    place=7,
)
