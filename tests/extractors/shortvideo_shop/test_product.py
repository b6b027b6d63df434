import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support import shop
from support.damage import damaged_json, damaged_text
from support.world import House, Told, World, redirect
from webquarry.core.errors import Absent, EmptyResult, ExtractionError, InvalidParams, ProviderError
from webquarry.core.types import Provider
from webquarry.endpoints.params import parse
from webquarry.extractors.shortvideo_shop import product
from webquarry.extractors.shortvideo_shop.model.product_result import Product, ProductParams
from webquarry.extractors.shortvideo_shop.product import render
from webquarry.extractors.shortvideo_shop.sources.shop.product_page import read, read_scrapecreators, read_tikhub
from webquarry.extractors.shortvideo_shop.sources.untested import pages
from webquarry.extractors.shortvideo_shop.sources.untested.scrapecreators_product import SCRAPECREATORS_PRODUCT
from webquarry.extractors.shortvideo_shop.sources.untested.tikhub import TIKHUB

SAMPLES = KIT / "upstreams/samples/shortvideo-shop"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def params(**given: str) -> ProductParams:
    return ProductParams.model_validate({"product_id": shop.PRODUCT, **given} if "url" not in given else given)


def read_data(data: Any, **given: str) -> Product:
    return read(shop.wire(shop.product_page(data)), params(**given))


@needs_samples
class TestSamples:
    def test_the_layout_of_2025_is_read_completely(self) -> None:
        text = (SAMPLES / "pdp_www_2025-07_router.json").read_text()
        found = read(shop.wire(shop.html(json.loads(text))), params(product_id="1729447605324124806"))
        assert (found.region, found.seller_id, found.units_sold) == ("US", "7495278230053096070", 30762)
        assert (found.rating, found.review_count, found.review_count_text) == (4.5, 2868, "2.9k")
        assert found.rating_histogram is None
        assert (found.price.min, found.price.max, found.price.original_min) == (24.17, 24.69, 31.75)
        assert (len(found.skus), len(found.images), len(found.reviews), len(found.specifications)) == (40, 9, 20, 18)
        assert [category.category_id for category in found.categories] == ["601152", "842760", "601291", "902416"]
        assert [sku.stock for sku in found.skus if sku.in_stock is False] == [0] * 7
        assert found.skus[0].options == {"Color": "Black", "Size": "S/M(6/8)"}
        assert found.seller is not None
        assert (found.seller.name, found.seller.product_count) == ("KatchMe US", 110)
        assert found.shipping is not None
        assert (found.shipping.fee, found.shipping.min_days, found.shipping.max_days) == (7.8, 5, 8)

    def test_the_layout_of_2026_is_read_completely(self) -> None:
        body = (SAMPLES / "pdp_shop_2026-09_component_data.json").read_bytes()
        found = read(shop.wire(body), params(product_id="1730196006903450541", region="vn"))
        assert (found.units_sold, found.rating, found.review_count) == (16031, 4.4, 1660)
        assert found.rating_histogram == {"1": 120, "2": 57, "3": 79, "4": 169, "5": 1235}
        assert (found.price.currency, found.price.min, found.price.max) == ("VND", 97043, 99000)
        assert [(sku.stock, sku.in_stock, sku.price) for sku in found.skus] == [
            (0, False, 97043), (9951, True, 97043), (37, True, 99000),
        ]  # fmt: skip
        assert found.seller is not None
        assert (found.seller.rating, found.seller.followers, found.seller.units_sold) == (3.1, 31, 79624)
        assert found.region is None


