import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import damaged_json
from support.world import House, Told, World, query_of
from webquarry.core.errors import Absent, EmptyResult, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.extractors.social.model.microblog import render
from webquarry.extractors.social.model.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.extractors.social.model.microblog.result import UnavailablePost
from webquarry.extractors.social.sources.untested import syndication, vxtwitter, x_api

PROFILE = ProfileParams.model_validate({"handle": "Example"})
TIMELINE = TweetsParams.model_validate({"handle": "Example"})
TWEET = TweetParams.model_validate({"id": "1849106200000000001"})
REPLIES = RepliesParams.model_validate({"id": "1849106200000000001", "ranking": "likes"})

EMBEDDED_USER = {
    "id_str": "3000000001",
    "name": "Example Observatory",
    "screen_name": "Example",
    "profile_image_url_https": "https://images.example.com/a/1_normal.jpg",
    "verified": False,
    "is_blue_verified": True,
    "verified_type": "Business",
}
EMBEDDED = {
    "__typename": "Tweet",
    "id_str": TWEET.post,
    "lang": "en",
    "created_at": "2024-10-23T13:43:20.000Z",
    "text": "@ann_made Tea &amp; stars https://t.co/a https://t.co/m",
    "display_text_range": [10, 40],
    "entities": {"urls": [{"url": "https://t.co/a", "expanded_url": "https://www.example.com/tea"}]},
    "user": EMBEDDED_USER,
    "favorite_count": 0,
    "conversation_count": 3,
    "in_reply_to_screen_name": "ann_made",
    "in_reply_to_status_id_str": "1849106100000000001",
    "note_tweet": {"id": "x"},
    "mediaDetails": [
        {
            "type": "video",
            "media_url_https": "https://images.example.com/m.jpg",
            "original_info": {"width": 1280, "height": 720},
            "video_info": {
                "duration_millis": 12500,
                "variants": [
                    {"content_type": "application/x-mpegURL", "url": "https://video.example.com/list.m3u8"},
                    {"content_type": "video/mp4", "bitrate": 632000, "url": "https://video.example.com/360.mp4"},
                    {"content_type": "video/mp4", "bitrate": 2176000, "url": "https://video.example.com/720.mp4"},
                ],
            },
        }
    ],
    "quoted_tweet": {"id_str": "1849106100000000002", "text": "First", "user": EMBEDDED_USER, "reply_count": 2},
    "parent": {"id_str": "1849106100000000001", "text": "Tea?", "user": {"screen_name": "ann_made"}},
}
VX_PROFILE = {
    "id": 3000000001,
    "screen_name": "Example",
    "name": "Example Observatory",
    "followers_count": 48210,
    "following_count": 42,
    "tweet_count": 4319,
    "created_at": "Tue Mar 03 08:00:00 +0000 2015",
    "protected": False,
    "location": "",
}
VX_POST = {
    "tweetID": TWEET.post,
    "tweetURL": "https://twitter.com/Example/status/1849106200000000001",
    "text": "Tea & stars",
    "date_epoch": 1729691000,
    "likes": 0,
    "retweets": 12,
    "replies": 3,
    "user_name": "Example Observatory",
    "user_screen_name": "Example",
    "media_extended": [
        {"type": "image", "url": "https://images.example.com/1.jpg", "altText": "Dome", "size": {"width": 9}}
    ],
    "replyingTo": "ann_made",
    "replyingToID": "1849106100000000001",
    "qrt": {"tweetID": "1849106100000000002", "user_screen_name": "bob_made", "text": "First"},
}
X_USER = {
    "id": "3000000001",
    "username": "Example",
    "name": "Example Observatory",
    "created_at": "2015-03-03T08:00:00.000Z",
    "pinned_tweet_id": "1849106200000000001",
    "verified": True,
    "verified_type": "business",
    "protected": False,
    "public_metrics": {"followers_count": 48210, "following_count": 42, "tweet_count": 4319, "media_count": 388},
    "url": "https://t.co/z",
    "entities": {"url": {"urls": [{"url": "https://t.co/z", "expanded_url": "https://www.example.com/"}]}},
}
X_POST = {
    "id": TWEET.post,
    "author_id": "3000000001",
    "text": "Cut…",
    "note_tweet": {"text": "Tea &amp; stars, whole https://t.co/m", "entities": {"urls": [
        {"url": "https://t.co/m", "expanded_url": "https://x.com/Example/status/1/video/1", "media_key": "3_1"}]}},
    "created_at": "2024-10-23T13:43:20.000Z",
    "public_metrics": {
        "retweet_count": 12,
        "reply_count": 3,
        "like_count": 0,
        "quote_count": 1,
        "bookmark_count": 5,
        "impression_count": 9120,
    },
    "attachments": {"media_keys": ["3_1"]},
    "in_reply_to_user_id": "3000000002",
    "referenced_tweets": [
        {"type": "replied_to", "id": "1849106100000000001"},
        {"type": "quoted", "id": "1849106100000000002"},
    ],
}  # fmt: skip
X_REPOST = {
    "id": "1849106300000000001",
    "author_id": "3000000001",
    "text": "RT @ann_made: Tea?",
    "referenced_tweets": [{"type": "retweeted", "id": "1849106100000000001"}],
}
X_INCLUDES = {
    "users": [X_USER, {"id": "3000000002", "username": "ann_made", "name": "Ann Made"}],
    "media": [{"media_key": "3_1", "type": "photo", "url": "https://images.example.com/1.jpg", "alt_text": "Dome"}],
    "tweets": [{"id": "1849106100000000001", "author_id": "3000000002", "text": "Tea?"}],
}
X_PAGE = {"data": [X_REPOST, X_POST], "includes": X_INCLUDES, "meta": {"result_count": 2, "next_token": "made7"}}
X_TWEET = {"data": X_POST, "includes": X_INCLUDES}


