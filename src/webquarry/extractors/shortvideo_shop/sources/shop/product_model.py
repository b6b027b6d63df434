"""A product as pages of 2026 hold it: `product_model`, `promotion_model`, and reviews beside it."""

from typing import Any

from webquarry.extractors.shortvideo_shop.model.product_result import (
    MAX_REVIEWS,
    Option,
    OptionValue,
    Price,
    Review,
    Shipping,
    Sku,
    Specification,
    Video,
    read_value_images,
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
from webquarry.read import each, each_given, take
from webquarry.read.fields import to_address, to_decimal, to_flag, to_instant, to_line, to_text, to_whole
from webquarry.read.values import reach

STARS = ("1", "2", "3", "4", "5")
_IN_STOCK, _SOLD_OUT = 1, 2
_PRICES = "promotion_model.promotion_product_price"


def read_model(info: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """By the names of `Product`; `seller` is a dict of what is told of the seller.

    data: the component's, in which the reviews stand beside the product.
    """
    model = info["product_model"]
    described = read_description(model.get("description"))
    sold = count(model, "sold_count", "format_sold_count")
    ratings = reach(data, "review_info.review_ratings")
    reviews = count(ratings, "review_count")
    if reviews.number is None:
        reviews = count(data, "review_info.total_reviews")
    if reviews.number is None:
        reviews = count(info, "review_model.product_review_count")
    sample = _read_reviews(data)
    skus = _read_skus(info, model)
    more = take(data, "review_info.has_more", to_flag)
    return {
        "product_id": take(model, "product_id", read_shop_id),
        "title": take(model, "name", to_line) or take(model, "title", to_line),
        "description": described.text,
        "description_markdown": described.markdown,
        "status": take(model, "status", to_whole),
        "seller": {
            "seller_id": take(model, "seller_id", read_shop_id) or take(info, "seller_model.seller_id", read_shop_id),
            "name": take(info, "seller_model.shop_name", to_line),
            "logo_url": read_picture(info, "seller_model.shop_logo"),
        },
        "price": _read_price(info, skus),
        "units_sold": sold.number,
        "units_sold_text": sold.text,
        "rating": take(ratings, "overall_score", score) or take(info, "review_model.product_overall_score", score),
        "review_count": reviews.number,
        "review_count_text": reviews.text,
        "rating_histogram": _read_histogram(ratings),
        "images": read_pictures(model.get("images")),
        "video": _read_video(model.get("videos")),
        "options": _read_options(model),
        "skus": skus,
        "specifications": _read_specifications(model),
        "shipping": _read_shipping(info),
        "reviews": sample,
        "has_more_reviews": more if more is not None or reviews.number is None else reviews.number > len(sample),
    }


def _read_histogram(ratings: Any) -> dict[str, int | None] | None:
    rows = reach(ratings, "rating_result")
    if not isinstance(rows, dict):
        return None
    found = {star: count(rows, star).number for star in STARS}
    return found if any(number is not None for number in found.values()) else None


def _read_price(info: dict[str, Any], skus: list[Sku]) -> Price:
    """Over the variants; of a page without their prices the lowest alone is known."""
    least = reach(info, f"{_PRICES}.min_price")
    now = [sku.price for sku in skus if sku.price is not None]
    before = [sku.original_price for sku in skus if sku.original_price is not None]
    return Price(
        currency=read_currency(least, "currency_name") or next((sku.currency for sku in skus if sku.currency), None),
        min=min(now) if now else read_amount(least, "sale_price_decimal"),
        max=max(now, default=None),
        original_min=min(before) if before else read_amount(least, "origin_price_decimal"),
        original_max=max(before, default=None),
        discount_percent=read_discount(least, "discount_decimal", "discount_format"),
        text=take(info, f"{_PRICES}.range_price.range_price", to_line) or take(least, "sale_price_format", to_line),
    )


def _read_images(model: dict[str, Any]) -> dict[str, str]:
    """Value of an option → its picture."""
    found: dict[str, str] = {}
    mapped = model.get("sku_property_image_map")
    for name, image in mapped.items() if isinstance(mapped, dict) else ():
        if (url := read_picture(image)) is not None:
            found[name] = url
    return found


def _read_options(model: dict[str, Any]) -> list[Option]:
    images = _read_images(model)
    found = []
    for row in each_given(model, "sale_properties[]"):
        name = take(row, "property_name", to_line)
        if name is None:
            continue
        values = []
        for value in each_given(row, "property_values[]"):
            called = take(value, "property_value_name", to_line)
            if called is not None:
                value_id = take(value, "property_value_id", to_line)
                image = read_picture(value, "image") or images.get(value_id or "")
                values.append(OptionValue(id=value_id, name=called, image_url=image))
        found.append(Option(name=name, values=values))
    return found


def _read_skus(info: dict[str, Any], model: dict[str, Any]) -> list[Sku]:
    prices = reach(info, f"{_PRICES}.skus_price")
    prices = prices if isinstance(prices, dict) else {}
    images = read_value_images(_read_options(model))
    found = []
    for row in each_given(model, "skus[]"):
        sku_id = take(row, "sku_id", read_shop_id)
        if sku_id is None:
            continue
        pairs = each_given(row, "property_pairs[]")
        price = prices.get(sku_id)
        stock = count(row, "sku_quantity.available_quantity").number
        found.append(
            Sku(
                sku_id=sku_id,
                sku_name=take(row, "sku_name", to_line),
                options={
                    name: value
                    for pair in pairs
                    if (name := take(pair, "sku_property_name", to_line)) is not None
                    and (value := take(pair, "sku_property_value_name", to_line)) is not None
                },
                stock=stock,
                in_stock=_in_stock(take(row, "sku_stock_status", to_whole), stock),
                price=read_amount(price, "sale_price_decimal"),
                original_price=read_amount(price, "origin_price_decimal") or None,
                currency=read_currency(price, "currency_name"),
                discount_percent=read_discount(price, "discount_decimal", "discount_format"),
                image_url=next(
                    filter(None, (images.get(str(pair.get("sku_property_value_id"))) for pair in pairs)), None
                ),
            )
        )
    return found


def _in_stock(status: int | None, stock: int | None) -> bool | None:
    if status in (_IN_STOCK, _SOLD_OUT):
        return status == _IN_STOCK
    return None if stock is None else stock > 0


def _read_specifications(model: dict[str, Any]) -> list[Specification]:
    found = []
    for row in each_given(model, "product_properties[]"):
        name = take(row, "property_name", to_line)
        rows = each_given(row, "property_values[]")
        values = [text for value in rows if (text := take(value, "property_value_name", to_line)) is not None]
        if name is not None and values:
            found.append(Specification(name=name, value=", ".join(values)))
    return found


def _read_shipping(info: dict[str, Any]) -> Shipping | None:
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


def _read_video(videos: Any) -> Video | None:
    first = reach(videos, "[0]")
    found = Video(
        video_id=take(first, "id", to_line),
        url=take(first, "video_infos[0].main_url", to_address) or take(first, "main_url", to_address),
        cover_url=take(first, "post_url", to_address) or read_picture(first, "cover"),
        duration_seconds=take(first, "duration", to_decimal),
    )
    return found if found.video_id or found.url else None


def _read_reviews(data: dict[str, Any]) -> list[Review]:
    rows = each(data, "review_info.product_reviews[]") if reach(data, "review_info.product_reviews") else []
    return [
        Review(
            review_id=take(row, "review_id", read_shop_id),
            rating=take(row, "review_rating", score),
            text=take(row, "review_text", to_text),
            date=take(row, "review_time", to_instant),
            author=take(row, "reviewer_name", to_line),
            sku=take(row, "sku_specification", to_line),
            verified_purchase=take(row, "is_verified_purchase", to_flag),
            images=read_pictures(row.get("review_images")),
        )
        for row in rows[:MAX_REVIEWS]
    ]
