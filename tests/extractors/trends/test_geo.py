import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import JUNK, damaged_json
from support.trends import DATA
from support.widgets import bodies, needs_samples, sample, wire
from webquarry.core.errors import EmptyResult, InvalidParams, ProviderError
from webquarry.endpoints.params import parse
from webquarry.extractors.trends.geo import Geo, GeoParams, read, read_serpapi, render
from webquarry.read import counting

BODIES = list(bodies("trends_geo", DATA))


def params(geo: str = "", **more: str) -> GeoParams:
    return parse(GeoParams, [("q", "coffee"), ("geo", geo), *more.items()])


def row(code: Any = "DE", value: Any = 5, name: Any = "Somewhere", **more: Any) -> dict[str, Any]:
    return {"geoCode": code, "geoName": name, "value": [value], "formattedValue": [""], "hasData": [True], **more}


def city(name: str = "Town", value: int = 5, **coordinates: Any) -> dict[str, Any]:
    return {"coordinates": coordinates, "geoName": name, "value": [value], "hasData": [True]}


def read_rows(*rows: Any, asked: GeoParams | None = None) -> Geo:
    return read(wire({"default": {"geoMapData": list(rows)}}), asked or params())


def test_countries_without_a_place_are_of_the_whole_world() -> None:
    asked = parse(GeoParams, [("q", "coffee"), ("resolution", "COUNTRY")])
    assert asked.question.geo == ""
    result = read_rows(row("US"), row("DE"), asked=asked)
    assert (result.geo, result.resolution) == ("", "COUNTRY")
    assert result.warnings == ["The default 'geo', US, was ignored because countries are compared worldwide."]
    assert "- Where: Worldwide" in render(result)


def test_countries_of_a_country_that_is_given_are_refused() -> None:
    with pytest.raises(InvalidParams, match="leave 'geo' empty"):
        parse(GeoParams, [("q", "coffee"), ("geo", "US"), ("resolution", "COUNTRY")])
    world = parse(GeoParams, [("q", "coffee"), ("geo", ""), ("resolution", "COUNTRY")])
    assert read_rows(row("US"), row("DE"), asked=world).warnings == []


class TestSamples:
    @needs_samples
    def test_countries_have_the_values_in_their_notes(self) -> None:
        with counting() as losses:
            result = read(sample("comparedgeo-2kw-country.txt"), params())
        assert not losses
        assert (len(result.regions), result.resolution) == (35, "COUNTRY")
        shares = {region.geo_code: region.value for region in result.regions}
        assert (shares["CA"], shares["US"], shares["DK"]) == (98, 97, 98)
        assert [region.value for region in result.regions] == sorted(shares.values(), reverse=True)

    @needs_samples
    def test_countries_in_place_of_cities_are_a_lack_of_data(self) -> None:
        answer = sample("comparedgeo-2kw-city-asked-but-countries-returned.txt")
        assert read(answer, params()).resolution == "COUNTRY"
        with pytest.raises(EmptyResult, match="returned data by COUNTRY"):
            read(answer, params(resolution="CITY"))


class TestLevels:
    @pytest.mark.parametrize(
        ("found", "level"),
        [
            (row("DE"), "COUNTRY"),
            (row("US-CA"), "REGION"),
            (row("807"), "DMA"),
            (city(lat=52.5, lng=13.4), "CITY"),
            (row(None), "COUNTRY"),
        ],
    )
    def test_level_is_read_from_the_rows(self, found: Any, level: str) -> None:
        assert read_rows(found).resolution == level

    @pytest.mark.parametrize("level", ["REGION", "DMA", "CITY"])
    def test_another_level_than_the_requested_one_is_an_empty_result(self, level: str) -> None:
        with pytest.raises(EmptyResult, match=f"by {level}"):
            read_rows(row("US"), row("DE"), asked=params(resolution=level))

    def test_level_of_most_rows_decides(self) -> None:
        assert read_rows(row("US-CA"), row("US-NV"), row(None)).resolution == "REGION"


