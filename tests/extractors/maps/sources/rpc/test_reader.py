import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json
from support.maps import hours, wire
from webquarry.core.errors import Absent, ProviderError, ServiceError
from webquarry.extractors.maps.model.opening import Day, read_week
from webquarry.extractors.maps.model.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.render import render_place, render_search
from webquarry.extractors.maps.model.result import FoundPlace, Maps, PlaceDetail
from webquarry.extractors.maps.sources.rpc import reader
from webquarry.sandbox.cases import cases

SAMPLES = KIT / "upstreams/samples/maps"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
FID = "0x88:0xe000000000000001"
CID = str(0xE000000000000001)


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_bytes())


def search(body: Any, q: str = "coffee", **params: Any) -> Maps:
    return reader.read_search(wire(body), MapsParams.model_validate({"q": q, **params}))


def place(body: Any, **params: str) -> PlaceDetail:
    return reader.read_place(wire(body), MapsPlaceParams.model_validate(params or {"fid": FID})).place


def array(*, fid: str | None = FID, name: str | None = "Here", **values: Any) -> list[Any]:
    """Return a place's array. values: by position, `_4=…`."""
    fields: dict[int, Any] = {10: fid, 11: name, **{int(key[1:]): value for key, value in values.items()}}
    return [fields.get(index) for index in range(max(fields) + 1)]


def answer(*arrays: list[Any], query: str = "coffee") -> list[Any]:
    """Return the response of a search, in the recorded layout."""
    return [[query, [[None], *([*[None] * 14, each] for each in arrays)]]]


def the_place(shown: list[Any]) -> list[Any]:
    return [*[None] * 6, shown]


def numbered(count: int) -> list[list[Any]]:
    return [array(fid=f"0x1:0x{index:x}") for index in range(1, count + 1)]


def test_rows_beyond_the_maximum_are_not_read() -> None:
    nothing: list[list[Any]] = [array(name=None)] * reader.MAX_ROWS
    assert len(search(answer(*nothing[2:], array())).places) == 1
    with pytest.raises(ProviderError):
        search(answer(*nothing, array()))


def one(**values: Any) -> FoundPlace:
    return search(answer(array(**values))).places[0]


