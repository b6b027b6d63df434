"""Names of accounts and posts: a handle, an id, or a copied address.

Each name is normalized, so that all names of an item share one cached response. Handles are lower case, ids have no
leading zeros, and addresses have the current host and no trailing parts.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from webquarry.core.parsed_text import ParsedText
from webquarry.core.urls import normalise_url

HOST_URL: Final = "https://x.com"
_HOSTS: Final = frozenset(
    prefix + host for host in ("x.com", "twitter.com") for prefix in ("", "www.", "mobile.", "m.")
)
_HANDLE: Final = re.compile(r"[A-Za-z0-9_]{1,20}", re.ASCII)
_ID: Final = re.compile(r"[0-9]{1,40}", re.ASCII)
_LARGEST_ID: Final = 2**63 - 1
_LEAST_ID: Final = 10
"""Minimum id. Providers require two digits; the oldest existing post has the id 20."""
_RESERVED: Final = re.compile(
    "about|compose|download|explore|hashtags?|help|home|i|intent|jobs|login|logout|messages|notifications|privacy|search"
    "|settings|share|signup|tos",
    re.IGNORECASE,
)
"""First path segments that belong to pages of the service, not to accounts."""
_TABS: Final = re.compile(
    "about|affiliates|articles|followers|following|header_photo|highlights|likes|lists|media|photo|superfollows|topics"
    "|verified_followers|with_replies",
    re.IGNORECASE,
)
"""Path segments that follow a handle in the addresses of an account's own pages."""
_POST_WORDS: Final = frozenset(("status", "statuses"))

PROFILE_RULE: Final = f"must be the URL of a profile, for example {HOST_URL}/nasa"
POST_RULE: Final = f"must be the URL of a post, for example {HOST_URL}/nasa/status/20"


def _write_handle(text: str) -> str:
    return text.removeprefix("@").lower()


def _write_id(text: str) -> str:
    number = int(text)
    if not _LEAST_ID <= number <= _LARGEST_ID:
        raise ValueError
    return str(number)


class Handle(
    ParsedText,
    spell=_write_handle,
    pattern="@?[A-Za-z0-9_]{1,20}",
    called="a handle of letters, digits and _, with or without @",
    example="nasa",
):
    """The handle of an account, lower case, without @."""


class PostId(
    ParsedText, spell=_write_id, pattern="[0-9]{2,40}", called="the ID of a post", example="1849106200000000001"
):
    """The id of a post."""


class _Address(ParsedText):
    """An address on either host of the service. Its scheme may be missing."""

    traits = {"format": "uri", "maxLength": 4096}  # noqa: RUF012  # never changed


class ProfileUrl(_Address):
    """The address of an account's profile or of a tab of the profile."""

    rule = PROFILE_RULE

    @classmethod
    def parse(cls, text: str) -> "ProfileUrl":
        first, *rest = _read_segments(text, PROFILE_RULE) or [""]
        handle = first.removeprefix("@")
        is_account = _HANDLE.fullmatch(handle) and not _RESERVED.fullmatch(handle)
        if not is_account or (rest and not _TABS.fullmatch(rest[0])):
            raise ValueError(PROFILE_RULE)
        return cls(make_profile_url(handle.lower()))

    @property
    def handle(self) -> str:
        return self.rpartition("/")[2]


class PostUrl(_Address):
    """The address of a post, with or without its author's handle. Trailing parts (`/photo/1`) are ignored."""

    rule = POST_RULE

    @classmethod
    def parse(cls, text: str) -> "PostUrl":
        segments = _read_segments(text, POST_RULE)
        if segments[:2] == ["i", "web"]:
            del segments[1]
        if len(segments) < 3 or segments[1].lower() not in _POST_WORDS or not _HANDLE.fullmatch(segments[0]):
            raise ValueError(POST_RULE)
        try:
            number = PostId.parse(segments[2])
        except ValueError as exc:
            raise ValueError(POST_RULE) from exc
        return cls(f"{HOST_URL}/i/status/{number}")

    @property
    def id(self) -> str:
        return self.rpartition("/")[2]


def make_profile_url(handle: str) -> str:
    return f"{HOST_URL}/{handle}"


def post_url(handle: str | None, number: str) -> str:
    """Return the address of a post. The address works with any handle."""
    return f"{HOST_URL}/{handle or 'i'}/status/{number}"


def to_handle(value: object) -> str | None:
    """Return a handle as its account spells it, without @, or None if the value is not a handle."""
    text = value.strip().removeprefix("@") if isinstance(value, str) else ""
    return text if _HANDLE.fullmatch(text) else None


def to_number(value: object) -> str | None:
    """Return the id of an account or post from its digits or a number, or None for any other value."""
    if type(value) is int and value >= 0:
        value = str(value)
    return value if isinstance(value, str) and _ID.fullmatch(value) and int(value) <= _LARGEST_ID else None


def _read_segments(text: str, rule: str) -> list[str]:
    """Return the segments of the path, or of the path after `#!`, which old addresses contain."""
    address = text if "://" in text else f"https://{text.lstrip('/')}"
    try:
        parts = urlsplit(normalise_url(address))
        fragment = urlsplit(address).fragment
    except ValueError as exc:
        raise ValueError(rule) from exc
    if parts.hostname not in _HOSTS:
        raise ValueError(rule)
    path = fragment[1:] if fragment.startswith("!") and parts.path == "/" else parts.path
    return [segment for segment in path.split("/") if segment]
