"""Products in the lists of stores and categories. The shop and the providers use the same form everywhere."""

from typing import Any, Final

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.shortvideo_shop.model.ids import make_product_url
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import Component, ShopData
from webquarry.extractors.shortvideo_shop.sources.shop.values import (
    count,
    price_text,
    read_amount,
    read_currency,
    read_discount,
    read_picture,
    score,
)
from webquarry.extractors.shortvideo_shop.sources.shop.values import read_shop_id as to_shop_id
from webquarry.read import take
from webquarry.read.fields import to_address, to_line
from webquarry.read.losses import read_rows
from webquarry.render import Link, Md

SHOWN_ITEMS: Final = 50
_RECOMMENDED: Final = ("you_may_like", "recommend", "similar", "bought_together")


class Item(Result):
    product_id: str = field("Product ID as a string, for use with the product endpoint.", wire="product_id")
    url: str = field("URL of the product's page.", wire="seo_url.canonical_url")
    title: str | None = field("Title of the product.", wire="title")
    image_url: str | None = field("URL of the product's image.", wire="image.url_list[0]")
    price: float | None = field("Price in major currency units.", wire="product_price_info.sale_price_decimal")
    original_price: float | None = field("Price before the discount.", wire="product_price_info.origin_price_decimal")
    currency: str | None = field("ISO 4217 code.", wire="product_price_info.currency_name")
    discount_percent: float | None = field(
        "Discount on the original price.", unit="percent", wire="product_price_info.discount_decimal"
    )
    rating: float | None = field("Average rating, 1 to 5 stars.", wire="rate_info.score")
    review_count: int | None = field("Number of reviews.", wire="rate_info.review_count")
    units_sold: int | None = field("Number of units sold.", wire="sold_info.sold_count")
    units_sold_text: str | None = field("The count as the provider wrote it, if it sent text instead of a number.")
    seller_id: str | None = field("Seller ID.", wire="seller_info.seller_id")
    brand: str | None = field("Brand of the product.", wire="brand_info.brand_name")


def read_item(row: Any) -> Item | None:
    """Parse a product. Returns None if it has no id."""
    product_id = take(row, "product_id", to_shop_id)
    if product_id is None:
        return None
    sold = count(row, "sold_info.sold_count", "sold_info.format_sold_count")
    return Item(
        product_id=product_id,
        url=take(row, "seo_url.canonical_url", to_address) or make_product_url(product_id, None),
        title=take(row, "title", to_line),
        image_url=read_picture(row, "image"),
        price=read_amount(
            row, "product_price_info.sale_price_decimal", "product_price_info.single_product_price_decimal"
        ),
        original_price=read_amount(row, "product_price_info.origin_price_decimal") or None,
        currency=read_currency(row, "product_price_info.currency_name"),
        discount_percent=read_discount(
            row, "product_price_info.discount_decimal", "product_price_info.discount_format"
        ),
        rating=take(row, "rate_info.score", score),
        review_count=count(row, "rate_info.review_count").number,
        units_sold=sold.number,
        units_sold_text=sold.text,
        seller_id=take(row, "seller_info.seller_id", to_shop_id),
        brand=take(row, "brand_info.brand_name", to_line),
    )


def read_items(rows: Any) -> list[Item]:
    """Return the products in order, without duplicates."""
    found = read_rows(rows if isinstance(rows, list) else [], read_item, "products[]")
    return list({item.product_id: item for item in found}.values())


def find_main_list(data: ShopData) -> Component | None:
    """Return the component with the page's main products, or None if no component has a list.

    Prefers lists with products, then lists without recommendations, then the list marked as the main feed, then the
    longest list.
    """
    lists = [component for component in data.components if isinstance(component.data.get("products"), list)]
    return max(lists, key=_weigh, default=None)


def _weigh(component: Component) -> tuple[bool, bool, bool, int]:
    node, products = component.node, component.data["products"]
    name = f"{node.get('component_name')} {node.get('component_type')}"
    config = node.get("fe_config")
    return (
        bool(products),
        not any(word in name for word in _RECOMMENDED),
        isinstance(config, dict) and config.get("is_main_feed") is True,
        len(products),
    )


def find_table(md: Md, heading: str, items: list[Item]) -> None:
    rows = [
        (
            Link(item.title or item.product_id, item.url),
            price_text(item.price, item.currency),
            price_text(item.original_price, item.currency),
            item.units_sold if item.units_sold is not None else item.units_sold_text,
            item.rating,
            item.review_count,
            item.product_id,
        )
        for item in items[:SHOWN_ITEMS]
    ]
    md.table(heading, ("Product", "Price", "Before discount", "Sold", "Rating", "Reviews", "Id"), rows)
    if len(items) > SHOWN_ITEMS:
        md.paragraph(f"The first {SHOWN_ITEMS} of {len(items)} products are shown here; `data` has all of them.")
