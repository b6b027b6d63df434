"""A brand by its domain: its logo, and a dossier.

- `dossier`, `logo`: the endpoints
- `model/parts`: the parts of a dossier
- `sources/`: icons that a site names and serves
- `child/`: the jobs that look into pictures in child processes, and what these jobs may answer
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Brands",
    about="Logo and dossier of a brand, by its domain.",
    roots=("brand",),
    place=9,
)
