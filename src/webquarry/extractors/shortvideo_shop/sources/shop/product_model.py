"""A product in the page layout of 2026: `product_model`, `promotion_model`, and separate reviews."""

from collections.abc import Mapping
from typing import Any, Final

from webquarry.extractors.shortvideo_shop.model.product_result import (
    MAX_REVIEWS,
    Option,
    Price,
    Review,
    Shipping,
    Sku,
    Specification,
)
from webquarry.extractors.shortvideo_shop.sources.shop.product_facts import (
    OwnSeller,
    ProductFacts,
    RowNames,
    SkuPrice,
    find_currency,
    list_prices,
    read_options,
    read_skus,
    read_video,
)
from webquarry.extractors.shortvideo_shop.sources.shop.values import (
    count,
    read_amount,
    read_currency,
    read_description,
    read_discount,
    read_picture,
    read_pictures,
    read_shop_id,
    score,
)
from webquarry.read import each_given, take
from webquarry.read.fields import to_flag, to_instant, to_line, to_text, to_whole
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

STARS = ("1", "2", "3", "4", "5")
_IN_STOCK, _SOLD_OUT = 1, 2
_NAMES: Final = RowNames(
    options="sale_properties[]",
    option="property_name",
    values="property_values[]",
    value="property_value_name",
    value_id="property_value_id",
    pairs="property_pairs[]",
    pair="sku_property_name",
    pair_value="sku_property_value_name",
    pair_value_id="sku_property_value_id",
    stock="sku_quantity.available_quantity",
    sku_name="sku_name",
)
_SPECIFICATIONS: Final = "product_properties[]"
_REVIEWS: Final = "review_info.product_reviews[]"
_PRICES: Final = "promotion_model.promotion_product_price"


def read_model(info: Mapping[str, Any], data: Mapping[str, Any]) -> ProductFacts:
    """Parse the product. data: the component's data, which contains the reviews next to the product."""
    model = info["product_model"]
    described = read_description(model.get("description"))
    sold = count(model, "sold_count", "format_sold_count")
    ratings = reach(data, "review_info.review_ratings")
    reviews = count(ratings, "review_count")
    if reviews.number is None:
        reviews = count(data, "review_info.total_reviews")
    if reviews.number is None:
        reviews = count(info, "review_model.product_review_count")
    sample = read_rows(each_given(data, _REVIEWS)[:MAX_REVIEWS], _read_review, _REVIEWS)
    options = read_options(model, _NAMES, _read_images(model))
    skus = _read_skus(info, model, options)
    more = take(data, "review_info.has_more", to_flag)
    return ProductFacts(
        product_id=take(model, "product_id", read_shop_id),
        title=take(model, "name", to_line) or take(model, "title", to_line),
        description=described.text,
        description_markdown=described.markdown,
        status=take(model, "status", to_whole),
        seller=OwnSeller(
            seller_id=take(model, "seller_id", read_shop_id) or take(info, "seller_model.seller_id", read_shop_id),
            name=take(info, "seller_model.shop_name", to_line),
            logo_url=read_picture(info, "seller_model.shop_logo"),
        ),
        price=_read_price(info, skus),
        units_sold=sold.number,
        units_sold_text=sold.text,
        rating=take(ratings, "overall_score", score) or take(info, "review_model.product_overall_score", score),
        review_count=reviews.number,
        review_count_text=reviews.text,
        rating_histogram=_read_histogram(ratings),
        images=read_pictures(model, "images"),
        video=read_video(reach(model, "videos[0]"), "cover"),
        options=options,
        skus=skus,
        specifications=read_rows(each_given(model, _SPECIFICATIONS), _read_specification, _SPECIFICATIONS),
        shipping=_read_shipping(info),
        reviews=sample,
        has_more_reviews=more if more is not None or reviews.number is None else reviews.number > len(sample),
    )


