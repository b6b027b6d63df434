"""Account names of the photo network."""

import re
from typing import Final

from webquarry.core.parsed_text import ParsedText
from webquarry.extractors.social.model.pasted import Address, find_address, read_bare_handle

DOMAINS: Final = ("instagram.com", "instagr.am")
HOME_URL: Final = "https://www.instagram.com"
_HANDLE: Final = re.compile(r"(?!\.+$)[a-z0-9._]{1,30}", re.ASCII)
_HOSTS: Final = frozenset({*DOMAINS, *(f"{part}.{domain}" for part in ("www", "m") for domain in DOMAINS)})
_BEFORE: Final = frozenset({"_u", "stories"})
"""First path segments that come before the account's name."""
_RESERVED: Final = frozenset(
    (
        *("about", "accounts", "api", "challenge", "developer", "direct", "directory", "emails", "explore", "graphql"),
        *("legal", "oauth", "p", "press", "privacy", "reel", "reels", "s", "static", "stories", "terms", "tv", "web"),
    )
)


def _spell(text: str) -> str:
    address = find_address(text, *DOMAINS)
    handle = read_bare_handle(text if address is None else _named(address)).lower()
    if not _HANDLE.fullmatch(handle) or (address is not None and handle in _RESERVED):
        raise ValueError
    return handle


def _named(address: Address) -> str:
    """Return the path segment with the account's name, or ""."""
    if address.host not in _HOSTS:
        return ""
    segments = address.segments[1:] if address.segments[:1] and address.segments[0] in _BEFORE else address.segments
    return next(iter(segments), "")


class PhotonetHandle(
    ParsedText,
    spell=_spell,
    called=f"a user name (1 to 30 letters, digits, . and _) or the URL of a profile, {HOME_URL}/name/",
    example="@example",
    max_length=2048,
):
    """The name of an account, lower case, without @.

    Accepts `@Name`, or an address such as `https://m.instagram.com/Name/reels/?hl=en`. Names are case-insensitive.
    """

    __slots__ = ()

    @property
    def url(self) -> str:
        return f"{HOME_URL}/{self}/"
