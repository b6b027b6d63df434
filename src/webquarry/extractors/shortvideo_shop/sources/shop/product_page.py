"""The data of a product's page, in both layouts: `product_base` (2025) and `product_model` (2026).

The `www` shop, the regional shops and the providers return the same data. See docs/upstreams/shortvideo-shop.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from webquarry.core.errors import ExtractionError, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.shortvideo_shop.model.ids import store_url
from webquarry.extractors.shortvideo_shop.model.product_result import (
    Category,
    Product,
    ProductParams,
    Seller,
    make_page_url,
)
from webquarry.extractors.shortvideo_shop.sources import scrapecreators
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page
from webquarry.extractors.shortvideo_shop.sources.shop.product_base import read_base
from webquarry.extractors.shortvideo_shop.sources.shop.product_facts import OwnSeller, ProductFacts
from webquarry.extractors.shortvideo_shop.sources.shop.product_model import read_model
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import ShopScore, find_shop, read_scores
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.extractors.shortvideo_shop.sources.shop.values import read_shop_id
from webquarry.extractors.shortvideo_shop.sources.untested import tikhub
from webquarry.read import each_given, take
from webquarry.read.fields import to_flag, to_line, to_whole
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

COMPONENT = "product_info"
BASE, MODEL = "product_base", "product_model"


@dataclass(frozen=True, slots=True)
class Found:
    """The product in a page.

    data: the content of the product's component. info: the product in it. layout: its form, or "".
    """

    data: dict[str, Any]
    info: dict[str, Any]

    @property
    def layout(self) -> str:
        return next((name for name in (BASE, MODEL) if isinstance(self.info.get(name), dict)), "")


def find_data(page: ShopData) -> Found | None:
    """Return the product of a page or of a provider's response, or None. Products with a title come first."""
    seen: Found | None = None
    for data in _list_candidates(page):
        info = data.get(COMPONENT)
        found = Found(data, info if isinstance(info, dict) else {})
        if found.layout:
            return found
        seen = seen or found
    bare = next(page.nodes(lambda node: isinstance(node.get(BASE) or node.get(MODEL), dict)), None)
    return Found(bare, bare) if bare is not None else seen


def _list_candidates(page: ShopData) -> Iterator[dict[str, Any]]:
    for component in page.components:
        if component.data and (component.is_named(COMPONENT) or COMPONENT in component.data):
            yield component.data
    found = reach(page.config, f"global_data.{COMPONENT}")
    if isinstance(found, dict):
        yield found
    yield from page.nodes(lambda node: isinstance(node.get(COMPONENT), dict))


def read(wire: Wire, params: ProductParams) -> Product:
    """Parse the product from a page, or from the response of a provider that republishes the page's data.

    For a page without the product, raises Absent, EmptyResult (not available in the region) or ProviderError, depending
    on the page.
    """
    return read_product(wire, shop_page.read_data(wire), params)


def read_tikhub(wire: Wire, params: ProductParams) -> Product:
    return read_product(wire, tikhub.read_data(wire), params)


def read_scrapecreators(wire: Wire, params: ProductParams) -> Product:
    return read_product(wire, ShopData(scrapecreators.answer_of(wire)), params)


def read_product(wire: Wire, page: ShopData, params: ProductParams) -> Product:
    region = params.requested_region
    found = find_data(page)
    if found is None or not found.layout:
        refusal = shop_page.read_error(found.data, region) if found is not None else None
        raise refusal or shop_page.make_page_error(wire, region)
    facts = read_base(found.info) if found.layout == BASE else read_model(found.info, found.data)
    error = _error(found, region)
    if facts.title is None:
        raise error or shop_page.make_page_error(wire, region)
    product_id = _check_id(facts.product_id, params)
    if error is not None and facts.price.min is None:
        raise error
    own = take(found.data, "sale_region", to_line) or page.region
    seller = _find_seller(found, page, facts.seller)
    values = {each.name: getattr(facts, each.name) for each in fields(facts)}
    return Product.model_validate(
        values
        | {
            "product_id": product_id,
            "url": make_page_url(params, product_id),
            "region": own.upper() if own else None,
            "asked_region": region.upper(),
            "seller_id": seller.seller_id if seller is not None else None,
            "seller": seller,
            "categories": read_rows(each_given(found.data, "categories[]"), _read_category, "categories[]"),
            "layout": found.layout,
            "warnings": _list_warnings(error, own, region, facts),
        }
    )


