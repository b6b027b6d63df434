"""Names of videos and channels as people write them (ids, handles, addresses). Each name is normalized."""

import re
from typing import Final, NamedTuple, TypeGuard
from urllib.parse import parse_qs, unquote, urlsplit

from webquarry.core.parsed_text import ParsedText

SITE: Final = "https://www.youtube.com"
_VIDEO_ID: Final = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_CHANNEL_ID: Final = re.compile(r"UC[A-Za-z0-9_-]{22}", re.ASCII)
_HANDLE: Final = re.compile(r"@?[^\W_](?:[\w.·-]{0,28}\w)?")
_NAME: Final = re.compile(r"[\w.·'-]{1,100}")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,10}://", re.ASCII)
_HOSTS: Final = frozenset({"youtube.com", "youtube-nocookie.com"})
_SHORT_HOST: Final = "youtu.be"
_BEFORE_VIDEO: Final = frozenset({"shorts", "live", "embed", "v", "e", "vi", "watch"})
_PAGES: Final = """
    about account ads attribution_link c channel clip creators e embed feed feeds gaming hashtag live live_chat login
    logout movies music oembed playlist playlists post premium redirect results s shorts signin sports t trending tv
    upload user v vi watch youtubei"""
_NO_CHANNEL: Final = frozenset(_PAGES.split())
VIDEO_RULE: Final = "must be the URL of a video, for example https://www.youtube.com/watch?v=HarbourVid1"
CHANNEL_RULE: Final = "must be the URL of a channel, for example https://www.youtube.com/@youtube"


def watch_url(video_id: str) -> str:
    return f"{SITE}/watch?v={video_id}"


def make_channel_url(channel_id: str) -> str:
    return f"{SITE}/channel/{channel_id}"


def is_video_id(text: str | None) -> TypeGuard[str]:
    return text is not None and _VIDEO_ID.fullmatch(text) is not None


def is_channel_id(text: str | None) -> TypeGuard[str]:
    return text is not None and _CHANNEL_ID.fullmatch(text) is not None


class _Address(NamedTuple):
    """An address of the site. `path`: its segments, decoded."""

    is_short: bool
    path: list[str]
    query: dict[str, list[str]]


def _read_address(text: str) -> _Address | None:
    """Parse an address of any form. Returns None for other sites."""
    text = text.strip()
    try:
        parts = urlsplit(text if _SCHEME.match(text) else f"https://{text.removeprefix('//')}")
        host = (parts.hostname or "").rstrip(".")
        query = parse_qs(parts.query, max_num_fields=100)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https"):
        return None
    is_short = host in (_SHORT_HOST, f"www.{_SHORT_HOST}")
    if not is_short and not _is_host(host):
        return None
    return _Address(is_short, [unquote(part) for part in parts.path.split("/") if part], query)


def _is_host(host: str) -> bool:
    """Return whether a host is the site's, with at most one subdomain."""
    return ".".join(host.split(".")[-2:]) in _HOSTS and host.count(".") <= 2


def _find_video(text: str) -> str | None:
    """Return the video id in the address of a video."""
    address = _read_address(text)
    if address is None:
        return None
    if not address.is_short and address.path[:1] == ["attribution_link"]:
        inner = address.query.get("u", [""])[0]
        return _find_video(SITE + inner) if inner.startswith("/watch?") else None
    return next(filter(is_video_id, _list_candidates(address)), None)


def _list_candidates(address: _Address) -> list[str]:
    """Return the parts of an address that would be the video id if the address belonged to a video."""
    path = address.path
    if address.is_short:
        return path[:1]
    if path == ["watch"] or not path:
        return address.query.get("v", [])
    return path[1:2] if path[0] in _BEFORE_VIDEO else []


def _write_video_id(text: str) -> str:
    text = text.strip()
    found = text if is_video_id(text) else _find_video(text) if "/" in text else None
    if found is None:
        raise ValueError
    return found


def _write_video_url(text: str) -> str:
    found = _find_video(text)
    if found is None:
        raise ValueError(VIDEO_RULE)
    return watch_url(found)


def handle_in(text: str | None) -> str | None:
    """Return the handle, with @, from a handle or the end of an address, or None for other text."""
    name = unquote((text or "").strip()).rpartition("/")[2]
    return name if name.startswith("@") and _HANDLE.fullmatch(name) else None


def _write_handle(text: str) -> str:
    text = text.strip()
    if "/" in text:
        spelled = _write_channel_url(text)
        text = spelled.rpartition("/")[2]
        if not text.startswith("@"):
            raise ValueError
    text = unquote(text)
    if _HANDLE.fullmatch(text) is None:
        raise ValueError
    return "@" + text.removeprefix("@").casefold()


def _write_channel_id(text: str) -> str:
    text = text.strip()
    if "/" in text:
        text = _write_channel_url(text).rpartition("/")[2]
    if not is_channel_id(text):
        raise ValueError
    return text


def _write_channel_url(text: str) -> str:
    address = _read_address(text)
    found = None if address is None or address.is_short else _name_channel(*[*address.path, "", ""][:2])
    if found is None:
        raise ValueError(CHANNEL_RULE)
    return f"{SITE}/{found}"


def _name_channel(first: str, second: str) -> str | None:
    """Return the path of a channel from the first two segments of an address, which are "" if missing.

    Return None for other pages.
    """
    if first.startswith("@"):
        return first.casefold() if _HANDLE.fullmatch(first) else None
    if first == "channel":
        return f"channel/{second}" if is_channel_id(second) else None
    if first in ("c", "user"):
        return f"{first}/{second}" if _NAME.fullmatch(second) else None
    is_name = first.casefold() not in _NO_CHANNEL and _NAME.fullmatch(first) and "." not in first
    return first if is_name else None


class VideoId(
    ParsedText,
    spell=_write_video_id,
    called="a video ID: 11 letters, digits, - and _",
    example="HarbourVid1",
    max_length=2048,
):
    """The id of a video, which may be given as an address."""


class VideoUrl(ParsedText, spell=_write_video_url, max_length=2048):
    """The address of a video, normalized to its watch page."""

    @property
    def video_id(self) -> str:
        return self.rpartition("=")[2]


class ChannelId(
    ParsedText,
    spell=_write_channel_id,
    called="a channel ID: UC and 22 letters, digits, - and _",
    example="UC4QobU6STFB0P71PMvOGN5A",
    max_length=2048,
):
    """The id of a channel, which may be given as an address."""


class Handle(
    ParsedText, spell=_write_handle, called="a channel handle, with or without @", example="@youtube", max_length=2048
):
    """The handle of a channel, lower case, with @."""


class ChannelUrl(ParsedText, spell=_write_channel_url, max_length=2048):
    """The address of a channel, with its id, handle, name or user."""

    @property
    def channel_id(self) -> str | None:
        last = self.rpartition("/")[2]
        return last if is_channel_id(last) and "/channel/" in self else None

    @property
    def handle(self) -> str | None:
        return handle_in(self)
