import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json
from support.world import House, Told, World, query_of
from webquarry.core.errors import Absent, EmptyResult, InvalidParams, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.social.model.microblog import render
from webquarry.extractors.social.model.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.extractors.social.model.microblog.result import QuotedPost
from webquarry.extractors.social.sources.microblog import fxtwitter

SAMPLES = KIT / "upstreams/samples/microblog"
TAPES = Path(__file__).parents[4] / "tapes"
SHIPPED = Path(__file__).parents[5] / "src/webquarry/sandbox"
recorded = pytest.mark.skipif(not SAMPLES.exists(), reason="the sample folder is not here")

PROFILE = ProfileParams.model_validate({"handle": "XDevelopers"})
TIMELINE = TweetsParams.model_validate({"handle": "XDevelopers"})
THREAD = TweetParams.model_validate({"id": "1649191520250245121"})
REPLIES = RepliesParams.model_validate({"id": "1649191520250245121"})
EXAMPLE = {"handle": "example"}
POST = {"id": "1849106200000000001"}


def wire_of(body: Any, status: int = 200) -> Wire:
    url = "https://api.fxtwitter.com/2/x"
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, url, url, status, {}, datetime(2026, 11, 20, tzinfo=UTC))


def sample(name: str) -> Wire:
    report = json.loads((SAMPLES / f"fxtwitter_v2_{name}.json").read_text())
    return wire_of(report["body"], report["status"])


def rich(endpoint: str) -> Any:
    folder = SHIPPED / f"social_microblog_{endpoint}/rich"
    return json.loads(next(folder.glob("[0-9]*.json")).read_text())


@recorded
def test_profile_has_the_values_of_the_sample() -> None:
    read = fxtwitter.read_profile(sample("profile"), PROFILE)
    assert (read.id, read.handle, read.followers, read.following) == ("2244994945", "XDevelopers", 695695, 762)
    assert (read.post_count, read.media_count, read.likes_count) == (4319, 829, 2642)
    assert (read.verified, read.verification_type, read.based_in_country) == (True, "organization", "United States")
    assert (read.username_changes, read.account_source, read.based_in_accurate) == (1, "Web", True)
    assert read.joined_at == datetime(2013, 12, 14, 4, 35, 55, tzinfo=UTC)
    assert read.website == "https://docs.x.com/"


@recorded
def test_timeline_keeps_its_order_and_marks_reposts() -> None:
    report = json.loads(sample("statuses").body)
    read = fxtwitter.read_timeline(sample("statuses"), TIMELINE)
    assert [post.id for post in read.tweets] == [node["id"] for node in report["results"]]
    assert (read.count, read.handle, read.unavailable_count) == (20, "XDevelopers", 0)
    assert [bool(post.reposted_by) for post in read.tweets] == [bool(node["reposted_by"]) for node in report["results"]]
    assert not any(post.pinned for post in read.tweets)
    assert read.tweets[9].article is not None
    assert read.tweets[9].article.markdown is None
    video = read.tweets[15].media[0]
    assert (video.type, video.duration_seconds, video.width) == ("video", 10.85, 1080)
    assert video.variants[0].content_type == "application/x-mpegURL"
    assert (read.tweets[0].likes, read.tweets[0].views, read.tweets[0].bookmarks) == (674, 104358, 117)
    again = TweetsParams.model_validate({"handle": "xdevelopers", "cursor": read.next_cursor})
    assert again.place == ("fxtwitter", report["cursor"]["bottom"])


@recorded
def test_duplicated_thread_is_read_once() -> None:
    read = fxtwitter.read_thread(sample("thread"), THREAD)
    numbers = ["1649191520250245121", "1649191521323995138", "1649191522485817345", "1649191523697979392"]
    assert [post.id for post in read.thread or []] == numbers
    assert (read.likes, read.reposts, read.views, read.thread_count) == (426, 202, 979440, 4)


@recorded
def test_single_post_has_its_pictures_and_no_thread() -> None:
    read = fxtwitter.read_thread(sample("status"), TweetParams.model_validate({"id": "1848831595014459513"}))
    assert (len(read.media), read.thread, read.thread_count) == (3, [], 0)
    assert (read.media[0].width, read.media[0].height) == (4096, 2304)


@recorded
def test_replies_have_the_post_and_what_each_answers() -> None:
    read = fxtwitter.read_conversation(sample("conversation"), REPLIES)
    assert read.tweet is not None
    assert (read.count, read.tweet.id, read.ranking_applied) == (36, REPLIES.post, "likes")
    assert read.replies[1].replying_to is not None
    assert read.replies[1].replying_to.id == "1649191522485817345"
    assert read.next_cursor is not None


