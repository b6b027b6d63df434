"""A channel: the requests, each layout of its lists, further pages, and responses that are not channels."""

import base64
import json
import random
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from support.damage import damaged_json, damaged_text
from support.videos import needs_samples, sample, wire
from support.world import House, Told, World
from webquarry.core.errors import Absent, ProviderError, ServiceError
from webquarry.extractors.videoplatform import channel
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams
from webquarry.extractors.videoplatform.model.channel_result import Channel
from webquarry.extractors.videoplatform.model.tokens import MAX_TOKEN_BYTES, pack, unpack
from webquarry.extractors.videoplatform.sources import api_channel, feed
from webquarry.extractors.videoplatform.sources.data_api import DATA_API
from webquarry.extractors.videoplatform.sources.innertube import about_panel, browse
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE
from webquarry.read import counting, cursors
from webquarry.sandbox.cases import SHIPPED

CASE = SHIPPED / "videoplatform_channel" / "rich"
PAGE, ABOUT = (json.loads((CASE / f"0{number}.json").read_bytes()) for number in (2, 3))
ID = "UC0123456789abcdefghijkl"
RESOLVED = {"endpoint": {"browseEndpoint": {"browseId": ID}}}
CALLS = "www.youtube.com/youtubei/v1"
API = "www.googleapis.com/youtube/v3"
FEED = """<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns="http://www.w3.org/2005/Atom"><yt:channelId>0123456789abcdefghijkl</yt:channelId><title>Example</title>
 <entry><yt:videoId>Harbour-_01</yt:videoId><title>A</title><published>2026-01-22T15:01:42+00:00</published>
 <media:group><media:community><media:statistics views="7"/></media:community></media:group></entry></feed>"""


VIDEOS = [{"videoId": "SecondPage1", "title": {"simpleText": "b"}}, {"title": {"simpleText": "c"}}]


def params(**given: str) -> ChannelParams:
    return ChannelParams.model_validate(given or {"id": ID})


def told(body: Any, status: int = 200) -> Told:
    return Told(status, json.dumps(body).encode())


async def ask(world: World, **given: str) -> Channel:
    with House(world).net(INNERTUBE) as net:
        return (await channel.ask(params(**given), net))[0]


async def test_a_handle_is_resolved_and_the_panel_is_requested() -> None:
    world = World({f"{CALLS}/navigation/resolve_url": [told(RESOLVED)], f"{CALLS}/browse": [told(PAGE), told(ABOUT)]})
    found = await ask(world, handle="ExampleHarbours", tab="shorts")
    bodies = [json.loads(request.body or b"") for _, request in world.asked]
    assert bodies[0]["url"] == "https://www.youtube.com/@exampleharbours"
    assert (bodies[1]["browseId"], bodies[1]["params"]) == (ID, browse.TABS["shorts"])
    assert bodies[2]["continuation"] == "4qmFsgJAbout-token"
    assert (found.view_count, found.joined_at, found.country) == (4_012_345, date(2013, 7, 9), "Norway")
    assert [(link.title, link.url) for link in found.links] == [("Our site", "https://www.example.com/harbour")]


async def test_an_id_is_not_resolved_and_a_late_panel_causes_a_warning() -> None:
    world = World({f"{CALLS}/browse": [told(PAGE), told({}, 500)]})
    found = await ask(world)
    assert len(world.asked) == 2
    assert (found.id, found.joined_at, found.warnings) == (ID, None, [channel.NO_ABOUT])


