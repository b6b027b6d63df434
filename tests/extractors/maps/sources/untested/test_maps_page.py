"""A place's page in a browser. Its script contains responses to the page's own requests, one of which is about the
place.
"""

import json
from typing import Any

import pytest

from support.maps import wire
from webquarry.core.errors import ProviderError
from webquarry.extractors.maps.model.params import MapsPlaceParams
from webquarry.extractors.maps.model.render import render_place
from webquarry.extractors.maps.sources.untested import maps_page

FID = "0x88:0xe000000000000001"
PARAMS = MapsPlaceParams.model_validate({"fid": FID})


def array(fid: str = FID) -> list[Any]:
    values: dict[int, Any] = {
        10: fid,
        11: "Tea House",
        32: [None, [None, "By the water"]],
        154: [["We brew.\nSince 1990."]],
    }
    return [values.get(index) for index in range(155)]


def page(*answers: Any) -> bytes:
    texts = [f")]}}'\n{json.dumps(answer)}" for answer in answers]
    state = [[None, [1, 2]], {"3": [None, *texts]}, "other"]
    script = f"window.APP_OPTIONS=[];window.APP_INITIALIZATION_STATE={json.dumps(state)};window.x=1"
    return f"<!doctype html><html><body><script>{script}</script></body></html>".encode()


def place_answer(fid: str = FID) -> list[Any]:
    return [None, None, None, None, None, None, array(fid)]


def test_owner_and_editors_are_read_from_the_page() -> None:
    found = maps_page.read(wire(page([["a search"]], place_answer("0x1:0x2"), place_answer())), PARAMS)
    assert (found.place.description, found.place.long_description) == ("By the water", "We brew.\nSince 1990.")
    assert found.provider == "maps_page"
    assert "We brew." in render_place(found)


@pytest.mark.parametrize("body", [page(), page([None] * 7), page(place_answer("0x1:0x2")), b"<html>no state</html>"])
def test_page_without_the_place_is_a_changed_response(body: bytes) -> None:
    with pytest.raises(ProviderError) as caught:
        maps_page.read(wire(body), PARAMS)
    assert caught.value.reason == "changed"
