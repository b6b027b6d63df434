import json

import pytest

from support.world import House, Told, World
from webquarry.extractors.maps.model.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.sources.untested import serper_maps
from webquarry.net import Net

SERPER = "google.serper.dev/maps"


def world() -> World:
    return World({SERPER: [Told(200, b"{}", {"content-type": "application/json"})]})


def net(given: World) -> Net:
    return House(given, serper_key="secret").net(serper_maps.SERPER_MAPS)


async def test_question_is_an_object_and_the_key_a_header() -> None:
    found = world()
    with net(found) as door:
        await serper_maps.search(
            MapsParams.model_validate({"q": "coffee", "ll": "@38,23.7", "page": 2, "hl": "zh-Hant"}), door
        )
        await serper_maps.search(MapsParams.model_validate({"q": "coffee", "hl": "zh-Hant"}), door)
    _, request = found.asked[0]
    assert (request.method, request.headers["X-API-KEY"]) == ("POST", "secret")
    assert [json.loads(asked.body or b"") for _, asked in found.asked] == [
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 2, "ll": "@38,23.7,14z"},
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 1},
    ]


@pytest.mark.parametrize("member", [{"cid": "7"}, {"fid": "0x1:0x7"}])
async def test_place_is_requested_by_the_given_id(member: dict[str, str]) -> None:
    found = world()
    with net(found) as door:
        await serper_maps.place(MapsPlaceParams.model_validate({**member, "hl": "zh-Hant"}), door)
    assert json.loads(found.asked[0][1].body or b"") == {**member, "gl": "us", "hl": "zh-tw"}
