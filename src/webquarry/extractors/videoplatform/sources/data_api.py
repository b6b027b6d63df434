"""YouTube's Data API (v3), with the operator's key. Untested: no response is recorded.

See docs/upstreams/video-platform.md.
"""

from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent
from webquarry.core.types import Provider, Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.videoplatform.model.ids import is_channel_id, is_video_id, make_channel_url
from webquarry.extractors.videoplatform.model.params import VideoParams
from webquarry.extractors.videoplatform.model.result import ChannelBrief, Video, VideoFacts
from webquarry.extractors.videoplatform.sources.facts import video_of
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE
from webquarry.extractors.videoplatform.sources.innertube.texts import find_duration
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key, read_message, refusal
from webquarry.read import each, json_of, must, take
from webquarry.read.fields import to_address, to_count, to_instant, to_line, to_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

DATA_API: Final = Provider(name="youtube_data_api", title="YouTube's Data API", needs=("youtube_data_key",))
_URL: Final = "https://www.googleapis.com/youtube/v3"
_SIZES: Final = ("maxres", "standard", "high", "medium", "default")
_PARTS: Final = "snippet,contentDetails,statistics,status,liveStreamingDetails"
CATEGORIES: Final = {
    "1": "Film & Animation",
    "2": "Autos & Vehicles",
    "10": "Music",
    "15": "Pets & Animals",
    "17": "Sports",
    "19": "Travel & Events",
    "20": "Gaming",
    "22": "People & Blogs",
    "23": "Comedy",
    "24": "Entertainment",
    "25": "News & Politics",
    "26": "Howto & Style",
    "27": "Education",
    "28": "Science & Technology",
    "29": "Nonprofits & Activism",
}
"""Categories that a publisher can choose. Their numbers are the same in all countries."""
TELLS_NOT: Final = "YouTube's Data API does not report available captions, verification or shorts."


async def ask(net: Net, method: str, **parameters: str) -> Wire:
    """Call a method of the API. Blank parameters are omitted.

    Raises the errors of `answer_by_key`, which distinguishes a used-up quota from a rejected key.
    """
    given = {name: value for name, value in parameters.items() if value}
    wire = await net.get(
        f"{_URL}/{method}?{urlencode(given)}",
        accept="application/json",
        secrets={"key": net.setting("youtube_data_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, DATA_API, net)


class Numbers(Result):
    """The data about several videos, each with its id."""

    videos: list[VideoFacts]


def list_items(wire: Wire) -> list[dict[str, Any]]:
    """Return the provider's rows of a response.

    Raises ProviderError "refused" for an error response, and "changed" for a response without a list.
    """
    answer = must(json_of(wire), "", dict)
    error = read_message(answer)
    if error is not None:
        raise refusal(DATA_API, error, wire)
    must(answer, "items", list)
    return each(answer, "items[]")


async def fetch_video(params: VideoParams, net: Net) -> Wire:
    return await ask(net, "videos", part=_PARTS, id=params.video_id)


def read_video(wire: Wire, params: VideoParams) -> Video:
    """Parse a video. Raises Absent if it is not listed. The API does not list private videos."""
    rows = list_items(wire)
    if not rows:
        raise Absent(f"{TITLE} has no video with this ID. It may not exist or be private.")
    return video_of([read_facts(rows[0])], params.video_id, "youtube_data_api", [TELLS_NOT])


def read_numbers(wire: Wire) -> Numbers:
    return Numbers(videos=read_rows(list_items(wire), _read_numbered, "items[]"))


def _read_numbered(row: dict[str, Any]) -> VideoFacts | None:
    facts = read_facts(row)
    return facts if facts.id is not None else None


def read_facts(row: dict[str, Any]) -> VideoFacts:
    """Parse a row of `videos`."""
    snippet, numbers = reach(row, "snippet"), reach(row, "statistics")
    live = reach(row, "liveStreamingDetails")
    state = take(snippet, "liveBroadcastContent", to_line)
    privacy = take(row, "status.privacyStatus", to_line)
    rating = take(row, "contentDetails.contentRating.ytRating", to_line)
    details = reach(row, "contentDetails")
    seconds = find_duration(take(details, "duration", to_line))
    began = take(live, "actualStartTime", to_instant) or take(live, "scheduledStartTime", to_instant)
    video_id = take(row, "id", to_line)
    return VideoFacts(
        id=video_id if is_video_id(video_id) else None,
        title=take(snippet, "title", to_line),
        description=take(snippet, "description", to_text),
        channel=read_channel(snippet),
        duration_seconds=seconds or None,
        view_count=take(numbers, "viewCount", to_count),
        like_count=take(numbers, "likeCount", to_count),
        comment_count=take(numbers, "commentCount", to_count),
        concurrent_viewers=take(live, "concurrentViewers", to_count),
        published_at=take(snippet, "publishedAt", to_instant),
        category=CATEGORIES.get(take(snippet, "categoryId", to_line) or ""),
        tags=_read_tags(snippet),
        is_live=None if state is None else state == "live",
        is_upcoming=None if state is None else state == "upcoming",
        is_live_content=live is not None,
        is_unlisted=None if privacy is None else privacy == "unlisted",
        age_restricted=None if details is None else rating == "ytAgeRestricted",
        live_started_at=began,
        live_ended_at=take(live, "actualEndTime", to_instant),
        thumbnail_url=read_thumbnail(snippet),
    )


def read_channel(snippet: Any) -> ChannelBrief:
    found = take(snippet, "channelId", to_line)
    channel_id = found if is_channel_id(found) else None
    return ChannelBrief(
        id=channel_id,
        name=take(snippet, "channelTitle", to_line),
        url=make_channel_url(channel_id) if channel_id else None,
    )


def read_thumbnail(snippet: Any) -> str | None:
    """Return the address of the largest picture."""
    found = (take(snippet, f"thumbnails.{size}.url", to_address) for size in _SIZES)
    return next((address for address in found if address is not None), None)


def _read_tags(snippet: Any) -> list[str] | None:
    rows = reach(snippet, "tags")
    return read_rows(rows[:500], to_line, "tags[]") if isinstance(rows, list) else None
