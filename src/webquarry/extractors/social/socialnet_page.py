"""A page of the social network: its facts, counts, contact details, and its id for the ads endpoint.

Provider: the page without a login. The ads library shows whether the page runs ads, if it responds. See
docs/upstreams/socialnet-page.md. Raises Absent for personal profiles, groups and missing pages, and ProviderError
"blocked" for a login page.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.social.model.socialnet.result import SocialnetPage, SocialnetPageParams
from webquarry.extractors.social.sources.socialnet import page_html
from webquarry.render import Link, Md

FIGURES = (
    ("Followers", "followers"),
    ("Likes", "likes"),
    ("Talking about it", "talking_about"),
    ("Were here", "were_here"),
)


def render(r: SocialnetPage) -> str:
    md = Md(r.name).paragraph(", ".join(r.categories))
    counts = [(label, getattr(r, name)) for label, name in FIGURES]
    md.table("", ("Figure", "Count"), [(label, f"{count:,}") for label, count in counts if count is not None])
    if r.counts_rounded:
        md.paragraph("The provider rounds followers and likes.")
    md.facts(
        [
            ("Web site", Link(r.website, r.website) if r.website else None),
            ("Phone", r.phone),
            ("Mail", r.email),
            ("Address", Link(r.address, r.address_map_url) if r.address else None),
            ("Hours", r.hours_status),
            ("Price range", r.price_range),
            ("Services", r.services),
            ("Reviews", _write_reviews(r)),
            ("Verified", r.verified),
        ]
    )
    md.quote(*(r.bio or "").split("\n"))
    md.bullets("Elsewhere", [Link(link.platform, link.url) for link in r.social_links])
    md.heading("Ads")
    md.facts(
        [
            ("Page id", f"{r.page_id} (use it to request the page's ads)" if r.page_id else "unknown"),
            ("Runs ads", "unknown" if r.runs_ads is None else r.runs_ads),
            ("Library", Link("current ads", r.ad_library_url)),
        ]
    )
    return md.source(r.url).text()


def _write_reviews(r: SocialnetPage) -> str | None:
    share = None if r.rating_percent is None else f"{r.rating_percent}% recommend it"
    count = None if r.review_count is None else f"{r.review_count:,} review{'' if r.review_count == 1 else 's'}"
    return ", ".join(filter(None, (share, count))) or None


extractor = Extractor(
    name="social_socialnet_page",
    path="/social/socialnet/page",
    version=2,
    group="social",
    title="Social-network page",
    description=(
        "Returns a public page of the social network by its name or URL: category, followers or likes, website, "
        "phone, email and address if public, the page ID for the ads endpoint, and whether the page currently runs "
        "ads. Personal profiles and groups return `not_found`."
    ),
    params=SocialnetPageParams,
    identity=lambda params: {"slug": params.page},
    result=SocialnetPage,
    credits=1,
    fresh=hours(24),
    sources=(Source(page_html.SOCIALNET_PAGE_HTML, None, page_html.read, ask=page_html.ask),),
    render=render,
    ends={
        "not_found": "The page does not exist or is hidden, or the name belongs to a person or a group.",
    },
    example={"slug": "example"},
)
