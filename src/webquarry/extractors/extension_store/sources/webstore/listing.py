"""A listing of the store, read from the store's array, or from a page's tags if the array can't be parsed."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, Literal, TypeVar

from webquarry.core.errors import ProviderError
from webquarry.endpoints.declare import Result, field
from webquarry.extractors.extension_store.model.params import ItemId, ItemParams, find_item
from webquarry.extractors.extension_store.sources.webstore import places, store
from webquarry.extractors.extension_store.sources.webstore.places import holds
from webquarry.read import Wire, take
from webquarry.read.embedded import Metas, nodes_of
from webquarry.read.fields import to_address, to_count, to_counted, to_line, to_rating, to_text
from webquarry.read.html import Element
from webquarry.read.losses import read_rows

T = TypeVar("T")
KINDS: Final = ("extension", "theme", "app")
Kind = Literal["extension", "theme", "app"]
ITEM_MOVED: Final = "Part of the store's data has an unknown format: users and first publication are omitted."
DETAILS_MOVED: Final = (
    "Part of the store's data has an unknown format: version, dates, size, texts and the developer are omitted."
)
DEVELOPER_MOVED: Final = "The store's developer data has an unknown format and is omitted."
FROM_TAGS: Final = (
    "The page has no structured data, so only fields found in its HTML are returned. The others are null or empty."
)

_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)\s?([KMGT]?)(i?)B(?:ytes)?", re.ASCII)
_USERS: Final = re.compile(r"([0-9][0-9,]{0,14})\+? users?", re.ASCII)
_RATING: Final = re.compile(r"([0-5](?:\.[0-9]{1,2})?) out of 5", re.ASCII)
_LONGEST_SAID: Final = 40
_STORE_NAMES: Final = (
    *("Chrome Web Store", "Chrome ウェブストア", "Chrome 웹 스토어", "Chrome 网上应用店", "Chrome 線上應用程式商店"),
    *("Chrome Web Mağazası", "Интернет-магазин Chrome", "Cửa hàng Chrome trực tuyến", "Chrome เว็บสโตร์"),
    *("سوق Chrome الإلكتروني", "חנות האינטרנט של Chrome", "Internetový obchod Chrome", "Chrome-webáruház"),
)
"""The store's name in several languages. Titles in tags end with it."""


class Developer(Result):
    name: str | None = field("Name of the developer account.", wire="[10][5]")
    display_name: str | None = field("Developer name shown in the listing.", wire="[10][6]")
    legal_name: str | None = field("Trader name, if declared.", wire="[10][7]")
    email: str | None = field("Email address.", wire="[10][0]")
    address: str | None = field("Postal address, line by line.", wire="[10][1]")
    verified: bool | None = field("Whether the store has verified the developer; null if unknown.", wire="[10][3]")


class Listing(Result):
    id: str = field("Item ID, 32 letters from a to p.", wire="[0][0]")
    url: str = field("URL of the listing.")
    name: str = field("Name in the requested language.", wire="[0][2]")
    kind: Kind | None = field("Type of the item.", wire="[0][12]")
    summary: str | None = field("Short description.", wire="[0][6]")
    description: str | None = field("Full description as plain text.", wire="[6]")
    icon: str | None = field("URL of the icon.", wire="[0][1]")
    rating: float | None = field("Average rating, 1 to 5; null if there are no ratings.", wire="[0][3]")
    rating_count: int | None = field("Number of ratings; null if unknown.", wire="[0][4]")
    user_count: int | None = field("Number of users as shown in the store; null if unknown.", wire="[0][14]")
    category: str | None = field("Category in the store, as `group/name`.", wire="[0][11][0]")
    version: str | None = field("Current version.", wire="[13]")
    published_at: datetime | None = field("Time of the first publication, UTC, if available.", wire="[0][17]")
    updated_at: datetime | None = field("Publication time of the current version, UTC.", wire="[14]")
    size: str | None = field("Size as shown in the store, such as `1.31MiB`.", wire="[15]")
    file_size: int | None = field("Size in bytes, as precise as the displayed value.", wire="[15]", unit="bytes")
    languages: list[str] = field("Names of the supported languages, each in its own language.", wire="[16]")
    language_codes: list[str] = field("Codes of the supported languages, if available.", wire="[38]")
    homepage: str | None = field("URL of the developer's verified website.", wire="[0][7]")
    support_url: str | None = field("URL of the support page.", wire="[26]")
    privacy_policy_url: str | None = field("URL of the privacy policy.", wire="[33]")
    min_chrome_version: str | None = field("Minimum browser version.", wire="[27]")
    developer: Developer | None = field("The developer.", wire="[10]")
    screenshots: list[str] = field("URLs of the screenshots and videos in the listing.", wire="[5]")
    promo_image: str | None = field("URL of the promotional image.", wire="[0][5]")
    featured: bool | None = field("Whether the store recommends the item; null if unknown.", wire="[0][9]")
    warnings: list[str] = field("Omitted data and the reasons.", default_factory=list)


