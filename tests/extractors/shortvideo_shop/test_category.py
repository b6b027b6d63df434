import csv
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support import shop
from support.damage import damaged_json
from support.world import House, Told, World
from webquarry.core.errors import Absent, ExtractionError, InvalidParams, ProviderError
from webquarry.endpoints.params import parse
from webquarry.extractors.shortvideo_shop import category
from webquarry.extractors.shortvideo_shop.category import CategoryParams, ShopCategory, read, read_tikhub, render
from webquarry.extractors.shortvideo_shop.sources.shop.categories import (
    MAX_CHILDREN,
    MAX_DEPTH,
    find_slug,
    load_shipped,
)
from webquarry.extractors.shortvideo_shop.sources.untested import pages

SAMPLES = KIT / "upstreams/samples/shortvideo-shop"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
ASKED = CategoryParams.model_validate({"category_id": "842760"})


def node(category_id: str, *children: Any, name: str | None = "Made", **more: Any) -> dict[str, Any]:
    return {"category_id": category_id, "category_name": name, "children": list(children), **more}


def page(*components: Any, body: str = "") -> bytes:
    return shop.html(shop.router(*components), body=body)


def read_node(value: Any, *more: Any) -> ShopCategory:
    return read(shop.wire(page(shop.component("category_info", {"category": value}), *more)), ASKED)


def feed(number: int) -> dict[str, Any]:
    return shop.component("feed_list", {"products": [shop.item(n) for n in range(number)]})


@needs_samples
def test_every_address_of_the_recorded_list_is_made_from_its_name() -> None:
    with (SAMPLES / "us_category_urls_2025-07.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11_107
    assert [row["slug"] for row in rows if find_slug(row["id"]) != row["slug"]] == []


def test_the_shipped_list_has_its_date_and_its_top_level() -> None:
    assert (load_shipped().as_of, load_shipped().region, len(load_shipped().top_level)) == ("2025-07", "US", 28)
    assert load_shipped().names["601152"] == "Womenswear & Underwear"
    assert all(category_id in load_shipped().names for category_id in load_shipped().top_level)
    assert find_slug("99999") == "category"


def test_children_are_read_at_all_levels() -> None:
    found = read_node(node("842760", node("601291", node("902416")), node("601292"), level=2, parent_id="601152"))
    assert (found.category.level, found.category.parent_id, found.children_source) == (2, "601152", "data")
    assert [child.category_id for child in found.children] == ["601291", "601292"]
    assert [child.category_id for child in found.children[0].children] == ["902416"]


def test_tikhubs_nodes_are_read_with_their_own_part() -> None:
    below = {"self": {"category_id": "601291", "category_level": 3, "category_name": "Sets"}, "children": []}
    own = {"self": {"category_id": "842760", "category_level": 2, "parent_category_id": "601152"}, "children": [below]}
    found = read_tikhub(shop.wire({"code": 200, "data": [own]}), ASKED)
    assert (found.category.level, found.category.parent_id) == (2, "601152")
    assert (found.children[0].name, found.children[0].level) == ("Sets", 3)
    assert (found.category.name, found.names_as_of) == ("Women's Suits & Sets", "2025-07")


def test_links_replace_missing_children_with_a_warning() -> None:
    body = (
        '<a href="/shop/c/up/601152">Up</a><a href="/shop/c/self/842760">Self</a>'
        '<a href="https://www.tiktok.com/shop/c/sets/601291?x=1">Sets</a><a href="/shop/c/sets/601291">Again</a>'
        '<a href="/shop/pdp/1">No</a><a href="http://[/c/a/601293">No</a>'
    )
    crumbs = shop.component("bread_crumbs", {"bread_crumbs": [{"link": "https://www.tiktok.com/shop/c/up/601152"}]})
    found = read(shop.wire(page(crumbs, feed(1), body=body)), ASKED)
    assert [(child.category_id, child.name) for child in found.children] == [("601291", "Sets")]
    assert found.children_source == "links"
    assert "links to" in render(found)


def test_top_products_are_at_most_fifteen_or_null() -> None:
    assert read_node(node("842760"), feed(30)).count == 15
    untold = read_node(node("842760"))
    assert (untold.count, untold.products) == (None, [])
    assert len(untold.warnings) == 2


def test_an_endless_tree_is_cut() -> None:
    deep: dict[str, Any] = node("700000")
    for number in range(700001, 700060):
        deep = node(str(number), deep)
    found = read_node(node("842760", deep))
    depth, children = 0, found.children
    while children:
        depth, children = depth + 1, children[0].children
    assert depth == MAX_DEPTH
    wide = read_node(node("842760", *(node(str(n)) for n in range(700000, 700000 + 2 * MAX_CHILDREN))))
    assert len(wide.children) == MAX_CHILDREN


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        (page(shop.component("page_header")), ProviderError, "changed"),
        (b"<html><title>Security Check</title>", ProviderError, "blocked"),
        (b"<html><title>Page not found</title>", Absent, None),
    ],
)
def test_response_without_a_category_is_an_error(body: bytes, error: type[ExtractionError], reason: str | None) -> None:
    with pytest.raises(error) as caught:
        read(shop.wire(body), ASKED)
    assert caught.value.reason == reason


async def test_pages_are_requested_by_their_name() -> None:
    world = World({"/": [Told(200, b"<html>")]})
    house = House(world)
    with house.net(pages.WWW_CATEGORY) as net:
        await category.fetch_www(ASKED, net)
    with house.net(pages.SHOP_CATEGORY) as net:
        await category.fetch_shop(CategoryParams.model_validate({"category_id": "842760", "region": "vn"}), net)
    assert [request.url for _, request in world.asked] == [
        "https://www.tiktok.com/shop/c/womens-suits-sets/842760",
        "https://shop.tiktok.com/vn/c/womens-suits-sets/842760",
    ]


@pytest.mark.parametrize(
    "given",
    [
        {"category_id": "842760"},
        {"category_id": "https://www.tiktok.com/shop/c/x/842760"},
        {"url": "https://www.tiktok.com/shop/c/womens-suits-sets/842760?source=x"},
        {"url": "shop.tiktok.com/us/c/x/842760"},
    ],
)
def test_every_form_of_a_request_has_one_identity(given: dict[str, str]) -> None:
    assert parse(CategoryParams, list(given.items())).identity() == {"category": "842760", "region": "us"}


@pytest.mark.parametrize(
    "given", [{"category_id": "abc"}, {"category_id": "1"}, {"url": "https://example.com/c/x/842760"}]
)
def test_anything_else_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(InvalidParams):
        parse(CategoryParams, list(given.items()))


@given(st.data())
def test_a_damaged_page_is_a_category_or_a_clear_error(draw: st.DataObject) -> None:
    tree = node("842760", node("601291", node("902416")), level=2)
    crumbs = shop.component("bread_crumbs", {"bread_crumbs": [{"link": "https://www.tiktok.com/shop/c/up/601152"}]})
    value = damaged_json(draw, shop.router(crumbs, shop.component("category_info", {"category": tree}), feed(2)))
    try:
        found = read(shop.wire(shop.html(value, body='<a href="/shop/c/sets/601291">Sets</a>')), ASKED)
    except ExtractionError:
        return
    assert render(ShopCategory.model_validate_json(found.model_dump_json()))