class TestWhatIsRead:
    @pytest.mark.parametrize(
        ("message", "number"),
        [("16031", 16031), (5, 5), ("5.7M", 5_700_000), ("10k+ sold", 10_000), ("many", None), ("97.043", 97043)],
    )
    def test_a_count_is_a_number_or_null_with_its_text(self, message: str | int, number: int | None) -> None:
        data = shop.model_data()
        data["product_info"]["product_model"]["sold_count"] = message
        found = read_data(data)
        assert (found.units_sold, found.units_sold_text) == (number, message if isinstance(message, str) else None)

    def test_an_amount_is_never_read_from_a_text_for_readers(self) -> None:
        data = shop.model_data()
        for price in data["product_info"]["promotion_model"]["promotion_product_price"]["skus_price"].values():
            price["sale_price_decimal"] = "97043"
            price["sale_price_format"] = "97.043"
        assert read_data(data).price.min == 97043

    def test_a_distribution_without_a_star_has_null_there(self) -> None:
        data = shop.model_data()
        del data["review_info"]["review_ratings"]["rating_result"]["2"]
        assert read_data(data).rating_histogram == {"1": 120, "2": None, "3": 79, "4": 169, "5": 1235}

    def test_ids_given_as_numbers_stay_exact(self) -> None:
        data = shop.model_data()
        data["product_info"]["product_model"]["product_id"] = int(shop.PRODUCT)
        data["product_info"]["product_model"]["seller_id"] = 7495029512148126637
        assert read_data(data).seller_id == "7495029512148126637"

    def test_a_price_of_another_region_causes_a_warning(self) -> None:
        found = read(shop.wire(shop.product_page(shop.model_data(), "SG")), params(region="vn"))
        assert (found.region, found.asked_region) == ("SG", "VN")
        assert "SG" in found.warnings[0]

    def test_components_may_be_a_table_by_name(self) -> None:
        page = shop.router({"first": 1})
        page["loaderData"]["(region)/page"]["page_config"]["components_map"] = {
            "product_info": shop.component("product_info", shop.model_data())
        }
        assert read(shop.wire(shop.html(page)), params()).units_sold == 16031

    def test_a_product_in_the_global_data_is_found(self) -> None:
        page = shop.router(shop.component("page_header"), global_data={"product_info": shop.model_data()})
        assert read(shop.wire(shop.html(page)), params()).units_sold == 16031

    def test_an_escaped_script_is_read(self) -> None:
        text = json.dumps(shop.router(shop.component("product_info", shop.model_data()))).replace('"', "&quot;")
        page = f"<!doctype html><script type='application/json' id='__MODERN_ROUTER_DATA__'>{text}</script>".encode()
        assert read(shop.wire(page), params()).units_sold == 16031

    def test_another_product_than_the_requested_one_is_an_error(self) -> None:
        with pytest.raises(ProviderError, match="different product") as caught:
            read_data(shop.model_data("1729000000000009999"))
        assert caught.value.reason == "changed"

    def test_a_text_of_the_seller_is_escaped_in_markdown(self) -> None:
        data = shop.base_data()
        data["product_info"]["product_base"]["desc_detail"] = json.dumps([{"type": "text", "text": "# <b>*x*</b>"}])
        assert read_data(data).description_markdown == r"\# \<b>\*x\*\</b>"

    def test_the_table_of_variants_is_in_the_markdown(self) -> None:
        page = render(read_data(shop.model_data()))
        assert "| Color | Price | Before discount | Stock | In stock | SKU |" in page
        assert "| Sage | 9.90 USD | 12.00 USD | 37 | yes | 1729000000000000012 |" in page

    def test_providers_pass_the_same_data_on(self) -> None:
        page_config = shop.router(shop.component("product_info", shop.model_data()))["loaderData"]["(region)/page"]
        answer = {"code": 200, "data": {"code": 0, "product_data": page_config}}
        assert read_tikhub(shop.wire(answer), params()).units_sold == 16031
        data = shop.model_data()
        passed = {"success": True, "product_info": data["product_info"], "review_info": data["review_info"]}
        assert read_scrapecreators(shop.wire(passed), params()).rating_histogram is not None


