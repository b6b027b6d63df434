"""A channel from YouTube's Data API: its details, its newest uploads and their counts."""

from typing import Any, Final

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams
from webquarry.extractors.videoplatform.model.channel_result import Channel, ChannelVideo, make_channel
from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id, is_video_id, watch_url
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.data_api import DATA_API, Numbers, list_items
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE
from webquarry.net import Net
from webquarry.read import json_of, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

ROWS: Final = 30
UPLOADS: Final = "YouTube's Data API lists all uploads: videos, shorts and streams together."
_PARTS: Final = "snippet,statistics,brandingSettings"


class Uploads(Result):
    """A page of uploads. token: the token of the next page."""

    videos: list[ChannelVideo]
    token: str | None


def why_not(params: ChannelParams) -> str | None:
    if params.tab != "videos":
        return "YouTube's Data API does not distinguish shorts and streams from other videos."
    if not params.is_of(DATA_API.name):
        return "This cursor belongs to another provider."
    if params.place is None and not _named(params):
        return "YouTube's Data API finds channels only by ID, handle and user."
    return None


def _named(params: ChannelParams) -> dict[str, str]:
    """Return the API's parameter for the channel's name, or {} if the API does not support this kind of name."""
    if params.channel_id is not None:
        return {"id": params.channel_id}
    if params.known_handle is not None:
        return {"forHandle": params.known_handle}
    head, _, user = params.address.partition("/user/")
    return {"forUsername": user} if user and head else {}


async def ask(params: ChannelParams, net: Net) -> tuple[Channel, Wire]:
    if params.place is not None:
        _, _, channel_id, name = params.place
        channel = make_channel(channel_id, params.tab, "youtube_data_api", name=name or None)
        wire = None
    else:
        wire = await data_api.ask(net, "channels", part=_PARTS, **_named(params))
        channel = await net.read(read, wire, params)
    listed = await data_api.ask(
        net,
        "playlistItems",
        part="snippet,contentDetails",
        playlistId=f"UU{channel.id[2:]}",
        maxResults=str(ROWS),
        pageToken=params.token_of(DATA_API.name) or "",
    )
    uploads = await net.read(read_uploads, listed)
    videos, warnings = uploads.videos, [UPLOADS]
    if videos:
        try:
            ids = ",".join(video.id for video in videos)
            items = await data_api.ask(
                net, "videos", part="contentDetails,statistics,liveStreamingDetails,snippet", id=ids
            )
            numbers = await net.read(data_api.read_numbers, items)
        except ProviderError as error:
            warnings.append(f"Lengths and views are missing. {error.message}")
        else:
            videos = [_with(video, numbers) for video in videos]
    cursor = params.next_cursor(DATA_API.name, uploads.token, channel.id, channel.name)
    update = {"videos": videos, "count": len(videos), "next_cursor": cursor, "warnings": warnings}
    return channel.model_copy(update=update), wire or listed


def read(wire: Wire, params: ChannelParams) -> Channel:
    """Parse the channel without its videos. Raises Absent if the channel is not listed."""
    rows = _list_channels(wire)
    if not rows:
        raise Absent(f"{TITLE} lists no such channel.")
    row = rows[0]
    channel_id = take(row, "id", to_line)
    if channel_id is None or not is_channel_id(channel_id):
        raise ProviderError("YouTube's Data API returned a channel without its ID.", reason="changed")
    snippet, numbers = reach(row, "snippet"), reach(row, "statistics")
    is_hidden = take(numbers, "hiddenSubscriberCount", to_flag)
    return make_channel(
        channel_id,
        params.tab,
        "youtube_data_api",
        handle=handle_in(take(snippet, "customUrl", to_line)),
        name=take(snippet, "title", to_line),
        description=take(snippet, "description", to_text),
        subscriber_count=None if is_hidden else take(numbers, "subscriberCount", to_count),
        video_count=take(numbers, "videoCount", to_count),
        view_count=take(numbers, "viewCount", to_count),
        joined_at=take(snippet, "publishedAt", to_instant),
        country=take(snippet, "country", to_line),
        avatar_url=data_api.read_thumbnail(snippet),
        banner_url=take(row, "brandingSettings.image.bannerExternalUrl", to_address),
    )


def _list_channels(wire: Wire) -> list[dict[str, Any]]:
    """Return the provider's channels, like `list_items`.

    For a channel that does not exist, the API omits the list.
    """
    answer = json_of(wire)
    if isinstance(answer, dict) and answer.get("kind") == "youtube#channelListResponse" and "items" not in answer:
        return []
    return list_items(wire)


def read_uploads(wire: Wire) -> Uploads:
    items = list_items(wire)
    videos = read_rows(items, _read_upload, "items[]")
    if items and not videos:
        raise ProviderError("YouTube's Data API sent uploads without readable entries.", reason="changed")
    return Uploads(videos=videos, token=take(json_of(wire), "nextPageToken", to_line))


def _read_upload(item: dict[str, Any]) -> ChannelVideo | None:
    snippet = reach(item, "snippet")
    video_id, title = take(snippet, "resourceId.videoId", to_line), take(snippet, "title", to_line)
    if video_id is None or not is_video_id(video_id) or title is None:
        return None
    published = take(item, "contentDetails.videoPublishedAt", to_instant)
    return ChannelVideo(
        id=video_id,
        url=watch_url(video_id),
        title=title,
        duration_seconds=None,
        view_count=None,
        view_count_text=None,
        concurrent_viewers=None,
        published_at=published or take(snippet, "publishedAt", to_instant),
        published_text=None,
        live=False,
        upcoming=False,
        is_short=None,
        thumbnail_url=data_api.read_thumbnail(snippet),
    )


def _with(video: ChannelVideo, numbers: Numbers) -> ChannelVideo:
    facts = next((one for one in numbers.videos if one.id == video.id), None)
    if facts is None:
        return video
    names = ("duration_seconds", "view_count", "like_count", "concurrent_viewers")
    update = {name: getattr(facts, name) for name in names}
    return video.model_copy(update={**update, "live": bool(facts.is_live), "upcoming": bool(facts.is_upcoming)})