@recorded
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("notfound", Absent),
        ("suspended", Absent),
        ("badid", ProviderError),
        ("noua", ProviderError),
    ],
)
def test_errors_of_profiles_are_distinguished(name: str, kind: type[ServiceError]) -> None:
    with pytest.raises(kind):
        fxtwitter.read_profile(sample(name), PROFILE)


@recorded
@pytest.mark.parametrize("name", ["status_notfound", "status_suspended"])
def test_deleted_post_is_absent(name: str) -> None:
    with pytest.raises(Absent):
        fxtwitter.read_thread(sample(name), THREAD)
    with pytest.raises(Absent):
        fxtwitter.read_conversation(sample(name), REPLIES)


async def test_requests_identify_the_client_and_the_post() -> None:
    world = World({"/2/": [Told(200, b"{}")]})
    place = write_cursor("fxtwitter", "DAAH+/=", RepliesParams.model_validate({**POST, "ranking": "recency"}).question)
    replies = RepliesParams.model_validate({**POST, "ranking": "recency", "cursor": place})
    with House(world, microblog_fx_base_url="https://fx.example.com/").net(fxtwitter.FXTWITTER) as net:
        await fxtwitter.fetch_profile(ProfileParams.model_validate({"handle": "@Example"}), net)
        await fxtwitter.fetch_thread(TweetParams.model_validate(POST), net)
        await fxtwitter.fetch_conversation(RepliesParams.model_validate(POST), net)
        await fxtwitter.fetch_conversation(replies, net)
    requests = [request for _, request in world.asked]
    assert [request.url for request in requests[:3]] == [
        "https://fx.example.com/2/profile/example?about_account=1",
        "https://fx.example.com/2/thread/1849106200000000001",
        "https://fx.example.com/2/conversation/1849106200000000001?ranking_mode=likes",
    ]
    assert query_of(requests[3]) == {"ranking_mode": "recency", "cursor": "DAAH+/="}
    assert all(request.headers["User-Agent"].startswith("Webquarry/") for request in requests)


async def test_empty_timeline_causes_a_request_for_the_profile() -> None:
    nothing = Told(404, b'{"code":404,"results":[]}')
    shut = {"code": 200, "user": {"screen_name": "example", "protected": True}}
    world = World(
        {"/2/profile/example/statuses": [nothing], "/2/profile/example": [Told(200, json.dumps(shut).encode())]}
    )
    with House(world).net(fxtwitter.FXTWITTER) as net, pytest.raises(EmptyResult, match="protected"):
        await fxtwitter.ask_timeline(TweetsParams.model_validate(EXAMPLE), net)
    assert world.paths == ["/2/profile/example/statuses", "/2/profile/example"]


def post(number: int, when: int, handle: str = "example", **more: Any) -> dict[str, Any]:
    fields = {"type": "status", "id": str(number), "text": "x", "created_timestamp": when}
    return {**fields, "author": {"screen_name": handle}, **more}


def replying(number: int) -> dict[str, Any]:
    return {"screen_name": "example", "status": str(number)}


@pytest.mark.parametrize(
    ("results", "pinned"),
    [
        ([post(11, 1_500_000_000), post(99, 1_600_000_000)], True),
        ([post(99, 1_600_000_000), post(11, 1_500_000_000)], False),
        ([post(11, 1_500_000_000, reposted_by={"screen_name": "example"}), post(99, 1_600_000_000)], False),
        ([post(11, 1_500_000_000), post(99, 1_600_000_000, replying_to=replying(11))], False),
        ([post(11, 1_500_000_000), post(99, 1_600_000_000, replying_to=replying(11)), post(98, 1_550_000_000)], False),
        ([post(11, 1_500_000_000), post(12, 1_400_000_000, reposted_by=replying(1)), post(99, 1_600_000_000)], True),
        ([post(11, 1_500_000_000, "other"), post(99, 1_600_000_000)], False),
        ([post(11, 1_500_000_000)], False),
    ],
)
def test_post_is_pinned_if_the_order_requires_it(results: list[dict[str, Any]], *, pinned: bool) -> None:
    read = fxtwitter.read_timeline(wire_of({"code": 200, "results": results}), TweetsParams.model_validate(EXAMPLE))
    assert [one.pinned for one in read.tweets] == [pinned, *[False] * (len(results) - 1)]