def _check_id(found_id: str | None, params: ProductParams) -> str:
    """Return the product's id. Raises ProviderError "changed" if the id is missing or differs from the requested id."""
    product_id = found_id or params.known_id
    if product_id is None:
        raise ProviderError("The shop sent a product without its ID.", reason="changed")
    if params.known_id not in (None, product_id):
        raise ProviderError("The shop returned a different product than requested.", reason="changed")
    return product_id


def _list_warnings(error: ExtractionError | None, own: str | None, region: str, facts: ProductFacts) -> list[str]:
    """Return the warnings. own: the region of the prices, if the page states it."""
    warnings = []
    if error is not None:
        warnings.append(f"The shop returned an error for this product: {error.message}")
    if own is not None and own.lower() != region:
        warnings.append(f"Prices are for {own.upper()}, the region of the request, not for {region.upper()}.")
    if facts.rating_histogram is None:
        warnings.append("The page doesn't show how many reviews gave each star rating.")
    return warnings


def _error(found: Found, region: str) -> ExtractionError | None:
    """Return the error in the data, or the reason why the product cannot be bought."""
    if (error := shop_page.read_error(found.data, region)) is not None:
        return error
    code = take(found.info, "base_resp.StatusCode", to_whole)
    if code:
        message = take(found.info, "base_resp.StatusMessage", to_line) or ""
        return shop_page.read_error({"error_code": code, "error_message": message}, region)
    reason = found.info.get("availability_model")
    cause = reason.get("reason") if isinstance(reason, dict) else None
    return shop_page.elsewhere(region) if cause not in (None, "", 0, "0", False) else None


def _find_seller(found: Found, page: ShopData, own: OwnSeller) -> Seller | None:
    """Return the seller in the product's data. Missing values are taken from the shop's block."""
    shop = find_shop(ShopData(found.data)) or find_shop(page)
    seller_id = own.seller_id or (shop.seller_id if shop is not None else None)
    if seller_id is None:
        return None
    if shop is None or shop.seller_id != seller_id:  # the block may belong to a recommendation
        return _make_seller(seller_id, own, read_scores(found.data, "shop_performance[]"))
    alone = _make_seller(seller_id, own, shop.scores or read_scores(found.data, "shop_performance[]"))
    return alone.model_copy(
        update={
            "name": own.name or shop.name,
            "url": shop.url,
            "logo_url": own.logo_url or shop.logo_url,
            "product_count": own.product_count if shop.product_count is None else shop.product_count,
            "rating": shop.rating,
            "units_sold": shop.units_sold,
            "followers": shop.followers,
        }
    )


def _make_seller(seller_id: str, own: OwnSeller, scores: list[ShopScore]) -> Seller:
    return Seller(
        seller_id=seller_id,
        name=own.name or None,
        url=store_url(seller_id, None),
        logo_url=own.logo_url or None,
        location=own.location,
        product_count=own.product_count,
        rating=None,
        units_sold=None,
        followers=None,
        scores=scores,
    )


def _read_category(row: dict[str, Any]) -> Category | None:
    category_id = take(row, "category_id", read_shop_id)
    if category_id is None:
        return None
    return Category(
        category_id=category_id,
        name=take(row, "category_name", to_line),
        level=take(row, "level", to_whole),
        parent_id=take(row, "parent_id", read_shop_id),
        is_leaf=take(row, "is_leaf", to_flag),
    )
