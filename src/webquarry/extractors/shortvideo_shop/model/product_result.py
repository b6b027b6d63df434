"""Parameters and result of the product endpoint."""

from datetime import datetime

from webquarry.core.locale import Country
from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.extractors.shortvideo_shop.model.ids import (
    HOME_REGION,
    ProductId,
    ProductUrl,
    find_region,
    make_product_url,
)
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import ShopScore

MAX_REVIEWS = 20


class ProductParams(Params):
    one_of = exactly_one("product_id", "url")

    product_id: ProductId | None = param("Product ID, 15 to 20 digits.", default=None, example="1729000000000000001")
    url: ProductUrl | None = param("URL of the product page, or a short link to it.", default=None)
    region: Country | None = param(
        "Two-letter region code of the shop. Default: the region in the URL, otherwise us. Prices depend on the "
        "location of this service.",
        default=None,
    )

    @property
    def known_id(self) -> str | None:
        """Return the product's id, or None for a short link."""
        return self.product_id or (self.url.product_id if self.url is not None else None)

    @property
    def requested_region(self) -> Country:
        return self.region or (find_region(self.url) if self.url is not None else None) or HOME_REGION

    @property
    def is_short(self) -> bool:
        return self.known_id is None

    def identity(self) -> dict[str, str]:
        """Return the identity of the product, which is the same whether the caller gives its id or an address."""
        named = self.known_id
        return {"product": named if named is not None else str(self.url), "region": self.requested_region}


class Seller(Result):
    seller_id: str = field("Seller ID as a string, for use with the seller and store endpoints.")
    name: str | None = field("Name of the shop.")
    url: str = field("URL of the store.")
    logo_url: str | None = field("URL of the shop's logo.")
    location: str | None = field("Location of the seller as shown by the shop.", wire="seller.seller_location")
    product_count: int | None = field("Number of products on sale.", wire="seller.product_count")
    rating: float | None = field("Average rating, 1 to 5 stars.", wire="shop_info.shop_rating")
    units_sold: int | None = field("Number of items sold by the seller.", wire="shop_info.sold_count")
    followers: int | None = field("Number of followers of the shop.", wire="shop_info.followers_count")
    scores: list[ShopScore] = field("Scores of the shop.", wire="shop_performance[]")


class Price(Result):
    currency: str | None = field("ISO 4217 code.")
    min: float | None = field("Lowest variant price, in major currency units.")
    max: float | None = field("Highest variant price, in major currency units.")
    original_min: float | None = field("Lowest price before discounts.")
    original_max: float | None = field("Highest price before discounts.")
    discount_percent: float | None = field("Discount as shown on the page.", unit="percent")
    text: str | None = field("Price as shown on the page.")


class Video(Result):
    video_id: str | None = field("Video ID.")
    url: str | None = field("URL of the file. It expires within hours.")
    cover_url: str | None = field("URL of the cover image.")
    duration_seconds: float | None = field("Length of the video.", unit="seconds")


class OptionValue(Result):
    id: str | None = field("Value ID.")
    name: str = field("Name of the value, such as red.")
    image_url: str | None = field("URL of the option's image.")


class Option(Result):
    name: str = field("Name of the option, such as color.")
    values: list[OptionValue] = field("Available values.")


class Sku(Result):
    sku_id: str = field("Variant ID as a string.")
    sku_name: str | None = field("Name, if available.")
    options: dict[str, str] = field("Options and their values.")
    stock: int | None = field("Units in stock.")
    in_stock: bool | None = field("Whether the variant can be bought.")
    price: float | None = field("Price in major currency units.")
    original_price: float | None = field("Price before the discount.")
    currency: str | None = field("ISO 4217 code.")
    discount_percent: float | None = field("Discount on the original price.", unit="percent")
    image_url: str | None = field("URL of the variant's image.")


class Category(Result):
    category_id: str = field("Category ID, for use with the category endpoint.")
    name: str | None = field("Name of the category.")
    level: int | None = field("Depth, starting at 1.")
    parent_id: str | None = field("ID of the parent category; null at the top level or if unknown.")
    is_leaf: bool | None = field("Whether the category has no children.")


class Specification(Result):
    name: str = field("Name of the specification.")
    value: str = field("Value of the specification.")


class Shipping(Result):
    name: str | None = field("Delivery type.")
    fee: float | None = field("Fee in major currency units.")
    currency: str | None = field("ISO 4217 code of the fee.")
    free: bool | None = field("Whether delivery is free.")
    min_days: int | None = field("Minimum number of days until delivery.", unit="days")
    max_days: int | None = field("Maximum number of days until delivery.", unit="days")


class Review(Result):
    review_id: str | None = field("Review ID.")
    rating: float | None = field("Rating, 1 to 5 stars.")
    text: str | None = field("Text of the review.")
    date: datetime | None = field("Time of the review, UTC.")
    author: str | None = field("Name as masked by the page; null if anonymous.")
    sku: str | None = field("Purchased variant.")
    verified_purchase: bool | None = field("Whether the shop has verified the purchase.")
    images: list[str] = field("URLs of the review's images.")


class Product(Result):
    product_id: str = field("Product ID as a string.")
    url: str = field("URL of its page.")
    region: str | None = field("Region of the prices according to the page; null if unknown.", wire="sale_region")
    asked_region: str = field("Requested region.")
    title: str = field("Title of the product.")
    description: str | None = field("Description as text.")
    description_markdown: str | None = field("Description as markdown, with images.")
    status: int | None = field("Status code of the shop; 1 means on sale.")
    seller_id: str | None = field("Seller ID as a string.")
    seller: Seller | None = field("The seller.")
    price: Price = field("Price over all variants.")
    units_sold: int | None = field("Number of units sold.", wire="sold_count")
    units_sold_text: str | None = field("Original text, if the page has text instead of a number.")
    rating: float | None = field("Average rating, 1 to 5 stars; null if there are no reviews.")
    review_count: int | None = field("Number of reviews.")
    review_count_text: str | None = field("Original text, if the page has text instead of a number.")
    rating_histogram: dict[str, int | None] | None = field(
        'Number of reviews by stars, "1" to "5"; null if unknown.', wire="review_ratings.rating_result"
    )
    categories: list[Category] = field("Categories, broadest first.")
    images: list[str] = field("URLs of the product's images.")
    video: Video | None = field("The seller's video of the product.")
    options: list[Option] = field("Available options.")
    skus: list[Sku] = field("Variants with their stock and price.")
    specifications: list[Specification] = field("Specifications from the product page.")
    shipping: Shipping | None = field("First delivery option on the page.")
    reviews: list[Review] = field(f"A sample of at most {MAX_REVIEWS} reviews.")
    has_more_reviews: bool | None = field("Whether there are more reviews than these.")
    layout: str = field("Format of the page data: product_base or product_model.")
    warnings: list[str] = field("Missing data and the reasons.")


def read_value_images(options: list[Option]) -> dict[str, str]:
    """Return the pictures of option values, by the id of the value."""
    return {value.id: value.image_url for option in options for value in option.values if value.id and value.image_url}


def make_page_url(params: ProductParams, product_id: str) -> str:
    return make_product_url(product_id, params.requested_region)
