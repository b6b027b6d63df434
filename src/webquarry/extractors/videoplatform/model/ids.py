"""Names of videos and channels as people write them (ids, handles, addresses), each normalized."""

import re
from typing import Final
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


def is_video_id(text: str | None) -> bool:
    return text is not None and _VIDEO_ID.fullmatch(text) is not None


def is_channel_id(text: str | None) -> bool:
    return text is not None and _CHANNEL_ID.fullmatch(text) is not None


def _read_segments(text: str) -> tuple[str, list[str], dict[str, list[str]]] | None:
    """Return the host without a subdomain, the path's segments and the query. Returns None for other sites."""
    text = text.strip()
    try:
        parts = urlsplit(text if _SCHEME.match(text) else f"https://{text.removeprefix('//')}")
        host = (parts.hostname or "").rstrip(".")
        query = parse_qs(parts.query, max_num_fields=100)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https"):
        return None
    site = ".".join(host.split(".")[-2:])
    if host == _SHORT_HOST or host == f"www.{_SHORT_HOST}":
        site = _SHORT_HOST
    elif site not in _HOSTS or host.count(".") > 2:
        return None
    return site, [unquote(part) for part in parts.path.split("/") if part], query


def _find_video(text: str) -> str | None:
    """Return the video id in the address of a video."""
    found = _read_segments(text)
    if found is None:
        return None
    site, path, query = found
    candidates: list[str] = []
    if site == _SHORT_HOST:
        candidates = path[:1]
    elif path[:1] == ["attribution_link"]:
        inner = query.get("u", [""])[0]
        return _find_video(SITE + inner) if inner.startswith("/watch?") else None
    elif path == ["watch"] or not path:
        candidates = query.get("v", [])
    elif len(path) >= 2 and path[0] in _BEFORE_VIDEO:
        candidates = path[1:2]
    return next((one for one in candidates if is_video_id(one)), None)


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
    found = _read_segments(text)
    if found is None or found[0] == _SHORT_HOST or not found[1]:
        raise ValueError(CHANNEL_RULE)
    path = found[1]
    if path[0].startswith("@"):
        if _HANDLE.fullmatch(path[0]):
            return f"{SITE}/{path[0].casefold()}"
    elif path[0] == "channel":
        if len(path) > 1 and is_channel_id(path[1]):
            return make_channel_url(path[1])
    elif path[0] in ("c", "user"):
        if len(path) > 1 and _NAME.fullmatch(path[1]):
            return f"{SITE}/{path[0]}/{path[1]}"
    elif path[0].casefold() not in _NO_CHANNEL and _NAME.fullmatch(path[0]) and "." not in path[0]:
        return f"{SITE}/{path[0]}"
    raise ValueError(CHANNEL_RULE)


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