def wire_of(body: Any, status: int = 200) -> Wire:
    url = "https://api.example.com/x"
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, url, url, status, {}, datetime(2026, 11, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("number", "token"),
    [("20", "6dq1a2xwd93"), ("1577730467436138524", "3tol417ti8o"), ("1791351500217754008", "4cbp2xufsb5")],
)
def test_token_begins_as_the_embedding_script_makes_it(number: str, token: str) -> None:
    assert syndication.make_token(number)[:9] == token[:9]


def test_embedded_post_has_only_the_known_fields() -> None:
    read = syndication.read(wire_of(EMBEDDED), TWEET)
    assert read.text == "Tea & stars https://www.example.com/tea"
    assert (read.likes, read.replies, read.reposts, read.views, read.bookmarks) == (0, 3, None, None, None)
    assert (read.thread, read.thread_count, read.degraded, read.is_long_form) == (None, None, True, True)
    assert read.author is not None
    assert (read.author.verified, read.author.verification_type, read.author.followers) == (True, "organization", None)
    assert (read.media[0].url, read.media[0].duration_seconds) == ("https://video.example.com/720.mp4", 12.5)
    assert read.parent is not None
    assert (read.parent.id, read.replying_to and read.replying_to.id) == ("1849106100000000001",) * 2
    assert any("truncated" in warning for warning in read.warnings)


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b"", ProviderError, "refused"),
        ({}, Absent, None),
        ({"__typename": "TweetTombstone", "tombstone": {}}, Absent, None),
        ({"__typename": "Tweet"}, ProviderError, "changed"),
        ({**EMBEDDED, "id_str": "20"}, ProviderError, "changed"),
    ],
)
def test_response_without_an_embedded_post_is_an_error(body: Any, kind: type[ServiceError], reason: str | None) -> None:
    with pytest.raises(kind) as caught:
        syndication.read(wire_of(body), TWEET)
    assert caught.value.reason == reason


