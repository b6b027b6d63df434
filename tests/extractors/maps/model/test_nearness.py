import pytest

from webquarry.extractors.maps.model.nearness import ViewIgnored, names_their_place, view_warnings
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.model.result import AddressComponents, FoundPlace

HERE = "@39.8,-89.65,14z"


def place(
    latitude: float | None = 39.8,
    *,
    name: str = "Here",
    address: str | None = "1 Main Street, Springfield, IL",
    city: str | None = None,
) -> FoundPlace:
    parts = {"street": None, "neighborhood": None, "state": None, "postal_code": None, "country_code": None}
    fields = dict.fromkeys(FoundPlace.model_fields) | {
        "name": name, "cid": "1", "url": "https://maps.example/", "position": 1, "types": [], "booking_links": [],
        "latitude": latitude, "longitude": None if latitude is None else -89.65, "address": address,
        "address_components": AddressComponents(city=city, **parts) if city else None,
    }  # fmt: skip
    return FoundPlace.model_validate(fields)


def asked(q: str = "coffee", ll: str | None = HERE) -> MapsParams:
    return MapsParams.model_validate({"q": q, **({"ll": ll} if ll else {})})


class TestDistance:
    @pytest.mark.parametrize("latitudes", [[], [None], [39.8], [40.2], [39.8, 39.9, 10.0], [39.8, None, 10.0]])
    def test_near_places_cause_no_warning(self, latitudes: list[float | None]) -> None:
        assert view_warnings(asked(), [place(latitude) for latitude in latitudes]) == []

    @pytest.mark.parametrize("latitudes", [[40.3], [39.8, 10.0, 10.0], [10.0, None]])
    def test_far_places_are_an_error(self, latitudes: list[float | None]) -> None:
        with pytest.raises(ViewIgnored) as caught:
            view_warnings(asked(), [place(latitude) for latitude in latitudes])
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(("zoom", "is_far"), [(14, True), (8, False)])
    def test_wide_view_reaches_farther(self, zoom: int, is_far: bool) -> None:
        params = asked(ll=f"@39.8,-89.65,{zoom}z")
        if is_far:
            with pytest.raises(ViewIgnored, match="about 667 km"):
                view_warnings(params, [place(45.8)])
        else:
            assert view_warnings(params, [place(45.8)]) == []

    def test_without_a_view_no_place_is_far(self) -> None:
        assert view_warnings(asked(ll=None), [place(-80)]) == []

    def test_query_that_names_their_location_causes_only_a_warning(self) -> None:
        [warning] = view_warnings(asked("coffee in Springfield"), [place(-10.0)])
        assert warning.startswith("The places are about 5,538 km from @39.8,-89.65,14z")


class TestNames:
    @pytest.mark.parametrize(
        ("query", "places", "is_named"),
        [
            ("coffee springfield", [place()], True),
            ("coffee SPRINGFIELD!", [place(), place(), place(address="elsewhere")], True),
            ("coffee springfield", [place(), place(address="elsewhere"), place(address=None)], False),
            ("coffee", [place()] * 3, False),
            ("spring coffee", [place()] * 3, False),
            ("Eiffel Tower", [place(name="Tour Eiffel", address="Paris")], True),
            ("Starbucks", [place(name="Starbucks", address="Paris")] * 2, False),
            ("ristorante città di castello", [place(city="Città di Castello", address=None)] * 2, True),
            ("東京 カフェ", [place(address="日本、〒100-0001 東京都千代田区")] * 2, True),
            ("東京都カフェ", [place(city="東京都", address=None)] * 2, True),
            ("カフェ", [place(address="日本、〒100-0001 東京都千代田区")] * 2, False),
            ("", [place()], False),
            ("a i", [place(address="a i")], False),
            ("coffee", [], False),
        ],
    )
    def test_query_names_a_place_by_words_of_its_address(
        self, query: str, places: list[FoundPlace], is_named: bool
    ) -> None:
        assert names_their_place(query, places) is is_named