def _read_histogram(ratings: Any) -> dict[str, int | None] | None:
    rows = reach(ratings, "rating_result")
    if not isinstance(rows, dict):
        return None
    found = {star: count(rows, star).number for star in STARS}
    return found if any(number is not None for number in found.values()) else None


def _read_price(info: Mapping[str, Any], skus: list[Sku]) -> Price:
    """Return the price range of the variants. If a page has no variants' prices, only the lowest price is set."""
    least = reach(info, f"{_PRICES}.min_price")
    now, before = list_prices(skus)
    return Price(
        currency=read_currency(least, "currency_name") or find_currency(skus),
        min=min(now) if now else read_amount(least, "sale_price_decimal"),
        max=max(now, default=None),
        original_min=min(before) if before else read_amount(least, "origin_price_decimal"),
        original_max=max(before, default=None),
        discount_percent=read_discount(least, "discount_decimal", "discount_format"),
        text=take(info, f"{_PRICES}.range_price.range_price", to_line) or take(least, "sale_price_format", to_line),
    )


def _read_images(model: Mapping[str, Any]) -> dict[str, str]:
    """Return the pictures by option value."""

    def read(entry: tuple[str, Any]) -> tuple[str, str] | None:
        value_id, url = entry[0], read_picture(entry[1])
        return None if url is None else (value_id, url)

    mapped = model.get("sku_property_image_map")
    return dict(read_rows(mapped.items() if isinstance(mapped, dict) else (), read, "sku_property_image_map"))


def _read_skus(info: Mapping[str, Any], model: Mapping[str, Any], options: list[Option]) -> list[Sku]:
    prices = reach(info, f"{_PRICES}.skus_price")

    def read_price(_row: Any, sku_id: str) -> SkuPrice:
        price = prices.get(sku_id) if isinstance(prices, dict) else None
        return SkuPrice(
            now=read_amount(price, "sale_price_decimal"),
            before=read_amount(price, "origin_price_decimal") or None,
            currency=read_currency(price, "currency_name"),
            discount_percent=read_discount(price, "discount_decimal", "discount_format"),
        )

    def judge_stock(row: Any, stock: int | None) -> bool | None:
        return _in_stock(take(row, "sku_stock_status", to_whole), stock)

    return read_skus(model, _NAMES, options, read_price, judge_stock)


def _in_stock(status: int | None, stock: int | None) -> bool | None:
    if status in (_IN_STOCK, _SOLD_OUT):
        return status == _IN_STOCK
    return None if stock is None else stock > 0


def _read_specification(row: dict[str, Any]) -> Specification | None:
    name, rows = take(row, "property_name", to_line), each_given(row, "property_values[]")
    values = read_rows(rows, lambda value: take(value, "property_value_name", to_line), "property_values[]")
    return None if name is None or not values else Specification(name=name, value=", ".join(values))


def _read_shipping(info: Mapping[str, Any]) -> Shipping | None:
    first = reach(info, "promotion_model.promotion_logistic_list[0]") or reach(info, "promotion_logistic_list[0]")
    if not isinstance(first, dict) or not first:
        return None
    return Shipping(
        name=take(first, "deliveryName", to_line),
        fee=read_amount(first, "shippingFee.real_price", "shippingFee.price_val"),
        currency=read_currency(first, "shippingFee.currency_name", "shippingFee.currency"),
        free=take(first, "freeShipping", to_flag),
        min_days=None,
        max_days=None,
    )


def _read_review(row: dict[str, Any]) -> Review | None:
    review = Review(
        review_id=take(row, "review_id", read_shop_id),
        rating=take(row, "review_rating", score),
        text=take(row, "review_text", to_text),
        date=take(row, "review_time", to_instant),
        author=take(row, "reviewer_name", to_line),
        sku=take(row, "sku_specification", to_line),
        verified_purchase=take(row, "is_verified_purchase", to_flag),
        images=read_pictures(row, "review_images"),
    )
    return review if review.rating is not None or review.text is not None or review.images else None