async def test_only_a_cursor_of_the_same_request_gives_the_next_page() -> None:
    first = browse.read_browsed(wire(PAGE), params()).channel
    cursor = first.next_cursor
    assert cursor is not None
    later = {
        "onResponseReceivedActions": [
            {
                "appendContinuationItemsAction": {
                    "continuationItems": [
                        {
                            "richItemRenderer": {
                                "content": {"videoRenderer": {"videoId": "SecondPage1", "title": {"simpleText": "b"}}}
                            }
                        }
                    ]
                }
            }
        ]
    }
    world = World({f"{CALLS}/browse": [told(later)]})
    found = await ask(world, id=ID, cursor=cursor)
    [(_, request)] = world.asked
    assert json.loads(request.body or b"")["continuation"] == "4qmFsgJMade-token"
    assert (found.id, found.name, found.count, found.next_cursor) == (ID, "Example Harbours", 1, None)
    for other in ({"handle": "@a"}, {"id": ID, "tab": "live"}, {"id": ID.replace("0", "1")}):
        with pytest.raises(ValidationError, match="cursor"):
            params(**other, cursor=cursor)
    for damaged in (cursor[:-2], "A" * len(cursor), cursor + "AAAA"):
        with pytest.raises(ValidationError, match="cursor"):
            params(id=ID, cursor=damaged)


def test_one_channel_has_one_identity() -> None:
    forms = [
        {"id": ID},
        {"url": f"https://youtube.com/channel/{ID}/videos"},
        {"id": f"https://www.youtube.com/channel/{ID}"},
    ]
    assert {params(**form).address for form in forms} == {f"https://www.youtube.com/channel/{ID}"}
    assert params(handle="@Ab").address == params(url="youtube.com/@aB").address


def test_a_long_token_is_packed_into_a_cursor() -> None:
    inner = base64.urlsafe_b64encode(random.Random(1).randbytes(1_700)).decode().replace("=", "%3D")
    for _ in range(2):
        inner = base64.urlsafe_b64encode(b"\xe2\xa9" + inner.encode()).decode().replace("=", "%3D")
    assert len(inner) > 4_000
    cursor = params().next_cursor("innertube", inner, ID, "Example")
    assert cursor is not None
    assert len(cursor) <= cursors.MAX_CURSOR
    assert params(id=ID, cursor=cursor).token_of("innertube") == inner


def test_only_what_was_packed_is_unpacked() -> None:
    for token in ("abcd", "QQ%3D%3D", "QQ==", "QUI="):
        assert unpack(pack(token) or "") == token
    assert pack("no base64!") is None
    assert pack("QR==") is None  # another spelling of the same bytes
    for damaged in ("", "9abc", "0", "0{}", "0" + base64.b85encode(b"nothing").decode()):
        assert unpack(damaged) is None
    bomb = pack(base64.urlsafe_b64encode(bytes(3 * MAX_TOKEN_BYTES)).decode())
    assert bomb is not None
    assert unpack(bomb) is None


def test_a_list_that_is_not_shown_is_empty() -> None:
    found = browse.read_browsed(wire(PAGE), params(id=ID, tab="live")).channel
    assert (found.videos, found.next_cursor) == ([], None)
    assert found.warnings == ["This channel has no list of this kind (live)."]


def _with_items(items: list[Any]) -> dict[str, Any]:
    page: dict[str, Any] = json.loads(json.dumps(PAGE))
    tabs = page["contents"]["twoColumnBrowseResultsRenderer"]["tabs"]
    next(tab["tabRenderer"] for tab in tabs if tab["tabRenderer"].get("selected"))["content"] = {
        "sectionListRenderer": {"contents": [{"itemSectionRenderer": {"contents": items}}]}
    }
    return page


def test_an_empty_list_requires_the_report_of_the_source() -> None:
    found = _with_items([{"messageRenderer": {"text": {"simpleText": "This channel has no videos."}}}])
    assert browse.read_browsed(wire(found), params()).channel.videos == []
    without: list[list[Any]] = [[], [{"richItemRenderer": {"content": {"videoRenderer": {}}}}]]
    for items in without:
        with pytest.raises(ProviderError) as caught:
            browse.read_browsed(wire(_with_items(items)), params())
        assert caught.value.reason == "changed"


def test_the_oldest_layout_is_read() -> None:
    grid = {
        "gridRenderer": {"items": [{"gridVideoRenderer": {"videoId": "Harbour-_01", "title": {"simpleText": "a"}}}]}
    }
    [video] = browse.read_browsed(wire(_with_items([grid])), params()).channel.videos
    assert video.id == "Harbour-_01"