class TestSamples:
    """Values as stated in the samples' SOURCES.md and in the notes."""

    @needs_samples
    def test_search_sample_is_read(self) -> None:
        result = search(sample("tbm-map-search-coffee-2024-12"), ll="@38.0289,23.7,15z")
        assert [p.position for p in result.places] == list(range(1, 21))
        assert (result.provider, result.has_more, result.warnings) == ("maps_rpc", True, [])
        first, second, fifth, eighth, fifteenth = (result.places[index] for index in (0, 1, 4, 7, 14))
        assert (first.name, first.cid) == ("Dream Coffee", "1629270299114224275")
        assert first.fid == "0x14a1a32f316b15a1:0x169c54b46dcc3a93"
        assert (first.rating, first.review_count) == (4.8, 48)
        assert first.address == "Eakou 74, Ilion 131 22, Greece"
        assert (first.latitude, first.longitude) == (38.0331931, 23.7094475)
        assert (first.phone, first.type, first.claimed) == ("+30 21 0261 6578", "Coffee shop", False)
        assert (first.timezone, first.place_id) == ("Europe/Athens", "ChIJoRVrMS-joRQRkzrMbbRUnBY")
        assert first.opening_hours
        assert [(day.day, day.hours) for day in first.opening_hours][:2] == [
            ("Saturday", "7 AM–8:30 PM"),
            ("Sunday", "Closed"),
        ]
        assert first.opening_hours[0].model_dump() == hours("Saturday", "7 AM–8:30 PM", 6, ("07:00", "20:30"))
        assert first.opening_hours[1].model_dump() == hours("Sunday", "Closed", 7)
        assert first.address_components
        assert first.address_components.model_dump() == {
            "street": "Eakou 74", "neighborhood": None, "city": "Ilion", "state": None, "postal_code": "131 22",
            "country_code": "GR",
        }  # fmt: skip
        assert (first.url, first.thumbnail) == ("https://www.google.com/maps?cid=1629270299114224275", None)
        assert (second.name, second.rating, second.review_count) == ("Cocoza Speciality Coffee", 5.0, 130)
        assert (second.website, second.claimed) == (None, None)
        assert (fifth.price_level, fifth.open_state, fifth.status) == ("$", "Open ⋅ Closes 8:30 PM", "open")
        assert (eighth.opening_hours, eighth.open_state) == (None, "Open now")
        assert (fifteenth.name, fifteenth.rating, fifteenth.review_count) == ("NooK", 4.7, 1670)
        assert fifteenth.types[:2] == ["Coffee shop", "Breakfast restaurant"]
        assert sum(p.thumbnail is not None for p in result.places) == 19
        assert sum(p.website is not None for p in result.places) == 8
        assert [p.claimed for p in result.places] == [False] + [None] * 19

    @needs_samples
    def test_opening_times_match_their_text(self) -> None:
        """Every day of the sample gives the same result when read from its numbers and from its English text alone."""
        found = search(sample("tbm-map-search-coffee-2024-12"), ll="@38.0289,23.7,15z")
        weeks = [place.opening_hours for place in found.places if place.opening_hours]
        assert len(weeks) == 19
        for days in weeks:
            assert read_week([Day(day.day, day.hours) for day in days]) == days

    @needs_samples
    def test_claimed_place_is_read(self) -> None:
        found = place(sample("preview-place-kipriakon-en-2023-09"), cid="16519582940102929223")
        assert (found.name, found.rating, found.review_count, found.price_level) == ("Kipriakon", 4.2, 396, "€€")
        assert found.review_histogram == {"1": 37, "2": 16, "3": 27, "4": 60, "5": 256}
        assert sum(found.review_histogram.values()) == found.review_count
        assert found.phone == "+357 25 101555"  # the national form is "25 101555"
        assert (found.place_id, found.timezone) == ("ChIJDdnwdv0y5xQRRytw1ihZQeU", "Asia/Nicosia")
        assert (found.claimed, found.website, found.photo_count) == (True, None, 411)
        assert found.opening_hours
        assert found.opening_hours[0].model_dump() == hours("Monday", "12:30–10 pm", 1, ("12:30", "22:00"))
        assert [day.weekday for day in found.opening_hours] == [1, 2, 3, 4, 5, 6, 7]
        assert [link.source for link in found.order_links] == ["foody.com.cy", "wolt.com"]
        assert found.order_links[0].link.startswith("https://foody.com.cy/delivery/")
        assert found.plus_code == "M2CR+6X Limassol"
        assert found.url.startswith("https://www.google.com/maps/place/Kipriakon/data=")
        assert found.thumbnail
        assert found.attributes
        assert [option.name for option in found.attributes["Service options"]][:2] == ["Outdoor seating", "Delivery"]
        assert found.attributes["Payments"][-1].values == ["Mastercard"]
        assert found.popular_times
        assert [day.weekday for day in found.popular_times] == [7, 1, 2, 3, 4, 5, 6]
        assert max(hour.percent for day in found.popular_times for hour in day.hours) == 100
        assert (found.description, found.long_description, found.booking_links) == (None, None, [])

    @needs_samples
    def test_unclaimed_place_is_read(self) -> None:
        found = place(sample("preview-place-island-beach-unclaimed-2023-09"), cid="9115508255056820563")
        assert (found.name, found.rating, found.review_count) == ("Island Beach Bar and Restaurant", 4.4, 504)
        assert (found.price_level, found.types) == ("€€", ["Restaurant", "Cocktail bar"])
        assert found.phone
        assert found.phone.endswith("97 754374")
        assert found.review_histogram == {"1": 27, "2": 10, "3": 30, "4": 108, "5": 329}
        assert (found.claimed, found.opening_hours, found.status, found.photo_count) == (False, None, None, 645)
        assert found.attributes
        assert {option.name: option.enabled for option in found.attributes["Service options"]}["Delivery"] is False

    @needs_samples
    def test_sample_of_a_place_is_not_returned_for_another_place(self) -> None:
        with pytest.raises(ProviderError, match="a different place"):
            place(sample("preview-place-kipriakon-en-2023-09"), cid="9115508255056820563")


