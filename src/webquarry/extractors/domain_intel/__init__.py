"""Endpoints for facts about domains: registration, files for agents, traffic, and ratings in link indexes.

- `registration`, `agent_ready`, `traffic`, `authority`, `backlinks`, `organic`: the endpoints
- `model/`: results shared by several sources, and the names under which link indexes list a site
- `sources/`: registries, a site's own files, Similarweb; `data/`: the table of registries
- `words`: countries as Similarweb writes them
- `sources/untested/`: sources for which no complete response is recorded
"""

from webquarry.endpoints.declare import Group

GROUP = Group(
    title="Domains, traffic and SEO",
    about="Registration, agent files, traffic and SEO metrics of a domain.",
    roots=("domain", "agent-ready", "traffic", "seo"),
    place=5,
)
