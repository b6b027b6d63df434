"""A row of a list: a video, a channel or a playlist, and what all layouts tell of it in the same way."""

from datetime import date, datetime
from typing import Any, Final, Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.videoplatform.ids import channel_url, handle_in, is_channel_id
from webquarry.extractors.videoplatform.result import ChannelBrief
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.published import published

RowType = Literal["video", "channel", "playlist"]
_BEFORE: Final = frozenset({"Streamed", "Premiered", "Updated"})


class Row(Result):
    type: RowType = field("What it is: `video`, `channel` or `playlist`.")
    id: str = field("Id of it.")
    url: str = field("Address of it.")
    title: str = field("Title, or name of the channel.")
    channel: ChannelBrief = field("Who published it; of a channel, itself.")
    description_snippet: str | None = field("A piece of its description.")
    duration_seconds: int | None = field("Length; null for lists, and where a stream runs.", unit="s")
    view_count: int | None = field("Views, as exactly as the text says.")
    view_count_text: str | None = field("Views, viewers, or people who wait, in the source's words.")
    concurrent_viewers: int | None = field("People who watch a live stream now.")
    waiting_count: int | None = field("People who wait for a premiere or a stream to begin.")
    video_count: int | None = field("Videos of a list or channel.")
    subscriber_count: int | None = field("Subscribers of a channel, as exactly as the text says.")
    published_at: datetime | date | None = field(
        "When it was published: an instant or a day, where the words are clear enough."
    )
    published_text: str | None = field("The same in the source's words.")
    live: bool = field("Whether it is live now.")
    upcoming: bool = field("Whether it is still to begin.")
    members_only: bool = field("Whether it is for members of the channel, or for them first.")
    is_short: bool = field("Whether it is a short.")
    thumbnail_url: str | None = field("Address of its largest picture.")
    other_texts: list[str] = field("Lines of the row whose meaning its words do not tell, as the source shows them.")


def blank_row() -> dict[str, Any]:
    """What most kinds of rows do not tell."""
    return {
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


def moment(shown: str | None, now: datetime) -> datetime | date | None:
    """When something was published that "Streamed 3 hours ago"."""
    words = (shown or "").partition(" ")
    return published(words[2] if words[0] in _BEFORE else shown, now)


def read_brief(name: str | None, endpoint: Any) -> ChannelBrief:
    """A channel by its name and by what a link to it holds."""
    found = take(endpoint, "browseId", to_line)
    channel_id = found if is_channel_id(found) else None
    return ChannelBrief(
        id=channel_id,
        name=name,
        handle=handle_in(take(endpoint, "canonicalBaseUrl", to_line)),
        url=channel_url(channel_id) if channel_id else None,
    )
