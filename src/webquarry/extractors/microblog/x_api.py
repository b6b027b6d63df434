"""X's own API, second version, by the operator's bearer token: each call is paid for there.

Wire notes: docs/upstreams/microblog.md#x-api.
"""

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlencode

from webquarry.errors import Absent, EmptyResult, ProviderError
from webquarry.extractors.microblog.fx_posts import larger_avatar
from webquarry.extractors.microblog.names import post_url, profile_url, to_handle, to_number
from webquarry.extractors.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.extractors.microblog.plain import plain_author, plain_post
from webquarry.extractors.microblog.result import (
    Author,
    Card,
    Media,
    Post,
    Profile,
    QuotedPost,
    Ranking,
    Replies,
    ReplyingTo,
    RepostedBy,
    Timeline,
    Tweet,
    UnavailablePost,
    Variant,
    Verification,
)
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.read import at, each, json_of, must, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.settings import PREFIX
from webquarry.types import Manners, Provider, Wire

TOKEN: Final = "x_api_bearer_token"  # noqa: S105  # the name of a setting
X_API: Final = Provider(
    name="x_api", title="X API", manners=Manners(spacing_s=0.2, concurrency=4), needs=(TOKEN,), unproven=True
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
_KINDS: Final[dict[str, Literal["photo", "video", "gif"]]] = {
    "photo": "photo",
    "video": "video",
    "animated_gif": "gif",
}
_TYPES: Final[dict[str, Verification]] = {"blue": "individual", "business": "organization", "government": "government"}
_ORDERS: Final[dict[Ranking, Ranking]] = {"relevance": "relevance", "recency": "recency", "likes": "relevance"}
_PROTECTED: Final = "authorization error"


async def fetch_profile(params: ProfileParams, net: Net) -> Wire:
    return await _get(net, f"users/by/username/{params.account}", {"user.fields": _USER_FIELDS})


async def ask_timeline(params: TweetsParams, net: Net) -> tuple[Timeline, Wire]:
    """One page, for which the account's number is asked first."""
    profile_wire = await fetch_profile(params, net)
    profile = await net.read(read_profile, profile_wire, params)
    if profile.protected:
        raise EmptyResult(f"@{profile.handle} is a protected account: only those whom it admits see its posts.")
    if profile.id is None:
        raise ProviderError("X sent an account without a number.", reason="changed")
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
    """One page of replies of the last seven days, with the post itself on the first page."""
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
    """Lists go on with the source that began them."""
    return None if params.place is None or params.place[0] == X_API.name else "The cursor is of another source."


def read_pinned(wire: Wire) -> str | None:
    """The number of the post that the account has pinned."""
    return take(json_of(wire), "data.pinned_tweet_id", to_number)


def read_profile(wire: Wire, params: ProfileParams) -> Profile:
    """Absent for an unknown and for a suspended account."""
    user = must(_answer(wire, f"The account @{params.account}"), "data", dict)
    author = _author(user)
    if author is None or author.handle.lower() != params.account:
        raise ProviderError("X answered about another account than the one asked for.", reason="changed")
    unknown: dict[str, Any] = dict.fromkeys(Profile.model_fields)
    fields = {
        "id": author.id,
        "handle": author.handle,
        "name": author.name,
        "url": profile_url(author.handle),
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
        "warnings": ["The X API does not tell where an account is based."],
    }
    return Profile.model_validate({**unknown, **fields})


def read_timeline(wire: Wire, params: TweetsParams) -> Timeline:
    """One page; that it is empty is said by its count."""
    answer = _answer(wire, f"The account @{params.account}")
    posts = _listed(answer)
    return Timeline(
        handle=params.account,
        count=len(posts),
        next_cursor=write_cursor(X_API.name, take(answer, "meta.next_token", to_line), params.question),
        with_replies=bool(params.with_replies),
        tweets=posts,
        unavailable_count=0,
        provider="x_api",
        degraded=False,
        warnings=[],
    )


def read_post(wire: Wire, params: TweetParams) -> Post:
    """Absent for a deleted or unknown post, EmptyResult for a protected one."""
    answer = _answer(wire, f"The post {params.post}")
    post = _Included.of(answer).post(must(answer, "data", dict))
    if post is None or post.id != params.post:
        raise ProviderError("X answered about another post than the one asked for.", reason="changed")
    return post


def read_tweet(wire: Wire, params: TweetParams) -> Tweet:
    """As `read_post`; the thread is not told."""
    post = read_post(wire, params)
    included = _Included.of(_answer(wire, f"The post {params.post}"))
    answered = post.replying_to.id if post.replying_to else None
    return Tweet(
        **post.__dict__,
        thread=None,
        thread_count=None,
        parent=included.post(included.posts.get(answered)) if answered else None,
        provider="x_api",
        degraded=True,
        warnings=["The X API does not tell which thread a post belongs to."],
    )


def read_replies(wire: Wire, params: RepliesParams) -> Replies:
    """One page of what answers the post itself, without the post."""
    answer = _answer(wire, f"The post {params.post}")
    posts = _listed(answer)
    warnings = ["The X API tells replies of the last seven days only."]
    if _ORDERS[params.ranking] != params.ranking:
        warnings.append(f"It does not rank by {params.ranking}: the replies are ordered by {_ORDERS[params.ranking]}.")
    return Replies(
        id=params.post,
        tweet=None,
        ranking=params.ranking,
        ranking_applied=_ORDERS[params.ranking],
        count=len(posts),
        next_cursor=write_cursor(X_API.name, take(answer, "meta.next_token", to_line), params.question),
        replies=posts,
        unavailable_count=0,
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
    """The answer. Absent for what X does not find or has suspended, EmptyResult for what is protected, ProviderError
    "refused" for any other status and error. subject: what was asked for."""
    if wire.status in (401, 402, 403, 429):
        raise ProviderError(
            f"The X API refused the request (status {wire.status}): check {PREFIX}{TOKEN.upper()} and the account's "
            "credit and limits there.",
            reason="refused",
            retry_after_s=retry_after_s(wire),
        )
    if wire.status == 404:
        raise Absent(f"{subject} does not exist.")
    if wire.status != 200:
        raise ProviderError(f"The X API refused the request (status {wire.status}).", reason="refused")
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    if "data" in answer or "meta" in answer:
        return answer
    errors = each(answer, "errors[]") if isinstance(answer.get("errors"), list) else []
    title = (take(errors, "[0].title", to_line) or "").lower()
    if title == _PROTECTED:
        raise EmptyResult(f"{subject} is protected: only those whom its account admits see it.")
    if title in ("not found error", "forbidden"):
        raise Absent(f"{subject} {'does not exist' if title == 'not found error' else 'is suspended'}.")
    if title:
        raise ProviderError(f"The X API refused the request: {title[:200]}.", reason="refused")
    raise ProviderError("The X API sent an answer without data.", reason="changed")


def _listed(answer: Mapping[str, Any]) -> list[Post]:
    """The posts of a page. Without a list, its own count has to say that there is none."""
    if answer.get("data") is None:
        if at(answer, "meta.result_count", int) != 0:
            raise ProviderError("The X API sent a page without a list of posts.", reason="changed")
        return []
    must(answer, "data", list)
    included = _Included.of(answer)
    return [post for node in each(answer, "data[]") if (post := included.post(node)) is not None]


@dataclass(frozen=True, slots=True)
class _Included:
    """What posts of an answer refer to, by id or key."""

    users: Mapping[str, dict[str, Any]]
    media: Mapping[str, dict[str, Any]]
    posts: Mapping[str, dict[str, Any]]

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "_Included":
        def named(member: str, key: str) -> dict[str, dict[str, Any]]:
            items = each(answer, f"includes.{member}[]") if at(answer, f"includes.{member}", list) else []
            return {str(item[key]): item for item in items if key in item}

        return cls(named("users", "id"), named("media", "media_key"), named("tweets", "id"))

    def post(self, node: Any) -> Post | None:
        """A post; of a repost the original, with who reposted it."""
        if not isinstance(node, dict):
            return None
        references = self._references(node)
        original = self.posts.get(references.get("retweeted", ""))
        if original is not None:
            fields, by = self._plain(original), _author(self.users.get(str(node.get("author_id"))))
            if fields is None:
                return None
            reposted_by = None if by is None else RepostedBy(id=by.id, handle=by.handle, name=by.name)
            return Post(**{**fields, "reposted_by": reposted_by}, quoted_tweet=self._quoted(original))
        fields = self._plain(node)
        return None if fields is None else Post(**fields, quoted_tweet=self._quoted(node))

    def _quoted(self, node: Mapping[str, Any]) -> QuotedPost | UnavailablePost | None:
        number = self._references(node).get("quoted")
        if number is None:
            return None
        fields = self._plain(self.posts.get(number))
        if fields is None:
            return UnavailablePost(id=number, url=post_url(None, number), unavailable=True, reason=None)
        return QuotedPost(**fields, quoted_tweet_url=None)

    def _references(self, node: Mapping[str, Any]) -> dict[str, str]:
        """Numbers of the posts that it quotes, reposts or answers, by which of these."""
        items = node.get("referenced_tweets")
        return {
            kind: number
            for item in (items if isinstance(items, list) else [])
            if (kind := take(item, "type", to_line)) and (number := take(item, "id", to_number))
        }

    def _plain(self, node: Any) -> dict[str, Any] | None:
        """The fields of `PlainPost`; None without an id or an author."""
        number = take(node, "id", to_number)
        author = _author(self.users.get(str(node.get("author_id")))) if isinstance(node, dict) else None
        if number is None or author is None:
            return None
        answered = self._references(node).get("replied_to")
        to = take(self.users.get(str(node.get("in_reply_to_user_id"))), "username", to_handle)
        return plain_post(
            author,
            number,
            text=_text(node),
            lang=take(node, "lang", to_line),
            created_at=take(node, "created_at", to_instant),
            likes=take(node, "public_metrics.like_count", to_count),
            reposts=take(node, "public_metrics.retweet_count", to_count),
            replies=take(node, "public_metrics.reply_count", to_count),
            quotes=take(node, "public_metrics.quote_count", to_count),
            views=take(node, "public_metrics.impression_count", to_count),
            bookmarks=take(node, "public_metrics.bookmark_count", to_count),
            media=list(self._media(node)),
            replying_to=ReplyingTo(handle=to, id=answered, url=post_url(to, answered)) if answered else None,
            is_long_form=isinstance(node.get("note_tweet"), dict),
            possibly_sensitive=take(node, "possibly_sensitive", to_flag),
            source=take(node, "source", to_line),
            links=list(_links(node)),
        )

    def _media(self, node: Mapping[str, Any]) -> Iterator[Media]:
        keys = at(node, "attachments.media_keys", list) if isinstance(node.get("attachments"), dict) else None
        for key in keys or []:
            entry = self.media.get(str(key))
            kind = _KINDS.get(take(entry, "type", to_line) or "")
            variants = [
                Variant(
                    url=address,
                    content_type=take(variant, "content_type", to_line),
                    bitrate=take(variant, "bit_rate", to_count),
                )
                for variant in (each(entry, "variants[]") if at(entry, "variants", list) else [])
                if (address := take(variant, "url", to_address)) is not None
            ]
            best = max(variants, key=lambda one: one.bitrate if one.bitrate is not None else -1, default=None)
            still = take(entry, "preview_image_url", to_address)
            shown = take(entry, "url", to_address) or (best.url if best else still)
            if kind is None or shown is None:
                continue
            length_ms = take(entry, "duration_ms", to_count)
            yield Media(
                type=kind,
                url=shown,
                width=take(entry, "width", to_count) or None,
                height=take(entry, "height", to_count) or None,
                alt_text=take(entry, "alt_text", to_text),
                thumbnail_url=still,
                duration_seconds=length_ms / 1000 if length_ms else None,
                variants=variants,
            )


def _author(node: Any) -> Author | None:
    handle = take(node, "username", to_handle)
    if handle is None:
        return None
    verified = take(node, "verified", to_flag)
    kind = _TYPES.get((take(node, "verified_type", to_line) or "").lower())
    avatar = take(node, "profile_image_url", to_address)
    return plain_author(
        handle,
        id=take(node, "id", to_number),
        name=take(node, "name", to_line),
        avatar_url=None if avatar is None else larger_avatar(avatar),
        verified=True if kind else verified,
        verification_type=kind,
        followers=take(node, "public_metrics.followers_count", to_count),
        following=take(node, "public_metrics.following_count", to_count),
        protected=take(node, "protected", to_flag),
        description=take(node, "description", to_text),
    )


def _text(node: Mapping[str, Any]) -> str:
    """The whole text, with its links written out and without those that stand for its own media."""
    long = node.get("note_tweet")
    whole = isinstance(long, dict) and isinstance(long.get("text"), str)
    text = long["text"] if isinstance(long, dict) and whole else node.get("text")
    if not isinstance(text, str):
        return ""
    for url in _urls(long if isinstance(long, dict) and whole else node):
        short, target = take(url, "url", to_address), take(url, "expanded_url", to_address)
        if short and target:
            text = text.replace(short, "" if "media_key" in url else target)
    return to_text(html.unescape(text)) or ""


def _links(node: Mapping[str, Any]) -> Iterator[Card]:
    """Of its links those of which a preview is told."""
    for url in _urls(node):
        target, title = take(url, "expanded_url", to_address), take(url, "title", to_line)
        if target and title:
            yield Card(
                url=target,
                title=title,
                description=take(url, "description", to_text),
                domain=(take(url, "display_url", to_line) or "").partition("/")[0] or None,
                image_url=take(url, "images[0].url", to_address),
            )


def _urls(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    entities = node.get("entities")
    urls = entities.get("urls") if isinstance(entities, dict) else None
    return [url for url in urls[:50] if isinstance(url, dict)] if isinstance(urls, list) else []
