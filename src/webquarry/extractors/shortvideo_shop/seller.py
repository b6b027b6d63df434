"""A seller of the shop: name, region, rating, items sold, followers, products and reviews.

Providers: the page of the named product, if any, otherwise the store's page; otherwise a service with the operator's
key. See docs/upstreams/shortvideo-shop.md#stores. Raises Absent if the seller is unknown.
"""

from typing import TYPE_CHECKING

from webquarry.core.errors import ProviderError
from webquarry.core.locale import Country
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Source, hours, param
from webquarry.extractors.shortvideo_shop.model.ids import HOME_REGION, SHOP, ProductId, SellerId
from webquarry.extractors.shortvideo_shop.sources import scrapecreators
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page, store_page
from webquarry.extractors.shortvideo_shop.sources.shop.product_page import find_data
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import SellerFacts, read_seller
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.extractors.shortvideo_shop.sources.shop.store_page import find_seller
from webquarry.extractors.shortvideo_shop.sources.untested import pages, tikhub
from webquarry.read.values import reach
from webquarry.render import Md

if TYPE_CHECKING:
    from webquarry.net import Net


class SellerParams(Params):
    seller_id: SellerId = param(
        "Seller ID from the product endpoint, or the URL of the seller's store.",
        example="7495000000000000001",
    )
    product_id: ProductId | None = param(
        "ID of one of the seller's products. The product page also describes the seller and is blocked less often "
        "than the store page.",
        default=None,
    )
    region: Country = param("Two-letter region code of the shop.", default=HOME_REGION)

    @property
    def seller(self) -> str:
        return self.seller_id

    @property
    def requested_region(self) -> Country:
        return self.region


def read(wire: Wire, params: SellerParams) -> SellerFacts:
    """Parse the seller from a store's page."""
    return _read_shop(wire, shop_page.read_data(wire), params)


def _read_shop(wire: Wire, data: ShopData, params: SellerParams) -> SellerFacts:
    seller = find_seller(data, params.seller_id)
    if seller is None:
        raise shop_page.make_page_error(wire)
    return seller


def read_product(wire: Wire, params: SellerParams) -> SellerFacts:
    """Parse the seller from a product's page, in either layout."""
    data = shop_page.read_data(wire)
    found = find_data(data)
    if found is None:
        raise shop_page.make_page_error(wire)
    own = reach(found.info, "seller")
    if not isinstance(own, dict):
        return _read_shop(wire, data, params)
    seller = read_seller(
        {
            "seller_id": own.get("seller_id") or found.info.get("seller_id"),
            "shop_name": own.get("name"),
            "shop_logo": own.get("avatar"),
            "on_sell_product_count": own.get("product_count"),
            "store_sub_score": found.data.get("shop_performance"),
        }
    )
    if seller is None or seller.seller_id != params.seller_id:
        raise ProviderError("The requested product belongs to a different seller.", reason="changed")
    return seller


def read_scrapecreators(wire: Wire, params: SellerParams) -> SellerFacts:
    found = store_page.read_scrapecreators(wire, params.seller_id).seller
    if found is None:
        raise ProviderError(f"{scrapecreators.TITLE} sent a store without its seller.", reason="changed")
    return found


def read_tikhub(wire: Wire, params: SellerParams) -> SellerFacts:
    found = find_seller(tikhub.read_data(wire), params.seller_id)
    if found is None:
        raise ProviderError(f"{tikhub.TITLE} sent a store without its seller.", reason="changed")
    return found


async def fetch_product(params: SellerParams, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, f"{SHOP}/{params.region}/pdp/{params.product_id}")


def skips_product(params: SellerParams) -> str | None:
    return None if params.product_id is not None else "No product of the seller was given."


def skips_www(params: SellerParams) -> str | None:
    return shop_page.why_not_www(params.region)


def find_facts(md: Md, seller: SellerFacts) -> Md:
    """Add the seller's counts and ratings."""
    figures = [
        ("Rating, of 5", seller.rating),
        ("Units sold", seller.units_sold if seller.units_sold is not None else seller.units_sold_text),
        ("Followers", seller.followers if seller.followers is not None else seller.followers_text),
        ("Products", seller.product_count if seller.product_count is not None else seller.product_count_text),
        ("Reviews", seller.review_count),
        ("Videos", seller.video_count),
        ("Region", seller.region),
    ]
    md.table("", ("Fact", "Value"), [row for row in figures if row[1] is not None])
    return md.facts({"Seller's id": seller.seller_id, "Account": seller.creator_name})


def render(s: SellerFacts) -> str:
    md = find_facts(Md(f"Seller: {s.name or s.seller_id}"), s)
    md.paragraph(s.description)
    md.table("Scores", ("Score", "Percent"), [(score.meaning or str(score.type), score.percent) for score in s.scores])
    return md.source(s.url).text()


extractor = Extractor(
    name="shortvideo_shop_seller",
    path="/shortvideo/shop/seller",
    version=2,
    group="shortvideo_shop",
    title="Shop seller",
    description=(
        "Returns a TikTok Shop seller by its ID: name, region, rating, items sold, followers, and the number of "
        "products and reviews. Counts that the shop shows as text are returned both as numbers and as the original "
        "text."
    ),
    params=SellerParams,
    result=SellerFacts,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(pages.SELLER_PRODUCT, fetch_product, read_product, skips=skips_product),
        Source(pages.WWW_STORE, store_page.fetch_www, read, skips=skips_www),
        Source(pages.SHOP_STORE, store_page.fetch_shop, read),
        Source(scrapecreators.SCRAPECREATORS, store_page.fetch_scrapecreators, read_scrapecreators),
        Source(tikhub.TIKHUB, store_page.fetch_tikhub, read_tikhub),
    ),
    render=render,
    ends={
        "not_found": "The seller does not exist.",
    },
    example={"seller_id": "7495000000000000002"},
)
