"""Products of a shop, of whatever platform, in one shape."""

from datetime import datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field

Platform = Literal["shopify", "woocommerce"]


class Option(Result):
    name: str = field("What can be chosen, such as the size.", wire="options[].name | attributes[].name")
    values: list[str] = field("What there is to choose from.", wire="options[].values | attributes[].terms[].name")


class Variant(Result):
    id: str = field("Id of the variant.", wire="variants[].id | variations[].id")
    title: str | None = field("What was chosen, such as `Blue / S`.", wire="variants[].title | variations[].attributes")
    sku: str | None = field("The shop's own number.", wire="variants[].sku | sku")
    price: float | None = field("Price in whole units of the currency.", wire="variants[].price | prices.price")
    compare_at_price: float | None = field(
        "Price that it is compared with, such as the one before a sale; null where that is not above the price.",
        wire="variants[].compare_at_price | prices.regular_price",
    )
    available: bool | None = field(
        "Whether it can be bought; null when the shop does not say.", wire="variants[].available | is_in_stock"
    )


class Product(Result):
    id: str = field("Id of the product.", wire="id")
    title: str = field("Name.", wire="title | name")
    handle: str | None = field("Its name in addresses.", wire="handle | slug")
    url: str | None = field("Address of its page.", wire="handle | permalink")
    description: str | None = field("Description as markdown.", wire="body_html | description")
    vendor: str | None = field("Who makes or sells it.", wire="vendor")
    type: str | None = field("Kind of product, as the shop names it.", wire="product_type | type")
    tags: list[str] = field("Tags.", wire="tags")
    categories: list[str] = field("Categories, where the platform has them.", wire="categories[].name")
    price_min: float | None = field("Least price of its variants.", wire="variants[].price | prices.price_range")
    price_max: float | None = field("Highest price of its variants.", wire="variants[].price | prices.price_range")
    compare_at_price: float | None = field(
        "Highest price that a variant is compared with.", wire="variants[].compare_at_price | prices.regular_price"
    )
    available: bool | None = field(
        "Whether any variant can be bought; null when the shop does not say.", wire="variants[].available | is_in_stock"
    )
    rating: float | None = field("Mean rating, from 1 to 5; null without ratings.", wire="average_rating")
    review_count: int | None = field("Reviews, where the platform tells them.", wire="review_count")
    images: list[str] = field("Addresses of its pictures.", wire="images[].src")
    options: list[Option] = field("What can be chosen.", wire="options | attributes")
    variants: list[Variant] = field("What can be bought, one by one.", wire="variants | variations")
    created_at: datetime | None = field("When it was made, UTC.", wire="created_at")
    updated_at: datetime | None = field("When it was last changed, UTC.", wire="updated_at")


class ProductPage(Result):
    """What one answer holds. rows: products in it, readable or not. total, pages: in all, where the shop says so."""

    platform: Platform
    products: list[Product]
    currencies: list[str]
    rows: int
    total: int | None = None
    pages: int | None = None
    cut: int = 0
