"""The child process's work on a shop's response. The main process never parses the response's bytes."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from webquarry.core.errors import ConversionFailed, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.storefront.child.catalog_reply import (
    BlockPageFacts,
    ChangedFacts,
    ListReply,
    OtherFacts,
    ProductsFacts,
    RefusedFacts,
)
from webquarry.extractors.storefront.model.listing import assemble, render
from webquarry.extractors.storefront.model.products import ProductPage
from webquarry.extractors.storefront.sources.untested import shopify, woocommerce
from webquarry.extractors.storefront.sources.untested.shops import read_origin
from webquarry.read.amounts import is_currency
from webquarry.read.block_pages import find_block_page_in, is_page
from webquarry.read.html import html_of
from webquarry.read.values import parse_json
from webquarry.workers.job import to_line
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import MAX_PIECE

_PAGES: Final = TypeAdapter(list[ProductPage])
REFUSALS: Final = frozenset({401, 403, 429, 430, 503})
"""Statuses that always mean a block page. 430 is Shopify's own."""
_OWN_HOST: Final = re.compile(rb"""Shopify\.shop\s{0,5}=\s{0,5}["']([a-z0-9][a-z0-9-]{0,99}\.myshopify\.com)["']""")
_CURRENCY: Final = re.compile(
    rb"""Shopify\.currency\s{0,5}=\s{0,5}\{[^{}]{0,200}?"active"\s{0,5}:\s{0,5}"([A-Z]{3})\""""
)
_CLOSED_FORM: Final = 'form[action$="/password"], form[action*="/password?"], body.template-password'


def read(body: bytes, *, wire: Mapping[str, Any]) -> Parcel[ListReply]:
    """Return the kind and content of a shop's response."""
    answer = Wire.of(wire, body)
    if (block_page := find_block_page_of(answer)) is not None:
        return Parcel(BlockPageFacts(why=to_line(block_page)))
    value = _json(body)
    try:
        page = page_of(answer, value) if answer.status == 200 else None
    except ProviderError as error:
        return Parcel(ChangedFacts(why=to_line(error.message)))
    if page is not None:
        piece = page.model_dump_json().encode()
        if len(piece) > MAX_PIECE:
            raise ConversionFailed("The shop's product list is larger than expected.", reason="limits")
        ids = [product.id for product in page.products]
        return Parcel(ProductsFacts(platform=page.platform, rows=page.rows, pages=page.pages, ids=ids), (piece,))
    if answer.status >= 400 and answer.status not in (404, 410) and not _is_no_route(value):
        return Parcel(RefusedFacts(why=f"rejected the request (status {answer.status})."))
    return Parcel(OtherFacts())


def write(
    body: bytes, *, domain: str, url: str, currency: str | None, has_more: bool, warnings: list[str]
) -> Parcel[None]:
    """Write the catalog as data and markdown.

    body: the JSON of its pages, separated by commas. For the other arguments see `assemble`.
    """
    pages = _PAGES.validate_json(b"[%s]" % body)
    catalog = assemble(pages, domain=domain, url=url, currency=currency, has_more=has_more, warnings=warnings)
    pieces = catalog.model_dump_json().encode(), render(catalog).encode()
    if max(map(len, pieces)) > MAX_PIECE:
        raise ConversionFailed("The shop's catalog is too large. Request fewer pages.", reason="limits")
    return Parcel(None, pieces)


def read_home(body: bytes, *, wire: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the fields of `HomeFacts`: the data about the shop in its own page."""
    answer = Wire.of(wire, body)
    host, currency = _OWN_HOST.search(body), _CURRENCY.search(body)
    return {
        "block_page": find_block_page_of(answer),
        "host": host[1].decode() if host else None,
        "currency": currency[1].decode() if currency else None,
    }


def read_meta(body: bytes) -> str | None:
    """Return the currency in Shopify's `meta.json`."""
    value = _json(body)
    found = value.get("currency") if isinstance(value, dict) else None
    return found if isinstance(found, str) and is_currency(found) else None


def page_of(wire: Wire, value: Any) -> ProductPage | None:
    """Parse the products of a response, by its form. Returns None if it is not a list of products.

    Raises ProviderError "changed" for a list without readable products.
    """
    page: ProductPage | None = None
    if isinstance(value, dict) and isinstance(value.get("products"), list):
        page = shopify.read_page(value, read_origin(wire))
    elif isinstance(value, list) and all(isinstance(row, dict) and "prices" in row for row in value[:1]):
        page = woocommerce.read_page(value, read_origin(wire), wire.headers)
    if page is not None and page.rows and not page.products:
        raise ProviderError("The shop's list of products has an unknown format.", reason="changed")
    return page


def find_block_page_of(wire: Wire) -> str | None:
    """Return why a response is a block page, as a clause that follows the site's name, or None if it is not a block
    page.
    """
    path = wire.url.partition("?")[0].rstrip("/")
    if path.endswith("/password"):
        return "requires a password, so the shop is not public."
    if (block_page := find_block_page_in(wire, "It")) is not None:
        return block_page.message.removeprefix("It ")
    if is_page(wire) and html_of(wire).has(_CLOSED_FORM):
        return "requires a password, so the shop is not public."
    if wire.status in REFUSALS and not _is_rest_error(_json(wire.body)):
        return f"rejects this service (status {wire.status})."
    return None


def _json(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        return None


def _is_rest_error(value: Any) -> bool:
    """Return whether the value is an error of WordPress's own API, which is not a block page."""
    return isinstance(value, dict) and isinstance(value.get("code"), str) and "message" in value


def _is_no_route(value: Any) -> bool:
    return _is_rest_error(value) and value["code"] == "rest_no_route"