class TestRecorded:
    pytestmark = needs_samples

    def test_first_page_of_the_newer_layout_is_read(self) -> None:
        browsed = browse.read_browsed(sample("channel_videos_tab_p1.response.json"), params(handle="@creativecommons"))
        found = browsed.channel
        assert (found.id, found.handle, found.name) == (
            "UCTwECeGqMZee77BjdoYtI2Q",
            "@creativecommons",
            "Creative Commons",
        )
        assert (found.subscriber_count, found.subscriber_count_text, found.video_count) == (
            8840,
            "8.84k subscribers",
            258,
        )
        assert found.keywords == ["creative commons", "remix", "culture", "nonprofit"]
        assert (found.count, found.verified) == (30, False)
        first = found.videos[0]
        assert (first.id, first.view_count, first.duration_seconds) == ("BD-LB23rRBE", 28, 4054)
        assert (first.published_text, first.published_at) == ("13 days ago", date(2026, 11, 7))
        assert browsed.about is not None
        assert found.next_cursor is not None

    def test_second_page_leads_to_a_third(self) -> None:
        first = browse.read_browsed(sample("channel_videos_tab_p1.response.json"), params(handle="@creativecommons"))
        given = {"handle": "@creativecommons", "cursor": first.channel.next_cursor or ""}
        found = browse.read_browsed(sample("channel_videos_tab_p2.response.json"), params(**given)).channel
        assert (found.id, found.name, found.count) == ("UCTwECeGqMZee77BjdoYtI2Q", "Creative Commons", 30)
        assert found.next_cursor is not None

    def test_older_layout_is_read(self) -> None:
        found = browse.read_browsed(sample("channel_browse_home.response.json"), params(handle="@kurzgesagt")).channel
        assert (found.subscriber_count, found.video_count, found.verified) == (25_000_000, 337, True)
        assert (found.videos[0].id, found.videos[0].view_count) == ("D0WQK7cMJn8", 1_545_374)
        assert [link.url for link in found.links] == ["https://shop.kgs.link/cool"]

    @pytest.mark.parametrize(
        ("number", "words"),
        [(2, "Community Guidelines"), (3, "terminated"), (4, "does not exist"), (6, "copyright infringement")],
    )
    def test_closed_channels_are_reported_with_the_message_of_the_source(self, number: int, words: str) -> None:
        with pytest.raises(Absent, match=words):
            channel.read(sample(f"channel_notavailable_{number}.response.json"), params())

    def test_refusals_and_handles_are_read(self) -> None:
        with pytest.raises(ProviderError, match="invalid argument"):
            channel.read(sample("channel_notavailable_8.response.json"), params())
        with pytest.raises(Absent):
            browse.read_resolved(sample("channel_resolve_url_404.response.json"))
        resolved = browse.read_resolved(sample("channel_resolve_url.response.json"))
        assert resolved.channel_id == "UCTwECeGqMZee77BjdoYtI2Q"

    def test_feed_is_read(self) -> None:
        found = feed.read(sample("channel_feed.xml"), params())
        assert (found.id, found.count) == ("UCsXVk37bltHxD1rDPwtNM8Q", 15)
        first = found.videos[0]
        assert (first.id, first.is_short, first.like_count) == ("zg40FHOAqC0", True, 58_314)
        assert first.published_at == datetime(2026, 1, 22, 15, 1, 42, tzinfo=UTC)


@pytest.mark.parametrize("other", [7, None, True, {}, ["UC0123456789abcdefghijkl"]])
def test_address_that_leads_to_no_readable_id_is_a_changed_response(other: Any) -> None:
    leads = {"browseEndpoint": {"browseId": other}}
    expected = Absent if other is None else ProviderError
    with pytest.raises(expected):
        browse.read_resolved(wire({"endpoint": leads}))
    with pytest.raises(expected):
        browse.read_answered(
            wire({"onResponseReceivedActions": [{"navigateAction": {"endpoint": leads}}]}), params(), ID
        )