def read_call(wire: Wire, params: ItemParams) -> Listing:
    """Parse the listing of an RPC response."""
    return read_array(store.answer_of(wire, store.DETAIL, params.item), params.item)


def read_page(wire: Wire, params: ItemParams) -> Listing:
    """Parse the listing of a page from its data, or from its tags if the data can't be parsed."""
    array = store.find_listing(store.find_blocks(wire), params.item)
    if array is not None:
        try:
            return read_array(array, params.item)
        except ProviderError:  # continue, because the tags may still be readable
            pass
    return read_tags(wire, params.item, has_data=array is not None)


def read_array(listing: Any, item: ItemId) -> Listing:
    """Parse the store's array.

    Raises ProviderError "changed" if the item's fields have moved, or if it is another item.
    """
    row = places.ITEM.of(listing)
    name = _read_name(row, item)
    counted = row if holds(row, places.BEFORE_USERS, places.USERS, places.AFTER_USERS) else None
    is_whole = holds(
        listing,
        *(places.SCREENSHOT_LIST, places.DEVELOPER, places.VERSION, places.UPDATED, places.SIZE, places.LANGUAGE_LIST),
    )
    details = listing if is_whole else None
    developer_row = places.DEVELOPER.of(details)
    developer = _read_developer(developer_row)
    rating, kind, size = places.RATING.of(row), places.KIND.of(row), places.SIZE.of(details)
    return Listing(
        id=item,
        url=item.address,
        name=name,
        kind=None if kind is None else _kind(kind),
        summary=places.SUMMARY.of(row),
        description=places.DESCRIPTION.of(details),
        icon=places.ICON.of(row),
        rating=rating or None,
        rating_count=_read_rating_count(row, rating),
        user_count=places.USERS.of(counted),
        category=places.CATEGORY.of(row),
        version=places.VERSION.of(details),
        published_at=places.PUBLISHED.of(counted),
        updated_at=places.UPDATED.of(details),
        size=size,
        file_size=parse_size(size),
        languages=places.LANGUAGES.of(details) or [],
        language_codes=places.LANGUAGE_CODES.of(details) or [],
        homepage=places.HOMEPAGE.of(row),
        support_url=places.SUPPORT_URL.of(details),
        privacy_policy_url=places.PRIVACY_URL.of(details),
        min_chrome_version=places.MIN_CHROME.of(details),
        developer=developer,
        screenshots=read_rows(places.SCREENSHOTS.of(details) or [], places.SCREENSHOT.of, places.SCREENSHOTS.shown),
        promo_image=places.PROMO_IMAGE.of(row) or places.WIDE_IMAGE.of(counted),
        featured=places.FEATURED.of(row),
        warnings=_list_warnings(counted is None, details is None, _has_lost(developer_row, developer)),
    )


def _read_name(row: Any, item: ItemId) -> str:
    """Return the item's name. Raises ProviderError "changed" if its fields have moved, or for another item."""
    name = places.NAME.of(row)
    if name is None or not holds(row, places.CATEGORIES, places.KIND):
        raise ProviderError(f"{store.SOURCE} sent a listing in an unknown format.", reason="changed")
    if places.ID.of(row) != item:
        raise ProviderError(f"{store.SOURCE} sent the listing of a different item.", reason="changed")
    return name


def _read_rating_count(row: Any, rating: float | None) -> int | None:
    """Return the number of ratings: 0 if the item has none yet, None if the fields have moved."""
    has_none = rating in (None, 0) and holds(row, places.RATING, places.RATING_COUNT)
    return places.RATING_COUNT.of(row) or (0 if has_none else None)


def _has_lost(row: Any, developer: Developer | None) -> bool:
    """Return whether the fields of the developer have moved, so that none could be read."""
    return bool(row) and developer is None and not holds(row, *_OF_DEVELOPER)


