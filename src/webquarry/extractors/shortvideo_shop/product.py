"""A product of the shop: price, variants with stock, rating, units sold, seller and sample reviews.

Providers: the product's page, at www and in a region's shop; otherwise a service with the operator's key. See
docs/upstreams/shortvideo-shop.md.

Raises EmptyResult if the product is not sold in the region, and Absent if it is unknown.
"""

from typing import TYPE_CHECKING, Any, Final

from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.shortvideo_shop.model.ids import SHOP, WWW, find_product, make_product_url
from webquarry.extractors.shortvideo_shop.model.product_result import Product, ProductParams, Sku
from webquarry.extractors.shortvideo_shop.sources import scrapecreators
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page
from webquarry.extractors.shortvideo_shop.sources.shop.product_page import read, read_scrapecreators, read_tikhub
from webquarry.extractors.shortvideo_shop.sources.shop.values import price_text
from webquarry.extractors.shortvideo_shop.sources.untested import pages, tikhub
from webquarry.extractors.shortvideo_shop.sources.untested.scrapecreators_product import SCRAPECREATORS_PRODUCT
from webquarry.render import Link, Md

if TYPE_CHECKING:
    from webquarry.net import Net

WWW_PAGE: Final = shop_page.make_page_provider("tiktok_product", "TikTok Shop's product page (www)")

SHOWN_SKUS: Final = 30
SHOWN_REVIEWS: Final = 5
SHOWN_IMAGES: Final = 5
SHOWN_SPECIFICATIONS: Final = 20


async def find_product_id(params: ProductParams, net: "Net") -> str:
    """Return the id of the requested product. A short link is followed to find the id."""
    if params.known_id is not None:
        return params.known_id
    found = find_product(await shop_page.followed(net, str(params.url)))
    if found is None:
        raise AssertionError("a link is followed to a product or to an error")
    return found


async def fetch_www(params: ProductParams, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, f"{WWW}/pdp/{await find_product_id(params, net)}")


async def fetch_shop(params: ProductParams, net: "Net") -> Wire:
    product_id = await find_product_id(params, net)
    return await shop_page.fetch_page(net, f"{SHOP}/{params.requested_region}/pdp/{product_id}")


async def fetch_shared(params: ProductParams, net: "Net") -> Wire:
    product_id, region = await find_product_id(params, net), params.requested_region.upper()
    return await shop_page.fetch_page(net, f"{SHOP}/view/product/{product_id}?region={region}&locale=en")


async def fetch_tikhub(params: ProductParams, net: "Net") -> Wire:
    product_id = await find_product_id(params, net)
    return await tikhub.ask(
        net, "fetch_product_detail_v3", product_id=product_id, region=params.requested_region.upper()
    )


async def fetch_scrapecreators(params: ProductParams, net: "Net", *, related_videos: bool = False) -> Wire:
    product_id = await find_product_id(params, net)
    return await scrapecreators.ask(
        net,
        SCRAPECREATORS_PRODUCT,
        "product",
        url=make_product_url(product_id, params.requested_region),
        get_related_videos="true" if related_videos else "false",
        region=params.requested_region.upper(),
    )


def skips_www(params: ProductParams) -> str | None:
    return shop_page.why_not_www(params.requested_region)


def render(p: Product) -> str:
    facts = Md(p.title).table("", ("Fact", "Value"), [row for row in _figures(p) if row[1] is not None])
    if p.seller is not None:
        facts.facts(
            [
                ("Seller", Link(p.seller.name or p.seller.seller_id, p.seller.url)),
                ("Seller's id", p.seller.seller_id),
                ("Seller's rating (out of 5)", p.seller.rating),
                ("Seller's location", p.seller.location),
            ]
        )
    facts.facts(
        [
            ("Product's id", p.product_id),
            ("Categories", " > ".join(category.name or category.category_id for category in p.categories)),
            ("Delivery", _write_delivery(p)),
        ]
    )
    if p.rating_histogram is not None:
        facts.table("Ratings", ("Stars", "Reviews"), sorted(p.rating_histogram.items(), reverse=True))
    _write_variants(facts, p)
    facts.table(
        "Specifications", ("Name", "Value"), [(s.name, s.value) for s in p.specifications[:SHOWN_SPECIFICATIONS]]
    )
    _rest(facts, len(p.specifications), SHOWN_SPECIFICATIONS, "specifications")
    if p.description:
        facts.heading("Description")
        for line in p.description.split("\n"):
            facts.paragraph(line)
    facts.bullets(
        "Reviews",
        [
            " ".join(filter(None, (f"{r.rating:g} of 5:" if r.rating is not None else None, r.text, _written(r.date))))
            for r in p.reviews[:SHOWN_REVIEWS]
        ],
    )
    _rest(facts, len(p.reviews), SHOWN_REVIEWS, "reviews")
    facts.bullets("Images", [Link(f"Image {number}", url) for number, url in enumerate(p.images[:SHOWN_IMAGES], 1)])
    _rest(facts, len(p.images), SHOWN_IMAGES, "images")
    facts.bullets("Notes", p.warnings)
    return facts.source(p.url).text()


