import json

import pytest

from support.world import House, Told, World
from webquarry.errors import ProviderError
from webquarry.extractors.maps import serper_maps
from webquarry.extractors.maps.map_ids import Cid, Fid
from webquarry.extractors.maps.map_view import MapView
from webquarry.locale import Country, Language
from webquarry.net import Net

US, ZH = Country("us"), Language("zh-Hant")
SERPER = "google.serper.dev/maps"


def world(status: int = 200, body: bytes = b"{}") -> World:
    return World({SERPER: [Told(status, body, {"content-type": "application/json"})]})


def net(told: World) -> Net:
    return House(told, serper_key="secret").net(serper_maps.SERPER_MAPS)


async def test_question_is_an_object_and_the_key_a_header() -> None:
    told = world()
    with net(told) as door:
        await serper_maps.search("coffee", MapView.parse("@38,23.7"), 2, US, ZH, door)
        await serper_maps.search("coffee", None, 1, US, ZH, door)
    _, request = told.asked[0]
    assert (request.method, request.headers["X-API-KEY"]) == ("POST", "secret")
    assert [json.loads(asked.body or b"") for _, asked in told.asked] == [
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 2, "ll": "@38,23.7,14z"},
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 1},
    ]


@pytest.mark.parametrize(("name", "member"), [(Cid("7"), {"cid": "7"}), (Fid("0x1:0x7"), {"fid": "0x1:0x7"})])
async def test_place_is_named_as_it_was(name: Cid | Fid, member: dict[str, str]) -> None:
    told = world()
    with net(told) as door:
        await serper_maps.place(name, US, ZH, door)
    assert json.loads(told.asked[0][1].body or b"") == {**member, "gl": "us", "hl": "zh-tw"}


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (400, b'{"message": "Not enough credits", "statusCode": 400}', "Not enough credits"),
        (403, b'{"message": "Unauthorized."}', "Unauthorized."),
        (401, b"{}", "status 401"),
        (429, b"", "status 429"),
        (500, b"", "status 500"),
    ],
)
async def test_refusal_is_told_in_its_own_words(status: int, body: bytes, says: str) -> None:
    with net(world(status, body)) as door, pytest.raises(ProviderError, match=says) as caught:
        await serper_maps.search("coffee", None, 1, US, ZH, door)
    assert caught.value.reason == "refused"
    assert "secret" not in caught.value.message
