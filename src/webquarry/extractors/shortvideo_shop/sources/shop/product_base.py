"""A product as pages of 2025 hold it: `product_base`, `skus`, `seller`, `product_detail_review`."""

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

_SOLD_OUT = 2  # 1 is the variant chosen first, 0 any other; both can be bought


def read_base(info: dict[str, Any]) -> dict[str, Any]:
    """By the names of `Product`; `seller` is a dict of what is told of the seller."""
    described = read_description(reach(info, "product_base.desc_detail"))
    sold = count(info, "product_base.sold_count")
    review = reach(info, "product_detail_review")
    reviews = count(review, "review_count", "review_count_str_v2", "review_count_str")
    skus = _read_skus(info)
    sample = _read_reviews(review)
    return {
        "product_id": take(info, "product_id", read_shop_id),
        "title": take(info, "product_base.title", to_line),
        "description": described.text,
        "description_markdown": described.markdown,
        "status": take(info, "status", to_whole),
        "seller": _read_seller(info),
        "price": _read_price(info, skus),
        "units_sold": sold.number,
        "units_sold_text": sold.text,
        "rating": take(review, "product_rating", score),
        "review_count": reviews.number,
        "review_count_text": take(review, "review_count_str", to_line) or reviews.text,
        "rating_histogram": None,
        "images": read_pictures(reach(info, "product_base.images")),
        "video": _read_video(reach(info, "product_base.desc_video")),
        "options": _read_options(info),
        "skus": skus,
        "specifications": _read_specifications(info),
        "shipping": _read_shipping(reach(info, "logistic") or reach(info, "shipping.logistics[0]")),
        "reviews": sample,
        "has_more_reviews": None if reviews.number is None else reviews.number > len(sample),
    }


def _read_seller(info: dict[str, Any]) -> dict[str, Any]:
    return {
        "seller_id": take(info, "seller.seller_id", read_shop_id) or take(info, "seller_id", read_shop_id),
        "name": take(info, "seller.name", to_line),
        "logo_url": read_picture(info, "seller.avatar"),
        "location": take(info, "seller.seller_location", to_line),
        "product_count": count(info, "seller.product_count").number,
    }


def _read_price(info: dict[str, Any], skus: list[Sku]) -> Price:
    price = reach(info, "product_base.price")
    now = [sku.price for sku in skus if sku.price is not None]
    before = [sku.original_price for sku in skus if sku.original_price is not None]
    return Price(
        currency=read_currency(price, "currency") or next((sku.currency for sku in skus if sku.currency), None),
        min=_either(read_amount(price, "min_sku_price"), min(now, default=None)),
        max=_either(read_amount(price, "max_sku_price"), max(now, default=None)),
        original_min=_either(read_amount(price, "min_sku_original_price"), min(before, default=None)),
        original_max=_either(read_amount(price, "max_sku_original_price"), max(before, default=None)),
        discount_percent=read_discount(price, None, "discount"),
        text=take(price, "real_price", to_line),
    )


def _either(first: float | None, second: float | None) -> float | None:
    return second if first is None else first


def _read_options(info: dict[str, Any]) -> list[Option]:
    found = []
    for row in each_given(info, "sale_props[]"):
        name = take(row, "prop_name", to_line)
        if name is None:
            continue
        values = [
            OptionValue(id=take(value, "prop_value_id", to_line), name=called, image_url=read_picture(value, "image"))
            for value in each_given(row, "sale_prop_values[]")
            if (called := take(value, "prop_value", to_line)) is not None
        ]
        found.append(Option(name=name, values=values))
    return found


def _read_skus(info: dict[str, Any]) -> list[Sku]:
    images = read_value_images(_read_options(info))
    found = []
    for row in each_given(info, "skus[]"):
        sku_id = take(row, "sku_id", read_shop_id)
        if sku_id is None:
            continue
        chosen = each_given(row, "sku_sale_props[]")
        stock = count(row, "stock").number
        status = take(row, "status", to_whole)
        found.append(
            Sku(
                sku_id=sku_id,
                sku_name=None,
                options={
                    name: value
                    for each_one in chosen
                    if (name := take(each_one, "prop_name", to_line)) is not None
                    and (value := take(each_one, "prop_value", to_line)) is not None
                },
                stock=stock,
                in_stock=None if stock is None else stock > 0 and status != _SOLD_OUT,
                price=read_amount(row, "price.real_price.price_val"),
                original_price=read_amount(row, "price.original_price_value") or None,
                currency=read_currency(row, "price.real_price.currency"),
                discount_percent=read_discount(row, None, "price.discount"),
                image_url=next(filter(None, (images.get(str(one.get("prop_value_id"))) for one in chosen)), None),
            )
        )
    return found


def _read_specifications(info: dict[str, Any]) -> list[Specification]:
    rows = each(info, "product_base.specifications[]") if reach(info, "product_base.specifications") else []
    return [
        Specification(name=name, value=value)
        for row in rows
        if (name := take(row, "name", to_line)) is not None and (value := take(row, "value", to_line)) is not None
    ]


def _read_shipping(logistic: Any) -> Shipping | None:
    if not isinstance(logistic, dict) or not logistic:
        return None
    return Shipping(
        name=take(logistic, "delivery_name", to_line),
        fee=read_amount(logistic, "shipping_fee.price_val"),
        currency=read_currency(logistic, "shipping_fee.currency"),
        free=take(logistic, "free_shipping", to_flag),
        min_days=take(logistic, "delivery_min_days", to_whole),
        max_days=take(logistic, "delivery_max_days", to_whole),
    )


def _read_video(video: Any) -> Video | None:
    found = Video(
        video_id=take(video, "id", to_line),
        url=take(video, "video_infos[0].main_url", to_address) or take(video, "main_url", to_address),
        cover_url=take(video, "post_url", to_address),
        duration_seconds=take(video, "duration", to_decimal),
    )
    return found if found.video_id or found.url else None


def _read_reviews(review: Any) -> list[Review]:
    rows = each(review, "review_items[]") if reach(review, "review_items") else []
    return [
        Review(
            review_id=take(row, "review.review_id", read_shop_id),
            rating=take(row, "review.rating", score),
            text=take(row, "review.display_text", to_text),
            date=take(row, "review.review_timestamp", to_instant),
            author=None if row.get("is_anonymous") is True else take(row, "review_user.name", to_line),
            sku=take(row, "sku_specification", to_line),
            verified_purchase=None,
            images=read_pictures(reach(row, "review.images")),
        )
        for row in rows[:MAX_REVIEWS]
    ]
