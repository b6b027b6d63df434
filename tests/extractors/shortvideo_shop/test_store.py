import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support import shop
from support.damage import damaged_json
from support.world import House, Told, World, query_of
from webquarry.core.errors import Absent, ExtractionError, InvalidParams, ProviderError
from webquarry.core.types import Provider
from webquarry.endpoints.params import parse
from webquarry.extractors.shortvideo_shop import seller, store
from webquarry.extractors.shortvideo_shop.seller import SellerParams
from webquarry.extractors.shortvideo_shop.sources.scrapecreators import SCRAPECREATORS
from webquarry.extractors.shortvideo_shop.sources.shop.items import read_items
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import SellerFacts
from webquarry.extractors.shortvideo_shop.sources.untested import pages
from webquarry.extractors.shortvideo_shop.store import Store, StoreParams, ask_scrapecreators, ask_www, read

SAMPLE = KIT / "upstreams/samples/shortvideo-shop/store_products_passthrough_2026-09.json"
needs_sample = pytest.mark.skipif(not SAMPLE.exists(), reason="the samples are not here")
GOLI = "7495794203056835079"
MORE = {"offset": 30, "page_token": "1788307200ab", "api_source": 2}


def params(**given: Any) -> StoreParams:
    return StoreParams.model_validate({"seller_id": shop.SELLER, **given} if "url" not in given else given)


def feed(*items: Any, name: str = "product_list", **more: Any) -> dict[str, Any]:
    return shop.component(name, {"products": list(items), **more})


def page(*components: Any, **info: Any) -> bytes:
    about = shop.component("shop_info", {"shop_info": shop.shop_info(**info)})
    return shop.html(shop.router(about, *components))


def read_page(*components: Any, **info: Any) -> Store:
    return read(shop.wire(page(*components, **info)), params())


@needs_sample
class TestSample:
    def test_a_store_is_read_completely(self) -> None:
        found = store.read_scrapecreators(shop.wire(SAMPLE.read_bytes()), params(seller_id=GOLI))
        assert (found.count, found.has_more, found.seller_id) == (3, True, GOLI)
        assert found.product_ids == ["1729527313880355335", "1731194857673101831", "1729587769570529799"]
        assert [(item.price, item.original_price, item.currency) for item in found.products] == [
            (14.98, 19, "USD"), (30.8, 57, "USD"), (44.98, 57, "USD"),
        ]  # fmt: skip
        assert [item.units_sold for item in found.products] == [1300867, 1012982, 863751]
        assert [item.discount_percent for item in found.products] == [21, 46, 21]

    def test_its_seller_is_read_completely(self) -> None:
        found = seller.read_scrapecreators(
            shop.wire(SAMPLE.read_bytes()), SellerParams.model_validate({"seller_id": GOLI})
        )
        assert (found.name, found.region, found.rating) == ("Goli Nutrition", "US", 4.6)
        assert (found.units_sold, found.units_sold_text) == (5715506, "5.7M")
        assert (found.followers, found.followers_text) == (596907, "596.9K+")
        assert (found.product_count, found.review_count, found.video_count) == (52, 406185, 4418)
        assert [(score.type, score.percent) for score in found.scores] == [(1, 99), (2, 0), (3, 89)]


class TestWhatIsRead:
    def test_the_main_list_is_read_instead_of_recommendations(self) -> None:
        others = [shop.item(n) for n in range(20, 30)]
        found = read_page(feed(*others, name="feed_list_you_may_like"), feed(shop.item(1), has_more=False))
        assert [item.title for item in found.products] == ["Made product 1"]

    def test_a_list_marked_as_main_is_preferred_to_a_longer_one(self) -> None:
        main = {**feed(shop.item(1)), "fe_config": {"is_main_feed": True}}
        assert read_page(feed(shop.item(2), shop.item(3)), main).count == 1

    def test_a_repeated_product_is_returned_once(self) -> None:
        assert len(read_items([shop.item(1), shop.item(1), {"title": "no number"}, None])) == 1

    def test_the_seller_count_shows_whether_there_are_more_products(self) -> None:
        assert read_page(feed(shop.item(1))).has_more is True
        assert read_page(feed(shop.item(1)), on_sell_product_count=1).has_more is False
        unknown = read_page(feed(shop.item(1)), on_sell_product_count=None, display_on_sell_product_count=None)
        assert unknown.has_more is None

    def test_an_empty_store_requires_the_shops_own_count(self) -> None:
        assert read_page(feed(has_more=False), on_sell_product_count=0).count == 0
        for found in (feed(has_more=False), shop.component("product_list")):
            with pytest.raises(ProviderError) as caught:
                read_page(found)
            assert caught.value.reason == "unavailable"

    def test_a_seller_unknown_to_a_provider_is_absent(self) -> None:
        with pytest.raises(Absent):
            store.read_scrapecreators(shop.wire({"success": True, "products": []}), params())

    @pytest.mark.parametrize("reader", [read, store.read_scrapecreators, store.read_tikhub])
    def test_another_seller_is_an_error(self, reader: Any) -> None:
        answer = {"success": True, "data": {"shop_info": shop.shop_info(GOLI), "products": [shop.item(1)]}}
        body = page(feed(shop.item(1)), seller_id=GOLI) if reader is read else {**answer, **answer["data"]}  # type: ignore[dict-item]
        with pytest.raises(ProviderError, match="a different seller"):
            reader(shop.wire(body), params())

    def test_tikhubs_list_is_found_at_any_depth(self) -> None:
        answer = {"code": 200, "data": {"data": {"products": [shop.item(1)], "has_more": True}}}
        assert store.read_tikhub(shop.wire(answer), params()).product_ids == [shop.item(1)["product_id"]]

    def test_a_block_page_is_reported(self) -> None:
        readers: list[tuple[Any, Any]] = [
            (read, params()),
            (seller.read, SellerParams.model_validate({"seller_id": shop.SELLER})),
        ]
        for reader, asked in readers:
            with pytest.raises(ProviderError) as caught:
                reader(shop.wire(b"<html><title>Security Check</title>"), asked)
            assert caught.value.reason == "blocked"


