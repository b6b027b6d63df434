"""FxTwitter: a public service that embeds posts in other sites and returns them as JSON.

Operators can host an instance and set its address in `microblog_fx_base_url`. Every request must identify its client,
which the User-Agent does. See docs/upstreams/microblog.md.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, EmptyResult, InvalidParams, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.social.model.microblog.names import make_profile_url, to_handle, to_number
from webquarry.extractors.social.model.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.extractors.social.model.microblog.result import Post, Profile, Ranking, Replies, Timeline, Tweet
from webquarry.extractors.social.sources.microblog.fx_posts import (
    is_tombstone,
    make_error,
    read_avatar,
    read_post,
    read_verification,
)
from webquarry.extractors.social.sources.microblog.plain import read_warnings
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.read import at, json_of, must, take
from webquarry.read.block_pages import find_block_page_in, is_page
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows

BASE_URL: Final = "microblog_fx_base_url"
FXTWITTER: Final = Provider(
    name="fxtwitter",
    title="FxTwitter",
    politeness=Politeness(spacing_s=0.1, concurrency=4),  # the service allows 1,000 requests a minute
    uses=(BASE_URL,),
)
MAX_BYTES: Final = 8 * 1024 * 1024
"""Maximum size of a response in bytes, eighty times the largest recorded page.

Posts may be long and may quote other long posts.
"""
PAGE_SIZE: Final = 20
_RANKINGS: Final[dict[Ranking, Ranking]] = {"likes": "likes", "recency": "recency", "relevance": "likes"}
"""The ranking sent for each parameter value. The service rejects `relevance`, and ranks by likes by default."""
_PROTECTED: Final = "@{} is a protected account. Only approved followers can see its posts."


async def fetch_profile(params: ProfileParams, net: Net) -> Wire:
    """Fetch the account with its location: an object with `user`."""
    return await _get(net, f"profile/{params.account}", {"about_account": "1"})


async def ask_timeline(params: TweetsParams, net: Net) -> tuple[Timeline, Wire]:
    """Fetch one page of the timeline.

    An empty first page may mean that the account is unknown or protected, so its profile is fetched to find out.
    """
    place = params.place
    query = {
        "count": str(PAGE_SIZE),
        **({"with_replies": "1"} if params.with_replies else {}),
        **({"cursor": place[1]} if place else {}),
    }
    wire = await _get(net, f"profile/{params.account}/statuses", query)
    timeline = await net.read(read_timeline, wire, params)
    if place is None and not timeline.count:
        profile_wire = await fetch_profile(ProfileParams.model_validate({"handle": params.account}), net)
        profile = await net.read(read_profile, profile_wire, params)
        if profile.protected:
            raise EmptyResult(_PROTECTED.format(profile.handle))
        warnings = list(timeline.warnings)
        if profile.post_count:
            warnings.append(f"The account has {profile.post_count:,} posts, but FxTwitter returned none of them.")
        timeline = timeline.model_copy(update={"handle": profile.handle, "warnings": warnings})
    return timeline, wire


async def fetch_thread(params: TweetParams, net: Net) -> Wire:
    """Fetch the post and its author's thread: an object with `status` and `thread`."""
    return await _get(net, f"thread/{params.post}", {})


async def fetch_conversation(params: RepliesParams, net: Net) -> Wire:
    """Fetch the post and one page of replies: an object with `status`, `thread`, `replies` and `cursor`."""
    place = params.place
    query = {"ranking_mode": _RANKINGS[params.ranking], **({"cursor": place[1]} if place else {})}
    return await _get(net, f"conversation/{params.post}", query)


def skips(params: TweetsParams | RepliesParams) -> str | None:
    """Return the reason for skipping this provider if another provider served the list's first page, otherwise None."""
    place = params.place
    return None if place is None or place[0] == FXTWITTER.name else "The cursor belongs to another provider."


def read_profile(wire: Wire, params: ProfileParams) -> Profile:
    """Parse a profile.

    Raises Absent if the account is unknown or suspended, and ProviderError "changed" for an account other than the
    requested one.
    """
    answer, code = _answer(wire)
    if code == 404:
        is_suspended = at(answer, "reason", str) == "suspended"
        raise Absent(f"The account @{params.account} {'is suspended' if is_suspended else 'does not exist'}.")
    user: dict[str, Any] = must(answer, "user", dict)
    handle = must(user, "screen_name", str)
    if to_handle(handle) is None or handle.lower() != params.account:
        raise ProviderError("FxTwitter returned a different account than requested.", reason="changed")
    verified, kind = read_verification(user)
    about = user.get("about_account")
    return Profile(
        id=take(user, "id", to_number),
        handle=handle,
        name=take(user, "name", to_line) or handle,
        url=make_profile_url(handle),
        bio=take(user, "description", to_text),
        followers=take(user, "followers", to_count, required=True),
        following=take(user, "following", to_count, required=True),
        post_count=take(user, "statuses", to_count, required=True),
        media_count=take(user, "media_count", to_count),
        likes_count=take(user, "likes", to_count),
        website=take(user, "website.url", to_address),
        location=take(user, "location", to_line) if user.get("location") else None,
        joined_at=take(user, "joined", to_instant, required=True),
        verified=verified,
        verification_type=kind,
        verified_since=take(user, "verification.verified_at", to_instant),
        protected=take(user, "protected", to_flag),
        avatar_url=read_avatar(user),
        banner_url=take(user, "banner_url", to_address) if user.get("banner_url") else None,
        based_in_country=take(about, "based_in", to_line),
        based_in_accurate=take(about, "location_accurate", to_flag),
        account_source=take(about, "source", to_line),
        username_changes=take(about, "username_changes.count", to_count),
        provider="fxtwitter",
        degraded=False,
        warnings=[]
        if isinstance(about, dict)
        else ["FxTwitter did not report where the account is based, so based_in_country is null."],
    )


