import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json
from webquarry.core.errors import EmptyResult, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.extractors.storefront import catalog
from webquarry.extractors.storefront.catalog import CatalogParams
from webquarry.extractors.storefront.child.catalog_job import read_home, read_meta
from webquarry.extractors.storefront.model.listing import Catalog, render
from webquarry.extractors.storefront.sources.untested.common import former_price
from webquarry.extractors.storefront.sources.untested.shopify import read_tags, to_amount
from webquarry.extractors.storefront.sources.untested.woocommerce import read_amount, read_page
from webquarry.sandbox.cases import Case, cases

SAMPLES = KIT / "upstreams/samples/storefront"
ASKED = CatalogParams.model_validate({"domain": "shop.example.com"})
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def wire(body: Any, status: int = 200, url: str = "https://shop.example.com/products.json", **headers: str) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Wire(content, url, url, status, named, datetime(2026, 11, 20, 12, tzinfo=UTC))


def read(body: Any, **about: Any) -> Catalog:
    return catalog.read(wire(body, **about), ASKED)


def case_of(name: str) -> Case:
    return next(case for case in cases("storefront_catalog") if case.folder.name == name)


def listed(case: str, exchange: int) -> Any:
    return json.loads(case_of(case).exchanges[exchange].answered().body)


SHOPIFY, WOOCOMMERCE = listed("rich", 0), listed("woocommerce", 1)


@needs_samples
class TestSamples:
    def test_shopify_sample_of_2015_is_read(self) -> None:
        found = read((SAMPLES / "shopify_products.2015.transcribed.json").read_bytes())
        [product] = found.products
        assert (found.platform, found.currency, found.has_more) == ("shopify", None, False)
        assert (product.id, product.title, product.url, product.vendor) == (
            "2759196675",
            "Computer1",
            None,
            "Hand, Olson",
        )
        assert (product.price_min, product.price_max, product.available) == (38.94, 38.94, True)
        assert (product.images, product.options[0].values) == ([], ["Lavender", "Yellow"])
        assert product.variants[0].sku is None

    def test_woocommerce_sample_is_read(self) -> None:
        found = read((SAMPLES / "woocommerce_products.synthetic.json").read_bytes())
        [product] = found.products
        assert (found.platform, found.currency) == ("woocommerce", "EUR")
        assert (product.price_min, product.compare_at_price, product.rating) == (1.0, 9000.0, None)
        assert (product.description, product.url) == ("text", "http://store.example/product/awesome/")

    def test_more_pages_than_shopify_gives_are_a_refusal(self) -> None:
        body = (SAMPLES / "shopify_error_400_page_limit_2026-05.json").read_bytes()
        with pytest.raises(ProviderError) as caught:
            read(body, status=400)
        assert caught.value.reason == "refused"


class TestAmounts:
    @pytest.mark.parametrize(
        ("answer", "amount"),
        [("38.94", 38.94), ("0.00", 0.0), ("1249", 1249.0), (12, 12.0), (1.5, 1.5)],
    )
    def test_shopify_amounts_are_in_major_units(self, answer: Any, amount: float | None) -> None:
        assert to_amount(answer) == amount

    @pytest.mark.parametrize("answer", ["", "1,249.00", "-1", -1, True, None, "abc", "1" * 40, [], float("inf")])
    def test_other_texts_are_not_amounts(self, answer: Any) -> None:
        assert to_amount(answer) is None

    @pytest.mark.parametrize(
        ("minor", "digits", "amount"),
        [("1999", 2, 19.99), ("120000", 0, 120000.0), ("1999", 3, 1.999), ("5", "2", 0.05), (1999, 2, 19.99)],
    )
    def test_woocommerce_amounts_are_in_minor_units(self, minor: Any, digits: Any, amount: float | None) -> None:
        assert read_amount({"price": minor, "currency_minor_unit": digits}, "price") == amount

    @pytest.mark.parametrize(("minor", "digits"), [("1999", None), ("1999", -1), ("1999", 40), ("1999", "x"), ("", 2)])
    def test_minor_units_without_decimals_are_not_amounts(self, minor: Any, digits: Any) -> None:
        assert read_amount({"price": minor, "currency_minor_unit": digits}, "price") is None

    @pytest.mark.parametrize("minor", ["19.99", "-5", None, [], True])
    def test_invalid_minor_units_are_not_amounts(self, minor: Any) -> None:
        assert read_amount({"price": minor, "currency_minor_unit": 2}, "price") is None

    def test_several_currencies_cause_a_warning(self) -> None:
        rows = [
            {"id": n, "name": "x", "prices": {"price": "1", "currency_code": code, "currency_minor_unit": 2}}
            for n, code in enumerate(("EUR", "USD"), 1)
        ]
        found = read(rows)
        assert (found.currency, found.warnings) == (None, ["Prices are in several currencies: EUR, USD."])