def _list_warnings(*has_moved: bool) -> list[str]:
    """Return a warning for each part of the array whose fields have moved: the item, its details, and the developer."""
    warnings = (ITEM_MOVED, DETAILS_MOVED, DEVELOPER_MOVED)
    return [sentence for is_so, sentence in zip(has_moved, warnings, strict=True) if is_so]


def read_tags(wire: Wire, item: ItemId, *, has_data: bool) -> Listing:
    """Parse a page's tags, linked data and visible text.

    Raises Absent if the page shows no item. Raises ProviderError: "blocked" for a page with neither tags nor data,
    "changed" for a page about another item or about no item.
    """
    page = store.read_page(wire, item)
    metas = Metas.of(page)
    title = metas.first("og:title")
    if title is None:
        if has_data:
            raise store.not_a_listing(wire, f"{store.SOURCE} sent a listing in an unknown format.", page)
        raise store.make_no_page_error(wire, page)
    address = metas.first("og:url") or page.attribute('link[rel="canonical"]', "href") or wire.url
    if find_item(address) != item:
        raise store.not_a_listing(wire, f"{store.SOURCE} sent a page about something else.", page)
    nodes = nodes_of(page, "SoftwareApplication", "WebApplication")
    node = nodes[0] if nodes else {}
    texts = _texts(page)
    return Listing(
        id=item,
        url=item.address,
        name=_name(title),
        kind=None,
        summary=metas.first("og:description") or take(node, "description", to_text),
        description=None,
        icon=take(metas.first("og:image") or node.get("image"), "", partial(to_address, base=wire.url)),
        rating=take(node, "aggregateRating.ratingValue", to_rating) or _find_first(_RATING, texts, to_rating),
        rating_count=take(node, "aggregateRating.ratingCount", to_count),
        user_count=_find_first(_USERS, texts, to_counted),
        category=None,
        version=take(node, "softwareVersion", to_line),
        published_at=None,
        updated_at=None,
        size=None,
        file_size=None,
        languages=[],
        language_codes=[],
        homepage=None,
        support_url=None,
        privacy_policy_url=None,
        min_chrome_version=None,
        developer=None,
        screenshots=[],
        promo_image=None,
        featured=None,
        warnings=[FROM_TAGS],
    )


def parse_size(size: str | None) -> int | None:
    """Return the number of bytes from a size in the store's notation.

    A `MiB` has 1024² bytes, and an `MB` has 1000².
    """
    match = _SIZE.fullmatch(size or "")
    if match is None:
        return None
    unit: int = (1024 if match[3] else 1000) ** _POWERS[match[2]]
    return round(float(match[1]) * unit)


def _kind(number: int) -> Kind:
    kind: Kind = KINDS[number - 1]
    return kind


_OF_DEVELOPER: Final = (
    places.EMAIL,
    places.ADDRESS,
    places.VERIFIED,
    places.DEVELOPER_NAME,
    places.DISPLAY_NAME,
    places.LEGAL_NAME,
)


def _read_developer(row: list[Any] | None) -> Developer | None:
    if row is None or not holds(row, *_OF_DEVELOPER):
        return None
    developer = Developer(
        name=places.DEVELOPER_NAME.of(row),
        display_name=places.DISPLAY_NAME.of(row),
        legal_name=places.LEGAL_NAME.of(row),
        email=places.EMAIL.of(row),
        address=places.ADDRESS.of(row),
        verified=places.VERIFIED.of(row),
    )
    return developer if any(value is not None for value in developer.model_dump().values()) else None


def _name(title: str) -> str:
    """Return a title without the store's name at the end."""
    for store_name in _STORE_NAMES:
        for sign in "-–—|":
            if bare := title.removesuffix(f" {sign} {store_name}").strip():
                title = bare
    return title


def _texts(page: Element) -> list[str]:
    """Return the short strings of a page that are directly between two tags."""
    texts = (node.text_content or "" for node in page.node.traverse(include_text=True) if node.tag == "-text")
    return [bare for text in texts if len(text) <= _LONGEST_SAID and (bare := text.strip())]


def _find_first(pattern: re.Pattern[str], texts: list[str], convert: Callable[[Any], T | None]) -> T | None:
    """Return the first match, because a page describes its own item before it lists others."""
    match = next(filter(None, map(pattern.fullmatch, texts)), None)
    return convert(match[1]) if match else None
