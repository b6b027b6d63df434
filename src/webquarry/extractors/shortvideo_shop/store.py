"""A seller's store: the seller and its products, about 30 per page.

Providers: the store's page, and for further pages the request that its script makes, which is mostly refused; otherwise
a service with the operator's key. See docs/upstreams/shortvideo-shop.md#stores. Raises Absent if the seller is unknown.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from webquarry.core.locale import Country
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, exactly_one, field, hours, param
from webquarry.extractors.shortvideo_shop.model.ids import HOME_REGION, SellerId, StoreUrl, find_region, store_url
from webquarry.extractors.shortvideo_shop.seller import find_facts
from webquarry.extractors.shortvideo_shop.sources.scrapecreators import SCRAPECREATORS
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page, store_page
from webquarry.extractors.shortvideo_shop.sources.shop.items import Item, find_table
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import SellerFacts
from webquarry.extractors.shortvideo_shop.sources.shop.store_page import StorePage
from webquarry.extractors.shortvideo_shop.sources.untested import pages
from webquarry.extractors.shortvideo_shop.sources.untested.tikhub import TIKHUB
from webquarry.read.pages import Page, Pages, collect
from webquarry.render import Md

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_PAGES: Final = 10
BLOCKED: Final = "upstream_blocked_pagination"
OUT_OF_TIME: Final = "out_of_time"


class StoreParams(Params):
    one_of = exactly_one("seller_id", "url")

    seller_id: SellerId | None = param(
        "Seller ID from the product endpoint.", default=None, example="7495000000000000001"
    )
    url: StoreUrl | None = param("URL of the store.", default=None)
    max_pages: int = param(
        "Number of pages to fetch, about 30 products each.", default=1, min_value=1, max_value=MAX_PAGES
    )
    region: Country | None = param(
        "Two-letter region code of the shop. Default: the region in the URL, otherwise us.", default=None
    )

    @property
    def seller(self) -> str:
        if self.seller_id is not None:
            return self.seller_id
        if self.url is None:
            raise ValueError("either seller_id or url is required")
        return self.url.seller_id

    @property
    def requested_region(self) -> Country:
        return self.region or (find_region(self.url) if self.url is not None else None) or HOME_REGION

    def identity(self) -> dict[str, str]:
        return {"seller": self.seller, "region": self.requested_region, "max_pages": str(self.max_pages)}


class Store(Result):
    seller_id: str = field("Seller ID as a string.")
    url: str = field("URL of the store.")
    region: str | None = field("Region of the prices according to the page; null if unknown.")
    asked_region: str = field("Requested region.")
    seller: SellerFacts | None = field("The seller, if available.", wire="shop_info")
    count: int = field("Number of returned products.")
    pages_fetched: int = field("Number of pages fetched.")
    has_more: bool | None = field("Whether more products exist than were fetched; null if unknown.")
    truncated_reason: str | None = field("Why fewer pages were fetched than requested.")
    product_ids: list[str] = field("Product IDs, for use with the product endpoint.")
    products: list[Item] = field("Products in the store's order.", wire="products[]")
    warnings: list[str] = field("Missing data and the reasons.")


def store_of(first: StorePage, last: StorePage, pages: Pages[Item, str], params: StoreParams) -> Store:
    region = params.requested_region
    warnings = list(pages.warnings)
    if first.region is not None and first.region.lower() != region:
        warnings.append(f"Prices are for {first.region}, the region of the request, not for {region.upper()}.")
    has_more = True if pages.has_more else last.has_more
    total = first.seller.product_count if first.seller is not None else None
    if has_more is None and total is not None:
        has_more = total > len(pages.rows)
    is_short = bool(has_more) and pages.pages_fetched < params.max_pages
    return Store(
        seller_id=params.seller,
        url=first.seller.url if first.seller is not None else store_url(params.seller, region),
        region=first.region,
        asked_region=region.upper(),
        seller=first.seller,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=has_more,
        truncated_reason=(OUT_OF_TIME if _was_late(pages) else BLOCKED) if is_short else None,
        product_ids=[item.product_id for item in pages.rows],
        products=pages.rows,
        warnings=warnings,
    )


def _was_late(pages: Pages[Item, str]) -> bool:
    return any("no time left" in warning or "in time" in warning for warning in pages.warnings)


def _alone(page: StorePage, params: StoreParams) -> Store:
    """Return the store from a single page."""
    has_more = page.has_more if page.has_more is not None else page.next is not None or None
    pages: Pages[Item, str] = Pages(rows=list(page.items), next=page.next, pages_fetched=1, has_more=bool(has_more))
    return store_of(page, page, pages, params)


def read(wire: Wire, params: StoreParams) -> Store:
    return _alone(store_page.read_page(wire, params.seller), params)


def read_scrapecreators(wire: Wire, params: StoreParams) -> Store:
    return _alone(store_page.read_scrapecreators(wire, params.seller), params)


def read_tikhub(wire: Wire, params: StoreParams) -> Store:
    return _alone(store_page.read_tikhub(wire, params.seller), params)


async def _collected(
    params: StoreParams, net: "Net", fetch: Callable[[str | None], Awaitable[tuple[StorePage, Wire]]]
) -> tuple[Store, Wire]:
    """Fetch pages one after the other with `fetch`. Return the store and the first response."""
    read_pages: list[StorePage] = []
    wires: list[Wire] = []

    async def one(following: str | None) -> Page[Item, str]:
        page, wire = await fetch(following)
        read_pages.append(page)
        wires.append(wire)
        return Page(page.items, page.next if page.has_more is not False else None)

    pages = await collect(
        one, max_pages=params.max_pages, key=lambda item: item.product_id, net=net, source="The store"
    )
    return store_of(read_pages[0], read_pages[-1], pages, params), wires[0]


async def _ask_page(
    params: StoreParams, net: "Net", first: Callable[[StoreParams, "Net"], Awaitable[Wire]]
) -> tuple[Store, Wire]:
    async def fetch(following: str | None) -> tuple[StorePage, Wire]:
        if following is None:
            wire = await first(params, net)
            return await net.read(store_page.read_page, wire, params.seller), wire
        wire = await store_page.fetch_more(following, net)
        return await net.read(store_page.read_more, wire, following, params.seller), wire

    return await _collected(params, net, fetch)


async def ask_www(params: StoreParams, net: "Net") -> tuple[Store, Wire]:
    return await _ask_page(params, net, store_page.fetch_www)


async def ask_shop(params: StoreParams, net: "Net") -> tuple[Store, Wire]:
    return await _ask_page(params, net, store_page.fetch_shop)


async def ask_scrapecreators(params: StoreParams, net: "Net") -> tuple[Store, Wire]:
    async def fetch(cursor: str | None) -> tuple[StorePage, Wire]:
        wire = await store_page.fetch_scrapecreators(params, net, cursor)
        return await net.read(store_page.read_scrapecreators, wire, params.seller), wire

    return await _collected(params, net, fetch)


def render(s: Store) -> str:
    name = s.seller.name if s.seller is not None and s.seller.name else s.seller_id
    md = Md(f"Store: {name}")
    if s.seller is not None:
        find_facts(md, s.seller)
    more = {
        True: "There are more.",
        False: "These are all.",
        None: "The provider does not report whether there are more results.",
    }
    md.paragraph(
        f"{s.count} products from {s.pages_fetched} page{'' if s.pages_fetched == 1 else 's'}. {more[s.has_more]}"
    )
    md.facts({"Region of the prices": s.region, "Cut short": s.truncated_reason})
    find_table(md, "Products", s.products)
    return md.bullets("Notes", s.warnings).source(s.url).text()


extractor = Extractor(
    name="shortvideo_shop_store",
    path="/shortvideo/shop/store",
    version=2,
    group="shortvideo_shop",
    title="Shop store",
    description=(
        "Returns a seller's TikTok Shop store: the seller, and its products with price, units sold and rating. Each "
        "page has about 30 products. `has_more` shows whether more products exist than were fetched. Use "
        "`product_ids` with the product endpoint."
    ),
    params=StoreParams,
    result=Store,
    credits=2,
    fresh=hours(6),
    sources=(
        Source(
            pages.WWW_STORE,
            None,
            read,
            ask=ask_www,
            skips=lambda params: shop_page.why_not_www(params.requested_region),
        ),
        Source(pages.SHOP_STORE, None, read, ask=ask_shop),
        Source(SCRAPECREATORS, None, read_scrapecreators, ask=ask_scrapecreators),
        Source(TIKHUB, store_page.fetch_tikhub, read_tikhub),
    ),
    render=render,
    identity=StoreParams.identity,
    ends={
        "not_found": "The seller does not exist.",
    },
    example={"seller_id": "7495000000000000001"},
)
