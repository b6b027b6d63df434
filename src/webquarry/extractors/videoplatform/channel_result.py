"""What is told of a channel."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.videoplatform.channel_params import Tab
from webquarry.extractors.videoplatform.ids import channel_url
from webquarry.extractors.videoplatform.result import SourceName
from webquarry.extractors.videoplatform.row import Row
from webquarry.extractors.videoplatform.topics import ChannelKind


class ChannelLink(Result):
    title: str | None = field("What it is called.")
    url: str = field("Where it leads.")


class ChannelVideo(Result):
    id: str = field("Id of the video.", wire="lockupViewModel.contentId")
    url: str = field("Address of the video.")
    title: str = field("Title.")
    duration_seconds: int | None = field("Length; null where a stream runs.", unit="s")
    view_count: int | None = field("Views, as exactly as the text says.")
    view_count_text: str | None = field("Views, viewers, or people who wait, in the source's words.")
    concurrent_viewers: int | None = field("People who watch a live stream now.")
    waiting_count: int | None = field("People who wait for a premiere or a stream to begin.", default=None)
    like_count: int | None = field("Likes, which the feed alone tells.", default=None)
    published_at: datetime | date | None = field(
        "When it was published: an instant or a day, where the words are clear enough."
    )
    published_text: str | None = field("The same in the source's words.")
    live: bool = field("Whether it is live now.")
    upcoming: bool = field("Whether it is still to begin.")
    members_only: bool = field("Whether it is for members of the channel, or for them first.", default=False)
    is_short: bool | None = field("Whether it is a short.")
    thumbnail_url: str | None = field("Address of its largest picture.")
    other_texts: list[str] = field(
        "Lines of the row whose meaning its words do not tell, as the source shows them.", default=[]
    )


class About(Result):
    """What the channel's panel about itself tells."""

    joined_at: date | None
    view_count: int | None
    country: str | None
    subscriber_count_text: str | None
    video_count: int | None
    links: list[ChannelLink]


class Channel(Result):
    id: str = field("Id of the channel.", wire="channelMetadataRenderer.externalId")
    handle: str | None = field("Handle, with @.", wire="channelMetadataRenderer.vanityChannelUrl")
    name: str | None = field("Name.", wire="channelMetadataRenderer.title")
    url: str = field("Address of the channel.")
    description: str | None = field("Description, whole.", wire="channelMetadataRenderer.description")
    subscriber_count: int | None = field("Subscribers, which the platform tells to three digits only.")
    subscriber_count_text: str | None = field("The same in the source's words.", wire="pageHeaderViewModel.metadata")
    video_count: int | None = field("Videos.", wire="pageHeaderViewModel.metadata")
    view_count: int | None = field("Views of all its videos.", wire="aboutChannelViewModel.viewCountText")
    joined_at: datetime | date | None = field("When it was opened.", wire="aboutChannelViewModel.joinedDateText")
    country: str | None = field("Where it says that it is, in English.", wire="aboutChannelViewModel.country")
    verified: bool | None = field("Whether the platform has verified it.")
    is_family_safe: bool | None = field("Whether the platform shows it to all ages.")
    avatar_url: str | None = field("Address of its picture.", wire="channelMetadataRenderer.avatar")
    banner_url: str | None = field("Address of the picture above its page.", wire="imageBannerViewModel.image")
    links: list[ChannelLink] = field("Where it leads to.", wire="aboutChannelViewModel.links")
    keywords: list[str] = field("Words that its owner gave.", wire="channelMetadataRenderer.keywords")
    kind: ChannelKind = field(
        "`channel`; `topic` for one that the platform makes itself, about a game, a topic or an event; `age_gate` for "
        "one that it shows only to viewers who have told their age. The latter two have no list.",
        default="channel",
    )
    tab: Tab = field("List asked for.")
    count: int = field("Videos on this page.")
    videos: list[ChannelVideo] = field("Videos in the platform's order, the newest first.")
    next_cursor: str | None = field("Where the list goes on; null at its end.", wire="continuationCommand.token")
    source: SourceName = field("Who answered.")
    warnings: list[str] = field("What a reader of this answer should know.")


def videos_of(rows: Sequence[Row]) -> list[ChannelVideo]:
    """Each video once, in their order."""
    unique = {row.id: row for row in reversed(rows) if row.type == "video"}
    names = [name for name in ChannelVideo.model_fields if name in Row.model_fields]
    listed = [row for row in rows if unique.pop(row.id, None) is not None]
    return [ChannelVideo(**{name: getattr(row, name) for name in names}) for row in listed]


def blank_channel(channel_id: str) -> dict[str, Any]:
    """A channel of which nothing is told."""
    names = [name for name, known in Channel.model_fields.items() if known.is_required()]
    fields: dict[str, Any] = dict.fromkeys(names)
    return {**fields, "id": channel_id, "url": channel_url(channel_id), "links": [], "keywords": [], "warnings": []}