class TestWhatIsNone:
    @pytest.mark.parametrize(
        ("body", "error", "reason"),
        [
            (b"<title>Security Check</title>", ProviderError, "blocked"),
            (b"<html><script src='/x/captcha/index.js'></script>", ProviderError, "blocked"),
            (b"<html><div class=secsdk-captcha-wrap>", ProviderError, "blocked"),
            (b"<html><body>middle_page_loading", ProviderError, "blocked"),
            (b"<html><title>Access Denied</title><h1>Access Denied</h1>", ProviderError, "blocked"),
            (b"<html><title>Log in | TikTok</title>", ProviderError, "blocked"),
            (b"<html><title>Page not found</title>", Absent, None),
            (b"<html><p>Product not available in this country or region</p>", EmptyResult, None),
            (b"<html><title>TikTok</title><p>Welcome</p>", ProviderError, "changed"),
            (b"", ProviderError, "changed"),
            (b'{"code": 1', ProviderError, "changed"),
        ],
    )
    def test_pages_without_data_are_distinguished(
        self, body: bytes, error: type[ExtractionError], reason: str | None
    ) -> None:
        with pytest.raises(error) as caught:
            read(shop.wire(body), params())
        assert caught.value.reason == reason

    @pytest.mark.parametrize(
        ("code", "message", "error"),
        [
            (23002102, "", EmptyResult),
            (1, "Product not available in this country or region", EmptyResult),
            (1, "product not found", Absent),
            (1, "busy", ProviderError),
        ],
    )
    def test_an_error_in_the_data_is_reported(self, code: int, message: str, error: type[ExtractionError]) -> None:
        with pytest.raises(error):
            read_data({"error_code": code, "error_message": message, "product_info": {}})

    def test_a_refused_provider_is_blocked(self) -> None:
        with pytest.raises(ProviderError) as caught:
            read_tikhub(shop.wire({"code": 200, "data": {"code": 100000}}), params())
        assert caught.value.reason == "blocked"


class TestRequests:
    async def fetched(self, provider: Provider, fetch: Any, world: World, **given: str) -> Any:
        with House(world, tikhub_key="t", scrapecreators_key="s").net(provider) as net:
            return await fetch(params(**given), net)

    async def test_each_page_is_requested_like_a_browser_does(self) -> None:
        world = World({"/": [Told(200, b"<html>")]})
        await self.fetched(product.WWW_PAGE, product.fetch_www, world)
        await self.fetched(pages.SHOP_PRODUCT, product.fetch_shop, world, region="vn")
        await self.fetched(pages.SHARED_PRODUCT, product.fetch_shared, world, region="vn")
        assert [request.url for _, request in world.asked] == [
            f"https://www.tiktok.com/shop/pdp/{shop.PRODUCT}",
            f"https://shop.tiktok.com/vn/pdp/{shop.PRODUCT}",
            f"https://shop.tiktok.com/view/product/{shop.PRODUCT}?region=VN&locale=en",
        ]
        headers = world.asked[0][1].headers
        assert headers["User-Agent"].startswith("Mozilla/5.0")
        assert headers["Accept-Language"] == "en-US,en;q=0.9"
        assert not [name for name in headers if name.lower().startswith("sec-")]

    async def test_providers_are_requested_with_the_key(self) -> None:
        world = World({"/": [Told(200, b"{}", {"content-type": "application/json"})]})
        await self.fetched(TIKHUB, product.fetch_tikhub, world)
        await self.fetched(SCRAPECREATORS_PRODUCT, product.fetch_scrapecreators, world)
        first, second = (request for _, request in world.asked)
        assert first.headers["Authorization"] == "Bearer t"
        assert "fetch_product_detail_v3?product_id=" in first.url
        assert second.headers["x-api-key"] == "s"
        assert "url=https%3A%2F%2Fwww.tiktok.com%2Fshop%2Fpdp%2F" in second.url

    async def test_a_short_link_is_followed_to_its_product(self) -> None:
        world = World(
            {
                "vt.tiktok.com/ZS1/": [redirect("https://www.tiktok.com/t/ZS1/")],
                "www.tiktok.com/t/ZS1/": [redirect(f"/view/product/{shop.PRODUCT}?og_info=x")],
                "www.tiktok.com/shop": [Told(200, b"<html>")],
            }
        )
        await self.fetched(product.WWW_PAGE, product.fetch_www, world, url="https://vt.tiktok.com/ZS1/")
        assert world.paths == ["/ZS1/", "/t/ZS1/", f"/shop/pdp/{shop.PRODUCT}"]

    @pytest.mark.parametrize("leads_to", ["https://example.com/pdp/1729000000000000001", "http://[", "/ZS1/"])
    async def test_a_short_link_is_followed_within_the_shop_only(self, leads_to: str) -> None:
        world = World({"vt.tiktok.com": [redirect(leads_to)]})
        with pytest.raises(ExtractionError):
            await self.fetched(product.WWW_PAGE, product.fetch_www, world, url="vt.tiktok.com/ZS1")
        assert {request.url for _, request in world.asked} == {"https://vt.tiktok.com/ZS1/"}

    @pytest.mark.parametrize(
        ("status", "error", "reason"),
        [
            (404, Absent, None),
            (403, ProviderError, "refused"),
            (429, ProviderError, "refused"),
            (503, ProviderError, "refused"),
        ],
    )
    async def test_an_error_status_is_reported(
        self, status: int, error: type[ExtractionError], reason: str | None
    ) -> None:
        with pytest.raises(error) as caught:
            await self.fetched(product.WWW_PAGE, product.fetch_www, World({"/": [Told(status, b"<html><p>no")]}))
        assert caught.value.reason == reason