class TestSearch:
    def test_both_layouts_give_the_same_result(self) -> None:
        found = array(_4=[None] * 7 + [4.5, 12], _13=["Cafe"])
        recorded, other = answer(found), [*[["coffee"]], *[None] * 63, [[None, found]]]
        assert search(recorded) == search(other)
        assert search(recorded).places[0].rating == 4.5

    def test_rows_without_places_do_not_hide_the_other_layout(self) -> None:
        body = [answer(["no place"])[0], *[None] * 63, [[None, array()]]]
        assert [p.name for p in search(body).places] == ["Here"]

    def test_single_match_is_in_the_first_row(self) -> None:
        body = answer(array())
        body[0][1].pop(0)
        assert [p.name for p in search(body).places] == ["Here"]

    def test_repeated_place_is_returned_once(self) -> None:
        body = answer(array(fid="0x1:0x1", name="a"), array(fid="0x1:0x2"), array(fid="0x9:0x1", name="again"))
        assert [(p.position, p.cid, p.name) for p in search(body).places] == [(1, "1", "a"), (2, "2", "Here")]

    def test_page_has_twenty_places_and_counts_on(self) -> None:
        result = search(answer(*numbered(25)), page=3)
        assert [p.position for p in result.places] == list(range(41, 61))

    @pytest.mark.parametrize(
        ("rows", "page", "has_more"), [(20, 1, True), (19, 1, False), (20, 4, True), (20, 5, False)]
    )
    def test_full_page_has_more_until_the_last(self, rows: int, page: int, has_more: bool) -> None:
        assert search(answer(*numbered(rows)), page=page).has_more is has_more

    @pytest.mark.parametrize("query", ["coffee", "COFFEE", " coffee "])
    def test_repeated_query_without_rows_is_an_empty_list(self, query: str) -> None:
        result = search(answer(query=query))
        assert (result.places, result.has_more) == ([], False)
        assert "No places were found." in render_search(result)

    @pytest.mark.parametrize(
        "body",
        [
            [],
            [None],
            [[]],
            answer(query="tea"),
            [["coffee", [[None], [None]]]],
            [["coffee", [[None]]], *[None] * 63, [["moved"]]],
            [["coffee", [[None], [*[None] * 15, array()]]]],
            answer(array(fid=None)),
            answer(array(name=None), array(fid="0x1:0x0"), array(fid="ChIJ"), array(name=" ")),
        ],
    )
    def test_response_without_readable_places_is_changed_and_never_empty(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            search(body)
        assert caught.value.reason == "changed"

    def test_places_without_name_or_id_are_dropped_and_counted(self) -> None:
        result = search(answer(array(), array(fid=None), array(fid="0x1:0x5", name=None)))
        assert [p.name for p in result.places] == ["Here"]
        assert result.warnings == ["2 places without a name or an ID were omitted."]


class TestFacts:
    def test_shortest_place_is_mostly_nulls(self) -> None:
        found = one()
        assert found.model_dump(exclude_defaults=True, exclude_none=True) == {
            "name": "Here", "cid": CID, "fid": FID, "types": [], "booking_links": [],
            "url": f"https://www.google.com/maps?cid={CID}", "position": 1,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("shown", "phone"),
        [
            ([["25 1", [["25 1", 1], ["+357 25 1", 2]]]], "+357 25 1"),
            ([["25 1", [["25 1", 1]]]], "25 1"),
            ([["25 1", [[None, 2]]]], "25 1"),
            ([["25 1", "odd"]], "25 1"),
            ([[None, [["+1", 2]]]], "+1"),
            ([], None),
        ],
    )
    def test_phone_is_international_if_possible(self, shown: Any, phone: str | None) -> None:
        assert one(_178=shown).phone == phone

    @pytest.mark.parametrize(
        ("given", "website"),
        [
            ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
            ("/url?q=https://a.example/%3Fb%3D1&sa=U", "https://a.example/?b=1"),
            ("https://www.google.com/url?q=http://a.example/&sa=D", "http://a.example/"),
            ("https://www.google.gr/url?url=http://a.example/", "http://a.example/"),
            ("https://a.example/url?q=http://b.example/", "https://a.example/url?q=http://b.example/"),
            ("/url?q=javascript:alert(1)", None),
            ("/url?sa=U", None),
            ("javascript:alert(1)", None),
            ("//a.example", None),
            ("a.example", None),
            ("http://[", None),
            ("", None),
        ],
    )
    def test_website_is_an_address_past_redirects_or_null(self, given: str, website: str | None) -> None:
        assert one(_7=[given]).website == website

    @pytest.mark.parametrize(
        ("owner", "offer", "claimed"),
        [
            ("1", None, True),
            ("1", "https://business.google.com/create?fp=1", True),
            (None, "https://business.google.com/create?fp=1", False),
            (None, "https://elsewhere.example/create", None),
            (None, None, None),
            (1, None, None),
        ],
    )
    def test_claimed_needs_an_owner_or_an_offer(self, owner: Any, offer: Any, claimed: bool | None) -> None:
        also_there = [None, "Here (Owner)", owner, None, None, None, None, None, "2"]
        assert one(_57=also_there, _49=[offer]).claimed is claimed

    def test_newer_hours_are_preferred(self) -> None:
        newer = [[["Friday", 5, None, [["8–12", [[8], [12]]], ["2–6 PM", [[14], [18, 5]]]], 0, 1], ["Saturday", 6]]]
        older = [None, [["Friday", ["9–5"]], ["Sunday", ["Closed"]], ["", ["9"]], "odd"]]
        assert [day.model_dump() for day in one(_203=newer, _34=older).opening_hours or ()] == [
            hours("Friday", "8–12, 2–6 PM", 5, ("08:00", "12:00"), ("14:00", "18:05"))
        ]
        assert [day.model_dump() for day in one(_34=older).opening_hours or ()] == [
            {**hours("Friday", "9–5", 5), "spans": None, "is_closed": None, "is_24h": None},
            hours("Sunday", "Closed", 7),
        ]

    def test_times_and_weekdays_are_figures_in_every_language(self) -> None:
        newer = [
            ["Παρασκευή", 5, None, [["7 π.μ.–12 π.μ.", [[7], []]]], 0, 1],
            ["Σάββατο", 6, None, [["Κλειστά"]], 0, 2],
            ["Κυριακή", 7, None, [["24", [[], [24]]]], 0, 1],
            ["Δευτέρα", 8, None, [["6 μ.μ.–2 π.μ.", [[18], [2, 0]]]], 0, 1],
        ]
        read = [
            hours("Παρασκευή", "7 π.μ.–12 π.μ.", 5, ("07:00", "00:00")),
            hours("Σάββατο", "Κλειστά", 6),
            hours("Κυριακή", "24", 7, ("00:00", "00:00")),
            hours("Δευτέρα", "6 μ.μ.–2 π.μ.", None, ("18:00", "02:00")),
        ]
        assert [day.model_dump() for day in one(_203=[newer]).opening_hours or ()] == read
        older = [
            ["Παρασκευή", ["7 π.μ.–12 π.μ."], None, None, "2026-11-20", 1, [[7, 0, 0, 0]], 0],
            ["Σάββατο", ["Κλειστά"], None, None, "2026-11-21", 2, None, 0],
            ["Κυριακή", ["24"], None, None, "2026-11-22", 1, [[0, 0, 24, 0]], 0],
            ["Δευτέρα", ["6 μ.μ.–2 π.μ."], None, None, "odd", 1, [[18, 0, 2, 0]], 0],
        ]
        assert [day.model_dump() for day in one(_34=[None, older]).opening_hours or ()] == read

    @pytest.mark.parametrize(
        "times",
        [None, [], [[7]], [[7], [25]], [[7], [8, 60]], [["7"], [8]], [[True], [8]], [[7, 0, 0], [8]], [[-1], [8]]],
    )
    def test_day_with_an_unreadable_time_is_open_without_times(self, times: Any) -> None:
        days = [["Παρασκευή", 5, None, [["a", [[7], [8]]], ["b", times]], 0, 1]]
        [day] = one(_203=[days]).opening_hours or []
        assert (day.hours, day.spans, day.is_closed, day.is_24h) == ("a, b", None, False, None)

    @pytest.mark.parametrize(
        ("mark", "state", "status"),
        [
            ("CLOSED", "Permanently closed", "closed_permanently"),
            ("CLOSED_PERMANENTLY", None, "closed_permanently"),
            ("CLOSED_TEMPORARILY", "Temporarily closed", "closed_temporarily"),
            ("Dogs allowed", "Open now", "open"),
            ("Dogs allowed", None, None),
            (None, None, None),
        ],
    )
    def test_status_is_not_read_from_a_remark(self, mark: Any, state: Any, status: str | None) -> None:
        found = one(_88=[mark], _34=[None, None, None, None, [None] * 4 + [state]])
        assert (found.status, found.open_state) == (status, state)

    def test_state_is_also_read_from_the_newer_position(self) -> None:
        assert one(_203=[None, [None] * 4 + [["Open ⋅ Closes 8\u202fPM"]]]).open_state == "Open ⋅ Closes 8 PM"

    @pytest.mark.parametrize(
        "position", [[None, None, 91, 0], [None, None, 0, 181], [None, None, 1], [None, None, "1", 2]]
    )
    def test_position_is_whole_and_on_earth_or_null(self, position: Any) -> None:
        assert (one(_9=position).latitude, one(_9=position).longitude) == (None, None)

    def test_count_of_reviews_may_be_missing(self) -> None:
        found = one(_4=[None] * 7 + [5])
        assert (found.rating, found.review_count) == (5.0, None)

    @pytest.mark.parametrize(
        ("values", "address"),
        [
            ({"_39": "1 Street", "_2": ["x"], "_18": "Here, y"}, "1 Street"),
            ({"_2": ["1 Street", None, "Town"], "_18": "Here, y"}, "1 Street, Town"),
            ({"_18": "Here, y"}, "Here, y"),
        ],
    )
    def test_address_is_read_from_either_position(self, values: dict[str, Any], address: str) -> None:
        assert one(**values).address == address

    def test_booking_links_have_a_link(self) -> None:
        found = one(_46=[["https://book.example/", "book.example"], ["no link", "x"], [None], "odd"])
        assert [link.model_dump() for link in found.booking_links] == [
            {"source": "book.example", "link": "https://book.example/"}
        ]


class TestPlace:
    @pytest.mark.parametrize("body", [[], [None], [None] * 7, [None] * 32])
    def test_response_without_data_is_not_absent(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            place(body)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("body", [[None] * 12 + ["token"], [None, "x"]])
    def test_answer_without_a_place_is_absent(self, body: Any) -> None:
        with pytest.raises(Absent, match=CID):
            place(body)

    @pytest.mark.parametrize(
        "shown",
        [array(fid="0x88:0xe000000000000002"), array(fid="0xe000000000000001:0x88")],
    )
    def test_another_place_is_never_returned(self, shown: Any) -> None:
        with pytest.raises(ProviderError, match="a different place") as caught:
            place(the_place(shown))
        assert caught.value.reason == "changed"

    def test_first_half_of_the_fid_may_differ(self) -> None:
        assert place(the_place(array()), fid=f"0x1:{FID.partition(':')[2]}").fid == FID
        assert place(the_place(array()), cid=CID).cid == CID

    @pytest.mark.parametrize("shown", [array(name=None), array(fid=None), array(fid="odd"), []])
    def test_place_without_name_or_id_is_a_changed_response(self, shown: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            place(the_place(shown))
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(
        "counts", [[1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [1, 2, None, 4, 5], [1, 2, True, 4, 5], [-1] * 5]
    )
    def test_histogram_is_whole_or_null(self, counts: Any) -> None:
        assert place(the_place(array(_175=[None, None, None, counts]))).review_histogram is None

    def test_attributes_are_yes_no_or_texts(self) -> None:
        options = [
            ["a", "On", [1, [[1, "On"]]]],
            ["b", "Off", [1, [[0, "No"]]]],
            ["c", "Odd", [1, [[7]]]],
            ["d", "Parking", [2, None, None, ["/g/1", 1, "Plenty of parking"]]],
            [
                "e",
                "Cards",
                [3, None, None, None, [None, [[[["/g/1", None, "One"], ["/g/2", None, "Two"]], None, [1]]]]],
            ],
            ["f", "New kind", [4, [[1]]]],
            ["g", None, [1, [[1]]]],
            ["h"],
            "odd",
        ]
        shown = place(
            the_place(array(_100=[None, [["s", "Section", options], ["t", "Empty", []], ["u", None, options]]]))
        )
        assert shown.attributes
        assert {name: [o.model_dump() for o in found] for name, found in shown.attributes.items()} == {
            "Section": [
                {"name": "On", "enabled": True, "values": []},
                {"name": "Off", "enabled": False, "values": []},
                {"name": "Parking", "enabled": None, "values": ["Plenty of parking"]},
                {"name": "Cards", "enabled": None, "values": ["One", "Two"]},
            ]
        }

    def test_popular_times_are_hours_of_days(self) -> None:
        days = [[7, [[6, 0], [24, 5], [7, 101], [8, 100], ["9", 1]]], [8, [[1, 1]]], [1, []], [2]]
        found = place(the_place(array(_84=[days])))
        assert [day.model_dump() for day in found.popular_times or ()] == [
            {"weekday": 7, "hours": [{"hour": 6, "percent": 0}, {"hour": 8, "percent": 100}]}
        ]

    def test_description_of_the_owner_is_read_if_present(self) -> None:
        found = place(the_place(array(_32=[None, [None, "By the editors."]], _154=[["By the owner?"]])))
        assert (found.description, found.long_description) == ("By the editors.", "By the owner?")


def bodies(endpoint: str) -> list[tuple[dict[str, str], Any]]:
    """Return the parameters and response of every successful tape of this source, and of the samples if available."""
    found = [
        (dict(case.params), json.loads(case.exchanges[-1].answered().body.removeprefix(b")]}'")))
        for case in cases(endpoint)
        if case.data is not None and not case.settings
    ]
    names = {
        "maps": [({"q": "coffee"}, "tbm-map-search-coffee-2024-12")],
        "maps_place": [({"cid": "16519582940102929223"}, "preview-place-kipriakon-en-2023-09")],
    }
    return found + [(params, sample(name)) for params, name in names[endpoint] if SAMPLES.exists()]


SEARCHES, PLACES = bodies("maps"), bodies("maps_place")
for rows in (rows for _, found in SEARCHES for rows in found[0][1:2]):
    del rows[4:]  # damaging many places takes long, and a few places are enough


@given(st.data())
def test_damaged_searches_are_read_or_raise_an_error(data: st.DataObject) -> None:
    params, body = data.draw(st.sampled_from(SEARCHES))
    try:
        result = search(damaged_json(data, body), **params)
    except ProviderError as exc:
        assert exc.reason == "changed"  # noqa: PT017  # both ways out are right
    else:
        assert len({p.cid for p in result.places}) == len(result.places) <= 20
        assert json.loads(result.model_dump_json())["query"] == params["q"]
        assert render_search(result).startswith("# ")


@given(st.data())
def test_damaged_places_are_read_or_raise_an_error(data: st.DataObject) -> None:
    params, body = data.draw(st.sampled_from(PLACES))
    try:
        result = reader.read_place(wire(damaged_json(data, body)), MapsPlaceParams.model_validate(params))
    except (ProviderError, Absent) as exc:
        assert exc.code in ("provider_error", "not_found")  # noqa: PT017  # both ways out are right
    else:
        assert result.place.cid == MapsPlaceParams.model_validate(params).place_cid
        assert result.model_dump_json()
        assert render_place(result).startswith("# ")


@given(JUNK)
def test_any_json_raises_an_error(body: Any) -> None:
    for read in (search, place):
        with pytest.raises(ServiceError):
            read(body)