class TestReading:
    def test_highest_comes_first_and_ties_stay_in_order(self) -> None:
        result = read_rows(row("A1", 3, "a"), row("B1", 9, "b"), row("C1", 3, "c"))
        assert [region.name for region in result.regions] == ["b", "a", "c"]

    def test_rows_marked_as_without_data_are_left_out(self) -> None:
        result = read_rows(row("DE"), row("FR", 0, hasData=[False]), row("IT", 0))
        assert [region.geo_code for region in result.regions] == ["DE", "IT"]
        assert result.warnings == []

    @pytest.mark.parametrize("rows", [[], [row("DE", 0, hasData=[False])]])
    def test_no_row_with_data_is_a_lack_of_data(self, rows: list[Any]) -> None:
        with pytest.raises(EmptyResult):
            read_rows(*rows)

    @pytest.mark.parametrize(
        "bad", [row(name=""), row(value="x"), row(value=101), {}, None, {"hasData": None}, {"hasData": []}]
    )
    def test_unreadable_row_is_counted_as_dropped(self, bad: Any) -> None:
        assert read_rows(row(), bad).warnings == ["1 of 2 regions could not be parsed and were omitted."]
        with pytest.raises(ProviderError) as caught:
            read_rows(bad)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(
        ("coordinates", "found"),
        [({"lat": 52.5, "lng": 13.4}, (52.5, 13.4)), ({"lat": 95, "lng": -181}, (None, None)), ({}, (None, None))],
    )
    def test_city_has_coordinates_and_no_code(self, coordinates: Any, found: Any) -> None:
        [region] = read_rows({**city(**coordinates), "geoCode": "DE"}).regions
        assert (region.latitude, region.longitude, region.geo_code) == (*found, None)


class TestSerpApi:
    def test_regions_are_read_from_serpapi(self) -> None:
        rows = [
            {"geo": "US-OR", "location": "Oregon", "max_value_index": 0, "value": "88", "extracted_value": 88},
            {"geo": "US-WA", "location": "Washington", "max_value_index": 0, "value": "100", "extracted_value": 100},
        ]
        with counting() as losses:
            result = read_serpapi(wire(json.dumps({"interest_by_region": rows}).encode()), params("US"))
        assert not losses
        assert [(region.geo_code, region.value) for region in result.regions] == [("US-WA", 100), ("US-OR", 88)]
        assert (result.source, result.resolution) == ("serpapi", "REGION")

    def test_zero_marked_as_less_than_one_is_data(self) -> None:
        rows = [
            {"geo": "US-OR", "location": "Oregon", "value": "100", "extracted_value": 100},
            {"geo": "US-WA", "location": "Washington", "value": "<1", "extracted_value": 0},
            {"geo": "US-NV", "location": "Nevada", "value": "0", "extracted_value": 0},
        ]
        result = read_serpapi(wire(json.dumps({"interest_by_region": rows}).encode()), params("US"))
        assert ([region.name for region in result.regions], result.warnings) == (["Oregon", "Washington"], [])

    @pytest.mark.parametrize("rows", [None, {}, [{"geo": "US-OR"}]])
    def test_other_responses_are_changed_responses(self, rows: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            read_serpapi(wire(json.dumps({"interest_by_region": rows}).encode()), params("US"))
        assert caught.value.reason == "changed"


def test_zero_with_data_reads_less_than_one() -> None:
    assert "| 1 | Somewhere | DE | <1 |" in render(read_rows(row(value=0)))


@given(st.data())
def test_damaged_answers_are_read_or_are_errors(drawn: st.DataObject) -> None:
    body = damaged_json(drawn, drawn.draw(st.sampled_from(BODIES)))
    try:
        result = read(wire(body), params())
    except (ProviderError, EmptyResult):
        return
    assert all(0 <= region.value <= 100 for region in result.regions)
    assert json.loads(result.model_dump_json())["regions"]
    assert render(result).startswith("# ")


@given(JUNK)
def test_any_json_is_not_accepted_as_a_response(body: Any) -> None:
    with pytest.raises(ProviderError):
        read(wire(body), params())
    with pytest.raises(ProviderError):
        read_serpapi(wire(json.dumps(body).encode()), params())
