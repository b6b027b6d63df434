"""Impossible figures become None, whichever source sends them."""

import json
from typing import Any

import pytest

from support.maps import wire
from webquarry.core.types import Wire
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.model.result import FoundPlace
from webquarry.extractors.maps.model.values import coordinates, count, rating
from webquarry.extractors.maps.sources.rpc import reader as rpc_reader
from webquarry.extractors.maps.sources.untested import google_places, serper_maps

PARAMS = MapsParams.model_validate({"q": "coffee"})


@pytest.mark.parametrize("given", [(None, 1.0), (1.0, None), (90.1, 0.0), (0.0, -180.1), (1e308, 0.0)])
def test_invalid_coordinates_are_none(given: tuple[float | None, float | None]) -> None:
    assert coordinates(*given) == (None, None)


def test_plausible_values_are_kept() -> None:
    assert coordinates(-90.0, 180.0) == (-90.0, 180.0)
    assert [rating(mean) for mean in (1, 4.5, 5)] == [1, 4.5, 5]
    assert [rating(mean) for mean in (None, 0, 5.1, -1, 1e300)] == [None] * 5
    assert [count(number) for number in (0, 7, None, -1)] == [0, 7, None, None]


def by_rpc() -> Wire:
    found: list[Any] = [None] * 12
    found[4] = [*[None] * 7, 48.0, -3]
    found[9] = [None, None, 398.0, -89.65]
    found[10:] = ["0x1:0x7", "Here"]
    return wire([["coffee", [[None], [*[None] * 14, found]]]])


def by_serper() -> Wire:
    row = {"cid": "7", "title": "Here", "latitude": 398.0, "longitude": -89.65, "rating": 48, "ratingCount": -3}
    return wire(json.dumps({"places": [row]}).encode())


def by_places() -> Wire:
    point = {"latitude": 398.0, "longitude": -89.65}
    row = {"displayName": {"text": "Here"}, "googleMapsUri": "https://maps.google.com/?cid=7", "location": point}
    return wire(json.dumps({"places": [{**row, "rating": 48, "userRatingCount": -3}]}).encode())


@pytest.mark.parametrize(
    ("reader", "answer"), [(rpc_reader, by_rpc()), (serper_maps, by_serper()), (google_places, by_places())]
)
def test_no_source_returns_implausible_values(reader: Any, answer: Wire) -> None:
    [found] = reader.read_search(answer, PARAMS).places
    assert isinstance(found, FoundPlace)
    assert (found.latitude, found.longitude, found.rating, found.review_count) == (None,) * 4
