"""Products, sellers and categories as callers name them: an id, or any address of the shop that contains the id.

Ids are strings, because 19 digits exceed the integers that JSON parsers keep exact. See
docs/upstreams/shortvideo-shop.md for addresses.
"""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, urlsplit

from webquarry.core.locale import COUNTRIES, Country
from webquarry.core.parsed_text import ParsedText
from webquarry.core.urls import normalise_url

WWW: Final = "https://www.tiktok.com/shop"
SHOP: Final = "https://shop.tiktok.com"
HOME_REGION: Final = Country("us")
"""The region of the shop at the `www` host."""

_SHORT_HOSTS: Final = frozenset({"vt.tiktok.com", "vm.tiktok.com"})
_ID: Final = re.compile(r"[0-9]{15,20}", re.ASCII)
_CATEGORY: Final = re.compile(r"[0-9]{5,8}", re.ASCII)
_SHORT_PATH: Final = re.compile(r"(?:/t)?/[A-Za-z0-9_-]{1,40}", re.ASCII)
_MAX_SEGMENTS: Final = 12


def is_of_shop(host: str) -> bool:
    """Return whether a host belongs to the platform."""
    return host == "tiktok.com" or host.endswith(".tiktok.com")


def find_product(url: str) -> str | None:
    """Return the id in the address of a product's page, or None for other addresses."""
    return _read_named(url, ("pdp", "product"), _ID)


def _read_address(text: str) -> str:
    """Normalize an address with or without a scheme.

    Raises ValueError for other text and for an address of another site.
    """
    bare = text.strip()
    url = normalise_url(bare if "://" in bare else f"https://{bare}")
    if not is_of_shop(urlsplit(url).hostname or ""):
        raise ValueError
    return url


def _read_segments(url: str) -> list[str]:
    return [segment for segment in urlsplit(url).path.split("/") if segment][:_MAX_SEGMENTS]


def _read_named(url: str, words: tuple[str, ...], form: re.Pattern[str]) -> str | None:
    """Return the last segment that matches `form` and follows one of the words directly or after a name."""
    segments = _read_segments(url)
    for place, segment in enumerate(segments):
        if segment.lower() in words:
            behind = segments[place + 1 : place + 3]
            found = next((part for part in reversed(behind) if form.fullmatch(part)), None)
            if found is not None:
                return found
    return None


def find_region(url: str) -> Country | None:
    """Return the region in an address, from its path (`shop.tiktok.com/vn/…`) or its query."""
    first = next(iter(_read_segments(url)), "")
    query_region = parse_qs(urlsplit(url).query, max_num_fields=100).get("region", [""])[0]
    for code in (first if urlsplit(url).hostname == "shop.tiktok.com" else "", query_region):
        if len(code) == 2 and (code.upper() in COUNTRIES or code.lower() == "uk"):
            return Country.parse(code)
    return None


def is_short(url: str) -> bool:
    """Return whether an address is a short link, which must be followed to find its target."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host not in _SHORT_HOSTS and not parts.path.startswith("/t/"):
        return False
    return _SHORT_PATH.fullmatch(parts.path.rstrip("/")) is not None


def _of_shop(kind: str, found: str, region: Country | None, name: str = "") -> str:
    """Return the normalized address of a page of the shop. kind: `pdp`, `store` or `c`."""
    base = f"{SHOP}/{region}" if region not in (None, HOME_REGION) else WWW
    return "/".join(filter(None, (base, kind, name, found)))


def _write_id(words: tuple[str, ...], form: re.Pattern[str]) -> Callable[[str], str]:
    def spell(text: str) -> str:
        bare = text.strip()
        if form.fullmatch(bare):
            return bare
        try:
            found = _read_named(_read_address(bare), words, form) if "/" in bare else None
        except ValueError:
            found = None
        if found is None:
            raise ValueError
        return found

    return spell


def _write_url(
    kind: str, words: tuple[str, ...], form: re.Pattern[str], name: str = "", *, takes_short: bool = False
) -> Callable[[str], str]:
    def spell(text: str) -> str:
        try:
            url = _read_address(text)
        except ValueError:
            raise ValueError from None
        found = _read_named(url, words, form)
        if found is not None:
            return _of_shop(kind, found, find_region(url), name)
        if takes_short and is_short(url):
            parts = urlsplit(url)
            return f"https://{parts.hostname}{parts.path.rstrip('/')}/"
        raise ValueError

    return spell


class ProductId(
    ParsedText,
    spell=_write_id(("pdp", "product"), _ID),
    called="a product ID of 15 to 20 digits or the URL of its page",
    example="1729447605324124806",
):
    """The id of a product."""


class SellerId(
    ParsedText,
    spell=_write_id(("store",), _ID),
    called="a seller ID of 15 to 20 digits or the URL of its store",
    example="7495794203056835079",
):
    """The id of a seller."""


class CategoryId(
    ParsedText,
    spell=_write_id(("c",), _CATEGORY),
    called="a category ID of 5 to 8 digits or the URL of its page",
    example="601152",
):
    """The id of a category."""


class ProductUrl(
    ParsedText,
    spell=_write_url("pdp", ("pdp", "product"), _ID, takes_short=True),
    called="the URL of a product page or a short link to one",
    example=f"{WWW}/pdp/1729447605324124806",
):
    """The address of a product's page, without its name and query. Short links are kept unchanged."""

    @property
    def product_id(self) -> str | None:
        """Return the product's id, or None for a short link."""
        return find_product(self)


class StoreUrl(
    ParsedText,
    spell=_write_url("store", ("store",), _ID, "shop"),
    called="the URL of a store",
    example=f"{WWW}/store/made-goods/7495794203056835079",
):
    """The address of a store. The name in the address is ignored."""

    @property
    def seller_id(self) -> SellerId:
        return SellerId.parse(self)


class CategoryUrl(
    ParsedText,
    spell=_write_url("c", ("c",), _CATEGORY, "category"),
    called="the URL of a category page",
    example=f"{WWW}/c/womens-tops/842248",
):
    """The address of a category's page. The name in the address is ignored."""

    @property
    def category_id(self) -> CategoryId:
        return CategoryId.parse(self)


def make_product_url(product_id: str, region: Country | None) -> str:
    return _of_shop("pdp", product_id, region)


def store_url(seller_id: str, region: Country | None, name: str = "shop") -> str:
    return _of_shop("store", seller_id, region, name)


def make_category_url(category_id: str, region: Country | None, name: str = "category") -> str:
    return _of_shop("c", category_id, region, name)