class TestNames:
    @pytest.mark.parametrize(
        "given",
        [
            {"product_id": shop.PRODUCT},
            {"product_id": f" {shop.PRODUCT} "},
            {"url": f"https://www.tiktok.com/shop/pdp/{shop.PRODUCT}"},
            {"url": f"http://tiktok.com/shop/pdp/a-name/{shop.PRODUCT}?source=x#y"},
            {"url": f"https://shop.tiktok.com/us/pdp/a-name/{shop.PRODUCT}"},
            {"url": f"shop.tiktok.com/view/product/{shop.PRODUCT}?region=US&locale=en"},
            {"url": f"https://www.tiktok.com/view/product/{shop.PRODUCT}"},
            {"product_id": f"https://shop.tiktok.com/us/pdp/{shop.PRODUCT}"},
        ],
    )
    def test_every_form_of_a_request_has_one_identity(self, given: dict[str, str]) -> None:
        assert ProductParams.model_validate(given).identity() == {"product": shop.PRODUCT, "region": "us"}

    def test_the_region_parameter_overrides_the_region_in_the_url(self) -> None:
        url = f"https://shop.tiktok.com/vn/pdp/x/{shop.PRODUCT}"
        assert params(url=url).requested_region == "vn"
        assert params(url=url, region="us").requested_region == "us"

    @pytest.mark.parametrize(
        "given",
        [
            {"product_id": "abc"},
            {"product_id": "123"},
            {"url": "https://example.com/shop/pdp/1729000000000000001"},
            {"url": "https://tiktok.com.example.com/shop/pdp/1729000000000000001"},
            {"url": "https://www.tiktok.com/@someone"},
            {"url": "https://www.tiktok.com/shop/pdp/name-only"},
            {"url": "https://user@[::1"},
            {"product_id": shop.PRODUCT, "url": f"https://www.tiktok.com/shop/pdp/{shop.PRODUCT}"},
            {},
        ],
    )
    def test_anything_else_is_refused(self, given: dict[str, str]) -> None:
        with pytest.raises(InvalidParams):
            parse(product.extractor.params, list(given.items()))


@pytest.mark.parametrize("data", [shop.model_data(), shop.base_data()])
@given(st.data())
def test_a_damaged_page_is_a_product_or_a_clear_error(data: Any, draw: st.DataObject) -> None:
    page = damaged_json(draw, shop.router(shop.component("product_info", data)))
    try:
        found = read(shop.wire(shop.html(page)), params())
    except ExtractionError:
        return
    assert render(Product.model_validate_json(found.model_dump_json()))


@given(st.data())
def test_a_torn_page_is_a_product_or_a_clear_error(draw: st.DataObject) -> None:
    page = damaged_text(draw, shop.product_page(shop.base_data()).decode())
    try:
        assert read(shop.wire(page.encode("utf-8", "replace")), params()).title
    except ExtractionError:
        return


@pytest.mark.parametrize(("images", "is_cut"), [(product.SHOWN_IMAGES, False), (product.SHOWN_IMAGES + 1, True)])
def test_markdown_names_how_many_images_it_leaves_out(images: int, is_cut: bool) -> None:
    urls = [f"https://images.example/{number}.jpg" for number in range(images)]
    markdown = render(read_data(shop.model_data()).model_copy(update={"images": urls}))
    assert (f"The first {product.SHOWN_IMAGES} of {images} images are shown here" in markdown) is is_cut
