"""Names of pages of the social network."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from webquarry.core.parsed_text import ParsedText
from webquarry.core.urls import MAX_URL
from webquarry.extractors.social.model.pasted import Address, find_address, read_bare_handle

DOMAINS: Final = ("facebook.com", "fb.com")
HOME_URL: Final = "https://www.facebook.com"
_HOSTS: Final = re.compile(r"(?:(?:www|web|m|mbasic|touch|[a-z]{2}-[a-z]{2})\.)?(?:facebook|fb)\.com")
_SLUG: Final = re.compile(r"(?!\.+$)[a-z0-9._]{1,80}", re.ASCII)
_BEHIND_NAME: Final = re.compile(r".*-([0-9]{6,20})", re.DOTALL)
_ID: Final = re.compile(r"[0-9]{6,20}", re.ASCII)
_RESERVED: Final = frozenset(
    (
        *("about", "ads", "business", "careers", "dialog", "directory", "events", "fundraisers", "gaming", "groups"),
        *("hashtag", "help", "home.php", "l.php", "legal", "login", "login.php", "marketplace", "media", "messages"),
        *(
            "notes",
            "pages",
            "people",
            "permalink.php",
            "photo",
            "photo.php",
            "photos",
            "plugins",
            "policies",
            "privacy",
        ),
        *("profile.php", "r.php", "recover", "reel", "reels", "search", "settings", "share", "sharer", "sharer.php"),
        *("stories", "story.php", "tr", "video.php", "videos", "watch", "p", "pg", "public", "login.php", "reg"),
    )
)
_WITH_ID: Final = frozenset({"pages", "people", "p"})
"""First path segments that come before a page's id, with or without a name between them and the id."""
CALLED: Final = f"the name or URL of a page, {HOME_URL}/name"
NOT_A_PAGE: Final = {"groups": "a group", "events": "an event", "marketplace": "the marketplace", "watch": "a video"}


def _spell(text: str) -> str:
    address = find_address(text, *DOMAINS)
    slug = _checked(read_bare_handle(text)) if address is None else _named(address)
    if slug is None:
        raise ValueError
    return slug


def _named(address: Address) -> str | None:
    """Return the page in an address: its id if the address has one, otherwise its name.

    The id identifies the page even if the address contains other names.
    """
    if not _HOSTS.fullmatch(address.host):
        return None
    segments = address.segments
    first = segments[0].lower() if segments else ""
    if what := NOT_A_PAGE.get(first):
        raise ValueError(f"must be {CALLED}; this is the URL of {what}")
    if first == "profile.php":
        return _read_id(address.field("id") or "")
    if first in _WITH_ID:
        return next((found for segment in reversed(segments[1:]) if (found := _read_id(segment))), None)
    if first == "pg":
        segments = segments[1:]
    return _checked(segments[0].removeprefix("@")) if segments else None


def _checked(name: str) -> str | None:
    """Return a name in lower case, or the id at its end. Returns None for any other text."""
    slug = name.lower()
    behind = _BEHIND_NAME.fullmatch(name)
    if behind is not None and _ID.fullmatch(behind[1]):
        return behind[1]
    return slug if _SLUG.fullmatch(slug) and slug not in _RESERVED else None


def _read_id(segment: str) -> str | None:
    behind = _BEHIND_NAME.fullmatch(segment)
    found = behind[1] if behind is not None else segment
    return found if _ID.fullmatch(found) else None


class PageSlug(ParsedText, spell=_spell, called=CALLED, example="example", max_length=MAX_URL):
    """The name of a page, lower case, or its id. Accepts `@Name`, `Name-1234567`, or any address of the page."""

    __slots__ = ()

    @property
    def url(self) -> str:
        return f"{HOME_URL}/{self}/"


def _write_url(text: str) -> str:
    if find_address(text, *DOMAINS) is None:
        raise ValueError
    return PageSlug.parse(text).url


class PageUrl(
    ParsedText, spell=_write_url, called=f"the URL of a page, {HOME_URL}/name", example=f"{HOME_URL}/example"
):
    """The address of a page, normalized to `https://www.facebook.com/name/`."""

    __slots__ = ()
    traits: ClassVar[Mapping[str, Any]] = {"format": "uri", "maxLength": MAX_URL}
