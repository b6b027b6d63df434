"""X's own API, version 2, with the operator's bearer token. X charges for each request.

See docs/upstreams/microblog.md#x-api.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, EmptyResult, ProviderError
from webquarry.core.settings import PREFIX
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.social.model.microblog.names import make_profile_url, to_number
from webquarry.extractors.social.model.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.extractors.social.model.microblog.result import Post, Profile, Ranking, Replies, Timeline, Tweet
from webquarry.extractors.social.sources.microblog.plain import read_warnings
from webquarry.extractors.social.sources.untested.x_api_posts import Included, read_author
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.read import at, each, json_of, must, take
from webquarry.read.fields import to_address, to_count, to_instant, to_line
from webquarry.read.losses import read_rows

TOKEN: Final = "x_api_bearer_token"  # noqa: S105  # the name of a setting
X_API: Final = Provider(
    name="x_api", title="X API", politeness=Politeness(spacing_s=0.2, concurrency=4), needs=(TOKEN,), unproven=True
)
_BASE_URL: Final = "https://api.x.com/2"
_USER_FIELDS: Final = (
    "created_at,description,entities,location,pinned_tweet_id,profile_banner_url,profile_image_url,protected,"
    "public_metrics,url,verified,verified_type"
)
_POST_FIELDS: Final = {
    "expansions": "author_id,attachments.media_keys,in_reply_to_user_id,referenced_tweets.id,"
    "referenced_tweets.id.author_id",
    "tweet.fields": "attachments,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,"
    "possibly_sensitive,public_metrics,referenced_tweets,source",
    "media.fields": "alt_text,duration_ms,height,preview_image_url,type,url,variants,width",
    "user.fields": _USER_FIELDS,
}
_PAGE_SIZE: Final = "20"
_ORDERS: Final[dict[Ranking, Ranking]] = {"relevance": "relevance", "recency": "recency", "likes": "relevance"}
_PROTECTED: Final = "authorization error"


async def fetch_profile(params: ProfileParams, net: Net) -> Wire:
    return await _get(net, f"users/by/username/{params.account}", {"user.fields": _USER_FIELDS})


async def ask_timeline(params: TweetsParams, net: Net) -> tuple[Timeline, Wire]:
    """Fetch one page of the timeline. The account's number is requested first."""
    profile_wire = await fetch_profile(params, net)
    profile = await net.read(read_profile, profile_wire, params)
    if profile.protected:
        raise EmptyResult(f"@{profile.handle} is a protected account. Only approved followers can see its posts.")
    if profile.id is None:
        raise ProviderError("X sent an account without an ID.", reason="changed")
    query = {"max_results": _PAGE_SIZE, **_POST_FIELDS}
    if not params.with_replies:
        query["exclude"] = "replies"
    if params.place is not None:
        query["pagination_token"] = params.place[1]
    wire = await _get(net, f"users/{profile.id}/tweets", query)
    timeline = await net.read(read_timeline, wire, params)
    pinned = await net.read(read_pinned, profile_wire)
    posts = [post.model_copy(update={"pinned": True}) if post.id == pinned else post for post in timeline.tweets]
    if params.place is None:
        posts.sort(key=lambda post: not post.pinned)
    return timeline.model_copy(update={"tweets": posts, "handle": profile.handle}), wire


async def fetch_tweet(params: TweetParams, net: Net) -> Wire:
    return await _get(net, f"tweets/{params.post}", _POST_FIELDS)


async def ask_replies(params: RepliesParams, net: Net) -> tuple[Replies, Wire]:
    """Fetch one page of replies from the last seven days. The first page contains the post itself."""
    post = None
    if params.place is None:
        post = await net.read(read_post, await fetch_tweet(params, net), params)
    query = {
        "query": f"in_reply_to_tweet_id:{params.post}",
        "max_results": "100",
        "sort_order": "recency" if params.ranking == "recency" else "relevancy",
        **_POST_FIELDS,
    }
    if params.place is not None:
        query["next_token"] = params.place[1]
    wire = await _get(net, "tweets/search/recent", query)
    replies = await net.read(read_replies, wire, params)
    return replies.model_copy(update={"tweet": post}), wire


def skips(params: TweetsParams | RepliesParams) -> str | None:
    """Return the reason for skipping this provider if another provider served the list's first page, otherwise None."""
    return None if params.place is None or params.place[0] == X_API.name else "The cursor belongs to another provider."


def read_pinned(wire: Wire) -> str | None:
    """Return the number of the account's pinned post."""
    return take(json_of(wire), "data.pinned_tweet_id", to_number)


def read_profile(wire: Wire, params: ProfileParams) -> Profile:
    """Parse a profile. Raises Absent if the account is unknown or suspended."""
    user = must(_answer(wire, f"The account @{params.account}"), "data", dict)
    author = read_author(user)
    if author is None or author.handle.lower() != params.account:
        raise ProviderError("X returned a different account than requested.", reason="changed")
    unknown: dict[str, Any] = dict.fromkeys(Profile.model_fields)
    fields = {
        "id": author.id,
        "handle": author.handle,
        "name": author.name,
        "url": make_profile_url(author.handle),
        "bio": author.description,
        "followers": author.followers,
        "following": author.following,
        "post_count": take(user, "public_metrics.tweet_count", to_count),
        "media_count": take(user, "public_metrics.media_count", to_count),
        "likes_count": take(user, "public_metrics.like_count", to_count),
        "website": take(user, "entities.url.urls[0].expanded_url", to_address)
        or (take(user, "url", to_address) if user.get("url") else None),
        "location": take(user, "location", to_line),
        "joined_at": take(user, "created_at", to_instant),
        "verified": author.verified,
        "verification_type": author.verification_type,
        "protected": author.protected,
        "avatar_url": author.avatar_url,
        "banner_url": take(user, "profile_banner_url", to_address),
        "provider": "x_api",
        "degraded": True,
        "warnings": ["The X API does not provide the country of an account."],
    }
    return Profile.model_validate({**unknown, **fields})