@pytest.mark.parametrize("end", [{"bottom": None}, {"bottom": ""}, {"bottom": "same"}, {}, None])
def test_end_of_a_list_is_null(end: Any) -> None:
    first = TweetsParams.model_validate(EXAMPLE)
    params = TweetsParams.model_validate({**EXAMPLE, "cursor": write_cursor("fxtwitter", "same", first.question)})
    found = wire_of({"code": 200, "results": [post(20, 1_600_000_000)], "cursor": end})
    assert fxtwitter.read_timeline(found, params).next_cursor is None
    over = wire_of({"code": 200, "results": [], "cursor": {"bottom": "other"}})
    assert fxtwitter.read_timeline(over, params).next_cursor is None


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (401, {"code": 401, "status": None}, EmptyResult, None),
        (404, {"code": 404, "status": {"type": "tombstone", "reason": "private"}}, EmptyResult, None),
        (404, {"code": 404, "status": {"type": "tombstone", "reason": "deleted"}}, Absent, None),
        (400, {"code": 400, "message": "cursor: bad"}, InvalidParams, None),
        (429, {"code": 429, "message": "slow down"}, ProviderError, "refused"),
        (502, b"<html><body>Bad gateway</body></html>", ProviderError, "refused"),
        (500, b"no", ProviderError, "refused"),
        (200, b"<html><title>Just a moment...</title></html>", ProviderError, "blocked"),
        (200, {"code": 200, "status": {"type": "status", "id": "20"}}, ProviderError, "changed"),
        (200, post(21, 1_600_000_000), ProviderError, "changed"),
    ],
)
def test_refusals_are_distinguished(status: int, body: Any, kind: type[ServiceError], reason: str | None) -> None:
    with pytest.raises(kind) as caught:
        fxtwitter.read_thread(wire_of(body, status), TweetParams.model_validate({"id": "20"}))
    assert caught.value.reason == reason


READERS: list[tuple[str, Callable[[Wire, Any], Any], Any, Callable[[Any], str]]] = [
    ("profile", fxtwitter.read_profile, ProfileParams.model_validate(EXAMPLE), render.render_profile),
    ("tweets", fxtwitter.read_timeline, TweetsParams.model_validate(EXAMPLE), render.render_timeline),
    ("tweet", fxtwitter.read_thread, TweetParams.model_validate(POST), render.render_tweet),
    ("replies", fxtwitter.read_conversation, RepliesParams.model_validate(POST), render.render_replies),
]


@pytest.mark.parametrize(("endpoint", "read", "params", "write"), READERS)
@given(data=st.data())
def test_damaged_answer_is_a_result_or_an_error(
    endpoint: str,
    read: Callable[[Wire, Any], Result],
    params: Any,
    write: Callable[[Any], str],
    data: st.DataObject,
) -> None:
    body = damaged_json(data, rich(endpoint))
    try:
        result = read(wire_of(body), params)
    except ServiceError:
        return
    assert type(result).model_validate_json(result.model_dump_json()) == result
    assert write(result)


@given(order=st.permutations(range(7)))
def test_thread_is_the_same_in_any_order(order: list[int]) -> None:
    body = rich("tweet")
    expected = fxtwitter.read_thread(wire_of(body), TweetParams.model_validate(POST))
    body["thread"] = [body["thread"][place] for place in order]
    assert fxtwitter.read_thread(wire_of(body), TweetParams.model_validate(POST)) == expected


def test_post_of_pictures_alone_has_an_empty_text_at_any_position() -> None:
    short = "https://t.co/Pictures01"
    raw = {"text": short, "display_text_range": [0, 0], "facets": [{"type": "media", "original": short}]}
    picture = {**post(20, 1_600_000_000), "text": "", "raw_text": raw}
    unfinished = {**picture, "id": "21", "text": None, "raw_text": {**raw, "display_text_range": None}}
    whole = {**post(22, 1_600_000_100), "quote": picture}
    answer = wire_of({"code": 200, "results": [picture, unfinished, whole]})
    timeline = fxtwitter.read_timeline(answer, TweetsParams.model_validate({"handle": "example"}))
    assert [one.text for one in timeline.tweets[:2]] == ["", ""]
    quoted = timeline.tweets[2].quoted_tweet
    assert isinstance(quoted, QuotedPost)
    assert quoted.text == ""


def test_post_without_its_author_is_kept_with_a_warning() -> None:
    lost = {**post(20, 1_600_000_000), "author": None}
    answer = wire_of({"code": 200, "results": [lost, post(21, 1_600_000_100)]})
    timeline = fxtwitter.read_timeline(answer, TweetsParams.model_validate({"handle": "example"}))
    assert (timeline.count, timeline.tweets[0].author, timeline.unavailable_count) == (2, None, 0)
    assert timeline.warnings == ["The provider omitted the author of the post."]
