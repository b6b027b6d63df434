"""A listing of the extension store: ratings, users, version, dates, developer, descriptions and images.

Upstream: the Chrome Web Store. The page's own RPC is tried first, then the page's data, then its tags. Response format:
docs/upstreams/extension-store.md. An unknown, removed or private item raises Absent.
"""

from typing import Any

from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.extension_store.model.params import ItemParams
from webquarry.extractors.extension_store.sources.webstore import listing, store
from webquarry.extractors.extension_store.sources.webstore.listing import Developer, Listing
from webquarry.net import Net
from webquarry.render import Link, Md

SHOWN_SCREENSHOTS = 10


async def call(params: ItemParams, net: Net) -> Wire:
    return await store.call(store.DETAIL, [params.item], params.item, net)


async def page(params: ItemParams, net: Net) -> Wire:
    return await store.page(params.item, net)


def render(r: Listing) -> str:
    md = Md(r.name)
    md.paragraph(r.summary)
    md.table("", ("Figure", "Value"), [(label, value) for label, value in _figures(r) if value is not None])
    if r.developer:
        md.heading("Developer").facts(_list_facts(r.developer))
    md.bullets("Links", [(f"{label}:", Link(url, url)) for label, url in _links(r) if url])
    if r.description:
        md.heading("Description")
        for line in r.description.split("\n"):
            md.paragraph(line)
    md.bullets("Screenshots", [Link(url, url) for url in r.screenshots[:SHOWN_SCREENSHOTS]])
    if len(r.screenshots) > SHOWN_SCREENSHOTS:
        md.paragraph(f"{len(r.screenshots) - SHOWN_SCREENSHOTS} more are in `data`.")
    for warning in r.warnings:
        md.paragraph(f"Note: {warning}")
    return md.source(f"Chrome Web Store, {r.url}").text()


def _figures(r: Listing) -> tuple[tuple[str, Any], ...]:
    return (
        ("Kind", r.kind),
        ("Users", None if r.user_count is None else f"{r.user_count:,}"),
        ("Rating", _write_rating(r)),
        ("Category", r.category),
        ("Version", r.version),
        ("Updated", r.updated_at),
        ("First published", r.published_at),
        ("Size", r.size),
        ("Minimum browser version", r.min_chrome_version),
        ("Featured", r.featured),
        ("Languages", _write_languages(r)),
    )


def _list_facts(d: Developer) -> tuple[tuple[str, Any], ...]:
    return (
        ("Name", ", ".join(dict.fromkeys(filter(None, (d.display_name, d.name, d.legal_name))))),
        ("Verified", d.verified),
        ("Mail", d.email),
        ("Address", ", ".join(line.strip() for line in (d.address or "").split("\n") if line.strip())),
    )


def _links(r: Listing) -> tuple[tuple[str, str | None], ...]:
    return (
        ("Listing", r.url),
        ("Homepage", r.homepage),
        ("Support", r.support_url),
        ("Privacy policy", r.privacy_policy_url),
        ("Icon", r.icon),
    )


def _write_rating(r: Listing) -> str | None:
    if r.rating is None:
        return "none yet" if r.rating_count == 0 else None
    count = "" if r.rating_count is None else f" ({r.rating_count:,} ratings)"
    return f"{r.rating:.2f} of 5{count}"


def _write_languages(r: Listing) -> str | None:
    names = r.languages or r.language_codes
    return f"{len(names)}: {', '.join(names)}" if names else None


extractor = Extractor(
    name="extension_store_extension",
    path="/extension-store/extension",
    version=2,
    group="extension_store",
    title="Extension store listing",
    description=(
        "Returns an extension, theme or app from the Chrome Web Store: name, descriptions, rating, users, category, "
        "version, dates, size, languages, developer, links and images. Set exactly one of `id` and `url`. An "
        "unknown, removed or private item returns `not_found`."
    ),
    params=ItemParams,
    identity=lambda params: {"id": params.item},
    result=Listing,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(store.STORE_RPC, call, listing.read_call),
        Source(store.STORE_PAGE, page, listing.read_page),
    ),
    render=render,
    ends={
        "not_found": "The extension does not exist or was removed.",
    },
    example={"id": "abcdefghijklmnopabcdefghijklmnop"},
)
