"""The cards of a page's introduction. Each is a node with a type."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webquarry.extractors.social.model.socialnet.result import SocialLink
from webquarry.extractors.social.sources.preloaded import find_outward
from webquarry.read import at, each_given, take
from webquarry.read.fields import to_address, to_line, to_only_count
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

REDIRECTS: Final = ("l.facebook.com", "lm.facebook.com")
_PERCENT: Final = re.compile(r"(?<!\d)(\d{1,3})\s?%|%\s?(\d{1,3})(?!\d)")
_INNER: Final = re.compile(r"\(([^()]{1,60})\)")
MAX_SPANS: Final = 20
_TRACKING: Final = re.compile(r"utm_\w{1,30}|fbclid|gclid|mc_[ce]id|igshid")
_MAIL: Final = re.compile(r"[^\s@]{1,200}@[^\s@]{1,200}")
_SIGN: Final = " · "


class Card(NamedTuple):
    """A card of a page's introduction.

    kind: the card's type without `INTRO_CARD_`. node: the provider's object, or {} if it is missing.
    """

    kind: str
    node: dict[str, Any]
    page_id: Any


class Cards:
    """Cards by type, in the page's order. items: the provider's values; null is not a card."""

    def __init__(self, items: Iterable[Any]) -> None:
        cards = read_rows([item for item in items if item is not None], _read_card, "timeline_context_item")
        self._cards = [card for card in cards if card.node]
        self.page_ids = [card.page_id for card in cards if card.page_id is not None]

    def __bool__(self) -> bool:
        return bool(self._cards)

    def text(self, kind: str) -> str | None:
        """Return the text of the first card of a type."""
        return next((text for node in self._list_nodes(kind) if (text := take(node, "title.text", to_line))), None)

    def _list_nodes(self, kind: str) -> list[dict[str, Any]]:
        return [card.node for card in self._cards if card.kind == kind]

    @property
    def categories(self) -> list[str]:
        """Return the categories, which follow the localized word for "page"."""
        first, *rest = (self.text("INFLUENCER_CATEGORY") or "").split(_SIGN)
        return [category.strip() for category in (rest or [first]) if category.strip()]

    @property
    def email(self) -> str | None:
        text = self.text("PROFILE_EMAIL") or ""
        return text if _MAIL.fullmatch(text) else None

    @property
    def website(self) -> str | None:
        """Return the address on the first card. A second card may have the domain of the email address."""
        for card in self._list_nodes("WEBSITE"):
            text = take(card, "plaintext_title.text", to_line) or take(card, "title.text", to_line)
            found = next(iter(_read_links(card)), None) or _with_scheme(text)
            if found is not None:
                return _read_untracked(found)
        return None

    @property
    def map_url(self) -> str | None:
        for card in self._list_nodes("ADDRESS"):
            for link in _read_linked_in_title(card):
                return link
        return None

    @property
    def price_range(self) -> str | None:
        text = self.text("BUSINESS_PRICE")
        return None if text is None else text.rpartition(_SIGN)[2].strip() or None

    @property
    def rating_percent(self) -> int | None:
        """Return the rating as a percentage. Returns None if there are no ratings."""
        found = _PERCENT.search(self.text("RATING") or "")
        percent = int(found[1] or found[2]) if found is not None else None
        return percent if percent is not None and percent <= 100 else None

    @property
    def review_count(self) -> int | None:
        text = self.text("RATING") or ""
        inner = _INNER.search(text)
        found = to_only_count(inner[1]) if inner is not None and "%" not in inner[1] else None
        return found if found is not None else to_only_count(_PERCENT.sub(" ", text))

    @property
    def social_links(self) -> list[SocialLink]:
        accounts = read_rows(self._list_nodes("OTHER_ACCOUNT"), _read_accounts, "OTHER_ACCOUNT")
        urls = dict.fromkeys(url for account in accounts for url in account)
        return [SocialLink(platform=_read_site(url), url=url) for url in urls]


def _read_card(item: Any) -> Card | None:
    """Parse a card. Returns None for an item that has neither a card nor the page's id."""
    kind = at(item, "timeline_context_list_item_type", str) or ""
    node, page_id = at(item, "renderer.context_item", dict), reach(item, "renderer.associated_page_id")
    if node is None and page_id is None:
        return None
    return Card(kind.removeprefix("INTRO_CARD_"), node or {}, page_id)


def _read_accounts(card: dict[str, Any]) -> list[str] | None:
    """Return the addresses of a card's accounts, at least one."""
    text = take(card, "title.text", to_line)
    named = _with_scheme(text) if text and "/" in text else None
    return _read_links(card) or ([named] if named else None)


def _read_links(card: dict[str, Any]) -> list[str]:
    """Return a card's links: its address, otherwise the links in its title."""
    own = find_outward(card.get("url"), *REDIRECTS)
    return [own] if own is not None else list(_read_linked_in_title(card))


def _read_linked_in_title(card: dict[str, Any]) -> Iterator[str]:
    for span in each_given(card, "title.ranges[]")[:MAX_SPANS]:
        for path in ("entity.external_url", "entity.web_link.url", "entity.url"):
            if (link := find_outward(take(span, path, to_address), *REDIRECTS)) is not None:
                yield link
                break


def _read_site(url: str) -> str:
    return (urlsplit(url).hostname or url).removeprefix("www.").removeprefix("m.")


def _with_scheme(text: str | None) -> str | None:
    """Return a site's name with a scheme, or None if the text is not a site's name."""
    if text is None or " " in text or "." not in text or "@" in text.partition("/")[0]:
        return None
    return to_address(text if "://" in text else f"https://{text}")


def _read_untracked(url: str) -> str:
    """Return an address without tracking parameters."""
    parts = urlsplit(url)
    if not _TRACKING.search(parts.query):
        return url
    fields = [(name, value) for name, value in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(name)]
    return urlunsplit(parts._replace(query=urlencode(fields)))