class TestWhatAnswers:
    def test_shop_without_products_is_an_empty_catalog(self) -> None:
        assert (read({"products": []}).platform, read([]).platform) == ("shopify", "woocommerce")
        assert (read({"products": []}).count, read([]).count) == (0, 0)

    @pytest.mark.parametrize("body", [b"<html><body>Hello, this is a shop of pots.</body></html>", {}, {"products": 1}])
    def test_other_responses_are_not_catalogs(self, body: Any) -> None:
        with pytest.raises(EmptyResult):
            read(body)

    def test_other_list_is_not_a_catalog(self) -> None:
        with pytest.raises(EmptyResult):
            read([{"id": 1, "name": "a post"}])

    @pytest.mark.parametrize("status", [404, 410])
    def test_missing_list_is_not_a_catalog(self, status: int) -> None:
        with pytest.raises(EmptyResult):
            read({"products": []}, status=status)

    @pytest.mark.parametrize(
        ("about", "reason"),
        [
            ({"status": 430}, "blocked"),
            ({"status": 403}, "blocked"),
            ({"status": 500}, "refused"),
            ({"url": "https://shop.example.com/password"}, "blocked"),
        ],
    )
    def test_block_pages_and_refusals_are_distinguished(self, about: dict[str, Any], reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            read(b"<html><body>no</body></html>", **about)
        assert caught.value.reason == reason

    def test_disabled_interface_is_refused(self) -> None:
        with pytest.raises(ProviderError) as caught:
            read({"code": "rest_disabled", "message": "no"}, status=401)
        assert caught.value.reason == "refused"

    def test_unreadable_products_are_counted_and_a_list_of_them_is_a_changed_response(self) -> None:
        found = read({"products": [{"id": 1, "title": "Cup"}, {"id": 2}, "odd"]})
        assert (found.count, found.warnings) == (1, ["2 products could not be parsed and were omitted."])
        with pytest.raises(ProviderError) as caught:
            read({"products": [{"id": 2}]})
        assert caught.value.reason == "changed"


class TestMore:
    def test_only_a_full_page_means_that_there_is_more(self) -> None:
        rows = [{"id": n, "title": "Cup"} for n in range(1, 251)]
        assert (read({"products": rows}).has_more, read({"products": rows[1:]}).has_more) == (True, False)

    def test_woocommerce_states_the_number_of_pages(self) -> None:
        last = read(WOOCOMMERCE, x_wp_total="2", x_wp_totalpages="1")
        assert (last.total, last.has_more) == (2, False)
        assert read(WOOCOMMERCE, x_wp_total="102", x_wp_totalpages="2").has_more is True

    def test_product_after_a_full_page_is_requested(self) -> None:
        for name in ("border_last", "border_more"):
            assert case_of(name).exchanges[-1].request.url.endswith("/products.json?limit=1&page=251")


class TestMarkup:
    def test_description_is_markdown_without_scripts(self) -> None:
        found = read(SHOPIFY).products[0].description or ""
        assert found.startswith("A pot of **stoneware** for [four cups](https://shop.example.com/pages/four).")
        assert "| Size | Height |" in found
        assert "alert" not in found

    def test_long_description_is_shortened_with_a_warning(self) -> None:
        found = read({"products": [{"id": 1, "title": "Cup", "body_html": "<p>many words</p>" * 2000}]})
        assert len(found.products[0].description or "") <= 5_003
        assert found.warnings == ["1 long description was truncated."]

    def test_tags_are_a_list_or_a_text(self) -> None:
        assert read_tags(["a", " b ", 1, "a"]) == read_tags("a, b,a,") == ["a", "b"]
        assert read_tags(None) == []


def test_home_page_names_the_platforms_host_and_currency() -> None:
    shop = b'<html><script>Shopify.shop = "pots-1.myshopify.com";Shopify.currency = {"active":"NZD"}</script>Pots'
    about = wire(shop).about()
    assert read_home(shop, wire=about) == {"block_page": None, "host": "pots-1.myshopify.com", "currency": "NZD"}
    other = b'<html><script>Shopify.shop = "evil.example.com/x.myshopify.com"</script>Pots</html>'
    assert read_home(other, wire=about) == {"block_page": None, "host": None, "currency": None}


def test_currency_of_meta_is_a_code() -> None:
    assert [read_meta(json.dumps({"currency": found}).encode()) for found in ("CAD", "cad", 1)] == ["CAD", None, None]
    assert read_meta(b"<html>") is None


@pytest.mark.parametrize("body", [SHOPIFY, WOOCOMMERCE])
@given(data=st.data())
def test_damaged_list_is_a_catalog_or_an_error(body: Any, data: st.DataObject) -> None:
    try:
        assert render(read(damaged_json(data, body)))
    except ServiceError:
        return


@pytest.mark.parametrize(
    ("compared", "price", "former"),
    [
        (0.0, 38.94, None),
        (38.94, 38.94, None),
        (49.0, 99.0, None),
        (120.0, 99.0, 120.0),
        (49.0, None, None),
        (None, 9.0, None),
    ],
)
def test_only_a_higher_price_is_a_former_price(
    compared: float | None, price: float | None, former: float | None
) -> None:
    assert former_price(compared, price) == former


@pytest.mark.parametrize(
    ("named", "price"), [({"price_range": None}, 280.0), ({"price_range": {"min_amount": "1"}}, None), ({}, None)]
)
def test_variations_that_cost_the_same_have_the_products_price(named: dict[str, Any], price: float | None) -> None:
    prices = {"price": "28000", "regular_price": "28000", "currency_code": "AUD", "currency_minor_unit": 2, **named}
    variation = {"id": 3006, "attributes": [{"name": "Size", "value": "large"}]}
    row = {"id": 2964, "name": "Made Jacket", "prices": prices, "variations": [variation]}
    [product] = read_page([row], "https://shop.example.com", {}).products
    assert [(one.title, one.price, one.compare_at_price) for one in product.variants] == [("large", price, None)]
