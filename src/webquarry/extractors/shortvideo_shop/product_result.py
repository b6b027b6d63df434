"""What the product endpoint takes and gives."""

from datetime import datetime

from webquarry.core.locale import Country
from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.extractors.shortvideo_shop.ids import HOME_REGION, ProductId, ProductUrl, product_url, region_in
from webquarry.extractors.shortvideo_shop.seller_facts import ShopScore

MAX_REVIEWS = 20


class ProductParams(Params):
    one_of = exactly_one("product_id", "url")

    product_id: ProductId | None = param(
        "Number of the product, 15 to 20 digits.", default=None, example="1729000000000000001"
    )
    url: ProductUrl | None = param("Address of the product's page, or a short link to it.", default=None)
    region: Country | None = param(
        "Region whose shop is asked, two letters; without it the one that the address names, else us. Prices follow "
        "the place from which this service asks.",
        default=None,
    )

    @property
    def known_id(self) -> str | None:
        """The product's id; None of a short link."""
        return self.product_id or (self.url.product_id if self.url is not None else None)

    @property
    def asked_region(self) -> Country:
        return self.region or (region_in(self.url) if self.url is not None else None) or HOME_REGION

    @property
    def is_short(self) -> bool:
        return self.known_id is None

    def identity(self) -> dict[str, str]:
        """One name for all forms of the question."""
        named = self.known_id
        return {"product": named if named is not None else str(self.url), "region": self.asked_region}


class Seller(Result):
    seller_id: str = field("Number of the seller, as text; names it for the seller and store endpoints.")
    name: str | None = field("Name of the shop.")
    url: str = field("Address of the store.")
    logo_url: str | None = field("The shop's logo.")
    location: str | None = field("Where the seller is, in the shop's words.", wire="seller.seller_location")
    product_count: int | None = field("Products on sale.", wire="seller.product_count")
    rating: float | None = field("Mean of stars, 1 to 5.", wire="shop_info.shop_rating")
    units_sold: int | None = field("Items sold by the seller.", wire="shop_info.sold_count")
    followers: int | None = field("Followers of the shop.", wire="shop_info.followers_count")
    scores: list[ShopScore] = field("Scores of the shop.", wire="shop_performance[]")


class Price(Result):
    currency: str | None = field("ISO 4217 code.")
    min: float | None = field("Lowest price of a variant, in major units.")
    max: float | None = field("Highest price of a variant, in major units.")
    original_min: float | None = field("Lowest price before discounts.")
    original_max: float | None = field("Highest price before discounts.")
    discount_percent: float | None = field("Discount that the page shows.", unit="percent")
    text: str | None = field("The price as the page shows it.")


class Video(Result):
    video_id: str | None = field("Number of the video.")
    url: str | None = field("Address of the file; it expires within hours.")
    cover_url: str | None = field("Its still picture.")
    duration_seconds: float | None = field("Length.", unit="seconds")


class OptionValue(Result):
    id: str | None = field("Number of the value.")
    name: str = field("Its name.")
    image_url: str | None = field("Its picture.")


class Option(Result):
    name: str = field("What can be chosen, such as a colour.")
    values: list[OptionValue] = field("What it can be.")


class Sku(Result):
    sku_id: str = field("Number of the variant, as text.")
    sku_name: str | None = field("Its name, where it has one.")
    options: dict[str, str] = field("Option to value.")
    stock: int | None = field("Units in stock.")
    in_stock: bool | None = field("Whether it can be bought.")
    price: float | None = field("Price in major units.")
    original_price: float | None = field("Price before the discount.")
    currency: str | None = field("ISO 4217 code.")
    discount_percent: float | None = field("Discount.", unit="percent")
    image_url: str | None = field("Picture of the variant.")


class Category(Result):
    category_id: str = field("Number of the category; names it for the category endpoint.")
    name: str | None = field("Its name.")
    level: int | None = field("Depth, from 1.")
    parent_id: str | None = field("The category above; null at the top and where it is not told.")
    is_leaf: bool | None = field("Whether none lies below.")


class Specification(Result):
    name: str = field("What is specified.")
    value: str = field("What it is.")


class Shipping(Result):
    name: str | None = field("Kind of delivery.")
    fee: float | None = field("Fee in major units.")
    currency: str | None = field("ISO 4217 code of the fee.")
    free: bool | None = field("Whether it is free.")
    min_days: int | None = field("Least days until delivery.", unit="days")
    max_days: int | None = field("Most days until delivery.", unit="days")


class Review(Result):
    review_id: str | None = field("Number of the review.")
    rating: float | None = field("Stars, 1 to 5.")
    text: str | None = field("What it says.")
    date: datetime | None = field("When it was written, UTC.")
    author: str | None = field("Name as the page masks it; null for an anonymous one.")
    sku: str | None = field("The variant that was bought.")
    verified_purchase: bool | None = field("Whether the shop vouches for the purchase.")
    images: list[str] = field("Pictures.")


class Product(Result):
    product_id: str = field("Number of the product, as text.")
    url: str = field("Address of its page.")
    region: str | None = field(
        "Region whose prices these are, by the page's own word; null where it does not say.", wire="sale_region"
    )
    asked_region: str = field("Region that was asked for.")
    title: str = field("Title.")
    description: str | None = field("Description as text.")
    description_markdown: str | None = field("Description as markdown, with its pictures.")
    status: int | None = field("Status in the shop's numbers; 1 is on sale.")
    seller_id: str | None = field("Number of the seller, as text.")
    seller: Seller | None = field("Who sells it.")
    price: Price = field("Price over all variants.")
    units_sold: int | None = field("Units sold.", wire="sold_count")
    units_sold_text: str | None = field("The same as the page writes it, where it writes text.")
    rating: float | None = field("Mean of stars, 1 to 5; null without reviews.")
    review_count: int | None = field("Reviews.")
    review_count_text: str | None = field("The same as the page writes it, where it writes text.")
    rating_histogram: dict[str, int | None] | None = field(
        'Reviews by stars, "1" to "5"; null where the page does not tell them.', wire="review_ratings.rating_result"
    )
    categories: list[Category] = field("Categories, the widest first.")
    images: list[str] = field("Pictures.")
    video: Video | None = field("The seller's video of the product.")
    options: list[Option] = field("What can be chosen.")
    skus: list[Sku] = field("Variants with their stock and price.")
    specifications: list[Specification] = field("Specifications.")
    shipping: Shipping | None = field("Delivery that the page offers first.")
    reviews: list[Review] = field(f"A sample of reviews, {MAX_REVIEWS} at most.")
    has_more_reviews: bool | None = field("Whether there are more reviews than these.")
    layout: str = field("Form of the data that was read: product_base or product_model.")
    warnings: list[str] = field("What is missing, and why.")


def value_images(options: list[Option]) -> dict[str, str]:
    """Id of an option's value → its picture."""
    return {value.id: value.image_url for option in options for value in option.values if value.id and value.image_url}


def page_url(params: ProductParams, product_id: str) -> str:
    return product_url(product_id, params.asked_region)
