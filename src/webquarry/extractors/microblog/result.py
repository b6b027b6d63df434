"""What the endpoints of the microblog give. Whatever a source does not know is null; zero is what it counted."""

from datetime import datetime
from typing import Literal

from webquarry.endpoints.declare import Result, field

SourceName = Literal["fxtwitter", "x_api", "syndication", "vxtwitter"]
Verification = Literal["individual", "organization", "government"]
Ranking = Literal["relevance", "recency", "likes"]
_WARNINGS = "What is missing or second best in this answer, a sentence each."
_DEGRADED = "Whether the source knows less than the first one: what it does not know is null."


class Author(Result):
    id: str | None = field("Number of the account.", wire="author.id")
    handle: str = field("Handle as the account spells it, without @.", wire="author.screen_name")
    name: str = field("Display name; the handle where none is told.", wire="author.name")
    url: str = field("Address of the profile.")
    avatar_url: str | None = field(
        "Picture, 400 pixels wide where the service has that size.", wire="author.avatar_url"
    )
    verified: bool | None = field("Whether the account is verified, in any way.", wire="author.verification.verified")
    verification_type: Verification | None = field("As whom it is verified.", wire="author.verification.type")
    followers: int | None = field("Accounts that follow it.", wire="author.followers")
    following: int | None = field("Accounts that it follows.", wire="author.following")
    protected: bool | None = field("Whether only accounts that it admits see its posts.", wire="author.protected")
    description: str | None = field("Its words about itself.", wire="author.description")


class Variant(Result):
    url: str = field("Where this encoding lies.", wire="media.all[].formats[].url")
    content_type: str | None = field("Media type.", wire="media.all[].formats[].container")
    bitrate: int | None = field("Bits per second.", unit="bit/s", wire="media.all[].formats[].bitrate")


class Media(Result):
    type: Literal["photo", "video", "gif"] = field("What it is.", wire="media.all[].type")
    url: str = field("The picture, or the best encoding of the video.", wire="media.all[].url")
    width: int | None = field("Width.", unit="pixels", wire="media.all[].width")
    height: int | None = field("Height.", unit="pixels", wire="media.all[].height")
    alt_text: str | None = field("What its author says that it shows.", wire="media.all[].altText")
    thumbnail_url: str | None = field("A still of the video.", wire="media.all[].thumbnail_url")
    duration_seconds: float | None = field("Length of the video.", unit="s", wire="media.all[].duration")
    variants: list[Variant] = field("All encodings of the video.", wire="media.all[].formats[]")


class ReplyingTo(Result):
    handle: str | None = field("Who is answered.", wire="replying_to.screen_name")
    id: str | None = field("Which post is answered.", wire="replying_to.status")
    url: str | None = field("Address of that post.")


class RepostedBy(Result):
    id: str | None = field("Number of the account.", wire="reposted_by.id")
    handle: str = field("Its handle.", wire="reposted_by.screen_name")
    name: str = field("Its display name.", wire="reposted_by.name")


class Card(Result):
    url: str = field("Where the link leads.", wire="card.url")
    title: str | None = field("Title of its preview.", wire="card.title")
    description: str | None = field("Text of its preview.", wire="card.description")
    domain: str | None = field("Domain as shown.", wire="card.domain")
    image_url: str | None = field("Picture of its preview.", wire="card.image.url")


class Choice(Result):
    label: str = field("What can be chosen.", wire="poll.choices[].label")
    count: int | None = field("Votes.", wire="poll.choices[].count")
    percentage: float | None = field("Share of all votes.", unit="%", wire="poll.choices[].percentage")


class Poll(Result):
    choices: list[Choice] = field("In the order of the post.", wire="poll.choices[]")
    total_votes: int | None = field("Votes for all of them.", wire="poll.total_votes")
    ends_at: datetime | None = field("When it ends or ended, UTC.", wire="poll.ends_at")


class Community(Result):
    id: str | None = field("Number of the community.", wire="community.id")
    name: str = field("Its name.", wire="community.name")


class ArticleImage(Result):
    url: str = field("The picture.", wire="article.media_entities[].media_info.original_img_url")
    width: int | None = field("Width.", unit="pixels")
    height: int | None = field("Height.", unit="pixels")


class Article(Result):
    id: str | None = field("Number of the article.", wire="article.id")
    title: str | None = field("Title.", wire="article.title")
    preview_text: str | None = field("How it begins, as lists show it.", wire="article.preview_text")
    markdown: str | None = field("The whole article; null where the source gives the preview only.")
    text: str | None = field("The same without marks, paragraphs set apart by empty lines.")
    images: list[ArticleImage] = field("Pictures of the article in their order, without the cover.")
    cover_image_url: str | None = field("Picture above the title.", wire="article.cover_media")
    created_at: datetime | None = field("When it was written, UTC.", wire="article.created_at")
    modified_at: datetime | None = field("When it was last changed, UTC.", wire="article.modified_at")


class UnavailablePost(Result):
    id: str | None = field("Number of the post.")
    url: str | None = field("Its address.")
    unavailable: Literal[True] = field("It cannot be read.")
    reason: str | None = field("Why: deleted, suspended, private, blocked or unavailable.")