class TestSellers:
    def read(self, body: bytes, **given: str) -> SellerFacts:
        asked = SellerParams.model_validate({"seller_id": shop.SELLER, **given})
        return seller.read_product(shop.wire(body), asked)

    def test_the_seller_is_read_from_both_layouts_of_a_product_page(self) -> None:
        assert self.read(shop.product_page(shop.model_data())).followers == 5969
        found = self.read(shop.product_page(shop.base_data()))
        assert (found.name, found.product_count, found.scores[0].percent) == ("Made Goods", 110, 99)

    def test_a_product_of_another_seller_is_an_error(self) -> None:
        for data in (shop.model_data(), shop.base_data()):
            with pytest.raises(ProviderError, match="a different seller"):
                self.read(shop.product_page(data), seller_id=GOLI)

    @pytest.mark.parametrize(("message", "rating"), [("4.6", 4.6), ("", None), ("0", None), (0, None), (3, 3)])
    def test_zero_stars_mean_no_rating(self, message: Any, rating: float | None) -> None:
        data = {**shop.model_data(), "shop_info": shop.shop_info(shop_rating=message)}
        assert self.read(shop.product_page(data)).rating == rating

    def test_counts_written_as_text_are_numbers_next_to_their_text(self) -> None:
        info = shop.shop_info(followers_count=None, format_followers_count="596.9K+", sold_count="lots")
        found = self.read(shop.product_page({**shop.model_data(), "shop_info": info}))
        assert (found.followers, found.followers_text) == (596_900, "596.9K+")
        assert (found.units_sold, found.units_sold_text) == (79_600, "79.6K")

    def test_a_product_is_requested_only_if_one_is_named(self) -> None:
        assert seller.skips_product(SellerParams.model_validate({"seller_id": GOLI}))
        named = SellerParams.model_validate({"seller_id": GOLI, "product_id": shop.PRODUCT})
        assert seller.skips_product(named) is None

    def test_the_address_of_a_store_gives_the_seller_id(self) -> None:
        url = f"https://www.tiktok.com/shop/store/made-goods/{GOLI}?x=1"
        assert parse(SellerParams, [("seller_id", url)]).seller_id == GOLI
        with pytest.raises(InvalidParams):
            parse(SellerParams, [("seller_id", "abc")])


