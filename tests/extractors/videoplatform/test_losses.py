"""Unreadable rows of the video platform: the other rows are kept, and each unreadable row is counted."""

from typing import Any

import pytest

from support.broken_rows import count_losses
from support.videos import wire
from webquarry.extractors.videoplatform import search
from webquarry.extractors.videoplatform.model.result import VideoFacts
from webquarry.extractors.videoplatform.model.row import Row
from webquarry.extractors.videoplatform.model.search_params import SearchParams
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.innertube import about_panel, captions, player, watch_next
from webquarry.read import counting

VIDEO = {"videoRenderer": {"videoId": "Harbour-_01", "title": {"simpleText": "A"}}}
UNREADABLE = {"videoRenderer": {"videoId": "no id", "title": {"simpleText": "B"}}}
SECTIONS = "contents.twoColumnSearchResultsRenderer.primaryContents.sectionListRenderer.contents"
TRACK = {"languageCode": "en", "baseUrl": "https://www.youtube.com/api/timedtext?v=1"}
PLAYER = {
    "playabilityStatus": {"status": "OK"},
    "videoDetails": {"videoId": "Harbour-_01", "title": "A", "keywords": ["sea"]},
    "captions": {
        "playerCaptionsTracklistRenderer": {
            "captionTracks": [TRACK],
            "translationLanguages": [{"languageCode": "fr", "languageName": {"simpleText": "French"}}],
        }
    },
}
LIST = "captions.playerCaptionsTracklistRenderer"
SPOKEN = {"tStartMs": 5, "segs": [{"utf8": "Good "}, {"utf8": "morning."}]}


def read_search(answer: Any) -> list[Row]:
    return list(search.read(wire(answer), SearchParams.model_validate({"q": "harbour"})).results)


def read_tracks(answer: Any) -> captions.Tracks:
    return captions.read_tracks(wire(answer))


def read_lines(answer: Any) -> captions.Lines:
    return captions.read_lines(wire(answer))


def of_results(*items: Any) -> dict[str, Any]:
    section = {"itemSectionRenderer": {"contents": list(items)}}
    return {
        "contents": {
            "twoColumnSearchResultsRenderer": {"primaryContents": {"sectionListRenderer": {"contents": [section]}}}
        }
    }


@pytest.mark.parametrize("row", [UNREADABLE, None, {}, "text"])
@pytest.mark.parametrize("shelf", ["", ".0.reelShelfRenderer.items"])
def test_broken_row_of_a_search_is_one_loss(row: Any, shelf: str) -> None:
    items = [{"reelShelfRenderer": {"items": [VIDEO]}}] if shelf else [VIDEO]
    place = f"{SECTIONS}.0.itemSectionRenderer.contents{shelf}"
    losses = count_losses(read_search, of_results(*items), place, row)
    assert sum(count for path, count in losses.items() if path.endswith(("contents[]", "items[]"))) == 1


@pytest.mark.parametrize("item", [{"adSlotRenderer": {}}, {"shelfRenderer": {}}, {"messageRenderer": {}}])
def test_item_of_another_kind_in_a_search_is_not_counted(item: Any) -> None:
    place = f"{SECTIONS}.0.itemSectionRenderer.contents"
    assert count_losses(read_search, of_results(VIDEO), place, item) == {}


@pytest.mark.parametrize(
    ("place", "row", "path"),
    [
        (f"{LIST}.captionTracks", {"baseUrl": TRACK["baseUrl"]}, "captionTracks[]"),
        (f"{LIST}.captionTracks", {**TRACK, "baseUrl": "https://example.org/"}, "captionTracks[]"),
        (f"{LIST}.translationLanguages", {"languageName": {"simpleText": "Latin"}}, "translationLanguages[]"),
    ],
)
def test_broken_track_is_one_loss(place: str, row: Any, path: str) -> None:
    assert count_losses(read_tracks, PLAYER, place, row) == {path: 1}


@pytest.mark.parametrize(
    ("place", "row", "path"),
    [(f"{LIST}.captionTracks", {}, "captionTracks[]"), ("videoDetails.keywords", None, "keywords[]")],
)
def test_broken_row_of_a_player_is_one_loss(place: str, row: Any, path: str) -> None:
    assert count_losses(player.read_facts, PLAYER, place, row) == {path: 1}


@pytest.mark.parametrize("row", [None, {"segs": [{"utf8": "When?"}]}, {"tStartMs": 7, "segs": [{"utf8": ""}]}])
def test_caption_without_time_or_text_is_one_loss(row: Any) -> None:
    assert count_losses(read_lines, {"events": [SPOKEN]}, "events", row) == {"events[]": 1}


