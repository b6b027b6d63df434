"""Authority of a domain: a link index's rating from 0 to 100, with the license that must be shown with it.

Upstreams: Ahrefs' Domain Rating; Open PageRank, under its own name, from its API or from its list in the data folder.
Response format: docs/upstreams/domain-ratings.md. A missing rating raises EmptyResult; a rating of 0 is a value.
"""

from webquarry.core.types import Domain
from webquarry.endpoints.declare import Extractor, Params, Source, days, param
from webquarry.extractors.domain_intel.model.names import find_site
from webquarry.extractors.domain_intel.model.rating import Authority
from webquarry.extractors.domain_intel.sources.untested import ahrefs, open_pagerank
from webquarry.providers.rank_list.update import RANK_LIST
from webquarry.render import Bold, Link, Md


class AuthorityParams(Params):
    domain: Domain = param("Bare domain or full URL. The host without a leading www is rated.", example="example.com")


def render(r: Authority) -> str:
    md = Md(f"{r.domain}: domain rating").paragraph(Bold(_write_rating(r)))
    attribution = Link(r.attribution.text, r.attribution.url)
    has_license = r.license != r.attribution.url
    md.paragraph((attribution, "·", Link("License", r.license)) if has_license else attribution)
    if r.details is not None:
        d = r.details
        age = None if d.as_of is None else f"{d.as_of} ({d.age_days} days old)"
        rows = [
            ("Rating", f"{r.domain_rating:g}", r.scale),
            ("Rank", None if d.rank is None else f"{d.rank:,}", "rank in the index"),
            ("Referring domains", None if d.referring_domains is None else f"{d.referring_domains:,}", "domains"),
            ("Index of", age, "date"),
        ]
        md.table("", ("Figure", "Value", "Unit"), [row for row in rows if row[1] is not None])
    for warning in r.warnings:
        md.paragraph(warning)
    return md.source(r.index).text()


def _write_rating(r: Authority) -> str:
    if r.details is not None and r.details.open_page_rank is not None:
        return f"Open PageRank: {r.details.open_page_rank:g} / 10"
    return f"Domain Rating: {r.domain_rating:g} / 100"


extractor = Extractor(
    name="seo_authority",
    path="/seo/authority",
    version=2,
    group="domain_intel",
    title="Domain rating",
    description=(
        "Returns a link-based rating of a domain from 0 to 100: Ahrefs' Domain Rating or Open PageRank. Ratings of "
        "the two indexes can't be compared. If you display the rating, you must include the license link and the "
        "attribution from the response. A domain without a rating returns `empty_result`."
    ),
    params=AuthorityParams,
    identity=lambda params: {"domain": find_site(params.domain)},
    result=Authority,
    credits=1,
    fresh=days(1),
    sources=(
        Source(ahrefs.AHREFS, ahrefs.lookup, ahrefs.read),
        Source(open_pagerank.OPEN_PAGERANK, open_pagerank.lookup, open_pagerank.read),
        Source(RANK_LIST, open_pagerank.find, open_pagerank.read_list),
    ),
    render=render,
    ends={
        "empty_result": "The index has no rating for the domain.",
    },
    example={"domain": "example.com"},
)
