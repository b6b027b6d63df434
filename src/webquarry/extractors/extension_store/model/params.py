"""Parameters of the store's endpoints: an item by its ID or by the URL of its listing."""

from typing import Final
from urllib.parse import urlsplit

from webquarry.core.parsed_text import ParsedText
from webquarry.core.urls import MAX_URL, normalise_url
from webquarry.endpoints.declare import Params, exactly_one, param

LISTING: Final = "https://chromewebstore.google.com/detail/"
_HOST: Final = "chromewebstore.google.com"
_OLD_HOST: Final = "chrome.google.com"
_EXAMPLE: Final = "abcdefghijklmnopabcdefghijklmnop"


class ItemId(ParsedText, pattern="[a-p]{32}", called="32 letters from a to p", example=_EXAMPLE):
    """An item's ID in the store."""

    @property
    def address(self) -> str:
        """The URL of the item's listing. The store accepts any item name in the URL, so the name is omitted."""
        return LISTING + self


def find_item(address: str) -> ItemId | None:
    """Return the item in a listing's URL, in the old or the new form, or None for other URLs.

    Pages below a listing are accepted too.
    """
    try:
        parts = urlsplit(normalise_url(address))
    except ValueError:
        return None
    segments = parts.path.split("/")[1:]
    if parts.hostname == _OLD_HOST and segments[0] == "webstore":
        segments = segments[1:]
    elif parts.hostname != _HOST:
        return None
    if segments[0] != "detail":
        return None
    for segment in segments[1:3]:
        try:
            return ItemId.parse(segment)
        except ValueError:
            continue
    return None


def _spell(text: str) -> str:
    found = find_item(text if "://" in text else f"https://{text}")
    if found is None:
        raise ValueError
    return found.address


class ListingUrl(
    ParsedText,
    spell=_spell,
    called="the URL of a listing in the Chrome Web Store",
    example=LISTING + _EXAMPLE,
    max_length=MAX_URL,
):
    """The URL of an item's listing, without the item's name and without anything after its ID."""


class ItemParams(Params):
    one_of = exactly_one("id", "url")

    id: ItemId | None = param("Item ID, 32 letters from a to p.", default=None, example=_EXAMPLE)
    url: ListingUrl | None = param("URL of the listing, in the old or new form.", default=None)

    @property
    def item(self) -> ItemId:
        """The item that the caller named by its ID or by its URL."""
        if self.id is not None:
            return self.id
        if self.url is None:
            raise ValueError("either id or url is required")
        return ItemId(self.url.removeprefix(LISTING))
