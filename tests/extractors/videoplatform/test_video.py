"""A video: the data in each response, the requests of the chain, and damaged responses."""

import json
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import damaged_json
from support.videos import RECORDED_ID, SAMPLES, needs_samples, sample, wire
from support.world import House, Told, World
from webquarry.core.errors import Absent, EmptyResult, ProviderError, ServiceError
from webquarry.extractors.videoplatform import video
from webquarry.extractors.videoplatform.model.params import VideoParams
from webquarry.extractors.videoplatform.model.result import Video
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.facts import video_of
from webquarry.extractors.videoplatform.sources.innertube import player, watch_next
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE
from webquarry.extractors.videoplatform.sources.untested import page_video
from webquarry.sandbox.cases import SHIPPED

CASE = SHIPPED / "videoplatform_video" / "rich"
BODIES = [json.loads((CASE / f"0{number}.json").read_bytes()) for number in (1, 2, 3)]
PLAYER, MICRO, NEXT = BODIES
PARAMS = VideoParams.model_validate({"id": "HarbourVid1"})
RECORDED = VideoParams.model_validate({"id": RECORDED_ID})
HOST = "www.youtube.com/youtubei/v1"


def told(body: Any, status: int = 200) -> Told:
    return Told(status, json.dumps(body).encode(), {"content-type": "application/json"})


def refusing(status: str, reason: str, **others: Any) -> dict[str, Any]:
    return {"playabilityStatus": {"status": status, "reason": reason, **others}}


BOT = refusing("LOGIN_REQUIRED", "Sign in to confirm you\u2019re not a bot")


async def ask(world: World) -> Video:
    with House(world).net(INNERTUBE) as net:
        return (await video.ask(PARAMS, net))[0]


class TestRecorded:
    pytestmark = needs_samples

    def test_the_parts_make_one_video(self) -> None:
        names = ("player_VISIONOS", "player_WEB_fields", "next_WEB")
        found = [video.read_facts(sample(f"video_tagesschau_{name}.response.json")) for name in names]
        made = video_of(found, RECORDED_ID, "innertube")
        assert (made.duration_seconds, made.view_count, made.like_count) == (953, 290_135, 2560)
        assert (made.comment_count, made.comment_count_text) == (1100, "1.1k")
        assert made.published_at == datetime(2021, 3, 17, 19, 56, 59, tzinfo=UTC)
        assert made.category == "News & Politics"
        assert made.channel.model_dump(exclude={"avatar_url"}) == {
            "id": "UC5NOEUbkLheQcaaRldYW5GA",
            "handle": "@tagesschau",
            "name": "tagesschau",
            "url": "https://www.youtube.com/channel/UC5NOEUbkLheQcaaRldYW5GA",
            "subscriber_count": 2_140_000,
            "subscriber_count_text": "2.14m subscribers",
            "verified": True,
        }
        assert len(made.chapters) == 13
        assert made.caption_languages is not None
        assert [(one.code, one.auto) for one in made.caption_languages] == [("de", True)]
        assert made.available_countries_count == 249
        assert (made.is_live, made.is_short, made.is_unlisted, made.age_restricted) == (False, False, False, False)
        assert made.player_status == "ok"

    def test_the_second_response_is_enough(self) -> None:
        made = video.read(sample("video_tagesschau_next_WEB.response.json"), RECORDED)
        assert (made.view_count, made.like_count, made.published_at) == (290_135, 2560, date(2021, 3, 17))
        assert (made.player_status, made.caption_languages) == ("unknown", None)

    def test_a_reel_contains_a_player_response(self) -> None:
        assert video.read(sample("video_tagesschau_reel_ANDROID.response.json"), RECORDED).duration_seconds == 953

    @pytest.mark.parametrize(
        ("name", "status"),
        [
            ("video_restricted_1.response.json", "region_restricted"),
            ("video_paidcontent_1.response.json", "paid"),
            ("video_musicpremiumcontent_1.response.json", "paid"),
            ("yta_youtube_age_restricted.innertube.json", "age_restricted"),
            ("yta_youtube_request_blocked.innertube.json", "blocked"),
            ("yta_youtube_unplayable.innertube.json", "refused"),
            ("yta_youtube.innertube.json", "ok"),
        ],
    )
    def test_the_player_status_is_known(self, name: str, status: str) -> None:
        assert video.read_facts(sample(name)).player_status == status

    @pytest.mark.parametrize(
        ("name", "error", "words"),
        [
            ("video_nonexistent_1.response.json", Absent, "has no video"),
            ("yta_youtube_video_unavailable.innertube.json", Absent, "This video is unavailable"),
            ("video_privatecontent_1.response.json", EmptyResult, "private"),
            ("yta_youtube_too_many_requests.html", ProviderError, "returned a captcha"),
        ],
    )
    def test_a_response_without_a_video_is_reported(self, name: str, error: type[ServiceError], words: str) -> None:
        with pytest.raises(error, match=words):
            video.read_facts(sample(name))

    def test_captions_are_listed_even_if_the_list_is_empty(self) -> None:
        many = video.read_facts(sample("yta_youtube.innertube.json")).caption_languages
        assert many is not None
        assert ("en", False) in [(one.code, one.auto) for one in many]
        assert video.read_facts(sample("yta_youtube_transcripts_disabled2.innertube.json")).caption_languages == []