def test_the_feed_is_used_only_for_newest_videos_by_id() -> None:
    assert feed.why_not(params()) is None
    assert feed.why_not(params(handle="@a1")) is not None
    assert feed.why_not(params(id=ID, tab="live")) is not None


async def test_the_api_gives_channel_uploads_and_counts() -> None:
    row = {"id": ID, "snippet": {"title": "E"}, "statistics": {"hiddenSubscriberCount": True, "subscriberCount": "0"}}
    upload = {"snippet": {"title": "a", "resourceId": {"videoId": "Harbour-_01"}}}
    numbers = {"id": "Harbour-_01", "statistics": {"viewCount": "7"}}
    world = World(
        {
            f"{API}/channels": [told({"items": [row]})],
            f"{API}/playlistItems": [told({"items": [upload], "nextPageToken": "N"})],
            f"{API}/videos": [told({"items": [numbers]})],
        }
    )
    with House(world, youtube_data_key="secret").net(DATA_API) as net:
        found, _ = await api_channel.ask(params(handle="@example"), net)
    assert (found.subscriber_count, found.videos[0].view_count) == (None, 7)
    urls = [request.url for _, request in world.asked]
    assert "forHandle=%40example" in urls[0]
    assert f"playlistId=UU{ID[2:]}" in urls[1]
    assert params(handle="@example", cursor=found.next_cursor or "").token_of("youtube_data_api") == "N"


def test_the_api_is_skipped_for_unsupported_requests() -> None:
    assert api_channel.why_not(params(url="youtube.com/user/example")) is None
    assert api_channel.why_not(params(url="youtube.com/c/Example")) is not None
    assert api_channel.why_not(params(id=ID, tab="shorts")) is not None


def test_a_channel_that_the_api_does_not_list_is_absent() -> None:
    with pytest.raises(Absent):
        api_channel.read(wire({"kind": "youtube#channelListResponse", "pageInfo": {"totalResults": 0}}), params())
    with pytest.raises(ProviderError):
        api_channel.read(wire({}), params())


@given(st.data())
def test_damaged_pages_give_a_channel_or_a_clear_error(data: st.DataObject) -> None:
    body = damaged_json(data, data.draw(st.sampled_from([PAGE, RESOLVED, ABOUT])))
    for read in (about_panel.read_about, browse.read_resolved):
        with suppress(ServiceError):
            read(wire(body))
    with suppress(ServiceError):
        found = channel.read(wire(body), params())
        assert Channel.model_validate_json(found.model_dump_json()) == found
        channel.render(found)
    with suppress(ServiceError):
        channel.render(feed.read(wire(damaged_text(data, FEED).encode()), params()))


@given(st.data())
def test_damaged_api_responses_give_a_channel_or_a_clear_error(data: st.DataObject) -> None:
    row = {"id": ID, "snippet": {"title": "E", "customUrl": "@e1"}, "statistics": {"subscriberCount": "5"}}
    upload = {"snippet": {"title": "a", "resourceId": {"videoId": "Harbour-_01"}}}
    with suppress(ServiceError):
        channel.render(api_channel.read(wire(damaged_json(data, {"items": [row]})), params()))
    with suppress(ServiceError):
        api_channel.read_uploads(wire(damaged_json(data, {"items": [upload]})))


def special(header: dict[str, Any] | None = None, content: dict[str, Any] | None = None) -> Channel:
    tab = {"tabRenderer": {"selected": True, "content": content or {}}}
    body = {"contents": {"twoColumnBrowseResultsRenderer": {"tabs": [tab]}}, **({"header": header} if header else {})}
    return browse.read_browsed(wire(body), params(id=ID)).channel


