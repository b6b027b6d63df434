"""What people search for: over time, by region, together with what, and now.

- `interest`, `geo`, `related`, `trending`: the endpoints
- `model/`: parameters, places and windows of time
- `sources/`: `chain` orders the sources; `widgets` and `values` are shared by them
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Trends",
    about="Search interest over time and by region, related queries, and trending searches.",
    roots=("trends",),
    place=4,
)
