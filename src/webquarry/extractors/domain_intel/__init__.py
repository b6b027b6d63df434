"""Facts about domains: registration, files for agents, traffic, and standing in indexes of links.

- `registration`, `agent_ready`, `traffic`, `authority`, `backlinks`, `organic`: the endpoints
- `model/`: results that several sources give, and how indexes are asked about a site
- `sources/`: registries, files of a site, Similarweb; `data/`: the table of registries
- `words`: countries as Similarweb writes them
- `sources/untested/`: sources of which no whole answer is on record
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Domains, traffic and SEO",
    about="Registration, agent files, traffic and SEO metrics of a domain.",
    roots=("domain", "agent-ready", "traffic", "seo"),
    place=5,
)
