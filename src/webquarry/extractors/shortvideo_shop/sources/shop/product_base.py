"""A product in the page layout of 2025: `product_base`, `skus`, `seller`, `product_detail_review`."""

from collections.abc import Mapping
from typing import Any, Final

from webquarry.extractors.shortvideo_shop.model.product_result import (
    MAX_REVIEWS,
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

_SPECIFICATIONS: Final = "product_base.specifications[]"
_SOLD_OUT: Final = 2  # 1 marks the preselected variant and 0 any other variant; both can be bought
_NAMES: Final = RowNames(
    options="sale_props[]",
    option="prop_name",
    values="sale_prop_values[]",
    value="prop_value",
    value_id="prop_value_id",
    pairs="sku_sale_props[]",
    pair="prop_name",
    pair_value="prop_value",
    pair_value_id="prop_value_id",
    stock="stock",
)


def read_base(info: Mapping[str, Any]) -> ProductFacts:
    described = read_description(reach(info, "product_base.desc_detail"))
    sold = count(info, "product_base.sold_count")
    review = reach(info, "product_detail_review")
    reviews = count(review, "review_count", "review_count_str_v2", "review_count_str")
    options = read_options(info, _NAMES, {})
    skus = read_skus(info, _NAMES, options, _read_sku_price, _judge_stock)
    sample = read_rows(each_given(review, "review_items[]")[:MAX_REVIEWS], _read_review, "review_items[]")
    return ProductFacts(
        product_id=take(info, "product_id", read_shop_id),
        title=take(info, "product_base.title", to_line),
        description=described.text,
        description_markdown=described.markdown,
        status=take(info, "status", to_whole),
        seller=_read_seller(info),
        price=_read_price(info, skus),
        units_sold=sold.number,
        units_sold_text=sold.text,
        rating=take(review, "product_rating", score),
        review_count=reviews.number,
        review_count_text=take(review, "review_count_str", to_line) or reviews.text,
        rating_histogram=None,
        images=read_pictures(info, "product_base.images"),
        video=read_video(reach(info, "product_base.desc_video")),
        options=options,
        skus=skus,
        specifications=read_rows(each_given(info, _SPECIFICATIONS), _read_specification, _SPECIFICATIONS),
        shipping=_read_shipping(reach(info, "logistic") or reach(info, "shipping.logistics[0]")),
        reviews=sample,
        has_more_reviews=None if reviews.number is None else reviews.number > len(sample),
    )


def _read_seller(info: Mapping[str, Any]) -> OwnSeller:
    return OwnSeller(
        seller_id=take(info, "seller.seller_id", read_shop_id) or take(info, "seller_id", read_shop_id),
        name=take(info, "seller.name", to_line),
        logo_url=read_picture(info, "seller.avatar"),
        location=take(info, "seller.seller_location", to_line),
        product_count=count(info, "seller.product_count").number,
    )


def _read_price(info: Mapping[str, Any], skus: list[Sku]) -> Price:
    price = reach(info, "product_base.price")
    now, before = list_prices(skus)
    return Price(
        currency=read_currency(price, "currency") or find_currency(skus),
        min=_either(read_amount(price, "min_sku_price"), min(now, default=None)),
        max=_either(read_amount(price, "max_sku_price"), max(now, default=None)),
        original_min=_either(read_amount(price, "min_sku_original_price"), min(before, default=None)),
        original_max=_either(read_amount(price, "max_sku_original_price"), max(before, default=None)),
        discount_percent=read_discount(price, None, "discount"),
        text=take(price, "real_price", to_line),
    )


def _either(first: float | None, second: float | None) -> float | None:
    return second if first is None else first


def _read_sku_price(row: Any, _sku_id: str) -> SkuPrice:
    return SkuPrice(
        now=read_amount(row, "price.real_price.price_val"),
        before=read_amount(row, "price.original_price_value") or None,
        currency=read_currency(row, "price.real_price.currency"),
        discount_percent=read_discount(row, None, "price.discount"),
    )


def _judge_stock(row: Any, stock: int | None) -> bool | None:
    status = take(row, "status", to_whole)
    return None if stock is None else stock > 0 and status != _SOLD_OUT


def _read_specification(row: dict[str, Any]) -> Specification | None:
    name, value = take(row, "name", to_line), take(row, "value", to_line)
    return None if name is None or value is None else Specification(name=name, value=value)


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


def _read_review(row: dict[str, Any]) -> Review | None:
    review = Review(
        review_id=take(row, "review.review_id", read_shop_id),
        rating=take(row, "review.rating", score),
        text=take(row, "review.display_text", to_text),
        date=take(row, "review.review_timestamp", to_instant),
        author=None if row.get("is_anonymous") is True else take(row, "review_user.name", to_line),
        sku=take(row, "sku_specification", to_line),
        verified_purchase=None,
        images=read_pictures(row, "review.images"),
    )
    return review if review.rating is not None or review.text is not None or review.images else None
