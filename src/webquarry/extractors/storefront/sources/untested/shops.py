"""Addresses of the public catalogs of shop platforms. See docs/upstreams/storefront.md."""

from typing import Final
from urllib.parse import urlsplit

from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.storefront.model.products import Platform
from webquarry.net import ANY_STATUS, Net

MANNERS: Final = Politeness(spacing_s=0.5, concurrency=1)
SHOPIFY: Final = Provider(
    name="shopify", title="the shop's Shopify catalog", politeness=MANNERS, callers_choose=True, unproven=True
)
WOOCOMMERCE: Final = Provider(
    name="woocommerce",
    title="the shop's WooCommerce catalog",
    unproven=True,
    politeness=MANNERS,
    callers_choose=True,
)
PAGE_SIZES: Final[dict[Platform, int]] = {"shopify": 250, "woocommerce": 100}
WOOCOMMERCE_PLACES: Final = (
    "/wp-json/wc/store/v1/products?",
    "/?rest_route=/wc/store/v1/products&",
    "/wp-json/wc/store/products?",
)
"""Locations of the catalog: the usual location, the location in shops without address rewriting, and the location in
old shops.
"""
_ACCEPT: Final = "application/json"


def make_products_url(origin: str, page: int, size: int = PAGE_SIZES["shopify"]) -> str:
    return f"{origin}/products.json?limit={size}&page={page}"


def store_url(origin: str, place: str, page: int) -> str:
    return f"{origin}{place}per_page={PAGE_SIZES['woocommerce']}&page={page}"


async def fetch(url: str, net: Net, accept: str = _ACCEPT) -> Wire:
    """Fetch an address of the shop, with any status.

    Error responses are returned too, because they may be block pages and show the platform.
    """
    return await net.get(url, accept=accept, ok_on=ANY_STATUS, absent_on=(), robots=True)


def read_origin(wire: Wire) -> str:
    """Return the origin of the host that responded after redirects, which is the shop's own."""
    parts = urlsplit(wire.url)
    return f"{parts.scheme}://{parts.netloc}"
