"""Search interest: over time, by region, related queries, and current trends.

- `interest`, `geo`, `related`, `trending`: the endpoints
- `model/`: parameters, places and time windows
- `sources/`: `chain` orders the providers; `widgets` and `values` are shared by them
- `sources/untested/`: providers without a complete recorded response
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Trends",
    about="Search interest over time and by region, related queries, and trending searches.",
    roots=("trends",),
    place=4,
)