@pytest.mark.parametrize("row", [{"tStartMs": 0, "id": 1, "wpWinPosId": 1}, {"tStartMs": 7, "segs": [{"utf8": "\n"}]}])
def test_positions_and_line_breaks_of_captions_are_not_counted(row: Any) -> None:
    assert count_losses(read_lines, {"events": [SPOKEN]}, "events", row) == {}


def test_line_of_markup_without_a_time_is_one_loss() -> None:
    rows = '<text start="1">Good morning.</text><text start="3"></text><text start="x">When?</text>'
    with counting() as losses:
        found = captions.read_lines(wire(f"<?xml version='1.0'?><transcript>{rows}</transcript>".encode()))
    assert ([line.text for line in found.lines], losses) == (["Good morning."], {"text": 1})


def test_broken_line_of_the_panel_is_one_loss() -> None:
    segment = {"transcriptSegmentRenderer": {"startMs": "5", "endMs": "9", "snippet": {"simpleText": "Morning."}}}
    heading = {"transcriptSectionHeaderRenderer": {"snippet": {"simpleText": "Chapter"}}}
    body = {"transcriptSegmentListRenderer": {"initialSegments": [segment, heading]}}
    panel = {"content": {"transcriptSearchPanelRenderer": {"body": body}}}
    data = {"actions": [{"updateEngagementPanelAction": {"content": {"transcriptRenderer": panel}}}]}
    place = (
        "actions.0.updateEngagementPanelAction.content.transcriptRenderer.content.transcriptSearchPanelRenderer.body."
        "transcriptSegmentListRenderer.initialSegments"
    )
    assert count_losses(read_lines, data, place, {"transcriptSegmentRenderer": {}}) == {"initialSegments[]": 1}


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        ({"macroMarkersListItemRenderer": {"title": {"simpleText": "Bridge"}}}, 1),
        ({"macroMarkersInfoItemRenderer": {"menu": {}}}, 0),
    ],
)
def test_broken_chapter_is_one_loss(row: Any, lost: int) -> None:
    chapter = {"title": {"simpleText": "Quay"}, "timeDescription": {"simpleText": "0:00"}}
    contents = [{"macroMarkersListItemRenderer": chapter}]
    panel = {
        "panelIdentifier": "engagement-panel-macro-markers-description-chapters",
        "content": {"macroMarkersListRenderer": {"contents": contents}},
    }
    first: dict[str, Any] = {"results": {"results": {"contents": [{"videoPrimaryInfoRenderer": {}}]}}}
    data = {
        "contents": {"twoColumnWatchNextResults": first},
        "engagementPanels": [{"engagementPanelSectionListRenderer": panel}],
    }
    place = "engagementPanels.0.engagementPanelSectionListRenderer.content.macroMarkersListRenderer.contents"
    losses = count_losses(watch_next.read_facts, data, place, row)
    assert losses["content.macroMarkersListRenderer.contents[]"] == lost


@pytest.mark.parametrize("row", [{}, {"channelExternalLinkViewModel": {"title": {"content": "Site"}}}])
def test_broken_link_of_a_channel_is_one_loss(row: Any) -> None:
    link = {"channelExternalLinkViewModel": {"link": {"content": "example.org"}}}
    model = {"links": [link]}
    item = {"aboutChannelRenderer": {"metadata": {"aboutChannelViewModel": model}}}
    data = {"onResponseReceivedEndpoints": [{"appendContinuationItemsAction": {"continuationItems": [item]}}]}
    place = (
        "onResponseReceivedEndpoints.0.appendContinuationItemsAction.continuationItems.0.aboutChannelRenderer.metadata."
        "aboutChannelViewModel.links"
    )
    assert count_losses(lambda answer: about_panel.read_about(wire(answer)), data, place, row) == {"links[]": 1}


@pytest.mark.parametrize(("place", "path"), [("items", "items[]"), ("items.0.snippet.tags", "tags[]")])
def test_broken_row_of_the_data_api_is_one_loss(place: str, path: str) -> None:
    data = {"items": [{"id": "Harbour-_01", "snippet": {"title": "A", "tags": ["sea"]}}]}

    def read(answer: Any) -> list[VideoFacts]:
        return data_api.read_numbers(wire(answer)).videos

    assert count_losses(read, data, place, {}) == {path: 1}