class TestRequests:
    async def asked(self, provider: Provider, ask: Any, world: World, **given: Any) -> Store:
        with House(world, scrapecreators_key="s").net(provider) as net:
            found, _ = await ask(params(**given), net)
        assert isinstance(found, Store)
        return found

    async def test_a_further_page_is_requested_as_the_page_does(self) -> None:
        first = page(feed(shop.item(1), has_more=True, load_more_params=MORE))
        second = {"code": 0, "data": {"products": [shop.item(1), shop.item(2)], "has_more": False}}
        world = World(
            {"www.tiktok.com/shop": [Told(200, first)], "shop.tiktok.com/api": [Told(200, json.dumps(second).encode())]}
        )
        found = await self.asked(pages.WWW_STORE, ask_www, world, max_pages=3)
        assert (found.count, found.pages_fetched, found.has_more, found.truncated_reason) == (2, 2, False, None)
        (_, opened), (_, more) = world.asked
        assert opened.url == f"https://www.tiktok.com/shop/store/shop/{shop.SELLER}"
        assert (more.method, more.url) == (
            "POST",
            "https://shop.tiktok.com/api/shop/brandy_desktop/store/product_list",
        )
        body = json.loads(more.body or b"")
        assert json.loads(body["load_more_params"]) == {**MORE, "seller_id": shop.SELLER}
        assert json.loads(body["component_info"])["component_name"] == "product_list"

    async def test_a_further_page_is_not_requested_with_more_than_the_shop_sends(self) -> None:
        first = page(feed(shop.item(1), has_more=True, load_more_params={**MORE, "scene": "x" * 65_536}))
        world = World({"www.tiktok.com/shop": [Told(200, first)]})
        await self.asked(pages.WWW_STORE, ask_www, world, max_pages=3)
        assert len(world.asked) == 1

    @pytest.mark.parametrize("answer", [Told(200, b'{"code": 100000}'), Told(403, b""), Told(200, b"<html>")])
    async def test_a_refused_page_keeps_the_earlier_pages(self, answer: Told) -> None:
        first = page(feed(shop.item(1), has_more=True, load_more_params=MORE))
        world = World({"www.tiktok.com/shop": [Told(200, first)], "shop.tiktok.com/api": [answer]})
        found = await self.asked(pages.WWW_STORE, ask_www, world, max_pages=3)
        assert (found.count, found.has_more) == (1, True)
        assert found.truncated_reason == "upstream_blocked_pagination"
        assert found.warnings
        assert len(world.asked) == 2

    async def test_one_page_is_one_request(self) -> None:
        first = page(feed(shop.item(1), has_more=True, load_more_params=MORE))
        world = World({"www.tiktok.com/shop": [Told(200, first)]})
        found = await self.asked(pages.WWW_STORE, ask_www, world)
        assert (found.has_more, found.truncated_reason, len(world.asked)) == (True, None, 1)

    async def test_a_provider_is_requested_page_by_page_with_its_cursor(self) -> None:
        answers = [
            {
                "success": True,
                "shopInfo": shop.shop_info(),
                "products": [shop.item(n)],
                "has_more": n < 3,
                "cursor": str(n),
            }
            for n in (1, 2, 3)
        ]
        world = World({"/v1/tiktok/shop/products": [Told(200, json.dumps(answer).encode()) for answer in answers]})
        found = await self.asked(SCRAPECREATORS, ask_scrapecreators, world, max_pages=10)
        assert (found.count, found.pages_fetched, found.has_more) == (3, 3, False)
        assert [query_of(request)["cursor"] for _, request in world.asked] == ["", "1", "2"]
        first = world.asked[0][1]
        assert query_of(first)["url"] == f"https://www.tiktok.com/shop/store/shop/{shop.SELLER}"
        assert first.headers["x-api-key"] == "s"


@pytest.mark.parametrize(
    "given",
    [
        {"seller_id": GOLI},
        {"seller_id": f"https://www.tiktok.com/shop/store/goli/{GOLI}"},
        {"url": f"https://www.tiktok.com/shop/store/goli-nutrition/{GOLI}?a=b"},
        {"url": f"shop.tiktok.com/us/store/goli/{GOLI}"},
    ],
)
def test_every_form_of_a_request_has_one_identity(given: dict[str, str]) -> None:
    asked = parse(StoreParams, list(given.items()))
    assert asked.identity() == {"seller": GOLI, "region": "us", "max_pages": "1"}


@given(st.data())
def test_a_damaged_page_is_a_store_or_a_clear_error(draw: st.DataObject) -> None:
    about = shop.component("shop_info", {"shop_info": shop.shop_info()})
    listed = feed(shop.item(1), shop.item(2), has_more=True, load_more_params=MORE)
    body = shop.html(damaged_json(draw, shop.router(about, listed)))
    readers: list[tuple[Any, Any, Any]] = [
        (read, store.render, params()),
        (seller.read, seller.render, SellerParams.model_validate({"seller_id": shop.SELLER})),
    ]
    for reader, render, asked in readers:
        try:
            found = reader(shop.wire(body), asked)
        except ExtractionError:
            continue
        assert render(type(found).model_validate_json(found.model_dump_json()))


@given(st.data())
def test_a_damaged_answer_of_a_provider_is_a_store_or_a_clear_error(draw: st.DataObject) -> None:
    answer = {
        "success": True,
        "shopInfo": shop.shop_info(),
        "products": [shop.item(1)],
        "has_more": True,
        "cursor": "x",
    }
    body = damaged_json(draw, answer)
    try:
        assert store.render(store.read_scrapecreators(shop.wire(body), params()))
    except ExtractionError:
        return