def test_channel_of_a_topic_has_a_warning() -> None:
    end = {"browseEndpoint": {"browseId": ID}}
    node = {"title": {"simpleText": "Tea"}, "subtitle": {"simpleText": "1.2M subscribers"}, "navigationEndpoint": end}
    found = special({"carouselHeaderRenderer": {"contents": [{"topicChannelDetailsRenderer": node}]}})
    assert (found.id, found.name, found.kind, found.subscriber_count, found.count) == (ID, "Tea", "topic", 1_200_000, 0)
    assert found.warnings
    game = special({"interactiveTabbedHeaderRenderer": {"title": {"simpleText": "Made Game"}}})
    assert (game.name, game.kind) == ("Made Game", "topic")
    assert "| Kind | topic |" in channel.render(game)


def test_channel_behind_an_age_gate_has_a_warning() -> None:
    gate = {"channelAgeGateRenderer": {"channelTitle": "Made Malts"}}
    found = special(content={"sectionListRenderer": {"contents": [gate]}})
    assert (found.name, found.kind, found.videos) == ("Made Malts", "age_gate", [])


def test_page_without_any_header_is_a_changed_response() -> None:
    with pytest.raises(ProviderError) as caught:
        special()
    assert caught.value.reason == "changed"


def moved(channel_id: str) -> dict[str, Any]:
    endpoint = {"browseEndpoint": {"browseId": channel_id}}
    return {"onResponseReceivedActions": [{"navigateAction": {"endpoint": endpoint}}]}


async def test_a_channel_that_moved_is_followed_once() -> None:
    new = "UC" + "n" * 22
    page = json.loads(json.dumps(PAGE).replace(ID, new))
    world = World({f"{CALLS}/browse": [told(moved(new)), told(page), told({}, 500)]})
    found = await ask(world)
    assert [json.loads(request.body or b"").get("browseId") for _, request in world.asked][:2] == [ID, new]
    assert (found.id, found.name) == (new, "Example Harbours")
    assert f"YouTube has moved this channel here from {ID}." in found.warnings
    with pytest.raises(Absent, match="has moved"):
        await ask(World({f"{CALLS}/browse": [told(moved(new)), told(moved(ID))]}))


async def test_a_channel_that_redirects_elsewhere_is_absent() -> None:
    with pytest.raises(Absent, match="something other"):
        await ask(World({f"{CALLS}/browse": [told(moved("FEwhat_to_watch"))]}))


async def test_videos_of_a_channel_behind_an_age_gate_are_those_of_its_feed() -> None:
    gate = {"channelAgeGateRenderer": {"channelTitle": "Made Malts"}}
    tab = {"tabRenderer": {"selected": True, "content": {"sectionListRenderer": {"contents": [gate]}}}}
    page = told({"contents": {"twoColumnBrowseResultsRenderer": {"tabs": [tab]}}})
    feeds = "www.youtube.com/feeds/videos.xml"
    found = await ask(World({f"{CALLS}/browse": [page], feeds: [Told(200, FEED.encode())]}))
    assert (found.id, found.name, found.kind) == (ID, "Made Malts", "age_gate")
    assert ([video.id for video in found.videos], found.count) == (["Harbour-_01"], 1)
    assert channel.FROM_FEED in found.warnings
    for refusal in (Told(404, b""), Told(200, b"<html></html>")):
        assert (await ask(World({f"{CALLS}/browse": [page], feeds: [refusal]}))).videos == []
    assert (await ask(World({f"{CALLS}/browse": [page]}), id=ID, tab="shorts")).videos == []


def test_videos_that_cannot_be_read_are_losses() -> None:
    good = {"snippet": {"title": "a", "resourceId": {"videoId": "Harbour-_01"}}}
    with counting() as losses:
        assert len(api_channel.read_uploads(wire({"items": [good, {"snippet": {"title": "b"}}]})).videos) == 1
        damaged = FEED.replace("</feed>", "<entry><title>B</title></entry></feed>")
        assert feed.read(wire(damaged.encode()), params()).count == 1
        rows = [{"richItemRenderer": {"content": {"videoRenderer": video}}} for video in VIDEOS]
        assert browse.read_browsed(wire(_with_items(rows)), params()).channel.count == 1
    assert (losses["items[]"], losses["entry[]"], losses["richItemRenderer"]) == (1, 1, 1)