def _figures(p: Product) -> list[tuple[str, Any]]:
    currency = p.price.currency
    price = price_text(p.price.min, currency)
    if p.price.max is not None and p.price.max != p.price.min:
        price = f"{price} to {price_text(p.price.max, currency)}"
    original = price_text(p.price.original_min, currency) if p.price.original_min != p.price.min else None
    return [
        ("Price", price or p.price.text),
        ("Price before discount, from", original),
        ("Discount, percent", p.price.discount_percent),
        ("Units sold", p.units_sold if p.units_sold is not None else p.units_sold_text),
        ("Rating, of 5", p.rating),
        ("Reviews", p.review_count if p.review_count is not None else p.review_count_text),
        ("Region of the prices", p.region),
        ("Variants", len(p.skus) or None),
    ]


def _write_variants(md: Md, p: Product) -> None:
    names = [option.name for option in p.options] or list(dict.fromkeys(n for sku in p.skus for n in sku.options))
    md.table(
        "Variants",
        (*names, "Price", "Before discount", "Stock", "In stock", "SKU"),
        [_row(sku, names) for sku in p.skus[:SHOWN_SKUS]],
    )
    _rest(md, len(p.skus), SHOWN_SKUS, "variants")


def _row(sku: Sku, names: list[str]) -> tuple[str | int | float | None, ...]:
    return (
        *(sku.options.get(name) for name in names),
        price_text(sku.price, sku.currency),
        price_text(sku.original_price, sku.currency),
        sku.stock,
        sku.in_stock,
        sku.sku_id,
    )


def _rest(md: Md, total: int, shown: int, things: str) -> None:
    if total > shown:
        md.paragraph(f"The first {shown} of {total} {things} are shown here; `data` has all of them.")


def _written(when: object) -> str | None:
    return f"({when:%Y-%m-%d})" if when is not None else None


def _write_delivery(p: Product) -> str | None:
    if p.shipping is None:
        return None
    days = [number for number in (p.shipping.min_days, p.shipping.max_days) if number is not None]
    fee = "free" if p.shipping.free else price_text(p.shipping.fee, p.shipping.currency)
    within = f"{' to '.join(map(str, dict.fromkeys(days)))} days" if days else None
    return ", ".join(filter(None, (p.shipping.name, fee, within))) or None


extractor = Extractor(
    name="shortvideo_shop_product",
    path="/shortvideo/shop/product",
    version=2,
    group="shortvideo_shop",
    title="Shop product",
    description=(
        "Returns a TikTok Shop product by its ID or URL: price, currency and stock of each variant, units sold, "
        "rating with its star histogram if available, categories, images, the seller with its ID, and a sample of "
        "reviews. Prices depend on the region from which this service sends requests. The response names that "
        "region."
    ),
    params=ProductParams,
    result=Product,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(WWW_PAGE, fetch_www, read, skips=skips_www),
        Source(pages.SHOP_PRODUCT, fetch_shop, read),
        Source(pages.SHARED_PRODUCT, fetch_shared, read),
        Source(tikhub.TIKHUB, fetch_tikhub, read_tikhub),
        Source(SCRAPECREATORS_PRODUCT, fetch_scrapecreators, read_scrapecreators),
    ),
    render=render,
    identity=ProductParams.identity,
    ends={
        "not_found": "The product does not exist.",
        "empty_result": "The product is not sold in the region.",
    },
    example={"product_id": "1729000000000000001"},
)
