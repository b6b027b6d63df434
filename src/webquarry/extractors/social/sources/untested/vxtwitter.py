"""vxTwitter: a public service like FxTwitter, without a key and with fewer fields. It has profiles and single posts.

See docs/upstreams/microblog.md#vxtwitter.
"""

from typing import Any, Final, Literal

from webquarry.core.errors import Absent, EmptyResult, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.social.model.microblog.names import make_profile_url, post_url, to_handle, to_number
from webquarry.extractors.social.model.microblog.params import ProfileParams, TweetParams
from webquarry.extractors.social.model.microblog.result import Media, PlainPost, Profile, QuotedPost, ReplyingTo, Tweet
from webquarry.extractors.social.sources.microblog.fx_posts import find_larger_avatar
from webquarry.extractors.social.sources.microblog.plain import (
    NO_AUTHOR,
    make_plain_post,
    read_plain_author,
    without_media_link,
)
from webquarry.net import Net
from webquarry.read import each_given, json_of, must, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows

VXTWITTER: Final = Provider(
    name="vxtwitter",
    title="vxTwitter",
    politeness=Politeness(spacing_s=0.5, concurrency=2),
    unproven=True,
)
_URL: Final = "https://api.vxtwitter.com"
_KINDS: Final[dict[str, Literal["photo", "video", "gif"]]] = {"image": "photo", "video": "video", "gif": "gif"}


async def fetch_profile(params: ProfileParams, net: Net) -> Wire:
    return await net.get(f"{_URL}/{params.account}", accept="application/json", absent_on=(404,))


async def fetch_tweet(params: TweetParams, net: Net) -> Wire:
    return await net.get(f"{_URL}/i/status/{params.post}", accept="application/json", absent_on=(404,))


def read_profile(wire: Wire, params: ProfileParams) -> Profile:
    """Parse a profile. Raises ProviderError "changed" for an account other than the requested one."""
    user: dict[str, Any] = must(json_of(wire), "", dict)
    handle = take(user, "screen_name", to_handle, required=True)
    if handle is None or handle.lower() != params.account:
        raise ProviderError("vxTwitter returned no account or a different one.", reason="changed")
    avatar = take(user, "profile_image_url", to_address)
    unknown: dict[str, Any] = dict.fromkeys(Profile.model_fields)
    fields = {
        "id": take(user, "id", to_number),
        "handle": handle,
        "name": take(user, "name", to_line) or handle,
        "url": make_profile_url(handle),
        "bio": take(user, "description", to_text),
        "followers": take(user, "followers_count", to_count),
        "following": take(user, "following_count", to_count),
        "post_count": take(user, "tweet_count", to_count),
        "location": take(user, "location", to_line) if user.get("location") else None,
        "joined_at": take(user, "created_at", to_instant),
        "protected": take(user, "protected", to_flag),
        "avatar_url": None if avatar is None else find_larger_avatar(avatar),
        "provider": "vxtwitter",
        "degraded": True,
        "warnings": ["vxTwitter does not provide verification, website, media, likes or the country of the account."],
    }
    return Profile.model_validate({**unknown, **fields})


def read_tweet(wire: Wire, params: TweetParams) -> Tweet:
    """Parse a post. Raises ProviderError "changed" for a post other than the requested one."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    if (message := take(answer, "error", to_line)) is not None and "tweetID" not in answer:
        if "private" in message.lower() or "protected" in message.lower():
            raise EmptyResult("The post belongs to a protected account. Only approved followers can see it.")
        if "not found" in message.lower() or "deleted" in message.lower() or "suspended" in message.lower():
            raise Absent(f"Post not found: {params.post}, or it is not shown to logged-out visitors.")
        raise ProviderError(f"vxTwitter rejected the request: {message[:200]}.", reason="refused")
    fields = _read_plain(answer)
    if fields is None or fields.id != params.post:
        raise ProviderError("vxTwitter returned no post or a different one.", reason="changed")
    quoted = _read_plain(answer.get("qrt"))
    return Tweet(
        **dict(fields),
        quoted_tweet=None if quoted is None else QuotedPost(**dict(quoted), quoted_tweet_url=None),
        thread=None,
        thread_count=None,
        parent=None,
        provider="vxtwitter",
        degraded=True,
        warnings=[
            "vxTwitter does not provide quotes, views, bookmarks, threads or the author's verification.",
            *([NO_AUTHOR.format("the post")] if fields.author is None else []),
        ],
    )


def _read_plain(node: Any) -> PlainPost | None:
    """Return the post without its quoted post. Returns None if it has no id."""
    if not isinstance(node, dict):
        return None
    number, handle = take(node, "tweetID", to_number), take(node, "user_screen_name", to_handle, required=True)
    if number is None or (handle is None and not isinstance(node.get("text"), str)):
        return None
    avatar = take(node, "user_profile_image_url", to_address)
    rows = each_given(node, "media_extended[]")
    media, text = read_rows(rows, _read_medium, "media_extended[]"), take(node, "text", to_text) or ""
    to, answered = take(node, "replyingTo", to_handle), take(node, "replyingToID", to_number)
    return make_plain_post(
        None
        if handle is None
        else read_plain_author(
            handle,
            name=take(node, "user_name", to_line),
            avatar_url=None if avatar is None else find_larger_avatar(avatar),
        ),
        number,
        text=without_media_link(text) if media else text,
        lang=take(node, "lang", to_line),
        created_at=take(node, "date_epoch", to_instant) or take(node, "date", to_instant),
        likes=take(node, "likes", to_count),
        reposts=take(node, "retweets", to_count),
        replies=take(node, "replies", to_count),
        media=media,
        replying_to=ReplyingTo(handle=to, id=answered, url=post_url(to, answered)) if answered else None,
        possibly_sensitive=take(node, "possibly_sensitive", to_flag),
        community_note=take(node, "communityNote", to_text),
    )


def _read_medium(entry: dict[str, Any]) -> Media | None:
    kind, address = _KINDS.get(take(entry, "type", to_line) or ""), take(entry, "url", to_address)
    if kind is None or address is None:
        return None
    length_ms = take(entry, "duration_millis", to_count)
    return Media(
        type=kind,
        url=address,
        width=take(entry, "size.width", to_count) or None,
        height=take(entry, "size.height", to_count) or None,
        alt_text=take(entry, "altText", to_text),
        thumbnail_url=None if kind == "photo" else take(entry, "thumbnail_url", to_address),
        duration_seconds=length_ms / 1000 if length_ms else None,
        variants=[],
    )
