"""The feed of a channel's newest videos, used if the other requests fail. See docs/upstreams/video-platform.md."""

from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams
from webquarry.extractors.videoplatform.model.channel_result import Channel, ChannelVideo, make_channel
from webquarry.extractors.videoplatform.model.ids import SITE, is_channel_id, is_video_id, watch_url
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE
from webquarry.net import Net
from webquarry.providers.browser import plain_headers
from webquarry.read import take
from webquarry.read.block_pages import unreadable
from webquarry.read.fields import to_address, to_count, to_instant, to_line
from webquarry.read.losses import read_rows
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import xml

FEED: Final = Provider(name="feed", title=TITLE, browser_headers=plain_headers(language="en-US,en;q=0.9"))
NEWEST_ONLY: Final = (
    "The channel's page was not available, so its feed of the newest videos, streams and shorts is returned."
)
_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_YT: Final = "{http://www.youtube.com/xml/schemas/2015}"
_MEDIA: Final = "{http://search.yahoo.com/mrss/}"


def why_not(params: ChannelParams) -> str | None:
    if params.channel_id is None:
        return "The feed can only be found by channel ID."
    if params.cursor is not None or params.tab != "videos":
        return "The feed has only the newest videos of all types."
    return None


async def fetch(params: ChannelParams, net: Net) -> Wire:
    return await fetch_feed(params.channel_id or "", net)


async def fetch_feed(channel_id: str, net: Net) -> Wire:
    return await net.get(f"{SITE}/feeds/videos.xml?channel_id={channel_id}", accept="application/atom+xml")


def read(wire: Wire, params: ChannelParams) -> Channel:
    try:
        root = xml.parse(wire.body)
    except ConversionFailed as exc:
        raise unreadable(wire, TITLE, f"{TITLE} sent something other than its feed.") from exc
    if root.tag != f"{_ATOM}feed":
        raise unreadable(wire, TITLE, f"{TITLE} sent something other than its feed.")
    channel_id = _read_channel_id(root) or params.channel_id
    name = to_line(root.findtext(f"{_ATOM}title"))
    if channel_id is None or name is None:
        raise ProviderError(f"{TITLE} sent a feed that does not identify its channel.", reason="changed")
    entries = root.findall(f"{_ATOM}entry")
    videos = read_rows(entries, _read_video, "entry[]")
    if not videos:
        raise ProviderError(f"{TITLE} sent a feed without readable videos.", reason="changed")
    lost = [f"{len(entries) - len(videos)} videos could not be parsed."] if len(videos) < len(entries) else []
    return make_channel(
        channel_id,
        params.tab,
        "feed",
        name=name,
        joined_at=to_instant(root.findtext(f"{_ATOM}published")),
        count=len(videos),
        videos=videos,
        warnings=[NEWEST_ONLY, *lost],
    )


def _read_channel_id(root: Any) -> str | None:
    """Return the channel's id. The feed omits the id's first two letters, which are added."""
    shown = to_line(root.findtext(f"{_YT}channelId"))
    for one in (shown, f"UC{shown}"):
        if shown is not None and is_channel_id(one):
            return one
    return None


def _read_video(entry: Any) -> ChannelVideo | None:
    video_id = to_line(entry.findtext(f"{_YT}videoId"))
    title = to_line(entry.findtext(f"{_ATOM}title"))
    if video_id is None or not is_video_id(video_id) or title is None:
        return None
    link, group = entry.find(f"{_ATOM}link"), entry.find(f"{_MEDIA}group")
    address = to_address(link.get("href")) if link is not None else None
    community = group.find(f"{_MEDIA}community") if group is not None else None
    return ChannelVideo(
        id=video_id,
        url=address or watch_url(video_id),
        title=title,
        duration_seconds=None,
        view_count=_read_number(community, "statistics", "views"),
        view_count_text=None,
        concurrent_viewers=None,
        like_count=_read_number(community, "starRating", "count"),
        published_at=to_instant(entry.findtext(f"{_ATOM}published")),
        published_text=None,
        live=False,
        upcoming=False,
        is_short=None if address is None else "/shorts/" in address,
        thumbnail_url=_read_attribute(group, "thumbnail", "url"),
    )


def _read_attribute(parent: Any, name: str, attribute: str) -> str | None:
    found = parent.find(f"{_MEDIA}{name}") if parent is not None else None
    return None if found is None else take({"value": found.get(attribute)}, "value", to_address)


def _read_number(parent: Any, name: str, attribute: str) -> int | None:
    found = parent.find(f"{_MEDIA}{name}") if parent is not None else None
    return None if found is None else take({"value": found.get(attribute)}, "value", to_count)