def test_unknown_fields_of_vxtwitter_are_null() -> None:
    profile = vxtwitter.read_profile(wire_of(VX_PROFILE), PROFILE)
    assert (profile.id, profile.followers, profile.verified, profile.based_in_country) == (
        "3000000001",
        48210,
        None,
        None,
    )
    assert (profile.degraded, profile.location, profile.joined_at) == (True, None, datetime(2015, 3, 3, 8, tzinfo=UTC))
    post = vxtwitter.read_tweet(wire_of(VX_POST), TWEET)
    assert (post.likes, post.reposts, post.quotes, post.thread) == (0, 12, None, None)
    assert post.author is not None
    assert (post.media[0].alt_text, post.author.verified, post.created_timestamp) == ("Dome", None, 1729691000)
    with pytest.raises(Absent):
        vxtwitter.read_tweet(wire_of({"error": "Tweet not found"}), TWEET)


def test_x_api_maps_to_the_same_shape() -> None:
    profile = x_api.read_profile(wire_of({"data": X_USER}), PROFILE)
    assert (profile.verification_type, profile.website, profile.media_count) == (
        "organization",
        "https://www.example.com/",
        388,
    )
    post = x_api.read_tweet(wire_of(X_TWEET), TWEET)
    assert (post.text, post.views, post.bookmarks, post.likes) == ("Tea & stars, whole", 9120, 5, 0)
    assert (post.is_long_form, post.media[0].alt_text) == (True, "Dome")
    assert post.parent is not None
    assert post.parent.author is not None
    assert post.parent.author.handle == "ann_made"
    assert isinstance(post.quoted_tweet, UnavailablePost)
    page = x_api.read_timeline(wire_of(X_PAGE), TIMELINE)
    assert page.tweets[0].author is not None
    assert (page.tweets[0].author.handle, page.tweets[0].reposted_by and page.tweets[0].reposted_by.handle) == (
        "ann_made",
        "Example",
    )
    assert page.next_cursor is not None


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (200, {"errors": [{"title": "Not Found Error"}]}, Absent, None),
        (200, {"errors": [{"title": "Forbidden"}]}, Absent, None),
        (200, {"errors": [{"title": "Authorization Error"}]}, EmptyResult, None),
        (200, {"errors": [{"title": "Disconnected"}]}, ProviderError, "refused"),
        (200, {}, ProviderError, "changed"),
        (401, {}, ProviderError, "refused"),
        (429, b"slow", ProviderError, "refused"),
        (503, b"", ProviderError, "refused"),
    ],
)
def test_errors_of_the_x_api_are_distinguished(
    status: int, body: Any, kind: type[ServiceError], reason: str | None
) -> None:
    with pytest.raises(kind) as caught:
        x_api.read_tweet(wire_of(body, status), TWEET)
    assert caught.value.reason == reason


def test_page_without_a_list_is_empty_only_with_a_zero_count() -> None:
    assert x_api.read_timeline(wire_of({"meta": {"result_count": 0}}), TIMELINE).count == 0
    with pytest.raises(ProviderError):
        x_api.read_timeline(wire_of({"meta": {}}), TIMELINE)


async def test_x_api_is_requested_by_number_with_the_token_in_a_header() -> None:
    world = World({
        "/2/users/by/username/example": [Told(200, json.dumps({"data": X_USER}).encode())],
        "/2/users/3000000001/tweets": [Told(200, json.dumps(X_PAGE).encode())],
        "/2/tweets/1849106200000000001": [Told(200, json.dumps(X_TWEET).encode())],
        "/2/tweets/search/recent": [Told(200, json.dumps(X_PAGE).encode())],
    })  # fmt: skip
    cursor = write_cursor("x_api", "made9", TIMELINE.question)
    with House(world, x_api_bearer_token="made").net(x_api.X_API) as net:
        first, _ = await x_api.ask_timeline(TIMELINE, net)
        await x_api.ask_timeline(TweetsParams.model_validate({"handle": "example", "cursor": cursor}), net)
        replies, _ = await x_api.ask_replies(REPLIES, net)
    assert [(post.id, post.pinned) for post in first.tweets] == [
        ("1849106200000000001", True),
        ("1849106100000000001", False),
    ]
    assert (replies.tweet and replies.tweet.id, replies.ranking_applied) == (TWEET.post, "relevance")
    assert all(request.headers["Authorization"] == "Bearer made" for _, request in world.asked)
    queries = [query_of(request) for request in world.requests("/2/users/3000000001/tweets")]
    assert [query.get("pagination_token") for query in queries] == [None, "made9"]
    assert {query["exclude"] for query in queries} == {"replies"}
    assert query_of(world.asked[-1][1])["query"] == "in_reply_to_tweet_id:1849106200000000001"


