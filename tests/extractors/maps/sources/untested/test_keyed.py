import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import JUNK, damaged_json
from support.maps import hours, wire
from webquarry.core.errors import Absent, ProviderError, ServiceError
from webquarry.extractors.maps.model.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.render import render_place, render_search
from webquarry.extractors.maps.model.result import Maps, PlaceDetail
from webquarry.extractors.maps.sources.untested import google_places, serper_maps
from webquarry.sandbox.cases import cases

FID = "0x88:0xe000000000000001"
CID = str(0xE000000000000001)


def raw(body: Any) -> Any:
    return wire(json.dumps(body).encode())


def asked(**params: Any) -> MapsParams:
    return MapsParams.model_validate({"q": "museum", **params})


def by_serper(body: Any, **params: Any) -> Maps:
    return serper_maps.read_search(raw(body), asked(**params))


def place_by_serper(body: Any, **params: str) -> PlaceDetail:
    return serper_maps.read_place(raw(body), MapsPlaceParams.model_validate(params or {"cid": CID})).place


def by_places(body: Any, **params: Any) -> Maps:
    return google_places.read_search(raw(body), asked(**params))


def shown(**members: Any) -> dict[str, Any]:
    return {"displayName": {"text": "Here"}, "googleMapsUri": f"https://maps.google.com/?cid={CID}", **members}


