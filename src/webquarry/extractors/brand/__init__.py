"""Endpoints for a domain's brand: its logo and a report.

- `dossier`, `logo`: the endpoints
- `model/parts`: the parts of a report
- `sources/`: icons that a site names and serves
- `child/`: the jobs that decode images in child processes, and the replies that these jobs may send
- `sources/untested/`: sources for which no complete response is recorded
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Brands",
    about="Logo and dossier of a brand, by its domain.",
    roots=("brand",),
    place=9,
)