class PlainPost(Result):
    """What is told of every post."""

    id: str = field("Number of the post.", wire="id")
    url: str = field("Its address.", wire="url")
    text: str = field("The whole text, links written out; empty for a post of pictures only.", wire="text")
    lang: str | None = field("Language, as the service judges it.", wire="lang")
    created_at: datetime | None = field("When it was posted, UTC; of a repost, the original.", wire="created_timestamp")
    created_timestamp: int | None = field("The same in seconds since 1970.", unit="s", wire="created_timestamp")
    author: Author | None = field(
        "Who wrote it; of a repost, the original's author. Null where the source leaves the author out.", wire="author"
    )
    likes: int | None = field("Likes.", wire="likes")
    reposts: int | None = field("Reposts.", wire="reposts")
    replies: int | None = field("Replies; some of them are shown to nobody who is not logged in.", wire="replies")
    quotes: int | None = field("Posts that quote it.", wire="quotes")
    views: int | None = field("Views; null where the service does not count them.", wire="views")
    bookmarks: int | None = field("Bookmarks.", wire="bookmarks")
    media: list[Media] = field("Pictures and videos in their order.", wire="media.all[]")
    replying_to: ReplyingTo | None = field("What it answers.", wire="replying_to")
    reposted_by: RepostedBy | None = field("Who brought it into the timeline.", wire="reposted_by")
    pinned: bool = field("Whether it stands first because its author pinned it; in timelines only.")
    is_long_form: bool = field("Whether it is longer than a plain post may be.", wire="is_note_tweet")
    possibly_sensitive: bool | None = field("Whether its media are marked as sensitive.", wire="possibly_sensitive")
    source: str | None = field("The program that it was posted with.", wire="source")
    links: list[Card] = field("Links of which the post shows a preview.", wire="card")
    poll: Poll | None = field("Its poll.", wire="poll")
    community_note: str | None = field("What readers have added.", wire="community_note.text")
    community: Community | None = field("The community that it was posted in.", wire="community")
    article: Article | None = field("The article that it carries.", wire="article")


class QuotedPost(PlainPost):
    quoted_tweet_url: str | None = field("Address of the post that it quotes in its turn.", wire="quote.quote.url")


class Post(PlainPost):
    quoted_tweet: QuotedPost | UnavailablePost | None = field("The post that it quotes.", wire="quote")


class Profile(Result):
    id: str | None = field("Number of the account.", wire="user.id")
    handle: str = field("Handle as the account spells it, without @.", wire="user.screen_name")
    name: str = field("Display name; the handle where none is told.", wire="user.name")
    url: str = field("Address of the profile.")
    bio: str | None = field("Its words about itself.", wire="user.description")
    followers: int | None = field("Accounts that follow it.", wire="user.followers")
    following: int | None = field("Accounts that it follows.", wire="user.following")
    post_count: int | None = field("Posts, replies and reposts included.", wire="user.statuses")
    media_count: int | None = field("Posts with pictures or videos.", wire="user.media_count")
    likes_count: int | None = field("Posts that it likes.", wire="user.likes")
    website: str | None = field("Address that it names.", wire="user.website.url")
    location: str | None = field("Where it says that it is, in its own words.", wire="user.location")
    joined_at: datetime | None = field("When the account was made, UTC.", wire="user.joined")
    verified: bool | None = field("Whether it is verified, in any way.", wire="user.verification.verified")
    verification_type: Verification | None = field("As whom.", wire="user.verification.type")
    verified_since: datetime | None = field("Since when, UTC.", wire="user.verification.verified_at")
    protected: bool | None = field("Whether only accounts that it admits see its posts.", wire="user.protected")
    avatar_url: str | None = field("Picture, 400 pixels wide where the service has that size.", wire="user.avatar_url")
    banner_url: str | None = field("Picture above the profile.", wire="user.banner_url")
    based_in_country: str | None = field(
        "Country or region that the service says it is run from.", wire="user.about_account.based_in"
    )
    based_in_accurate: bool | None = field(
        "Whether the service trusts that; false where a proxy may hide it.", wire="user.about_account.location_accurate"
    )
    account_source: str | None = field("Where the account was made with.", wire="user.about_account.source")
    username_changes: int | None = field(
        "How often the handle was changed.", wire="user.about_account.username_changes.count"
    )
    provider: SourceName = field("Which source answered.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Timeline(Result):
    handle: str = field("The account's handle.")
    count: int = field("Posts on this page.")
    next_cursor: str | None = field("What the next page is asked for with, as `cursor`; null at the end.")
    with_replies: bool = field("Whether replies were asked for.")
    tweets: list[Post] = field("As the timeline has them: a repost stands where it was reposted.", wire="results[]")
    unavailable_count: int = field("Entries of this page that could not be read (deleted, withheld).")
    provider: SourceName = field("Which source answered.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Tweet(Post):
    thread: list[Post] | None = field(
        "The author's own thread, root first, this post included; empty when there is none, null when not known.",
        wire="thread[]",
    )
    thread_count: int | None = field("Posts of the thread.")
    parent: Post | None = field("The post that it answers, where the source gives it.")
    provider: SourceName = field("Which source answered.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)


class Replies(Result):
    id: str = field("Number of the post.")
    tweet: Post | None = field("The post itself; on the first page only.", wire="status")
    ranking: Ranking = field("The order that was asked for.")
    ranking_applied: Ranking = field("The order that the source gave.")
    count: int = field("Replies on this page.")
    next_cursor: str | None = field("What the next page is asked for with, as `cursor`; null at the end.")
    replies: list[Post] = field("Replies, and replies to these, as `replying_to` says.", wire="replies[]")
    unavailable_count: int = field("Replies of this page that could not be read (deleted, withheld).")
    provider: SourceName = field("Which source answered.")
    degraded: bool = field(_DEGRADED)
    warnings: list[str] = field(_WARNINGS)