def test_list_continues_with_the_source_of_its_first_page() -> None:
    going_on = TweetsParams.model_validate(
        {"handle": "example", "cursor": write_cursor("fxtwitter", "DAA", TIMELINE.question)}
    )
    assert x_api.skips(going_on) is not None
    assert x_api.skips(TIMELINE) is None


READERS: list[tuple[Any, Callable[[Wire, Any], Any], Any, Callable[[Any], str]]] = [
    (EMBEDDED, syndication.read, TWEET, render.render_tweet),
    (VX_PROFILE, vxtwitter.read_profile, PROFILE, render.render_profile),
    (VX_POST, vxtwitter.read_tweet, TWEET, render.render_tweet),
    ({"data": X_USER}, x_api.read_profile, PROFILE, render.render_profile),
    (X_PAGE, x_api.read_timeline, TIMELINE, render.render_timeline),
    (X_TWEET, x_api.read_tweet, TWEET, render.render_tweet),
    (X_PAGE, x_api.read_replies, REPLIES, render.render_replies),
]


@pytest.mark.parametrize(("body", "read", "params", "write"), READERS)
@given(data=st.data())
def test_damaged_answer_is_a_result_or_an_error(
    body: Any, read: Callable[[Wire, Any], Any], params: Any, write: Callable[[Any], str], data: st.DataObject
) -> None:
    try:
        result = read(wire_of(damaged_json(data, body)), params)
    except ServiceError:
        return
    assert type(result).model_validate_json(result.model_dump_json()) == result
    assert write(result)


SHORT = "https://t.co/Pictures01"


def test_embedded_post_of_pictures_alone_has_an_empty_text() -> None:
    body = {**EMBEDDED, "text": SHORT, "entities": {"media": [{"url": SHORT}]}}
    assert syndication.read(wire_of({**body, "display_text_range": [0, 0]}), TWEET).text == ""
    del body["display_text_range"]
    assert syndication.read(wire_of(body), TWEET).text == ""


def test_vx_post_of_pictures_alone_has_an_empty_text() -> None:
    assert vxtwitter.read_tweet(wire_of({**VX_POST, "text": SHORT}), TWEET).text == ""
    assert vxtwitter.read_tweet(wire_of({**VX_POST, "text": f"Tea {SHORT}"}), TWEET).text == "Tea"
    without = {**VX_POST, "text": f"Tea {SHORT}", "media_extended": []}
    assert vxtwitter.read_tweet(wire_of(without), TWEET).text == f"Tea {SHORT}"


def test_x_post_of_pictures_alone_has_an_empty_text() -> None:
    url = {"url": SHORT, "expanded_url": "https://x.com/Example/status/1849106200000000001/photo/1"}
    whole: Any = X_TWEET["data"]
    data = {**whole, "text": SHORT, "entities": {"urls": [url]}}
    del data["note_tweet"]
    assert x_api.read_tweet(wire_of({**X_TWEET, "data": data}), TWEET).text == ""


def test_post_whose_author_is_missing_is_kept_with_a_warning() -> None:
    lost = {name: value for name, value in EMBEDDED.items() if name != "user"}
    embedded = syndication.read(wire_of(lost), TWEET)
    assert (embedded.author, embedded.url) == (None, "https://x.com/i/status/1849106200000000001")
    assert "omitted the author of the post" in embedded.warnings[-1]
    assert "does not name" in render.render_tweet(embedded)
    page = x_api.read_timeline(wire_of({**X_PAGE, "includes": {}}), TIMELINE)
    assert [post.author for post in page.tweets] == [None] * page.count
    assert page.count > 0
    assert page.warnings
