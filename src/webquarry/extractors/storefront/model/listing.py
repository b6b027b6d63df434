"""The result for a catalog: assembled from the catalog's pages, and rendered as markdown."""

from collections.abc import Sequence
from typing import Final

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.storefront.model.products import Platform, Product, ProductPage
from webquarry.render import Link, Md

SHOWN: Final = 100
SHOWN_DESCRIPTIONS: Final = 10


class Catalog(Result):
    domain: str = field("Requested host.")
    url: str = field("Origin of the catalog, after redirects.")
    platform: Platform = field("Detected platform of the shop.")
    currency: str | None = field(
        "ISO 4217 currency code of all prices; null if unknown or if the shop has several currencies.",
        wire="prices.currency_code | meta.json currency",
    )
    count: int = field("Number of products in this response.")
    pages_fetched: int = field("Number of pages fetched.")
    has_more: bool = field("Whether more products exist than were fetched.")
    total: int | None = field("Total number of products, if available.", wire="X-WP-Total")
    products: list[Product] = field("Products in the shop's order.", wire="products[]")
    warnings: list[str] = field("Omitted data and the reasons.", default_factory=list)


def assemble(
    pages: Sequence[ProductPage],
    *,
    domain: str,
    url: str,
    currency: str | None,
    has_more: bool,
    warnings: Sequence[str] = (),
) -> Catalog:
    """Combine pages into a catalog without duplicates.

    currency: the shop's currency, if it was fetched; otherwise the products' currency is used. warnings: warnings from
    fetching the pages.
    """
    products = list({product.id: product for page in reversed(pages) for product in reversed(page.products)}.values())
    unread = sum(page.rows - len(page.products) for page in pages)
    cut = sum(page.cut for page in pages)
    known = sorted({currency for page in pages for currency in page.currencies})
    own_warnings = [f"{unread} products could not be parsed and were omitted."] if unread else []
    if cut:
        own_warnings.append(f"{cut} long {'description was' if cut == 1 else 'descriptions were'} truncated.")
    if len(known) > 1:
        own_warnings.append(f"Prices are in several currencies: {', '.join(known)}.")
    return Catalog(
        domain=domain,
        url=url,
        platform=pages[0].platform,
        currency=currency or (known[0] if len(known) == 1 else None),
        count=len(products),
        pages_fetched=len(pages),
        has_more=has_more,
        total=pages[0].total,
        products=products[::-1],
        warnings=[*own_warnings, *warnings],
    )


def render(r: Catalog) -> str:
    md = Md(f"{r.domain}: catalog")
    md.table(
        "",
        ("Figure", "Value"),
        [
            ("Platform", {"shopify": "Shopify", "woocommerce": "WooCommerce"}[r.platform]),
            ("Products here", r.count),
            ("Total products", "unknown" if r.total is None else r.total),
            ("Further ones", r.has_more),
            ("Currency", r.currency or "unknown"),
        ],
    )
    if not r.products:
        md.paragraph("The shop has no products.")
    md.table(
        "Products",
        ("Product", "Price", "Before", "Available", "Variants", "Vendor", "Type"),
        [
            (
                Link(product.title, product.url),
                _write_price(product, r.currency),
                _write_amount(product.compare_at_price),
                product.available,
                len(product.variants),
                product.vendor,
                product.type,
            )
            for product in r.products[:SHOWN]
        ],
    )
    if r.count > SHOWN:
        md.paragraph(f"{r.count - SHOWN} more products are in `data`.")
    described = [product for product in r.products if product.description]
    if described:
        md.heading("Descriptions")
        for product in described[:SHOWN_DESCRIPTIONS]:
            md.heading(product.title, 3)
            md.quoted(product.description or "")
        if len(described) > SHOWN_DESCRIPTIONS:
            md.paragraph(f"{len(described) - SHOWN_DESCRIPTIONS} more descriptions are in `data`.")
    for warning in r.warnings:
        md.paragraph(f"Note: {warning}")
    return md.source(r.url).text()


def _write_amount(amount: float | None) -> str | None:
    return None if amount is None else f"{amount:,.2f}"


def _write_price(product: Product, currency: str | None) -> str | None:
    least, most = _write_amount(product.price_min), _write_amount(product.price_max)
    if least is None or most is None:
        return None
    return " ".join(filter(None, (least if least == most else f"{least} to {most}", currency)))
