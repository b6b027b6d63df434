"""The catalog of an online shop: its products with variants, prices, options, pictures and descriptions.

Provider: the shop itself, with the first of these lists that responds: Shopify's list, WooCommerce's list, and
Shopify's list at the host that the platform assigned to the shop. See docs/upstreams/storefront.md.

Raises EmptyResult for a site without a public catalog, and ProviderError "blocked" for a password page or another
block page. Descriptions are untrusted markup, so child processes parse them.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from webquarry.core.errors import EmptyResult, ExtractionError, ProviderError, ProviderReason, UnsafeTarget
from webquarry.core.types import Domain, Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Artifacts, Extractor, Params, hours, param
from webquarry.extractors.storefront.child import catalog_reply
from webquarry.extractors.storefront.child.catalog_reply import (
    BlockPageFacts,
    ChangedFacts,
    ListReply,
    OtherFacts,
    ProductsFacts,
    RefusedFacts,
)
from webquarry.extractors.storefront.model.listing import Catalog, assemble, render
from webquarry.extractors.storefront.model.products import ProductPage
from webquarry.extractors.storefront.sources.untested import shops
from webquarry.net import Net, retry_after_s
from webquarry.read.pages import Page, collect
from webquarry.workers.parcel import Parcel

MAX_PAGES: Final = 10
_ACCEPT_PAGE: Final = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"


class CatalogParams(Params):
    domain: Domain = param("Domain of the shop: a bare domain or a full URL.", example="shop.example.com")
    max_pages: int = param(
        "Maximum number of pages to fetch: 250 products each for Shopify, 100 for WooCommerce.",
        default=1,
        min_value=1,
        max_value=MAX_PAGES,
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, its kind, and its products as JSON if it has any."""

    wire: Wire
    facts: ListReply
    page: bytes | None


Address = Callable[[int], str]
"""A function that returns the address of a catalog page. Pages are numbered from 1."""


async def run(params: CatalogParams, ctx: Context) -> Artifacts:
    origin = f"https://{params.domain.host}"
    shopify = ctx.net(shops.SHOPIFY)
    first = await _ask(shops.make_products_url(origin, 1), shopify, ctx)
    if first.page is not None:
        return await _shopify(params, first, shopify, ctx)
    woocommerce = ctx.net(shops.WOOCOMMERCE)
    for place in shops.WOOCOMMERCE_PLACES:
        found = await _ask(shops.store_url(origin, place, 1), woocommerce, ctx)
        if found.page is not None:
            return await _collect(params, found, _places(found, place), woocommerce, ctx)
        if not isinstance(found.facts, OtherFacts):
            break
    _fail(first)
    _fail(found)
    return await _by_own_host(params, origin, ctx)


def read(wire: Wire, params: CatalogParams) -> Catalog:
    """Parse one recorded page of a catalog without further requests. Raises EmptyResult if it is not a catalog."""
    # Imported here because the service itself never parses recorded responses.
    from webquarry.extractors.storefront.child.catalog_job import read as read_answer

    answer = _answer(wire, read_answer(wire.body, wire=wire.about()))
    _fail(answer)
    if answer.page is None:
        raise _make_no_catalogue_error(params)
    page = ProductPage.model_validate_json(answer.page)
    has_more = page.rows >= shops.PAGE_SIZES[page.platform] if page.pages is None else page.pages > 1
    return assemble([page], domain=params.domain.host, url=shops.read_origin(wire), currency=None, has_more=has_more)


async def _shopify(
    params: CatalogParams, first: Answer, net: Net, ctx: Context, currency: str | None = None
) -> Artifacts:
    """Collect the catalog, starting with its first page.

    currency: used if `meta.json` does not state a currency.
    """
    origin = shops.read_origin(first.wire)
    currency = await _read_currency(origin, net, ctx) or currency
    return await _collect(params, first, lambda page: shops.make_products_url(origin, page), net, ctx, currency)


async def _by_own_host(params: CatalogParams, origin: str, ctx: Context) -> Artifacts:
    """Collect the catalog from the host that the platform assigned to the shop, which the shop's page names.

    Raises EmptyResult if the page names no host or the host has no catalog, and ProviderError "blocked" if the page
    is a block page.
    """
    net = ctx.net(shops.SHOPIFY)
    wire = await shops.fetch(f"{origin}/", net, _ACCEPT_PAGE)
    about = {"wire": wire.about()}
    home = (await ctx.isolated(catalog_reply.READ_HOME, wire.body, about, origin=wire.origin, subject="page")).facts
    if home.block_page:
        raise _make_error(wire, "blocked", home.block_page)
    if home.host is None:
        raise _make_no_catalogue_error(params)
    first = await _ask(shops.make_products_url(f"https://{home.host}", 1), net, ctx)
    _fail(first)
    if first.page is None:
        raise _make_no_catalogue_error(params)
    return await _shopify(params, first, net, ctx, home.currency)