def test_samples_exist_at_their_paths() -> None:
    assert SAMPLES.parts[-3:] == ("upstreams", "samples", "video-platform")


async def test_two_players_and_the_second_response_are_requested() -> None:
    world = World({f"{HOST}/player": [told(PLAYER), told(MICRO)], f"{HOST}/next": [told(NEXT)]})
    await ask(world)
    requests = [request for _, request in world.asked]
    assert [request.method for request in requests] == ["POST"] * 3
    assert [request.url.partition("/v1/")[2] for request in requests] == [
        "player?prettyPrint=false",
        "player?prettyPrint=false&$fields=playabilityStatus,microformat,videoDetails",
        "next?prettyPrint=false",
    ]
    bodies = [json.loads(request.body or b"") for request in requests]
    assert [body["context"]["client"]["clientName"] for body in bodies] == ["VISIONOS", "WEB", "WEB"]
    assert {body["context"]["client"]["hl"] for body in bodies} == {"en"}
    assert {body["videoId"] for body in bodies} == {"HarbourVid1"}
    assert all(body["contentCheckOk"] and body["racyCheckOk"] for body in bodies)
    headers = requests[0].headers
    assert (headers["X-YouTube-Client-Name"], headers["Cookie"]) == ("101", "SOCS=CAE=")
    assert "Authorization" not in headers


async def test_the_second_response_is_used_if_players_are_blocked() -> None:
    made = await ask(World({f"{HOST}/player": [told(BOT), told(BOT)], f"{HOST}/next": [told(NEXT)]}))
    assert (made.title, made.player_status, made.caption_languages) == ("A harbour in winter", "blocked", None)
    assert made.view_count == 48_213
    assert any("rejected this service" in sentence for sentence in made.warnings)


async def test_an_error_is_raised_if_everything_is_blocked() -> None:
    with pytest.raises(ProviderError) as caught:
        await ask(
            World(
                {
                    f"{HOST}/player": [told(BOT), told(BOT)],
                    f"{HOST}/next": [told({"contents": {"twoColumnWatchNextResults": {}}})],
                }
            )
        )
    assert caught.value.reason == "blocked"


async def test_a_missing_video_must_be_confirmed_by_the_second_player() -> None:
    gone = refusing("ERROR", "This video is unavailable")
    made = await ask(World({f"{HOST}/player": [told(gone), told(MICRO)], f"{HOST}/next": [told(NEXT)]}))
    assert made.like_count == 1904
    with pytest.raises(Absent, match="This video is unavailable"):
        await ask(World({f"{HOST}/player": [told(gone), told(gone)], f"{HOST}/next": [told(NEXT)]}))


