"""Results about videos and channels that several endpoints share."""

from datetime import date, datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.videoplatform.sources.innertube.playability import PlayerStatus

SourceName = Literal["innertube", "youtube_data_api", "watch_page", "oembed", "feed"]


class ChannelBrief(Result):
    id: str | None = field("Channel ID, `UC…`.", default=None)
    handle: str | None = field("Handle, with @.", default=None)
    name: str | None = field("Name of the channel.", default=None)
    url: str | None = field("URL of the channel.", default=None)
    subscriber_count: int | None = field(
        "Number of subscribers, which the platform rounds to three digits.",
        wire="owner.subscriberCountText",
        default=None,
    )
    subscriber_count_text: str | None = field("Original text from the provider.", default=None)
    verified: bool | None = field("Whether the channel is verified.", default=None)
    avatar_url: str | None = field("URL of its image.", default=None)


class Chapter(Result):
    title: str = field("Title of the chapter.")
    start_seconds: int = field("Start time.", unit="s")


class CaptionLanguage(Result):
    code: str = field("BCP 47 tag, as written by the platform.")
    name: str = field("Name, in English.")
    auto: bool = field("Whether the captions are auto-generated.")


class VideoFacts(Result):
    """The data about a video in one response. Every value may be missing."""

    id: str | None = None
    title: str | None = None
    description: str | None = None
    channel: ChannelBrief = ChannelBrief()
    duration_seconds: int | None = None
    view_count: int | None = None
    view_count_text: str | None = None
    like_count: int | None = None
    like_count_text: str | None = None
    comment_count: int | None = None
    comment_count_text: str | None = None
    concurrent_viewers: int | None = None
    published_at: datetime | date | None = None
    published_text: str | None = None
    category: str | None = None
    tags: list[str] | None = None
    is_live: bool | None = None
    is_upcoming: bool | None = None
    is_live_content: bool | None = None
    is_short: bool | None = None
    is_unlisted: bool | None = None
    is_family_safe: bool | None = None
    age_restricted: bool | None = None
    live_started_at: datetime | None = None
    live_ended_at: datetime | None = None
    thumbnail_url: str | None = None
    chapters: list[Chapter] | None = None
    caption_languages: list[CaptionLanguage] | None = None
    available_countries_count: int | None = None
    player_status: PlayerStatus | None = None
    player_reason: str | None = None


class Video(Result):
    id: str = field("Video ID.", wire="videoDetails.videoId")
    url: str = field("URL of its page.")
    title: str = field("Title of the video.", wire="videoDetails.title")
    description: str | None = field("Description of the video.", wire="videoDetails.shortDescription")
    channel: ChannelBrief = field("Channel that published the video.", wire="videoSecondaryInfoRenderer.owner")
    duration_seconds: int | None = field("Length of the video.", unit="s", wire="videoDetails.lengthSeconds")
    view_count: int | None = field(
        "Number of views; exact unless only text is available.", wire="videoDetails.viewCount"
    )
    view_count_text: str | None = field("Views as shown by the provider.", wire="videoViewCountRenderer.viewCount")
    like_count: int | None = field("Number of likes; null if hidden.", wire="microformat.likeCount")
    like_count_text: str | None = field("Likes as shown by the provider.", wire="likeButtonViewModel.title")
    comment_count: int | None = field(
        "Number of comments, as precise as the displayed text.", wire="engagementPanels.comments"
    )
    comment_count_text: str | None = field("Comments as shown by the provider.")
    concurrent_viewers: int | None = field("Number of current viewers of a live stream.")
    published_at: datetime | date | None = field(
        "Publication time in UTC, or the day if the time is unknown.",
        wire="microformat.publishDate",
    )
    published_text: str | None = field("Original text from the provider.", wire="videoPrimaryInfoRenderer.dateText")
    category: str | None = field("Category, in English.", wire="microformat.category")
    tags: list[str] = field("Tags set by the publisher.", wire="videoDetails.keywords")
    is_live: bool | None = field("Whether the video is currently live.", wire="liveBroadcastDetails.isLiveNow")
    is_upcoming: bool | None = field("Whether the video has not started yet.")
    is_live_content: bool | None = field(
        "Whether the video is or was a live stream.", wire="videoDetails.isLiveContent"
    )
    is_short: bool | None = field("Whether the video is a short.", wire="microformat.isShortsEligible")
    is_unlisted: bool | None = field("Whether the video is unlisted.", wire="microformat.isUnlisted")
    is_family_safe: bool | None = field("Whether the video is suitable for all ages.", wire="microformat.isFamilySafe")
    age_restricted: bool | None = field("Whether the video is age-restricted.")
    live_started_at: datetime | None = field("Actual or scheduled start time of the stream, UTC.")
    live_ended_at: datetime | None = field("End time of the stream, UTC.")
    thumbnail_url: str | None = field("URL of the largest thumbnail.", wire="videoDetails.thumbnail")
    chapters: list[Chapter] = field("Chapters in order, taken from the description if there are no others.")
    caption_languages: list[CaptionLanguage] | None = field(
        "Available captions; can be empty; null if unknown.", wire="captions.captionTracks"
    )
    available_countries_count: int | None = field("Countries where the video is available.")
    player_status: PlayerStatus = field(
        "Player status: `ok`, `offline` (a stream that is not running), `blocked` (the player rejected this "
        "service), `age_restricted`, `region_restricted`, `paid`, `refused`, or `unknown` if the player was not "
        "queried."
    )
    player_reason: str | None = field("Message from the player if the video can't be played.")
    source: SourceName = field("Name of the provider.")
    warnings: list[str] = field("Warnings about this response.")