class TestSerper:
    @pytest.mark.parametrize("cid", [CID, int(CID), None, "odd", 0, 1.5])
    def test_cid_is_text_number_or_half_of_the_fid(self, cid: Any) -> None:
        [place] = by_serper({"places": [{"title": "Here", "cid": cid, "fid": FID}]}).places
        assert (place.cid, place.fid) == (CID, FID)

    def test_places_without_name_or_id_are_omitted_and_counted(self) -> None:
        rows = [{"title": "Here", "cid": "1"}, {"title": "x"}, {"cid": "2"}, "odd", {"title": "Twice", "cid": "1"}]
        result = by_serper({"places": rows}, page=2)
        assert [(p.position, p.name) for p in result.places] == [(21, "Here")]
        assert result.warnings == ["3 places without a name or an ID were omitted."]

    def test_empty_list_is_an_empty_result_list(self) -> None:
        assert by_serper({"places": []}).places == []

    @pytest.mark.parametrize("body", [{}, {"places": None}, {"places": [1]}, {"message": "Unauthorized."}, [], None])
    def test_response_without_places_is_a_changed_response(self, body: Any) -> None:
        for read in (by_serper, place_by_serper):
            with pytest.raises(ProviderError) as caught:
                read(body)
            assert caught.value.reason == "changed"

    def test_full_page_has_more(self) -> None:
        rows = [{"title": "x", "cid": index} for index in range(1, 21)]
        assert [by_serper({"places": rows}, page=page).has_more for page in (1, 4, 5)] == [True, True, False]
        assert by_serper({"places": rows[1:]}).has_more is False

    def test_places_far_from_the_view_are_a_changed_response(self) -> None:
        far = {"title": "x", "cid": "1", "latitude": 1, "longitude": 1}
        with pytest.raises(ProviderError, match="ignored the map view"):
            by_serper({"places": [far]}, ll="@39.8,-89.65,14z")

    def test_links_of_bookings_are_texts_or_objects(self) -> None:
        links = ["https://a.example/", {"link": "https://b.example/", "source": "b"}, {"source": "c"}, 1, "odd"]
        [place] = by_serper({"places": [{"title": "Here", "cid": "1", "bookingLinks": links}]}).places
        assert [link.model_dump() for link in place.booking_links] == [
            {"source": None, "link": "https://a.example/"},
            {"source": "b", "link": "https://b.example/"},
        ]

    def test_place_is_the_requested_one(self) -> None:
        body = {"places": [{"title": "Here", "cid": CID, "description": "Made."}]}
        assert place_by_serper(body).description == "Made."
        assert place_by_serper(body, fid=FID).name == "Here"
        with pytest.raises(ProviderError, match="a different place"):
            place_by_serper(body, cid="1")

    def test_no_place_is_absent(self) -> None:
        with pytest.raises(Absent, match=CID):
            place_by_serper({"places": []})

    @pytest.mark.parametrize("row", [{"cid": CID}, {"title": "Here"}])
    def test_place_without_name_or_id_is_a_changed_response(self, row: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            place_by_serper({"places": [row]})
        assert caught.value.reason == "changed"


class TestPlacesApi:
    def test_empty_object_is_an_empty_list(self) -> None:
        result = by_places({})
        assert (result.places, result.has_more) == ([], False)

    @pytest.mark.parametrize("body", [{"error": {"code": 403}}, {"nextPageToken": "t"}, {"places": None}, [], None])
    def test_other_response_without_places_is_a_changed_response(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            by_places(body)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(
        "uri",
        [
            None,
            "",
            "https://maps.google.com/",
            "https://maps.google.com/?cid=x",
            "https://maps.google.com/?cid=",
            "http://[",
        ],
    )
    def test_place_without_a_cid_is_dropped_and_counted(self, uri: Any) -> None:
        result = by_places({"places": [shown(), shown(googleMapsUri=uri)]})
        assert [p.cid for p in result.places] == [CID]
        assert result.warnings == ["1 places without a name or an ID were omitted."]

    @pytest.mark.parametrize(
        ("token", "page", "has_more"), [("t", 1, True), ("t", 2, True), ("t", 3, False), ("", 1, False), (1, 1, False)]
    )
    def test_tokens_lead_to_at_most_three_pages(self, token: Any, page: int, has_more: bool) -> None:
        assert by_places({"places": [shown()], "nextPageToken": token}, page=page).has_more is has_more

    def test_levels_and_states_are_normalized(self) -> None:
        given = shown(priceLevel="PRICE_LEVEL_EXPENSIVE", businessStatus="CLOSED_TEMPORARILY", types=["bar", "cafe"])
        odd = shown(
            priceLevel="PRICE_LEVEL_UNSPECIFIED", businessStatus="NEW", googleMapsUri="https://x.example/?cid=1"
        )
        first, second = by_places({"places": [given, odd]}).places
        assert (first.price_level, first.status, first.type) == ("$$$", "closed_temporarily", "bar")
        assert (second.price_level, second.status, second.type) == (None, None, None)

    def test_hours_are_lines_of_day_and_hours(self) -> None:
        lines = ["Monday: 9:00\u202fAM – 5:00\u202fPM", "Tuesday: Closed", "odd", 1]
        [place] = by_places({"places": [shown(regularOpeningHours={"weekdayDescriptions": lines})]}).places
        assert [day.model_dump() for day in place.opening_hours or ()] == [
            hours("Monday", "9:00 AM – 5:00 PM", 1, ("09:00", "17:00")),
            hours("Tuesday", "Closed", 2),
        ]

    def test_periods_are_the_times_of_the_day_on_which_they_begin(self) -> None:
        given = {
            "weekdayDescriptions": ["Sunday: all day", "Friday: x", "Saturday: y", "Freitag: 9–17"],
            "periods": [
                {"open": {"day": 0, "hour": 0, "minute": 0}, "close": {"day": 1, "hour": 0, "minute": 0}},
                {"open": {"day": 5, "hour": 9}, "close": {"day": 5, "hour": 12, "minute": 30}},
                {"open": {"day": 5, "hour": 18}, "close": {"day": 6, "hour": 2}},
            ],
        }
        [place] = by_places({"places": [shown(regularOpeningHours=given)]}).places
        assert [day.model_dump() for day in place.opening_hours or ()] == [
            hours("Sunday", "all day", 7, ("00:00", "00:00")),
            hours("Friday", "x", 5, ("09:00", "12:30"), ("18:00", "02:00")),
            hours("Saturday", "y", 6),
            hours("Freitag", "9–17", None, ("09:00", "17:00")),
        ]

    def test_period_without_an_end_is_a_place_that_never_closes(self) -> None:
        given = {"weekdayDescriptions": ["Monday: z"], "periods": [{"open": {"day": 0, "hour": 0, "minute": 0}}]}
        [place] = by_places({"places": [shown(regularOpeningHours=given)]}).places
        assert [day.model_dump() for day in place.opening_hours or ()] == [hours("Monday", "z", 1, ("00:00", "00:00"))]

    @pytest.mark.parametrize(
        "period",
        [
            {"open": {"day": 1, "hour": 9}},
            {"open": {"day": 1, "hour": 9}, "close": {"day": 2, "hour": 10}},
            {"open": {"day": 1, "hour": 9}, "close": {"day": 1, "hour": 9}},
            {"open": {"day": 7, "hour": 9}, "close": {"day": 1, "hour": 10}},
            {"open": {"day": 1, "hour": "9"}, "close": {"day": 1, "hour": 10}},
            {"open": {"day": 0, "hour": 0}, "close": "odd"},
            {},
        ],
    )
    def test_text_is_read_if_periods_are_invalid(self, period: Any) -> None:
        given = {"weekdayDescriptions": ["Monday: 1–5 PM", "Tuesday: by appointment"], "periods": [period]}
        [place] = by_places({"places": [shown(regularOpeningHours=given)]}).places
        assert [day.model_dump() for day in place.opening_hours or ()] == [
            hours("Monday", "1–5 PM", 1, ("13:00", "17:00")),
            {**hours("Tuesday", "by appointment", 2), "spans": None, "is_closed": None, "is_24h": None},
        ]


def taped(endpoint: str, name: str) -> tuple[dict[str, str], Any]:
    [case] = [case for case in cases(endpoint) if case.folder.name == name]
    return dict(case.params), json.loads(case.exchanges[-1].answered().body)


READS: dict[tuple[str, str], Any] = {
    ("maps", "serper"): lambda body, params: render_search(by_serper(body, **params)),
    ("maps", "places_api"): lambda body, params: render_search(by_places(body, **params)),
    ("maps_place", "serper"): lambda body, params: render_place(
        serper_maps.read_place(raw(body), MapsPlaceParams.model_validate(params))
    ),
}


@given(st.data(), st.sampled_from(sorted(READS)))
def test_damaged_responses_are_read_or_raise_an_error(data: st.DataObject, name: tuple[str, str]) -> None:
    params, body = taped(*name)
    try:
        assert READS[name](damaged_json(data, body), params).startswith("# ")
    except (ProviderError, Absent) as exc:
        assert exc.code in ("provider_error", "not_found")  # noqa: PT017  # both ways out are right


@given(JUNK.filter(lambda body: body != {}))
def test_any_json_raises_an_error(body: Any) -> None:
    for read in (by_serper, place_by_serper, by_places):
        with pytest.raises(ServiceError):
            read(body)
