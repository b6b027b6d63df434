"""What readers of all platforms share. They run in children: descriptions are foreign markup."""

from decimal import Decimal
from typing import Any, Final

from webquarry.read.fields import to_address

MAX_DESCRIPTION: Final = 5_000
"""Characters of a description; a catalogue is hundreds of them."""
MAX_MARKUP: Final = 60_000
MAX_IMAGES: Final = 50


def write_markdown(markup: Any, base: str | None) -> tuple[str | None, bool]:
    """A description as markdown, and whether it was cut."""
    if not isinstance(markup, str) or not markup.strip():
        return None, False
    # imported where it is used: the service loads this module with all others, and does not import the converter
    from webquarry_convert.page import to_markdown

    text = to_markdown(markup[:MAX_MARKUP], base).strip()
    if len(text) <= MAX_DESCRIPTION:
        return text or None, len(markup) > MAX_MARKUP
    short = text[:MAX_DESCRIPTION]
    return (short.rpartition("\n")[0] or short).rstrip() + " …", True


def read_images(addresses: list[Any], base: str) -> list[str]:
    """Addresses of pictures, each once; those of shops may leave out the scheme."""
    found = (to_address(address, base) for address in addresses[:MAX_IMAGES])
    return list(dict.fromkeys(address for address in found if address))


def former_price(compared: float | None, price: float | None) -> float | None:
    """Return the price that a price is compared with, where it is above it.

    Shops write 0, the price itself, or what was left from an earlier sale where nothing is compared: none of these is a
    former price.
    """
    return compared if compared is not None and price is not None and compared > price else None


def find_money(amount: Decimal | None) -> float | None:
    return None if amount is None or not amount.is_finite() or amount < 0 else float(amount)
