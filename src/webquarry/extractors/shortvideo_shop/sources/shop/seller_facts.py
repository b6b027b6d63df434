"""A seller's values in the pages of products and stores: the block `shop_info`."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from webquarry.core.locale import COUNTRIES, Country
from webquarry.endpoints.declare import Result, field
from webquarry.extractors.shortvideo_shop.model.ids import store_url
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import MAX_OUTER, ShopData
from webquarry.extractors.shortvideo_shop.sources.shop.values import count, read_picture, read_shop_id, score
from webquarry.read import each_given, take
from webquarry.read.fields import to_address, to_line, to_percent, to_text, to_whole, within
from webquarry.read.losses import read_rows

SCORES: Final = {1: "shipping", 2: "chat response", 3: "product satisfaction"}
"""Likely meanings of the score types. Results also contain the type's number."""


class ShopScore(Result):
    type: int = field("ID of the score type.", wire="store_sub_score[].type")
    meaning: str | None = field("Probable meaning of the score type.")
    percent: float | None = field("The score.", wire="store_sub_score[].score_percentage", unit="percent")


class SellerFacts(Result):
    seller_id: str = field("Seller ID as a string.", wire="shop_info.seller_id")
    name: str | None = field("Name of the shop.", wire="shop_info.shop_name")
    url: str = field("URL of the store.", wire="shop_info.shop_link")
    logo_url: str | None = field("URL of the shop's logo.", wire="shop_info.shop_logo.url_list[0]")
    region: str | None = field("Two-letter region code of the shop.", wire="shop_info.region")
    rating: float | None = field(
        "Average rating, 1 to 5 stars; null if there are no ratings.", wire="shop_info.shop_rating"
    )
    units_sold: int | None = field(
        "Number of items sold, in all regions if the shop states this.", wire="shop_info.sold_count"
    )
    units_sold_text: str | None = field("Original text from the shop.", wire="shop_info.format_sold_count")
    followers: int | None = field("Number of followers.", wire="shop_info.followers_count")
    followers_text: str | None = field("Original text from the shop.", wire="shop_info.format_followers_count")
    product_count: int | None = field("Number of products on sale.", wire="shop_info.on_sell_product_count")
    product_count_text: str | None = field(
        "Original text from the shop.", wire="shop_info.display_on_sell_product_count"
    )
    review_count: int | None = field("Number of reviews of all products.", wire="shop_info.review_count")
    video_count: int | None = field("Number of videos.", wire="shop_info.video_count")
    description: str | None = field("Description of the shop.", wire="shop_info.desc")
    creator_name: str | None = field("Name of the shop's account.", wire="shop_info.creator_name")
    scores: list[ShopScore] = field("Scores of the shop.", wire="shop_info.store_sub_score[]")


def read_seller(info: Any) -> SellerFacts | None:
    """Parse a `shop_info` block. Returns None if it has no id."""
    seller_id = take(info, "seller_id", read_shop_id) or take(info, "global_seller_id", read_shop_id)
    if seller_id is None:
        return None
    sold = count(info, "sold_count", "global_sold_count", "format_sold_count", "format_global_sold_count")
    followers = count(info, "followers_count", "format_followers_count")
    products = count(info, "on_sell_product_count", "display_on_sell_product_count")
    region = take(info, "region", to_line)
    code = region.upper() if region and region.upper() in COUNTRIES else None
    return SellerFacts(
        seller_id=seller_id,
        name=take(info, "shop_name", to_line),
        url=take(info, "shop_link", to_address) or store_url(seller_id, Country.parse(code) if code else None),
        logo_url=read_picture(info, "shop_logo"),
        region=code,
        rating=take(info, "shop_rating", score),
        units_sold=sold.number,
        units_sold_text=_read_words(info, "format_sold_count", "format_global_sold_count") or sold.text,
        followers=followers.number,
        followers_text=_read_words(info, "format_followers_count") or followers.text,
        product_count=products.number,
        product_count_text=_read_words(info, "display_on_sell_product_count") or products.text,
        review_count=count(info, "review_count").number,
        video_count=count(info, "video_count", "format_video_count").number,
        description=take(info, "desc", to_text),
        creator_name=take(info, "creator_name", to_line),
        scores=read_scores(info, "store_sub_score[]"),
    )


def find_shop(data: ShopData) -> SellerFacts | None:
    """Return the first seller with an id: from a component, otherwise from any depth (`shop_info`, `shopInfo`)."""
    blocks = [component.data.get("shop_info") for component in data.components]
    found = next(_read_sellers(blocks), None)
    if found is not None:
        return found
    nodes = data.nodes(lambda node: "shop_info" in node or "shopInfo" in node, MAX_OUTER)
    return next(_read_sellers(node.get(name) for node in nodes for name in ("shop_info", "shopInfo")), None)


def _read_sellers(blocks: Iterable[Any]) -> Iterator[SellerFacts]:
    return (seller for block in blocks if isinstance(block, dict) and (seller := read_seller(block)) is not None)


def _read_words(info: Any, *paths: str) -> str | None:
    return next((text for path in paths if (text := take(info, path, to_line)) is not None), None)


def read_scores(node: Any, path: str) -> list[ShopScore]:
    """Return the scores of a shop. path: path of their list, with `[]`."""
    return read_rows(each_given(node, path), _read_score, path)


def _read_score(row: dict[str, Any]) -> ShopScore | None:
    kind = take(row, "type", to_whole)
    return None if kind is None else ShopScore(type=kind, meaning=SCORES.get(kind), percent=_read_percent(row))


def _read_percent(row: dict[str, Any]) -> float | None:
    for path in ("score_percentage", "score_percentile"):
        value = row.get(path)
        if isinstance(value, str) and "%" not in value:
            value = f"{value}%"
        percent = within(to_percent(value), 0, 100)
        if percent is not None:
            return percent
    return None
