"""Rows of lists: videos, channels and playlists, and the parts that all layouts share."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id, make_channel_url
from webquarry.extractors.videoplatform.model.result import ChannelBrief
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.published import published

RowType = Literal["video", "channel", "playlist"]
_BEFORE: Final = frozenset({"Streamed", "Premiered", "Updated"})


class Row(Result):
    type: RowType = field("Type: `video`, `channel` or `playlist`.")
    id: str = field("ID of the video, channel or playlist.")
    url: str = field("URL of the video, channel or playlist.")
    title: str = field("Title, or name of the channel.")
    channel: ChannelBrief = field("Publisher; for a channel, the channel itself.")
    description_snippet: str | None = field("Excerpt of the description.")
    duration_seconds: int | None = field("Length; null for playlists and running streams.", unit="s")
    view_count: int | None = field("Number of views, as precise as the displayed text.")
    view_count_text: str | None = field("Text with the views, viewers or waiting viewers, as shown by the provider.")
    concurrent_viewers: int | None = field("Number of current viewers of a live stream.")
    waiting_count: int | None = field("Number of viewers waiting for a premiere or stream.")
    video_count: int | None = field("Number of videos in a playlist or channel.")
    subscriber_count: int | None = field("Number of subscribers of a channel, as precise as the displayed text.")
    published_at: datetime | date | None = field("Publication time or day; null if unclear.")
    published_text: str | None = field("Original text from the provider.")
    live: bool = field("Whether the video is currently live.")
    upcoming: bool = field("Whether the video has not started yet.")
    members_only: bool = field("Whether the video is for channel members only, or for members first.")
    is_short: bool = field("Whether the video is a short.")
    thumbnail_url: str | None = field("URL of the largest thumbnail.")
    other_texts: list[str] = field("Other lines of the entry, as shown by the provider.")


_UNKNOWN: Final[Mapping[str, Any]] = {
    "description_snippet": None,
    "duration_seconds": None,
    "view_count": None,
    "view_count_text": None,
    "concurrent_viewers": None,
    "waiting_count": None,
    "video_count": None,
    "subscriber_count": None,
    "published_at": None,
    "published_text": None,
    "live": False,
    "upcoming": False,
    "members_only": False,
    "is_short": False,
    "thumbnail_url": None,
    "other_texts": [],
}
"""The values of fields that most kinds of rows lack."""


def make_row(**known: Any) -> Row:
    """Return a row with only these fields; the others are null."""
    return Row.model_validate({**_UNKNOWN, **known})


def read_moment(shown: str | None, now: datetime) -> datetime | date | None:
    """Return the publication time from text such as "Streamed 3 hours ago"."""
    words = (shown or "").partition(" ")
    return published(words[2] if words[0] in _BEFORE else shown, now)


def read_brief(name: str | None, endpoint: Any) -> ChannelBrief:
    """Return a channel from its name and the endpoint of a link to it."""
    found = take(endpoint, "browseId", to_line)
    channel_id = found if is_channel_id(found) else None
    return ChannelBrief(
        id=channel_id,
        name=name,
        handle=handle_in(take(endpoint, "canonicalBaseUrl", to_line)),
        url=make_channel_url(channel_id) if channel_id else None,
    )
