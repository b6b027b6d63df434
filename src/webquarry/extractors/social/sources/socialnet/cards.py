"""The cards of a page's introduction. Each is a node with a type."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webquarry.extractors.social.model.socialnet.result import SocialLink
from webquarry.extractors.social.sources.preloaded import find_outward
from webquarry.read import at, each_given, take
from webquarry.read.fields import to_address, to_line, to_only_count
from webquarry.read.losses import lose

REDIRECTS: Final = ("l.facebook.com", "lm.facebook.com")
_PERCENT: Final = re.compile(r"(?<!\d)(\d{1,3})\s?%|%\s?(\d{1,3})(?!\d)")
_INNER: Final = re.compile(r"\(([^()]{1,60})\)")
MAX_SPANS: Final = 20
_TRACKING: Final = re.compile(r"utm_\w{1,30}|fbclid|gclid|mc_[ce]id|igshid")
_MAIL: Final = re.compile(r"[^\s@]{1,200}@[^\s@]{1,200}")
_SIGN: Final = " · "


class Cards:
    """Cards by type, which is the name after `INTRO_CARD_`, in the page's order."""

    def __init__(self, items: Iterable[dict[str, Any]]) -> None:
        self._items: dict[str, list[dict[str, Any]]] = {}
        self.page_ids: list[Any] = []
        for item in items:
            kind = at(item, "timeline_context_list_item_type", str) or ""
            card = at(item, "renderer.context_item", dict)
            if card is not None:
                self._items.setdefault(kind.removeprefix("INTRO_CARD_"), []).append(card)
            if (page_id := read_item_page_id(item)) is not None:
                self.page_ids.append(page_id)

    def __bool__(self) -> bool:
        return bool(self._items)

    def text(self, kind: str) -> str | None:
        """Return the text of the first card of a type."""
        return next((text for card in self._items.get(kind, []) if (text := take(card, "title.text", to_line))), None)

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
        """Return the address on the first card. A second card may be the domain of the email address."""
        for card in self._items.get("WEBSITE", []):
            text = take(card, "plaintext_title.text", to_line) or take(card, "title.text", to_line)
            found = next(iter(_read_links(card)), None) or _with_scheme(text)
            if found is not None:
                return _read_untracked(found)
        return None

    @property
    def map_url(self) -> str | None:
        for card in self._items.get("ADDRESS", []):
            for link in _read_linked_in_title(card):
                return link
        return None

    @property
    def price_range(self) -> str | None:
        text = self.text("BUSINESS_PRICE")
        return None if text is None else text.rpartition(_SIGN)[2].strip() or None

    @property
    def rating_percent(self) -> int | None:
        """Return the rating in percent. None if there are no ratings yet."""
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
        links: dict[str, SocialLink] = {}
        for card in self._items.get("OTHER_ACCOUNT", []):
            text = take(card, "title.text", to_line)
            named = _with_scheme(text) if text and "/" in text else None
            urls = _read_links(card) or ([named] if named else [])
            if not urls:
                lose("OTHER_ACCOUNT")
            for url in urls:
                links.setdefault(url, SocialLink(platform=_read_site(url), url=url))
        return list(links.values())


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


def read_item_page_id(item: dict[str, Any]) -> Any:
    renderer = item.get("renderer")
    return renderer.get("associated_page_id") if isinstance(renderer, dict) else None


def _read_site(url: str) -> str:
    return (urlsplit(url).hostname or url).removeprefix("www.").removeprefix("m.")


def _with_scheme(text: str | None) -> str | None:
    """Return a site's name with a scheme. None if the text is not a site's name."""
    if text is None or " " in text or "." not in text or "@" in text.partition("/")[0]:
        return None
    return to_address(text if "://" in text else f"https://{text}")


def _read_untracked(url: str) -> str:
    """Return an address without the tracking fields of its query."""
    parts = urlsplit(url)
    if not _TRACKING.search(parts.query):
        return url
    fields = [(name, value) for name, value in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(name)]
    return urlunsplit(parts._replace(query=urlencode(fields)))
