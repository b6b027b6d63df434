"""The data in both layouts of a product's page, and the names that each layout uses for its rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from webquarry.extractors.shortvideo_shop.model.product_result import (
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
from webquarry.extractors.shortvideo_shop.sources.shop.values import count, read_picture, read_shop_id
from webquarry.read import each_given, take
from webquarry.read.fields import to_address, to_decimal, to_line
from webquarry.read.losses import read_rows


@dataclass(frozen=True, slots=True)
class OwnSeller:
    """The seller in the product's own data."""

    seller_id: str | None
    name: str | None
    logo_url: str | None
    location: str | None = None
    product_count: int | None = None


@dataclass(frozen=True, slots=True)
class ProductFacts:
    """The values in one layout, by the field names of `Product`."""

    product_id: str | None
    title: str | None
    description: str | None
    description_markdown: str | None
    status: int | None
    seller: OwnSeller
    price: Price
    units_sold: int | None
    units_sold_text: str | None
    rating: float | None
    review_count: int | None
    review_count_text: str | None
    rating_histogram: dict[str, int | None] | None
    images: list[str]
    video: Video | None
    options: list[Option]
    skus: list[Sku]
    specifications: list[Specification]
    shipping: Shipping | None
    reviews: list[Review]
    has_more_reviews: bool | None


@dataclass(frozen=True, slots=True)
class RowNames:
    """A layout's names for options and variants. sku_name: None if the layout has no names of variants."""

    options: str
    option: str
    values: str
    value: str
    value_id: str
    pairs: str
    pair: str
    pair_value: str
    pair_value_id: str
    stock: str
    sku_name: str | None = None


class SkuPrice(NamedTuple):
    now: float | None
    before: float | None
    currency: str | None
    discount_percent: float | None


def read_options(node: Any, names: RowNames, images: Mapping[str, str]) -> list[Option]:
    """Return the options of a product. images: pictures by value id, for values that have no picture themselves."""

    def read_option(row: dict[str, Any]) -> Option | None:
        name = take(row, names.option, to_line)
        if name is None:
            return None
        return Option(name=name, values=read_rows(each_given(row, names.values), read_value, names.values))

    def read_value(value: dict[str, Any]) -> OptionValue | None:
        name, value_id = take(value, names.value, to_line), take(value, names.value_id, to_line)
        image = read_picture(value, "image") or images.get(value_id or "")
        return None if name is None else OptionValue(id=value_id, name=name, image_url=image)

    return read_rows(each_given(node, names.options), read_option, names.options)


def read_skus(
    node: Any,
    names: RowNames,
    options: list[Option],
    read_price: Callable[[Any, str], SkuPrice],
    judge_stock: Callable[[Any, int | None], bool | None],
) -> list[Sku]:
    """Return the variants of a product.

    read_price(row, sku_id): function that returns the price. judge_stock(row, stock): function that returns whether the
    variant can be bought.
    """
    images = read_value_images(options)

    def read_sku(row: dict[str, Any]) -> Sku | None:
        sku_id = take(row, "sku_id", read_shop_id)
        if sku_id is None:
            return None
        pairs = each_given(row, names.pairs)
        stock = count(row, names.stock).number
        price = read_price(row, sku_id)
        return Sku(
            sku_id=sku_id,
            sku_name=take(row, names.sku_name, to_line) if names.sku_name is not None else None,
            options=dict(read_rows(pairs, read_pair, names.pairs)),
            stock=stock,
            in_stock=judge_stock(row, stock),
            price=price.now,
            original_price=price.before,
            currency=price.currency,
            discount_percent=price.discount_percent,
            image_url=next(filter(None, (images.get(str(pair.get(names.pair_value_id))) for pair in pairs)), None),
        )

    def read_pair(pair: dict[str, Any]) -> tuple[str, str] | None:
        name, value = take(pair, names.pair, to_line), take(pair, names.pair_value, to_line)
        return None if name is None or value is None else (name, value)

    return read_rows(each_given(node, "skus[]"), read_sku, "skus[]")


def list_prices(skus: list[Sku]) -> tuple[list[float], list[float]]:
    """Return the current prices of the variants, and their prices before discounts."""
    now = [sku.price for sku in skus if sku.price is not None]
    return now, [sku.original_price for sku in skus if sku.original_price is not None]


def find_currency(skus: list[Sku]) -> str | None:
    return next((sku.currency for sku in skus if sku.currency), None)


def read_video(video: Any, *cover_paths: str) -> Video | None:
    """Return the seller's video, or None if it has no id and no address.

    cover_paths: paths of additional cover pictures.
    """
    found = Video(
        video_id=take(video, "id", to_line),
        url=take(video, "video_infos[0].main_url", to_address) or take(video, "main_url", to_address),
        cover_url=take(video, "post_url", to_address)
        or next(filter(None, (read_picture(video, path) for path in cover_paths)), None),
        duration_seconds=take(video, "duration", to_decimal),
    )
    return found if found.video_id or found.url else None
