"""Search: the requests, each layout of rows, cursors, and responses that are not results."""

import base64
import json
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from support.damage import damaged_json
from support.videos import NOW, needs_samples, sample, wire
from support.world import House, Told, World
from webquarry.core.errors import ProviderError, ServiceError
from webquarry.extractors.videoplatform import search
from webquarry.extractors.videoplatform.model.search_params import Kind, SearchParams, Sort
from webquarry.extractors.videoplatform.search import Search
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.innertube import nodes
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE
from webquarry.sandbox.cases import SHIPPED

RICH = json.loads((SHIPPED / "videoplatform_search" / "rich" / "01.json").read_bytes())
TOKEN = "EpADEgdoYXJib3VyGoMDbWFkZS10b2tlbg%3D%3D"
LOCKUP = {
    "contentId": "Harbour-_01",
    "contentType": "LOCKUP_CONTENT_TYPE_VIDEO",
    "metadata": {
        "lockupMetadataViewModel": {
            "title": {"content": "A harbour"},
            "metadata": {
                "contentMetadataViewModel": {
                    "metadataRows": [
                        {"metadataParts": [{"text": {"content": "28 views"}}, {"text": {"content": "13 days ago"}}]}
                    ]
                }
            },
        }
    },
    "contentImage": {
        "thumbnailViewModel": {
            "overlays": [
                {
                    "thumbnailBottomOverlayViewModel": {
                        "badges": [{"thumbnailBadgeViewModel": {"text": "1:07:34", "badgeStyle": "X_DEFAULT"}}]
                    }
                }
            ]
        }
    },
}


def params(**given: str) -> SearchParams:
    return SearchParams.model_validate({"q": "harbour in winter", **given})


def page(items: list[Any]) -> dict[str, Any]:
    sections = [{"itemSectionRenderer": {"contents": items}}]
    contents = {"sectionListRenderer": {"contents": sections}}
    return {"contents": {"twoColumnSearchResultsRenderer": {"primaryContents": contents}}}


@pytest.mark.parametrize(
    ("kind", "sort", "asked"),
    [
        ("all", "relevance", "8AEB"),
        ("video", "relevance", "EgIQAfABAQ%3D%3D"),
        ("channel", "relevance", "EgIQAvABAQ%3D%3D"),
        ("playlist", "relevance", "EgIQA_ABAQ%3D%3D"),
    ],
)
def test_filters_match_the_filters_of_clients(kind: Kind, sort: Sort, asked: str) -> None:
    assert search.filter_of(kind, sort) == asked


def test_orders_are_bits_of_the_filter() -> None:
    for sort, known in (("date", "CAISAhAB"), ("views", "CAMSAhAB")):
        made = base64.urlsafe_b64decode(search.filter_of("video", sort).replace("%3D", "="))  # type: ignore[arg-type]
        assert made == base64.b64decode(known) + search.AS_WRITTEN


async def test_language_country_and_page_are_sent() -> None:
    world = World({"www.youtube.com/youtubei/v1/search": [Told(200, json.dumps(RICH).encode())]})
    first = search.read(wire(RICH), params(hl="pt-BR", gl="br"))
    assert first.next_cursor is not None
    with House(world).net(INNERTUBE) as net:
        await search.fetch(params(hl="pt-BR", gl="br"), net)
        await search.fetch(params(hl="pt-BR", gl="br", cursor=first.next_cursor), net)
    bodies = [json.loads(request.body or b"") for _, request in world.asked]
    assert (bodies[0]["context"]["client"]["hl"], bodies[0]["context"]["client"]["gl"]) == ("pt-BR", "BR")
    assert (bodies[0]["query"], "continuation" in bodies[0]) == ("harbour in winter", False)
    assert (bodies[1]["continuation"], "query" in bodies[1]) == (TOKEN, False)


def test_cursor_belongs_to_its_request_and_its_source() -> None:
    found = search.read(wire(RICH), params())
    cursor = found.next_cursor
    assert cursor is not None
    follows = params(cursor=cursor)
    assert (follows.before, follows.is_of("innertube"), follows.is_of("youtube_data_api")) == (found.count, True, False)
    assert search.read(wire(RICH), follows).results[0].position == found.count + 1
    for other in ({"q": "tea"}, {"sort": "date"}, {"type": "all"}, {"hl": "de"}, {"gl": "de"}):
        with pytest.raises(ValidationError, match="cursor"):
            params(**{**other, "cursor": cursor})
    for damaged in (cursor[:-1], cursor[:-1] + ("A" if cursor[-1] != "A" else "B"), cursor + "AA", "x" * 40):
        with pytest.raises(ValidationError, match="cursor"):
            params(cursor=damaged)