def read_timeline(wire: Wire, params: TweetsParams) -> Timeline:
    """Parse one page. An empty first page is returned unchanged; `ask_timeline` finds the reason."""
    answer, code = _answer(wire)
    if code == 404 and not isinstance(answer.get("results"), list):
        raise Absent(f"The account @{params.account} does not exist.")
    nodes: list[Any] = must(answer, "results", list)
    posts, unavailable = _read_posts(nodes, "results[]")
    sent = params.place[1] if params.place else None
    if sent is None and _begins_with_pinned(posts, params.account):
        posts[0] = posts[0].model_copy(update={"pinned": True})
    return Timeline(
        handle=_read_own_handle(posts, params.account),
        count=len(posts),
        next_cursor=write_cursor(FXTWITTER.name, _read_next(answer, sent) if nodes else None, params.question),
        with_replies=bool(params.with_replies),
        tweets=posts,
        unavailable_count=unavailable,
        provider="fxtwitter",
        degraded=False,
        warnings=read_warnings(posts),
    )


def read_thread(wire: Wire, params: TweetParams) -> Tweet:
    """Parse a post with its thread.

    Raises Absent if it is deleted or unknown, and EmptyResult if it is protected.
    """
    answer, code = _answer(wire)
    post = _read_focal(answer, code, params.post)
    posts, unavailable = _read_posts(answer.get("thread"), "thread[]")
    # the posts of a thread come in any order and more than once; a reply is always newer than the post that it replies
    # to
    chain = sorted({**{one.id: one for one in posts}, post.id: _whole(post, posts)}.values(), key=lambda p: int(p.id))
    thread = chain if len(chain) > 1 else []
    answered = post.replying_to.id if post.replying_to else None
    warnings = []
    if unavailable:
        warnings.append(f"{unavailable} posts of the thread are unavailable (deleted or withheld).")
    if post.article is not None and post.article.markdown is None:
        warnings.append("FxTwitter returned only the beginning of the article.")
    warnings += read_warnings(chain)
    return Tweet(
        **_whole(post, posts).__dict__,
        thread=thread,
        thread_count=len(thread),
        parent=next((one for one in chain if one.id == answered), None),
        provider="fxtwitter",
        degraded=False,
        warnings=warnings,
    )


def read_conversation(wire: Wire, params: RepliesParams) -> Replies:
    """Parse one page of replies. Unreadable replies are skipped and counted. The first page contains the post."""
    answer, code = _answer(wire)
    sent = params.place[1] if params.place else None
    post = _read_focal(answer, code, params.post) if sent is None else None
    nodes: list[Any] = must(answer, "replies", list)
    posts, unavailable = _read_posts(nodes, "replies[]")
    replies = [one for one in posts if one.id != params.post]
    applied = _RANKINGS[params.ranking]
    return Replies(
        id=params.post,
        tweet=post,
        ranking=params.ranking,
        ranking_applied=applied,
        count=len(replies),
        next_cursor=write_cursor(FXTWITTER.name, _read_next(answer, sent) if nodes else None, params.question),
        replies=replies,
        unavailable_count=unavailable,
        provider="fxtwitter",
        degraded=False,
        warnings=[
            *read_warnings([*replies, *([] if post is None else [post])]),
            *(
                []
                if applied == params.ranking
                else [
                    f"FxTwitter does not support the order {params.ranking}, so the replies are ordered by {applied}."
                ]
            ),
        ],
    )


async def _get(net: Net, path: str, query: Mapping[str, str]) -> Wire:
    url = f"{net.setting(BASE_URL)}/2/{path}" + (f"?{urlencode(query)}" if query else "")
    return await net.get(url, accept="application/json", ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_BYTES)