def read_timeline(wire: Wire, params: TweetsParams) -> Timeline:
    """Parse one page. The page's count shows whether it is empty."""
    answer = _answer(wire, f"The account @{params.account}")
    posts, unavailable = _read_listed(answer)
    return Timeline(
        handle=params.account,
        count=len(posts),
        next_cursor=write_cursor(X_API.name, take(answer, "meta.next_token", to_line), params.question),
        with_replies=bool(params.with_replies),
        tweets=posts,
        unavailable_count=unavailable,
        provider="x_api",
        degraded=False,
        warnings=read_warnings(posts),
    )


def read_post(wire: Wire, params: TweetParams) -> Post:
    """Parse a post. Raises Absent if it is deleted or unknown, and EmptyResult if it is protected."""
    return _read_requested(wire, params)[0]


def _read_requested(wire: Wire, params: TweetParams) -> tuple[Post, Included]:
    """Return the requested post and the objects that it refers to."""
    answer = _answer(wire, f"The post {params.post}")
    included = Included.of(answer)
    post = included.post(must(answer, "data", dict))
    if post is None or post.id != params.post:
        raise ProviderError("X returned a different post than requested.", reason="changed")
    return post, included


def read_tweet(wire: Wire, params: TweetParams) -> Tweet:
    """Parse a post without its thread. Raises the errors of `read_post`."""
    post, included = _read_requested(wire, params)
    answered = post.replying_to.id if post.replying_to else None
    return Tweet(
        **post.__dict__,
        thread=None,
        thread_count=None,
        parent=included.post(included.posts.get(answered)) if answered else None,
        provider="x_api",
        degraded=True,
        warnings=[*read_warnings([post]), "The X API does not provide threads."],
    )


def read_replies(wire: Wire, params: RepliesParams) -> Replies:
    """Parse one page of direct replies to the post, without the post."""
    answer = _answer(wire, f"The post {params.post}")
    posts, unavailable = _read_listed(answer)
    warnings = [*read_warnings(posts), "The X API provides only replies from the last seven days."]
    if _ORDERS[params.ranking] != params.ranking:
        warnings.append(
            f"It does not support the order {params.ranking}, so the replies are ordered by {_ORDERS[params.ranking]}."
        )
    return Replies(
        id=params.post,
        tweet=None,
        ranking=params.ranking,
        ranking_applied=_ORDERS[params.ranking],
        count=len(posts),
        next_cursor=write_cursor(X_API.name, take(answer, "meta.next_token", to_line), params.question),
        replies=posts,
        unavailable_count=unavailable,
        provider="x_api",
        degraded=True,
        warnings=warnings,
    )


async def _get(net: Net, path: str, query: Mapping[str, str]) -> Wire:
    return await net.get(
        f"{_BASE_URL}/{path}?{urlencode(query)}",
        accept="application/json",
        headers={"Authorization": f"Bearer {net.setting(TOKEN)}"},
        ok_on=ANY_STATUS,
        absent_on=(),
    )


def _answer(wire: Wire, subject: str) -> dict[str, Any]:
    """Return the response's object. subject: the name of the requested item.

    Raises Absent for unknown and suspended items, EmptyResult for protected items, and ProviderError "refused" for any
    other status or error.
    """
    if wire.status in (401, 402, 403, 429):
        raise ProviderError(
            f"The X API rejected the request (status {wire.status}). Check {PREFIX}{TOKEN.upper()} and the "
            "credit and limits of its account.",
            reason="refused",
            retry_after_s=retry_after_s(wire),
        )
    if wire.status == 404:
        raise Absent(f"{subject} does not exist.")
    if wire.status != 200:
        raise ProviderError(f"The X API rejected the request (status {wire.status}).", reason="refused")
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    if "data" in answer or "meta" in answer:
        return answer
    title = (take(answer, "errors[0].title", to_line) or "").lower()
    if title == _PROTECTED:
        raise EmptyResult(f"{subject} is protected. Only approved followers can see it.")
    if title in ("not found error", "forbidden"):
        raise Absent(f"{subject} {'does not exist' if title == 'not found error' else 'is suspended'}.")
    if title:
        raise ProviderError(f"The X API rejected the request: {title[:200]}.", reason="refused")
    raise ProviderError("The X API sent a response without data.", reason="changed")


def _read_listed(answer: Mapping[str, Any]) -> tuple[list[Post], int]:
    """Return the posts of a page and the number of unreadable entries.

    A page without a list is only accepted as empty if its count is zero.
    """
    if answer.get("data") is None:
        if at(answer, "meta.result_count", int) != 0:
            raise ProviderError("The X API sent a page without a list of posts.", reason="changed")
        return [], 0
    must(answer, "data", list)
    included = Included.of(answer)
    nodes = each(answer, "data[]")
    posts = read_rows(nodes, included.post, "data[]")
    return posts, len(nodes) - len(posts)
