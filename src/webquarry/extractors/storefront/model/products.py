"""Products of shops on any platform, in one form."""

from datetime import datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field

Platform = Literal["shopify", "woocommerce"]


class Option(Result):
    name: str = field("Name of the option, such as size.", wire="options[].name | attributes[].name")
    values: list[str] = field("Available values.", wire="options[].values | attributes[].terms[].name")


class Variant(Result):
    id: str = field("ID of the variant.", wire="variants[].id | variations[].id")
    title: str | None = field(
        "The variant's title, such as `Blue / S`.", wire="variants[].title | variations[].attributes"
    )
    sku: str | None = field("Stock keeping unit (SKU).", wire="variants[].sku | sku")
    price: float | None = field("Price in major currency units.", wire="variants[].price | prices.price")
    compare_at_price: float | None = field(
        "Compare-at price, such as the price before a sale; null if it is not higher than the price.",
        wire="variants[].compare_at_price | prices.regular_price",
    )
    available: bool | None = field(
        "Whether the variant is available; null if unknown.", wire="variants[].available | is_in_stock"
    )


class Product(Result):
    id: str = field("ID of the product.", wire="id")
    title: str = field("Name of the product.", wire="title | name")
    handle: str | None = field("URL handle.", wire="handle | slug")
    url: str | None = field("URL of its page.", wire="handle | permalink")
    description: str | None = field("Description as markdown.", wire="body_html | description")
    vendor: str | None = field("Name of the vendor or brand.", wire="vendor")
    type: str | None = field("Product type as named by the shop.", wire="product_type | type")
    tags: list[str] = field("Tags that the shop has given the product.", wire="tags")
    categories: list[str] = field("Categories, if the platform has them.", wire="categories[].name")
    price_min: float | None = field("Lowest variant price.", wire="variants[].price | prices.price_range")
    price_max: float | None = field("Highest variant price.", wire="variants[].price | prices.price_range")
    compare_at_price: float | None = field(
        "Highest compare-at price of a variant.", wire="variants[].compare_at_price | prices.regular_price"
    )
    available: bool | None = field(
        "Whether any variant is available; null if unknown.", wire="variants[].available | is_in_stock"
    )
    rating: float | None = field("Average rating, 1 to 5; null if there are no ratings.", wire="average_rating")
    review_count: int | None = field("Number of reviews, if available.", wire="review_count")
    images: list[str] = field("URLs of the images.", wire="images[].src")
    options: list[Option] = field("Available options.", wire="options | attributes")
    variants: list[Variant] = field("Variants of the product.", wire="variants | variations")
    created_at: datetime | None = field("Creation time, UTC.", wire="created_at")
    updated_at: datetime | None = field("Time of the last change, UTC.", wire="updated_at")


class ProductPage(Result):
    """The products of one response.

    rows: the number of products in the response, readable or not. total, pages: totals of the catalog, if the shop
    states them.
    """

    platform: Platform
    products: list[Product]
    currencies: list[str]
    rows: int
    total: int | None = None
    pages: int | None = None
    cut: int = 0
