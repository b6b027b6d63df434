"""Unreadable rows in a shop's lists: the other rows are kept, and each unreadable row is counted."""

import json
from typing import Any

import pytest

from support.broken_rows import count_losses
from webquarry.extractors.storefront.model.products import Product
from webquarry.extractors.storefront.sources.untested import shopify, woocommerce
from webquarry.sandbox.cases import cases

ORIGIN = "https://shop.example.com"


def listed(case: str, exchange: int) -> Any:
    found = next(one for one in cases("storefront_catalog") if one.folder.name == case)
    return json.loads(found.exchanges[exchange].answered().body)


def read_shopify(answer: Any) -> list[Product]:
    return shopify.read_page(answer, ORIGIN).products


def read_woocommerce(rows: Any) -> list[Product]:
    return woocommerce.read_page(rows, ORIGIN, {}).products


@pytest.mark.parametrize("row", [None, 7, {}])
@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("products", "products[]"),
        ("products.0.variants", "variants[]"),
        ("products.0.options", "options[]"),
        ("products.0.images", "images[]"),
    ],
)
def test_broken_row_of_shopify_is_one_loss(place: str, path: str, row: Any) -> None:
    assert count_losses(read_shopify, listed("rich", 0), place, row)[path] == 1


def test_tag_that_is_not_text_is_counted_once() -> None:
    data = {"products": [{"id": 1, "title": "A", "tags": ["a"], "options": [{"name": "Size", "values": ["S"]}]}]}
    assert count_losses(read_shopify, data, "products.0.tags", 1) == {"tags[]": 1}
    assert count_losses(read_shopify, data, "products.0.options.0.values", None) == {"values[]": 1}


@pytest.mark.parametrize("row", [None, {}])
@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("", "[]"),
        ("0.images", "images[]"),
        ("0.tags", "tags[]"),
        ("0.attributes", "attributes[]"),
        ("0.attributes.0.terms", "terms[]"),
        ("0.variations", "variations[]"),
    ],
)
def test_broken_row_of_woocommerce_is_one_loss(place: str, path: str, row: Any) -> None:
    product = {
        "id": 1,
        "name": "A",
        "images": [{"src": f"{ORIGIN}/1.jpg"}],
        "tags": [{"name": "tea"}],
        "attributes": [{"name": "Size", "has_variations": True, "terms": [{"name": "S"}]}],
        "variations": [{"id": 2, "attributes": [{"name": "Size", "value": "S"}]}],
    }
    assert count_losses(read_woocommerce, [product], place, row)[path] == 1


def test_descriptive_attribute_of_woocommerce_is_not_counted() -> None:
    data = [{"id": 1, "name": "A", "attributes": [{"name": "Size", "terms": []}]}]
    assert count_losses(read_woocommerce, data, "0.attributes", {"has_variations": False}) == {}