async def test_a_late_part_causes_a_warning() -> None:
    made = await ask(World({f"{HOST}/player": [told(PLAYER), told(MICRO)], f"{HOST}/next": [told({}, 500)]}))
    assert made.comment_count is None
    assert any("Part of the data is missing" in sentence for sentence in made.warnings)


def test_another_video_is_an_error() -> None:
    with pytest.raises(ProviderError, match="a different video"):
        video.read(wire(PLAYER), RECORDED)


def test_hidden_likes_are_null() -> None:
    body = json.loads(
        json.dumps(NEXT)
        .replace('"1.9K"', '"Like"')
        .replace("like this video along with 1,904 other people", "like this")
    )
    found = watch_next.read_facts(body)
    assert (found.like_count, found.like_count_text) == (None, None)


@pytest.mark.parametrize(
    ("status", "reason", "found"),
    [
        ("LOGIN_REQUIRED", "Sign in to confirm your age", "age_restricted"),
        ("AGE_CHECK_REQUIRED", "x", "age_restricted"),
        ("LOGIN_REQUIRED", "Please sign in", "blocked"),
        ("UNPLAYABLE", "This video is not available in your country", "region_restricted"),
        ("UNPLAYABLE", "This video requires payment to watch", "paid"),
        ("CONTENT_CHECK_REQUIRED", "x", "refused"),
        ("LIVE_STREAM_OFFLINE", "This live event will begin in 2 hours.", "offline"),
    ],
)
def test_player_statuses_are_read(status: str, reason: str, found: str) -> None:
    assert player.read_facts(refusing(status, reason)).player_status == found


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("You have exceeded your quota.", "next billing period"),
        ("API key not valid.", "Check WEBQUARRY_YOUTUBE_DATA_KEY"),
    ],
)
async def test_a_used_up_quota_is_distinguished_from_a_rejected_key(message: str, words: str) -> None:
    world = World({"www.googleapis.com/youtube/v3/videos": [told({"error": {"code": 403, "message": message}}, 403)]})
    with House(world, youtube_data_key="secret").net(data_api.DATA_API) as net, pytest.raises(ProviderError) as caught:
        await data_api.fetch_video(PARAMS, net)
    assert caught.value.reason == "refused"
    assert words in caught.value.message
    assert "secret" not in caught.value.message


@given(st.data())
def test_damaged_responses_give_a_video_or_a_clear_error(data: st.DataObject) -> None:
    body = damaged_json(data, data.draw(st.sampled_from(BODIES)))
    with suppress(ServiceError):
        made = video.read(wire(body), PARAMS)
        assert Video.model_validate_json(made.model_dump_json()) == made
        video.render(made)


@given(st.data())
def test_damaged_responses_of_other_sources_give_a_video_or_a_clear_error(data: st.DataObject) -> None:
    row = {
        "items": [
            {
                "id": "HarbourVid1",
                "snippet": {"title": "a", "tags": ["x"], "thumbnails": {"high": {"url": "https://example.com/a.jpg"}}},
                "statistics": {"viewCount": "3"},
                "contentDetails": {"duration": "PT3S"},
                "liveStreamingDetails": {"actualStartTime": "2026-01-01T00:00:00Z"},
            }
        ]
    }
    oembed = {
        "title": "a",
        "author_name": "b",
        "author_url": "https://www.youtube.com/@b",
        "thumbnail_url": "https://example.com/a.jpg",
    }
    with suppress(ServiceError):
        video.render(data_api.read_video(wire(damaged_json(data, row)), PARAMS))
    with suppress(ServiceError):
        video.render(page_video.read_oembed(wire(damaged_json(data, oembed)), PARAMS))
