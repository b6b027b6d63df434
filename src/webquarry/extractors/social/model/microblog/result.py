"""Results of the microblog's endpoints. Null means that the provider does not return the value; zero is a count."""

from datetime import datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field

SourceName = Literal["fxtwitter", "x_api", "syndication", "vxtwitter"]
Verification = Literal["individual", "organization", "government"]
Ranking = Literal["relevance", "recency", "likes"]
_WARNINGS = "Missing or imprecise data in this response, one sentence each."
_DEGRADED = "Whether the provider has less data than the first one. Missing values are null."


class Author(Result):
    id: str | None = field("Account ID.", wire="author.id")
    handle: str = field("Handle without @, in the account's own spelling.", wire="author.screen_name")
    name: str = field("Display name, or the handle if not set.", wire="author.name")
    url: str = field("URL of the profile.")
    avatar_url: str | None = field(
        "URL of the profile picture, 400 pixels wide if available.", wire="author.avatar_url"
    )
    verified: bool | None = field("Whether the account is verified in any way.", wire="author.verification.verified")
    verification_type: Verification | None = field("Verification type.", wire="author.verification.type")
    followers: int | None = field("Number of followers.", wire="author.followers")
    following: int | None = field("Number of accounts followed.", wire="author.following")
    protected: bool | None = field("Whether only approved followers can see the posts.", wire="author.protected")
    description: str | None = field("Bio of the account.", wire="author.description")


class Variant(Result):
    url: str = field("URL of this encoding.", wire="media.all[].formats[].url")
    content_type: str | None = field("Media type.", wire="media.all[].formats[].container")
    bitrate: int | None = field("Bits per second.", unit="bit/s", wire="media.all[].formats[].bitrate")


class Media(Result):
    type: Literal["photo", "video", "gif"] = field("Type of the media.", wire="media.all[].type")
    url: str = field("URL of the image, or of the best encoding of the video.", wire="media.all[].url")
    width: int | None = field("Width of the image or video.", unit="pixels", wire="media.all[].width")
    height: int | None = field("Height of the image or video.", unit="pixels", wire="media.all[].height")
    alt_text: str | None = field("Alternative text by the author.", wire="media.all[].altText")
    thumbnail_url: str | None = field("URL of a still image of the video.", wire="media.all[].thumbnail_url")
    duration_seconds: float | None = field("Length of the video.", unit="s", wire="media.all[].duration")
    variants: list[Variant] = field("All encodings of the video.", wire="media.all[].formats[]")


class ReplyingTo(Result):
    handle: str | None = field("Handle of the account replied to.", wire="replying_to.screen_name")
    id: str | None = field("ID of the post replied to.", wire="replying_to.status")
    url: str | None = field("URL of the post replied to.")


class RepostedBy(Result):
    id: str | None = field("Account ID.", wire="reposted_by.id")
    handle: str = field("Handle of the account, without @.", wire="reposted_by.screen_name")
    name: str = field("Display name.", wire="reposted_by.name")


class Card(Result):
    url: str = field("Target URL of the link.", wire="card.url")
    title: str | None = field("Title of the preview.", wire="card.title")
    description: str | None = field("Text of the preview.", wire="card.description")
    domain: str | None = field("Domain as displayed.", wire="card.domain")
    image_url: str | None = field("URL of the preview image.", wire="card.image.url")


class Choice(Result):
    label: str = field("Text of the choice.", wire="poll.choices[].label")
    count: int | None = field("Number of votes.", wire="poll.choices[].count")
    percentage: float | None = field("Share of all votes.", unit="%", wire="poll.choices[].percentage")


class Poll(Result):
    choices: list[Choice] = field("Choices, in the order of the post.", wire="poll.choices[]")
    total_votes: int | None = field("Total number of votes.", wire="poll.total_votes")
    ends_at: datetime | None = field("End time, UTC.", wire="poll.ends_at")


class Community(Result):
    id: str | None = field("Community ID.", wire="community.id")
    name: str = field("Name of the community.", wire="community.name")


class ArticleImage(Result):
    url: str = field("URL of the image.", wire="article.media_entities[].media_info.original_img_url")
    width: int | None = field("Width of the image.", unit="pixels")
    height: int | None = field("Height of the image.", unit="pixels")


class Article(Result):
    id: str | None = field("Article ID.", wire="article.id")
    title: str | None = field("Title of the article.", wire="article.title")
    preview_text: str | None = field("Beginning of the article, as shown in lists.", wire="article.preview_text")
    markdown: str | None = field("Full article as markdown; null if the provider has only the preview.")
    text: str | None = field("Full article as plain text, with blank lines between paragraphs.")
    images: list[ArticleImage] = field("Images of the article in order, without the cover.")
    cover_image_url: str | None = field("URL of the cover image.", wire="article.cover_media")
    created_at: datetime | None = field("Creation time of the article, UTC.", wire="article.created_at")
    modified_at: datetime | None = field("Time of the last change, UTC.", wire="article.modified_at")


class UnavailablePost(Result):
    id: str | None = field("Post ID.")
    url: str | None = field("URL of the post.")
    unavailable: Literal[True] = field("Always true: the post is unavailable.")
    reason: str | None = field("Reason: deleted, suspended, private, blocked or unavailable.")


