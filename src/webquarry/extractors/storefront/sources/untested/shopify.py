"""Parser of Shopify's `products.json`. Amounts are strings in major units of a currency that the file does not name."""

import re
from decimal import Decimal
from typing import Any, Final

from webquarry.extractors.storefront.model.products import Option, Product, ProductPage, Variant
from webquarry.extractors.storefront.sources.untested.common import (
    find_money,
    former_price,
    read_images,
    write_markdown,
)
from webquarry.read import each, each_given, take
from webquarry.read.fields import to_address, to_flag, to_id, to_instant, to_line
from webquarry.read.losses import lose, read_rows

_AMOUNT: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?", re.ASCII)
MAX_VARIANTS: Final = 2_048
"""Maximum number of variants of a product, more than the platform allows."""


def read_page(answer: dict[str, Any], origin: str) -> ProductPage:
    """Parse a page. answer: an object with a list of products, which may be empty."""
    read = read_rows(each(answer, "products[]"), lambda row: _read_product(row, origin), "products[]")
    return ProductPage(
        platform="shopify",
        products=[product for product, _ in read],
        currencies=[],
        rows=len(answer["products"]),
        cut=sum(cut for _, cut in read),
    )


def to_amount(value: Any) -> float | None:
    """Return an amount from a string with a point, or from a number, or None for the empty string."""
    if isinstance(value, str) and _AMOUNT.fullmatch(value.strip()):
        return find_money(Decimal(value.strip()))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return find_money(Decimal(str(value)))
    return None


def _read_product(row: dict[str, Any], origin: str) -> tuple[Product, bool] | None:
    """Return a product, and whether its description was shortened. Returns None if the product has no id or no name."""
    found, title = take(row, "id", to_id, required=True), take(row, "title", to_line, required=True)
    if found is None or title is None:
        return None
    handle = take(row, "handle", to_line)
    url = to_address(f"/products/{handle}", origin) if handle else None
    variants = read_rows(each_given(row, "variants[]")[:MAX_VARIANTS], _read_variant, "variants[]")
    description, is_cut = write_markdown(row.get("body_html"), url or origin)
    prices = [variant.price for variant in variants if variant.price is not None]
    compared = [variant.compare_at_price for variant in variants if variant.compare_at_price is not None]
    flags = [variant.available for variant in variants if variant.available is not None]
    product = Product(
        id=found,
        title=title,
        handle=handle,
        url=url,
        description=description,
        vendor=take(row, "vendor", _to_filled),
        type=take(row, "product_type", _to_filled) or None,
        tags=read_tags(row.get("tags")),
        categories=[],
        price_min=min(prices, default=None),
        price_max=max(prices, default=None),
        compare_at_price=max(compared, default=None),
        available=any(flags) if flags else None,
        rating=None,
        review_count=None,
        images=read_images(row, origin),
        options=read_rows(each_given(row, "options[]"), _read_option, "options[]"),
        variants=variants,
        created_at=take(row, "created_at", to_instant),
        updated_at=take(row, "updated_at", to_instant),
    )
    return product.model_copy(update={"vendor": product.vendor or None}), is_cut


def read_tags(value: Any) -> list[str]:
    """Return the tags from a list, or from comma-separated text, which some shops use."""
    if isinstance(value, str):
        value = [tag for tag in value.split(",") if tag.strip()]
    return list(dict.fromkeys(_read_lines(value, "tags[]")))


def _read_lines(value: Any, path: str) -> list[str]:
    return read_rows(value if isinstance(value, list) else (), to_line, path)


def _to_filled(value: Any) -> str | None:
    """Return one line of text, which may be empty."""
    return (to_line(value) or "") if isinstance(value, str) else None


def _read_variant(row: dict[str, Any]) -> Variant | None:
    found = take(row, "id", to_id, required=True)
    if found is None:
        return None
    compared = row.get("compare_at_price")
    if compared not in (None, "") and to_amount(compared) is None:
        lose("variants[].compare_at_price")
    price = take(row, "price", to_amount)
    return Variant(
        id=found,
        title=take(row, "title", _to_filled) or None,
        sku=take(row, "sku", _to_filled) or None,
        price=price,
        compare_at_price=former_price(to_amount(compared), price),
        available=take(row, "available", to_flag),
    )


def _read_option(row: dict[str, Any]) -> Option | None:
    name = take(row, "name", to_line, required=True)
    return Option(name=name, values=_read_lines(row.get("values"), "values[]")) if name else None
