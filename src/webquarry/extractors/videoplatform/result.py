"""What the platform's endpoints tell of videos and channels alike."""

from datetime import date, datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.videoplatform.playability import PlayerStatus

SourceName = Literal["innertube", "youtube_data_api", "watch_page", "oembed", "feed"]


class ChannelBrief(Result):
    id: str | None = field("Id of the channel, `UC…`.", default=None)
    handle: str | None = field("Handle, with @.", default=None)
    name: str | None = field("Name.", default=None)
    url: str | None = field("Address of the channel.", default=None)
    subscriber_count: int | None = field(
        "Subscribers, which the platform tells to three digits only.", wire="owner.subscriberCountText", default=None
    )
    subscriber_count_text: str | None = field("The same in the source's words.", default=None)
    verified: bool | None = field("Whether the platform has verified it.", default=None)
    avatar_url: str | None = field("Address of its picture.", default=None)


class Chapter(Result):
    title: str = field("Title.")
    start_seconds: int = field("Where it begins.", unit="s")


class CaptionLanguage(Result):
    code: str = field("BCP 47 tag, as the platform writes it.")
    name: str = field("Name, in English.")
    auto: bool = field("Whether a machine has written them.")


class VideoFacts(Result):
    """What one wire tells of a video; all of it may be missing."""

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
    id: str = field("Id of the video.", wire="videoDetails.videoId")
    url: str = field("Address of its page.")
    title: str = field("Title.", wire="videoDetails.title")
    description: str | None = field("Description.", wire="videoDetails.shortDescription")
    channel: ChannelBrief = field("Who published it.", wire="videoSecondaryInfoRenderer.owner")
    duration_seconds: int | None = field("Length.", unit="s", wire="videoDetails.lengthSeconds")
    view_count: int | None = field("Views; exact unless only the text tells.", wire="videoDetails.viewCount")
    view_count_text: str | None = field("Views in the source's words.", wire="videoViewCountRenderer.viewCount")
    like_count: int | None = field("Likes; null where they are hidden.", wire="microformat.likeCount")
    like_count_text: str | None = field("Likes in the source's words.", wire="likeButtonViewModel.title")
    comment_count: int | None = field("Comments, as exactly as the text says.", wire="engagementPanels.comments")
    comment_count_text: str | None = field("Comments in the source's words.")
    concurrent_viewers: int | None = field("Who watches a live stream now.")
    published_at: datetime | date | None = field(
        "When it was published: an instant in UTC, or a day where no more is told.",
        wire="microformat.publishDate",
    )
    published_text: str | None = field("The same in the source's words.", wire="videoPrimaryInfoRenderer.dateText")
    category: str | None = field("Category, in English.", wire="microformat.category")
    tags: list[str] = field("Tags that its publisher gave.", wire="videoDetails.keywords")
    is_live: bool | None = field("Whether it is live now.", wire="liveBroadcastDetails.isLiveNow")
    is_upcoming: bool | None = field("Whether it is still to begin.")
    is_live_content: bool | None = field("Whether it is or was a live stream.", wire="videoDetails.isLiveContent")
    is_short: bool | None = field("Whether it counts as a short.", wire="microformat.isShortsEligible")
    is_unlisted: bool | None = field("Whether only who has the address finds it.", wire="microformat.isUnlisted")
    is_family_safe: bool | None = field("Whether the platform shows it to all ages.", wire="microformat.isFamilySafe")
    age_restricted: bool | None = field("Whether the player asks for the viewer's age.")
    live_started_at: datetime | None = field("When the stream began or will begin, UTC.")
    live_ended_at: datetime | None = field("When the stream ended, UTC.")
    thumbnail_url: str | None = field("Address of its largest picture.", wire="videoDetails.thumbnail")
    chapters: list[Chapter] = field("Chapters, in their order; those of the description where no others are told.")
    caption_languages: list[CaptionLanguage] | None = field(
        "Captions that there are, [] for none; null where the player did not say.", wire="captions.captionTracks"
    )
    available_countries_count: int | None = field("Countries in which it can be watched.")
    player_status: PlayerStatus = field(
        "What the player said: `ok`, `offline` (a stream that does not run), `blocked` (it would not tell this "
        "service), `age_restricted`, `region_restricted`, `paid`, `refused`, or `unknown` where it was not asked."
    )
    player_reason: str | None = field("The player's own words, where it does not play.")
    source: SourceName = field("Who answered.")
    warnings: list[str] = field("What a reader of this answer should know.")
