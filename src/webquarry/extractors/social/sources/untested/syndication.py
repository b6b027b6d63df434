"""Single posts from X's service for embedded posts: without a key, and with only a few counts.

See docs/upstreams/microblog.md#embedded-posts.
"""

import html
import math
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.social.model.microblog.names import post_url, to_handle, to_number
from webquarry.extractors.social.model.microblog.params import TweetParams
from webquarry.extractors.social.model.microblog.result import (
    Author,
    Media,
    PlainPost,
    Post,
    QuotedPost,
    ReplyingTo,
    Tweet,
    Verification,
)
from webquarry.extractors.social.sources.microblog.fx_posts import find_larger_avatar
from webquarry.extractors.social.sources.microblog.plain import (
    KINDS,
    find_best,
    is_own_media,
    make_plain_post,
    read_plain_author,
    read_variants,
    read_warnings,
)
from webquarry.net import Net
from webquarry.read import at, each_given, json_of, must, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows

SYNDICATION: Final = Provider(
    name="syndication",
    title="X's embedded posts",
    politeness=Politeness(spacing_s=0.5, concurrency=2),
    unproven=True,
)
_URL: Final = "https://cdn.syndication.twimg.com/tweet-result"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_TYPES: Final[dict[str, Verification]] = {"business": "organization", "government": "government"}


async def fetch(params: TweetParams, net: Net) -> Wire:
    """Fetch the post, an object with `__typename`.

    Raises Absent if the provider reports that the post does not exist. An empty body is an error.
    """
    query = {"id": params.post, "token": make_token(params.post), "lang": "en"}
    return await net.get(f"{_URL}?{urlencode(query)}", accept="application/json", absent_on=(404,))


def make_token(number: str) -> str:
    """Return the token that the service requires with the id.

    The token is id / 10^15 * pi in base 36, without zeros and without the point.
    """
    value = int(number) / 1e15 * math.pi
    whole, fraction = int(value), value - int(value)
    digits = ""
    while whole:
        whole, digit = divmod(whole, 36)
        digits = _DIGITS[digit] + digits
    while fraction:  # the loop ends, because a float has a limited number of digits
        fraction *= 36
        digits += _DIGITS[int(fraction)]
        fraction -= int(fraction)
    return digits.replace("0", "") or "a"


def read(wire: Wire, params: TweetParams) -> Tweet:
    """Parse the post.

    Raises Absent for a tombstone and for an empty object. Raises ProviderError "refused" for an empty body, which
    clients in data centers receive, and "changed" for any other response.
    """
    if not wire.body.strip():
        raise ProviderError("X sent an empty response instead of the embedded post.", reason="refused")
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    kind = at(answer, "__typename", str)
    if not answer or kind == "TweetTombstone":
        raise Absent(f"Post not found: {params.post}, or it is not shown to logged-out visitors.")
    fields = _read_plain(answer)
    if kind != "Tweet" or fields is None:
        raise ProviderError("X sent an embedded post without an ID.", reason="changed")
    if fields.id != params.post:
        raise ProviderError("X returned a different post than requested.", reason="changed")
    warnings = ["X's embedded posts don't include reposts, quotes, views, bookmarks or threads."]
    if fields.is_long_form:
        warnings.append("The text is truncated because X's embedded posts are limited in length.")
    tweet = Tweet(
        **dict(fields),
        quoted_tweet=_read_quoted(answer.get("quoted_tweet")),
        thread=None,
        thread_count=None,
        parent=_read_parent(answer.get("parent")),
        provider="syndication",
        degraded=True,
        warnings=warnings,
    )
    return tweet.model_copy(update={"warnings": [*warnings, *read_warnings([tweet])]})


def _read_quoted(node: Any) -> QuotedPost | None:
    fields = _read_plain(node)
    return None if fields is None else QuotedPost(**dict(fields), quoted_tweet_url=None)


