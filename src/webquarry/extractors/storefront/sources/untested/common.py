"""Functions that the parsers of all platforms share. They run in children, because descriptions are untrusted."""

from decimal import Decimal
from typing import Any, Final

from webquarry.read import each_given
from webquarry.read.fields import to_address
from webquarry.read.losses import read_rows

MAX_DESCRIPTION: Final = 5_000
"""Maximum length of a description in characters. It is limited because a catalog has hundreds of descriptions."""
MAX_MARKUP: Final = 60_000
MAX_IMAGES: Final = 50


def write_markdown(markup: Any, base: str | None) -> tuple[str | None, bool]:
    """Convert a description to markdown. Return the markdown, and whether it was shortened."""
    if not isinstance(markup, str) or not markup.strip():
        return None, False
    # Imported here because the service loads this module but must not import the converter.
    from webquarry_convert.page import to_markdown

    text = to_markdown(markup[:MAX_MARKUP], base).strip()
    if len(text) <= MAX_DESCRIPTION:
        return text or None, len(markup) > MAX_MARKUP
    short = text[:MAX_DESCRIPTION]
    return (short.rpartition("\n")[0] or short).rstrip() + " …", True


def read_images(row: dict[str, Any], base: str) -> list[str]:
    """Return the addresses of a product's pictures without duplicates. Shops may omit the scheme."""
    images = each_given(row, "images[]")[:MAX_IMAGES]
    return list(dict.fromkeys(read_rows(images, lambda image: to_address(image.get("src"), base), "images[]")))


def former_price(compared: float | None, price: float | None) -> float | None:
    """Return the price before a discount, if it is above the current price, otherwise None.

    If there is no discount, shops write 0, the current price, or the former price of an earlier sale.
    """
    return compared if compared is not None and price is not None and compared > price else None


def find_money(amount: Decimal | None) -> float | None:
    return None if amount is None or not amount.is_finite() or amount < 0 else float(amount)
