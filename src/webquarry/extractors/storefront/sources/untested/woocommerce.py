"""Parser of WooCommerce's Store API. Amounts are strings in minor units, and each product has its currency."""

import re
from collections.abc import Mapping
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
from webquarry.read.amounts import is_currency
from webquarry.read.fields import to_address, to_count, to_decimal, to_flag, to_id, to_line, to_plain, to_whole, within
from webquarry.read.losses import read_rows

_MINOR: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
MAX_MINOR_DIGITS: Final = 6
MAX_VARIATIONS: Final = 2_048


def read_page(rows: list[Any], origin: str, headers: Mapping[str, str]) -> ProductPage:
    """Parse a page. rows: a list of products, which may be empty. headers: names in lower case."""
    nodes = each(rows, "[]")
    read = read_rows(nodes, lambda row: _read_product(row, origin), "[]")
    currencies = [take(row, "prices.currency_code", to_currency) for row in nodes]
    return ProductPage(
        platform="woocommerce",
        products=[product for product, _ in read],
        currencies=sorted({currency for currency in currencies if currency}),
        rows=len(rows),
        total=to_count(headers.get("x-wp-total")),
        pages=to_count(headers.get("x-wp-totalpages")),
        cut=sum(cut for _, cut in read),
    )


def to_currency(value: Any) -> str | None:
    return value if isinstance(value, str) and is_currency(value) else None


def read_amount(prices: Any, path: str) -> float | None:
    """Return an amount in major units, or None if the number of decimal digits is missing."""
    digits = take(prices, "currency_minor_unit", to_whole)
    minor = take(prices, path, _to_minor)
    if digits is None or minor is None or not 0 <= digits <= MAX_MINOR_DIGITS:
        return None
    return find_money(Decimal(minor).scaleb(-digits))


def _to_minor(value: Any) -> int | None:
    """Return an amount in minor units from digits, or None for the empty string."""
    if isinstance(value, str) and _MINOR.fullmatch(value.strip()):
        return int(value)
    return value if type(value) is int else None


def _read_product(row: dict[str, Any], origin: str) -> tuple[Product, bool] | None:
    """Return a product, and whether its description was shortened. Returns None if the product has no id or no name."""
    found, title = take(row, "id", to_id, required=True), take(row, "name", to_plain, required=True)
    if found is None or title is None:
        return None
    prices = row.get("prices")
    price, regular = read_amount(prices, "price"), read_amount(prices, "regular_price")
    least, most = read_amount(prices, "price_range.min_amount"), read_amount(prices, "price_range.max_amount")
    compared = former_price(regular, price)
    url = take(row, "permalink", to_address)
    description, is_cut = write_markdown(row.get("description") or row.get("short_description"), url or origin)
    available = take(row, "is_in_stock", to_flag)
    sku = to_line(row.get("sku"))
    whole = Variant(id=found, title=title, sku=sku, price=price, compare_at_price=compared, available=available)
    rating = take(row, "average_rating", to_decimal)
    product = Product(
        id=found,
        title=title,
        handle=take(row, "slug", to_line),
        url=url,
        description=description,
        vendor=None,
        type=take(row, "type", to_line),
        tags=_read_names(row, "tags[]"),
        categories=_read_names(row, "categories[]"),
        price_min=price if least is None else least,
        price_max=price if most is None else most,
        compare_at_price=compared,
        available=available,
        rating=within(rating, 1, 5),
        review_count=take(row, "review_count", to_count),
        images=read_images(row, origin),
        options=_read_options(row),
        variants=_read_variations(row, whole) or [whole],
        created_at=None,
        updated_at=None,
    )
    return product, is_cut


def _read_names(row: dict[str, Any], path: str) -> list[str]:
    """Return the names of terms, with HTML entities decoded. path: path of the list of terms."""
    return list(dict.fromkeys(read_rows(each_given(row, path), lambda term: take(term, "name", to_plain), path)))


def _read_options(row: dict[str, Any]) -> list[Option]:
    """Return the attributes that distinguish variations. Purely descriptive attributes are omitted."""
    chosen = [one for one in each_given(row, "attributes[]") if one.get("has_variations") is not False]
    return read_rows(chosen, _read_option, "attributes[]")


def _read_option(attribute: dict[str, Any]) -> Option | None:
    name = take(attribute, "name", to_plain)
    return Option(name=name, values=_read_names(attribute, "terms[]")) if name else None


def _read_variations(row: dict[str, Any], whole: Variant) -> list[Variant]:
    """Return the variations.

    The list contains the chosen options, but not the stock. It implies a price only if all variations have the same
    price, in which case the price range is null.
    """
    prices = row.get("prices")
    is_one = isinstance(prices, dict) and "price_range" in prices and prices["price_range"] is None
    price, compared = (whole.price, whole.compare_at_price) if is_one else (None, None)

    def read(variation: dict[str, Any]) -> Variant | None:
        if (found := take(variation, "id", to_id, required=True)) is None:
            return None
        chosen = (take(attribute, "value", to_plain) for attribute in each_given(variation, "attributes[]"))
        title = " / ".join(value for value in chosen if value) or None
        return Variant(id=found, title=title, sku=None, price=price, compare_at_price=compared, available=None)

    return read_rows(each_given(row, "variations[]")[:MAX_VARIATIONS], read, "variations[]")