def _read_parent(node: Any) -> Post | None:
    fields = _read_plain(node)
    return None if fields is None else Post(**dict(fields), quoted_tweet=_read_quoted(node.get("quoted_tweet")))


def _read_plain(node: Any) -> PlainPost | None:
    """Return the post without its quoted post. Returns None if it has no id."""
    if not isinstance(node, dict):
        return None
    number, author = take(node, "id_str", to_number), _read_author(node.get("user"))
    if number is None or (author is None and not isinstance(node.get("text"), str)):
        return None
    handle = take(node, "in_reply_to_screen_name", to_handle)
    answered = take(node, "in_reply_to_status_id_str", to_number)
    return make_plain_post(
        author,
        number,
        text=_read_text(node),
        lang=take(node, "lang", to_line),
        created_at=take(node, "created_at", to_instant),
        likes=take(node, "favorite_count", to_count),
        replies=_read_first_count(node, "conversation_count", "reply_count"),
        reposts=take(node, "retweet_count", to_count),
        media=read_rows(each_given(node, "mediaDetails[]"), _read_medium, "mediaDetails[]"),
        replying_to=ReplyingTo(handle=handle, id=answered, url=post_url(handle, answered)) if answered else None,
        is_long_form=isinstance(node.get("note_tweet"), dict),
        possibly_sensitive=take(node, "possibly_sensitive", to_flag),
    )


def _read_author(node: Any) -> Author | None:
    handle = take(node, "screen_name", to_handle, required=True)
    if handle is None:
        return None
    is_legacy, is_paid = take(node, "verified", to_flag), take(node, "is_blue_verified", to_flag)
    kind = _TYPES.get((take(node, "verified_type", to_line) or "").lower())
    is_known = is_legacy is not None or is_paid is not None
    avatar = take(node, "profile_image_url_https", to_address)
    return read_plain_author(
        handle,
        id=take(node, "id_str", to_number),
        name=take(node, "name", to_line),
        avatar_url=None if avatar is None else find_larger_avatar(avatar),
        verified=bool(is_legacy or is_paid or kind) if is_known or kind else None,
        verification_type=kind or ("individual" if is_paid else None),
    )


def _read_text(node: Mapping[str, Any]) -> str:
    """Return the visible text with expanded links, without the links of its own media."""
    text = node.get("text")
    if not isinstance(text, str):
        return ""
    match node.get("display_text_range"):
        case [int(start), int(end)] if 0 <= start <= end <= len(text):
            text = text[start:end]
    for link in each_given(node, "entities.urls[]")[:50]:
        short, whole = take(link, "url", to_address), take(link, "expanded_url", to_address)
        if short and whole:
            text = text.replace(short, "" if is_own_media(whole) else whole)
    for medium in each_given(node, "entities.media[]")[:50]:
        if short := take(medium, "url", to_address):
            text = text.replace(short, "")
    return to_text(html.unescape(text)) or ""


def _read_medium(entry: dict[str, Any]) -> Media | None:
    kind, still = KINDS.get(take(entry, "type", to_line) or ""), take(entry, "media_url_https", to_address)
    variants = read_variants(entry, "video_info.variants", "bitrate")
    best = find_best(variants)
    address = still if kind == "photo" or best is None else best.url
    if kind is None or address is None:
        return None
    length_ms = take(entry, "video_info.duration_millis", to_count)
    return Media(
        type=kind,
        url=address,
        width=take(entry, "original_info.width", to_count) or None,
        height=take(entry, "original_info.height", to_count) or None,
        alt_text=take(entry, "ext_alt_text", to_text),
        thumbnail_url=None if kind == "photo" else still,
        duration_seconds=length_ms / 1000 if length_ms else None,
        variants=variants,
    )


def _read_first_count(node: Mapping[str, Any], *members: str) -> int | None:
    return next((count for member in members if (count := take(node, member, to_count)) is not None), None)