def test_rows_of_a_page_are_read() -> None:
    found = search.read(wire(RICH), params())
    video, short, live, upcoming, unseen = found.results
    assert (video.view_count, video.duration_seconds, video.channel.handle) == (48_213, 312, "@exampleharbours")
    assert (short.is_short, short.view_count, short.url) == (
        True,
        2_900_000,
        "https://www.youtube.com/shorts/ShortHarbr1",
    )
    assert (live.live, live.view_count, live.concurrent_viewers) == (True, None, 1204)
    assert (upcoming.upcoming, upcoming.view_count, upcoming.published_at) == (
        True,
        None,
        datetime.fromtimestamp(1_795_000_000, UTC),
    )
    assert unseen.view_count == 0
    assert found.warnings == ["Shelves with other viewers' videos were omitted: 1."]


def test_a_lockup_is_a_video() -> None:
    row = nodes.read_row({"lockupViewModel": LOCKUP}, NOW)
    assert row is not None
    assert (row.view_count, row.duration_seconds, row.published_at) == (28, 4054, date(2026, 11, 7))


@pytest.mark.parametrize(
    "body",
    [
        page([]),
        page([{"videoRenderer": {"videoId": "x"}}]),
        page([{"videoRenderer": {"videoId": "x"}}, {"messageRenderer": {}}]),
        {"contents": {}},
        {},
        [],
    ],
)
def test_no_rows_without_a_report_is_not_an_empty_list(body: Any) -> None:
    with pytest.raises(ProviderError) as caught:
        search.read(wire(json.dumps(body).encode()), params())
    assert caught.value.reason == "changed"


def test_nothing_found_is_an_empty_list() -> None:
    found = search.read(wire(page([{"messageRenderer": {"text": {"simpleText": "No results found"}}}])), params())
    assert (found.count, found.results, found.next_cursor) == (0, [], None)


@pytest.mark.parametrize(
    ("node", "message"), [("didYouMeanRenderer", "suggested"), ("showingResultsForRenderer", "applied")]
)
def test_corrections_are_reported(node: str, message: str) -> None:
    body = page([{node: {"correctedQuery": {"runs": [{"text": "a"}, {"text": " b"}]}}}, {"lockupViewModel": LOCKUP}])
    found = search.read(wire(body), params())
    assert (found.corrected_query, found.correction) == ("a b", message)


async def test_the_api_is_requested_for_rows_and_then_for_counts() -> None:
    rows = {"items": [{"id": {"videoId": "Harbour-_01"}, "snippet": {"title": "a &amp; b"}}], "nextPageToken": "N"}
    numbers = {
        "items": [{"id": "Harbour-_01", "statistics": {"viewCount": "7"}, "contentDetails": {"duration": "PT3S"}}]
    }
    api = "www.googleapis.com/youtube/v3"
    world = World(
        {
            f"{api}/search": [Told(200, json.dumps(rows).encode())],
            f"{api}/videos": [Told(200, json.dumps(numbers).encode())],
        }
    )
    with House(world, youtube_data_key="secret").net(data_api.DATA_API) as net:
        found, _ = await search.ask_api(params(sort="views"), net)
    [row] = found.results
    assert (row.title, row.view_count, row.duration_seconds) == ("a & b", 7, 3)
    assert "order=viewCount" in world.asked[0][1].url
    assert "secret" not in world.asked[0][1].url
    assert found.next_cursor is not None
    assert params(sort="views", cursor=found.next_cursor).token_of("youtube_data_api") == "N"


class TestRecorded:
    pytestmark = needs_samples

    def test_first_page_is_read(self) -> None:
        found = search.read(sample("search_all_p1.response.json"), params(q="test", type="all"))
        assert found.estimated_results == 430_198_371
        kinds = [(row.type, row.is_short) for row in found.results]
        assert len(kinds) == 35
        assert found.results[0].id == "6GDBMbMU0ew"
        assert (found.results[0].view_count, found.results[0].duration_seconds) == (1862, 136)
        assert found.next_cursor is not None

    def test_second_page_has_a_channel(self) -> None:
        found = search.read(sample("search_all_p2_continuation.response.json"), params(q="test", type="all"))
        [channel] = [row for row in found.results if row.type == "channel"]
        assert (channel.id, channel.subscriber_count, channel.channel.handle) == (
            "UCZRcA_nO3Kt-SOml2mY8D9g",
            234_000,
            "@tutorialismic",
        )
        assert channel.video_count is None


@given(st.data())
def test_damaged_pages_give_rows_or_a_clear_error(data: st.DataObject) -> None:
    body = damaged_json(data, data.draw(st.sampled_from([RICH, page([{"lockupViewModel": LOCKUP}])])))
    with suppress(ServiceError):
        found = search.read(wire(body), params())
        assert Search.model_validate_json(found.model_dump_json()) == found
        search.render(found)
