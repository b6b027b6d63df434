"""Unreadable rows of the shop: the other rows are kept, and each unreadable row is counted."""

from typing import Any

import pytest

from support import shop
from support.broken_rows import count_losses
from webquarry.extractors.shortvideo_shop import category, seller, store, videos
from webquarry.extractors.shortvideo_shop.model.product_result import Product, ProductParams
from webquarry.extractors.shortvideo_shop.sources.shop import product_page
from webquarry.read import counting

MODEL, BASE = "product_info.product_model", "product_info"
BY_PRODUCT = ProductParams.model_validate({"product_id": shop.PRODUCT})
COMPONENTS = "loaderData.(region)/page.page_config.components_map"
ITEMS = {"products": [shop.item(1), shop.item(2)], "shop_info": shop.shop_info()}


def read_product(data: Any) -> Product:
    return product_page.read(shop.wire(shop.product_page(data)), BY_PRODUCT)


def read_store(data: Any) -> store.Store:
    params = store.StoreParams.model_validate({"seller_id": shop.SELLER})
    return store.read_scrapecreators(shop.wire(data), params)


def read_category(data: Any) -> category.ShopCategory:
    params = category.CategoryParams.model_validate({"category_id": shop.CATEGORY})
    return category.read(shop.wire(shop.html(data)), params)


@pytest.mark.parametrize("row", [{}, None, "text", 7])
@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("categories", "categories[]"),
        (f"{MODEL}.sale_properties", "sale_properties[]"),
        (f"{MODEL}.sale_properties.0.property_values", "property_values[]"),
        (f"{MODEL}.product_properties", "product_properties[]"),
        (f"{MODEL}.product_properties.0.property_values", "property_values[]"),
        (f"{MODEL}.skus", "skus[]"),
        (f"{MODEL}.skus.0.property_pairs", "property_pairs[]"),
        (f"{MODEL}.images", "images[]"),
        ("review_info.product_reviews", "review_info.product_reviews[]"),
        ("shop_info.store_sub_score", "store_sub_score[]"),
    ],
)
def test_broken_row_in_the_layout_of_2026_is_one_loss(place: str, path: str, row: Any) -> None:
    assert count_losses(read_product, shop.model_data(), place, row) == {path: 1}


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (f"{BASE}.sale_props", "sale_props[]"),
        (f"{BASE}.sale_props.0.sale_prop_values", "sale_prop_values[]"),
        (f"{BASE}.skus", "skus[]"),
        (f"{BASE}.skus.0.sku_sale_props", "sku_sale_props[]"),
        (f"{BASE}.product_base.specifications", "product_base.specifications[]"),
        (f"{BASE}.product_base.images", "product_base.images[]"),
        (f"{BASE}.product_detail_review.review_items", "review_items[]"),
    ],
)
def test_broken_row_in_the_layout_of_2025_is_one_loss(place: str, path: str) -> None:
    assert count_losses(read_product, shop.base_data(), place, {}) == {path: 1}


@pytest.mark.parametrize("row", [{"title": "Without an id"}, None])
def test_product_without_an_id_in_a_store_is_one_loss(row: Any) -> None:
    assert count_losses(read_store, ITEMS, "products", row) == {"products[]": 1}


def test_score_without_a_type_is_one_loss() -> None:
    assert count_losses(read_store, ITEMS, "shop_info.store_sub_score", {"score": 1}) == {"store_sub_score[]": 1}


def test_category_without_an_id_is_one_loss() -> None:
    node = {"category_id": shop.CATEGORY, "children": [{"category_id": "601002"}]}
    data = shop.router(shop.component("category_info", {"category": node}))
    place = f"{COMPONENTS}.0.component_data.category.children"
    assert count_losses(read_category, data, place, {"category_name": "A"}) == {"children[]": 1}


def test_component_that_is_not_an_object_is_counted_once() -> None:
    data = shop.router(shop.component("feed_list", {"products": [shop.item(1)]}))
    assert count_losses(read_category, data, COMPONENTS, None) == {"components_map[]": 1}


def test_video_without_an_id_is_one_loss() -> None:
    data = {"product_id": shop.PRODUCT, "related_videos": [{"item_id": "7397000000000000001"}]}

    def read(data: Any) -> videos.ProductVideos:
        return videos.read_scrapecreators(shop.wire(data), BY_PRODUCT)

    assert count_losses(read, data, "related_videos", {"title": "Without an id"}) == {"related_videos[]": 1}


def test_seller_of_a_products_page_counts_a_broken_score_once() -> None:
    data = shop.base_data()
    data["shop_performance"] = [{"type": 1, "score_percentile": 97}, {"score_percentile": 5}]
    params = seller.SellerParams.model_validate({"seller_id": shop.SELLER, "product_id": shop.PRODUCT})
    with counting() as losses:
        found = seller.read_product(shop.wire(shop.product_page(data)), params)
    assert [score.percent for score in found.scores] == [97]
    assert losses == {"store_sub_score[]": 1}
