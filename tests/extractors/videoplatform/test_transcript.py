"""A transcript: the choice of captions, the requests, and the reasons why there are none."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import damaged_json, damaged_text
from support.videos import needs_samples, sample, wire
from support.world import House, Told, World
from webquarry.core.errors import Absent, EmptyResult, ProviderError, ServiceError
from webquarry.core.locale import Language
from webquarry.extractors.videoplatform import transcript
from webquarry.extractors.videoplatform.sources.innertube import captions
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE
from webquarry.extractors.videoplatform.sources.innertube.captions import Track
from webquarry.extractors.videoplatform.transcript import Transcript, TranscriptParams
from webquarry.sandbox.cases import SHIPPED

CASE = SHIPPED / "videoplatform_transcript" / "rich"
LISTED, SPOKEN = (json.loads((CASE / f"0{number}.json").read_bytes()) for number in (1, 2))
CALLS = "www.youtube.com/youtubei/v1"
TEXTS = "www.youtube.com/api/timedtext"
XML = b'<?xml version="1.0"?><transcript><text start="1.5" dur="2">Tom &amp;amp; Ann&amp;#39;s</text></transcript>'
SRV3 = b"""<?xml version="1.0"?><timedtext format="3"><head><ws id="0"/></head>
<body><p t="1500" d="2000"><s>one </s><s t="9">two</s></p></body></timedtext>"""
PANEL = {
    "actions": [
        {
            "updateEngagementPanelAction": {
                "content": {
                    "transcriptRenderer": {
                        "content": {
                            "transcriptSearchPanelRenderer": {
                                "body": {
                                    "transcriptSegmentListRenderer": {
                                        "initialSegments": [
                                            {"transcriptSectionHeaderRenderer": {"startMs": "0"}},
                                            {
                                                "transcriptSegmentRenderer": {
                                                    "startMs": "1500",
                                                    "endMs": "3500",
                                                    "snippet": {"runs": [{"text": "one "}, {"text": "two"}]},
                                                }
                                            },
                                        ]
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    ]
}


def params(**given: str) -> TranscriptParams:
    return TranscriptParams.model_validate({"id": "HarbourTal1", **given})


def told(body: Any, status: int = 200) -> Told:
    return Told(status, body if isinstance(body, bytes) else json.dumps(body).encode())


async def ask(world: World, **given: str) -> Transcript:
    with House(world).net(INNERTUBE) as net:
        return (await transcript.ask(params(**given), net))[0]


def track(code: str, *, auto: bool = False) -> Track:
    return Track(code=code, name=code, auto=auto, translatable=True, url="https://www.youtube.com/api/timedtext?v=x")


@pytest.mark.parametrize(
    ("wanted", "there", "chosen"),
    [
        ("en", ["en*", "en"], "en"),
        ("en", ["en-GB", "en*"], "en*"),
        ("en", ["de", "en-GB"], "en-GB"),
        ("pt-BR", ["pt", "pt-BR*"], "pt-BR*"),
        ("pt-BR", ["pt-PT", "pt"], "pt"),
        ("fr", ["de", "es", "es*"], "es"),
        ("fr", ["de", "es*"], "es*"),
        ("fr", ["de", "es"], "de"),
    ],
)
def test_captions_are_chosen_by_language_and_then_by_author(wanted: str, there: list[str], chosen: str) -> None:
    tracks = [track(one.rstrip("*"), auto=one.endswith("*")) for one in there]
    found = captions.choose(tracks, Language.parse(wanted))
    assert found.code + "*" * found.auto == chosen


@pytest.mark.parametrize("body", [XML, SRV3, json.dumps(PANEL).encode()])
def test_other_forms_of_captions_are_read(body: bytes) -> None:
    found = transcript.read(wire(body), params())
    assert [(one.start, one.duration) for one in found.segments] == [(1.5, 2.0)]
    assert found.text in ("Tom & Ann's", "one two")


async def test_captions_are_requested_as_json_from_the_platform() -> None:
    world = World({f"{CALLS}/player": [told(LISTED)], TEXTS: [told(SPOKEN)]})
    found = await ask(world, translate_to="fr")
    url = world.asked[1][1].url
    assert url.startswith("https://www.youtube.com/api/timedtext?")
    assert url.count("fmt=") == 1
    assert "fmt=json3" in url
    assert "tlang=fr" in url
    assert (found.language, found.language_name, found.translated_from) == ("fr", "French", "en")
    assert found.auto_generated is False


async def test_captions_on_other_hosts_are_not_fetched() -> None:
    body = json.loads(json.dumps(LISTED).replace("https://www.youtube.com/api", "https://captions.example.com/api"))
    with pytest.raises(ProviderError) as caught:
        await ask(World({f"{CALLS}/player": [told(body)], f"{CALLS}/next": [told({})]}))
    assert caught.value.reason == "changed"


async def test_empty_body_with_status_200_is_blocked() -> None:
    world = World({f"{CALLS}/player": [told(LISTED)], TEXTS: [told(b"")], f"{CALLS}/next": [told({})]})
    with pytest.raises(ProviderError, match="returned no captions") as caught:
        await ask(world)
    assert caught.value.reason == "blocked"


async def test_captions_that_require_a_proof_are_not_fetched() -> None:
    held = json.loads(json.dumps(LISTED).replace("&fmt=srv3", "&exp=xpe&fmt=srv3"))
    world = World({f"{CALLS}/player": [told(held)], f"{CALLS}/next": [told({})]})
    with pytest.raises(ProviderError) as caught:
        await ask(world)
    assert caught.value.reason == "blocked"
    assert all("timedtext" not in request.url for _, request in world.asked)


async def test_the_second_player_is_requested_if_the_first_is_blocked() -> None:
    bot = {"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you\u2019re not a bot"}}
    world = World({f"{CALLS}/player": [told(bot), told(LISTED)], TEXTS: [told(SPOKEN)]})
    assert (await ask(world)).segments
    names = [json.loads(request.body or b"")["context"]["client"]["clientName"] for _, request in world.asked[:2]]
    assert names == ["VISIONOS", "ANDROID"]


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        ("LOGIN_REQUIRED", "This video is private", "private"),
        ("LOGIN_REQUIRED", "Sign in to confirm your age", "adults"),
        (
            "UNPLAYABLE",
            "The uploader has not made this video available in your country",
            "in the region of the request",
        ),
        ("UNPLAYABLE", "Available to members on level: x", "members or buyers"),
        ("OK", "", "has no transcript"),
    ],
)
async def test_the_reason_for_a_missing_transcript_is_stated(status: str, reason: str, words: str) -> None:
    body = {"playabilityStatus": {"status": status, "reason": reason}, "videoDetails": {"title": "a"}}
    with pytest.raises(EmptyResult, match=words):
        await ask(World({f"{CALLS}/player": [told(body)]}))


async def test_a_missing_video_must_be_reported_by_two_players() -> None:
    gone = {"playabilityStatus": {"status": "ERROR", "reason": "This video is unavailable"}}
    assert (await ask(World({f"{CALLS}/player": [told(gone), told(LISTED)], TEXTS: [told(SPOKEN)]}))).text
    with pytest.raises(Absent):
        await ask(World({f"{CALLS}/player": [told(gone)]}))


class TestRecorded:
    pytestmark = needs_samples

    def test_tracks_of_a_player_are_read(self) -> None:
        found = captions.read_tracks(sample("yta_youtube.innertube.json"))
        assert found.title is not None
        assert captions.choose(found.tracks, Language("en")).code == "en"
        assert not captions.choose(found.tracks, Language("en")).auto

    def test_markup_is_unescaped_twice(self) -> None:
        found = captions.read_lines(sample("yta_transcript.xml")).lines
        assert [one.text for one in found] == [
            "Hey, this is just a test",
            "this is not the original transcript",
            "just something shorter, I made up for testing",
        ]
        assert (found[1].start, found[1].duration) == (1.54, 4.16)

    @pytest.mark.parametrize(
        ("name", "error"),
        [
            ("yta_youtube_transcripts_disabled2.innertube.json", EmptyResult),
            ("yta_youtube_age_restricted.innertube.json", EmptyResult),
            ("video_privatecontent_1.response.json", EmptyResult),
            ("video_restricted_1.response.json", EmptyResult),
            ("yta_youtube_video_unavailable.innertube.json", Absent),
            ("video_nonexistent_1.response.json", Absent),
        ],
    )
    def test_missing_transcripts_are_reported(self, name: str, error: type[ServiceError]) -> None:
        with pytest.raises(error):
            transcript.read(sample(name), params())

    @pytest.mark.parametrize(
        "name", ["yta_youtube_request_blocked.innertube.json", "yta_youtube_too_many_requests.html"]
    )
    def test_block_pages_are_reported(self, name: str) -> None:
        with pytest.raises(ProviderError) as caught:
            transcript.read(sample(name), params())
        assert caught.value.reason == "blocked"


def test_paragraphs_have_about_a_minute() -> None:
    lines = [transcript.Segment(start=float(start), duration=None, text=str(start)) for start in (3, 20, 62, 64, 200)]
    assert transcript.write_paragraphs(lines) == [(3.0, "3 20 62"), (64.0, "64"), (200.0, "200")]


@given(st.data())
def test_damaged_captions_give_lines_or_a_clear_error(data: st.DataObject) -> None:
    body = json.dumps(damaged_json(data, data.draw(st.sampled_from([SPOKEN, LISTED, PANEL])))).encode()
    if data.draw(st.booleans()):
        body = damaged_text(data, data.draw(st.sampled_from([XML, SRV3])).decode()).encode()
    with suppress(ServiceError):
        found = transcript.read(wire(body), params())
        assert found.segments
        assert Transcript.model_validate_json(found.model_dump_json()) == found
        transcript.render(found)
    with suppress(ServiceError):
        captions.read_tracks(wire(body))