class PlainPost(Result):
    """The fields that all posts share."""

    id: str = field("Post ID.", wire="id")
    url: str = field("URL of the post.", wire="url")
    text: str = field("Full text with expanded links; empty if the post has only media.", wire="text")
    lang: str | None = field("Language detected by the platform.", wire="lang")
    created_at: datetime | None = field(
        "Time of the post, UTC. For a repost, the time of the original post.", wire="created_timestamp"
    )
    created_timestamp: int | None = field("Time of the post in seconds since 1970.", unit="s", wire="created_timestamp")
    author: Author | None = field(
        "Author; for a repost, the author of the original post. Null if the provider omits the author.", wire="author"
    )
    likes: int | None = field("Number of likes.", wire="likes")
    reposts: int | None = field("Number of reposts.", wire="reposts")
    replies: int | None = field(
        "Number of replies, including replies that are hidden from logged-out visitors.", wire="replies"
    )
    quotes: int | None = field("Number of quotes.", wire="quotes")
    views: int | None = field("Number of views; null if not counted.", wire="views")
    bookmarks: int | None = field("Number of bookmarks.", wire="bookmarks")
    media: list[Media] = field("Images and videos, in order.", wire="media.all[]")
    replying_to: ReplyingTo | None = field("The post or account replied to.", wire="replying_to")
    reposted_by: RepostedBy | None = field("Account that reposted the post.", wire="reposted_by")
    pinned: bool = field("Whether the post is pinned; only in timelines.")
    is_long_form: bool = field("Whether the post is longer than the standard limit.", wire="is_note_tweet")
    possibly_sensitive: bool | None = field("Whether the media is marked as sensitive.", wire="possibly_sensitive")
    source: str | None = field("App used to write the post.", wire="source")
    links: list[Card] = field("Links with a preview in the post.", wire="card")
    poll: Poll | None = field("Poll in the post.", wire="poll")
    community_note: str | None = field("Community note added by readers.", wire="community_note.text")
    community: Community | None = field("Community of the post.", wire="community")
    article: Article | None = field("Article attached to the post.", wire="article")


class QuotedPost(PlainPost):
    quoted_tweet_url: str | None = field("URL of the post quoted by this quoted post.", wire="quote.quote.url")


class Post(PlainPost):
    quoted_tweet: QuotedPost | UnavailablePost | None = field("Quoted post.", wire="quote")


class Profile(Result):
    id: str | None = field("Account ID.", wire="user.id")
    handle: str = field("Handle without @, in the account's own spelling.", wire="user.screen_name")
    name: str = field("Display name, or the handle if not set.", wire="user.name")
    url: str = field("URL of the profile.")
    bio: str | None = field("Bio of the account.", wire="user.description")
    followers: int | None = field("Number of followers.", wire="user.followers")
    following: int | None = field("Number of accounts followed.", wire="user.following")
    post_count: int | None = field("Number of posts, including replies and reposts.", wire="user.statuses")
    media_count: int | None = field("Number of posts with images or videos.", wire="user.media_count")
    likes_count: int | None = field("Number of liked posts.", wire="user.likes")
    website: str | None = field("URL of the account's website.", wire="user.website.url")
    location: str | None = field("Location, as entered by the account.", wire="user.location")
    joined_at: datetime | None = field("Creation time of the account, UTC.", wire="user.joined")
    verified: bool | None = field("Whether the account is verified in any way.", wire="user.verification.verified")
    verification_type: Verification | None = field("Verification type.", wire="user.verification.type")
    verified_since: datetime | None = field(
        "Time since which the account has been verified, UTC.", wire="user.verification.verified_at"
    )
    protected: bool | None = field("Whether only approved followers can see the posts.", wire="user.protected")
    avatar_url: str | None = field("URL of the profile picture, 400 pixels wide if available.", wire="user.avatar_url")
    banner_url: str | None = field("URL of the banner image.", wire="user.banner_url")
    based_in_country: str | None = field(
        "Country or region of the account, according to the platform.",
        wire="user.about_account.based_in",
    )
    based_in_accurate: bool | None = field(
        "Whether the platform considers the location accurate; false if a proxy may be in use.",
        wire="user.about_account.location_accurate",
    )
    account_source: str | None = field(
        "App store or client used to create the account.", wire="user.about_account.source"
    )
    username_changes: int | None = field("Number of handle changes.", wire="user.about_account.username_changes.count")
    provider: SourceName = field("Name of the provider.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Timeline(Result):
    handle: str = field("Handle of the account.")
    count: int = field("Number of posts on this page.")
    next_cursor: str | None = field("Cursor for the next page; null on the last page.")
    with_replies: bool = field("Whether replies were requested.")
    tweets: list[Post] = field(
        "Posts in timeline order. A repost appears at the time it was reposted.", wire="results[]"
    )
    unavailable_count: int = field("Number of unavailable posts on this page (deleted or withheld).")
    provider: SourceName = field("Name of the provider.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Tweet(Post):
    thread: list[Post] | None = field(
        "The author's thread including this post, root first; empty if not a thread, null if unknown.",
        wire="thread[]",
    )
    thread_count: int | None = field("Number of posts in the thread.")
    parent: Post | None = field("The post replied to, if available.")
    provider: SourceName = field("Name of the provider.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Replies(Result):
    id: str = field("Post ID.")
    tweet: Post | None = field("The post; only on the first page.", wire="status")
    ranking: Ranking = field("Requested order.")
    ranking_applied: Ranking = field("Order used by the provider.")
    count: int = field("Number of replies on this page.")
    next_cursor: str | None = field("Cursor for the next page; null on the last page.")
    replies: list[Post] = field("Replies, including nested replies (see `replying_to`).", wire="replies[]")
    unavailable_count: int = field("Number of unavailable replies on this page (deleted or withheld).")
    provider: SourceName = field("Name of the provider.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)