async def _collect(
    params: CatalogParams, first: Answer, address: Address, net: Net, ctx: Context, currency: str | None = None
) -> Artifacts:
    """Fetch all requested pages after the first one. A child process combines their products."""
    read: list[bytes] = []
    total = [0]

    async def fetch(number: int | None) -> Page[str, int]:
        answer = first if number is None else await _ask(address(number), net, ctx)
        _fail(answer)
        if answer.page is None or not isinstance(answer.facts, ProductsFacts):
            raise ProviderError("The shop sent something other than a list of products.", reason="changed")
        read.append(answer.page)
        total[0] += answer.facts.rows
        return Page(answer.facts.ids, await following(answer.facts, number or 1))

    async def following(facts: ProductsFacts, number: int) -> int | None:
        """Return the number of the next page, or None after the last page.

        If the shop does not state whether there is a next page, and no further page was requested, the product after a
        full page is fetched to find out.
        """
        if facts.pages is not None:
            return number + 1 if number < facts.pages else None
        if facts.rows < shops.PAGE_SIZES[facts.platform]:
            return None
        if number < params.max_pages or facts.platform != "shopify":
            return number + 1
        return number + 1 if await _has_product(total[0] + 1, shops.read_origin(first.wire), net, ctx) else None

    pages = await collect(
        fetch, max_pages=params.max_pages, key=lambda product: product, net=net, source=params.domain.host
    )
    ctx.keep_wire(first.wire)
    about = {
        "domain": params.domain.host,
        "url": shops.read_origin(first.wire),
        "currency": currency,
        "has_more": pages.has_more,
        "warnings": pages.warnings,
    }
    listed = await asyncio.to_thread(b",".join, read)  # a catalog page may be megabytes
    job = catalog_reply.WRITE.knowing(domain=params.domain.host, url=about["url"], has_more=pages.has_more)
    made = await ctx.isolated(job, listed, about, origin=first.wire.origin, subject="answer")
    data, markdown = made.pieces
    return Artifacts(data, markdown)


async def _has_product(number: int, origin: str, net: Net, ctx: Context) -> bool:
    """Return whether Shopify's list has a product with this number, counted from 1. Return True if that is unknown."""
    try:
        with net:
            answer = await _ask(shops.make_products_url(origin, number, size=1), net, ctx)
    except (ExtractionError, UnsafeTarget):
        return True
    return not isinstance(answer.facts, ProductsFacts) or answer.facts.rows > 0


async def _read_currency(origin: str, net: Net, ctx: Context) -> str | None:
    """Return the currency in Shopify's `meta.json`, or None if the currency is unknown."""
    try:
        with net:
            wire = await shops.fetch(f"{origin}/meta.json", net)
            meta = await ctx.isolated(catalog_reply.READ_META, wire.body, {}, origin=wire.origin, subject="answer")
            return meta.facts
    except (ExtractionError, UnsafeTarget):
        return None


async def _ask(url: str, net: Net, ctx: Context) -> Answer:
    wire = await shops.fetch(url, net)
    about = {"wire": wire.about()}
    made = await ctx.isolated(catalog_reply.READ, wire.body, about, origin=wire.origin, subject="answer")
    return _answer(wire, made)


def _answer(wire: Wire, made: Parcel[ListReply]) -> Answer:
    return Answer(wire, made.facts, made.pieces[0] if isinstance(made.facts, ProductsFacts) else None)


def _places(first: Answer, place: str) -> Address:
    origin = shops.read_origin(first.wire)
    return lambda page: shops.store_url(origin, place, page)


def _fail(answer: Answer) -> None:
    """Raise ProviderError for a block page, a refusal, or a list in another form."""
    facts = answer.facts
    if isinstance(facts, ChangedFacts):
        raise ProviderError(facts.why, reason="changed")
    if isinstance(facts, BlockPageFacts | RefusedFacts):
        raise _make_error(answer.wire, "blocked" if isinstance(facts, BlockPageFacts) else "refused", facts.why)


def _make_error(wire: Wire, reason: ProviderReason, why: str) -> ProviderError:
    return ProviderError(
        f"{urlsplit(wire.url).hostname or 'The shop'} {why}", reason=reason, retry_after_s=retry_after_s(wire)
    )


def _make_no_catalogue_error(params: CatalogParams) -> EmptyResult:
    return EmptyResult(f"{params.domain.host} has no public catalog, neither from Shopify nor from WooCommerce.")


extractor = Extractor(
    name="storefront_catalog",
    path="/storefront/catalog",
    version=2,
    group="storefront",
    title="Online shop catalog",
    description=(
        "Lists the products of a Shopify or WooCommerce shop in one format: variants with prices, options, "
        "availability, images, tags and descriptions as markdown. The platform is detected automatically. A site "
        "without a public catalog returns `empty_result`, and a shop without products returns an empty list. A shop "
        "protected by a password or a block page returns `provider_error`."
    ),
    params=CatalogParams,
    result=Catalog,
    credits=1,
    fresh=hours(12),
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    read=read,
    providers=(shops.SHOPIFY, shops.WOOCOMMERCE),
    render=render,
    ends={
        "empty_result": "The site has no public catalog.",
    },
    example={"domain": "shop.example.com"},
)