def _answer(wire: Wire) -> tuple[dict[str, Any], int]:
    """Return the response's object and its status, 200 or 404, which the body repeats.

    Raises EmptyResult for a protected post and InvalidParams for an expired cursor. Raises ProviderError "blocked" for
    a block page, "refused" for any other status, and "changed" if the body is not an object.
    """
    answer = _parse_object(wire)
    code = _read_code(wire, answer)
    message = take(answer, "message", to_line) or take(answer, "error", to_line)
    if code in (200, 404) and not isinstance(answer.get("error"), str):
        return answer, code
    if code == 401 and "status" in answer:
        raise EmptyResult("The post belongs to a protected account. Only approved followers can see it.")
    if code == 400 and message is not None and message.lower().startswith("cursor"):
        raise InvalidParams("Parameter 'cursor' has expired. Start again without it.")
    raise _make_refusal_error(wire, code, message)


def _parse_object(wire: Wire) -> dict[str, Any]:
    """Parse the body. Raises the errors of `_answer` for a body that is not an object."""
    if wire.status >= 400 and is_page(wire):
        raise find_block_page_in(wire, FXTWITTER.title) or _make_refusal_error(wire, wire.status, None)
    try:
        answer: dict[str, Any] = must(json_of(wire), "", dict)
    except ProviderError:
        if wire.status >= 400:
            raise _make_refusal_error(wire, wire.status, None) from None
        raise
    return answer


def _read_code(wire: Wire, answer: dict[str, Any]) -> int:
    """Return the status in the body if the response's own status is 200, otherwise the response's own status."""
    code = at(answer, "code", int)
    return code if wire.status == 200 and code is not None else wire.status


def _make_refusal_error(wire: Wire, code: int, message: str | None) -> ProviderError:
    cause = f"status {code}" + (f": {message[:200]}" if message else "")
    return ProviderError(
        f"FxTwitter rejected the request ({cause}).", reason="refused", retry_after_s=retry_after_s(wire)
    )


def _read_focal(answer: Mapping[str, Any], code: int, number: str) -> Post:
    """Return the requested post."""
    node = answer.get("status")
    if is_tombstone(node) and isinstance(node, dict):
        raise make_error(node)
    if code == 404 or ("status" in answer and node is None):
        raise Absent(f"Post not found: {number}, or it is not shown to logged-out visitors.")
    post = read_post(node)
    if post is None:
        raise ProviderError("FxTwitter sent a post without an ID, or without an author and text.", reason="changed")
    if post.id != number:
        raise ProviderError("FxTwitter returned a different post than requested.", reason="changed")
    return post


def _read_posts(nodes: Any, path: str) -> tuple[list[Post], int]:
    """Return the posts of a list without duplicates, and the number of entries without a readable post.

    path: path of the list. Tombstones of unavailable posts are not counted.
    """
    listed = nodes if isinstance(nodes, list) else []
    posts = read_rows([node for node in listed if not is_tombstone(node)], read_post, path)
    found: dict[tuple[str, str], Post] = {}
    for post in posts:
        # an account may repost its own post
        found.setdefault((post.id, post.reposted_by.handle if post.reposted_by else ""), post)
    return list(found.values()), len(listed) - len(posts)


def _whole(post: Post, copies: list[Post]) -> Post:
    """Return the post with the longest text and the most complete article of all copies.

    Some copies are shortened.
    """
    same = [one for one in (post, *copies) if one.id == post.id]
    text = max((one.text for one in same), key=len) if post.is_long_form else post.text
    articles = [one.article for one in same if one.article is not None]
    article = next((one for one in articles if one.markdown is not None), post.article)
    return post.model_copy(update={"text": text, "article": article})


def _read_next(answer: Mapping[str, Any], sent: str | None) -> str | None:
    """Return the cursor of the next page.

    Returns None if there is no cursor, or if it equals the cursor that was sent.
    """
    cursor = take(answer, "cursor.bottom", lambda value: value if isinstance(value, str) and value.strip() else None)
    return cursor if cursor != sent else None


def _read_own_handle(posts: list[Post], account: str) -> str:
    """Return the account's handle in the account's own spelling, if a post contains it."""
    shown = (one.handle for post in posts for one in (post.reposted_by, post.author) if one is not None)
    return next((handle for handle in shown if handle.lower() == account), account)


def _begins_with_pinned(posts: list[Post], account: str) -> bool:
    """Return whether the first post is older than a later post, which only happens if the first post is pinned.

    Reposts are sorted by the time of reposting, which is unknown but never earlier than the original. A continued
    thread is sorted as a whole, by the time of its newest post.
    """
    if not posts or not _is_written_by(posts[0], account):
        return False
    thread = {posts[0].id}
    youngest = posts[0].created_timestamp
    for post in posts[1:]:
        if youngest is None or post.created_timestamp is None:
            continue
        if _continues(post, thread):
            thread.add(post.id)
            youngest = max(youngest, post.created_timestamp)
        elif post.created_timestamp > youngest:
            return True
    return False


def _is_written_by(post: Post, account: str) -> bool:
    return post.reposted_by is None and post.author is not None and post.author.handle.lower() == account


def _continues(post: Post, thread: Collection[str]) -> bool:
    """Return whether a post is a reply to one of these posts."""
    return post.reposted_by is None and post.replying_to is not None and post.replying_to.id in thread
