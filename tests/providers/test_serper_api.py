import json

import pytest

from support.maps import Asker, Told, World
from webquarry.errors import ProviderError
from webquarry.locale import Country, Language
from webquarry.providers import serper_maps
from webquarry.providers.map_ids import Cid, Fid
from webquarry.providers.map_view import MapView

US, ZH = Country("us"), Language("zh-Hant")
SERPER = "//google.serper.dev/maps"


def world(status: int = 200, body: bytes = b"{}") -> World:
    return World({SERPER: [Told(status, body, {"content-type": "application/json"})]})


def asker(told: World) -> Asker:
    return Asker(told, serper_maps.SERPER_MAPS, serper_key="secret")


async def test_question_is_an_object_and_the_key_a_header() -> None:
    told = world()
    with asker(told).net() as net:
        await serper_maps.search("coffee", MapView.parse("@38,23.7"), 2, US, ZH, net)
        await serper_maps.search("coffee", None, 1, US, ZH, net)
    request, _ = told.asked[0]
    assert (request.method, request.headers["X-API-KEY"]) == ("POST", "secret")
    assert [json.loads(asked.body or b"") for asked, _ in told.asked] == [
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 2, "ll": "@38,23.7,14z"},
        {"q": "coffee", "gl": "us", "hl": "zh-tw", "page": 1},
    ]


@pytest.mark.parametrize(("name", "member"), [(Cid("7"), {"cid": "7"}), (Fid("0x1:0x7"), {"fid": "0x1:0x7"})])
async def test_place_is_named_as_it_was(name: Cid | Fid, member: dict[str, str]) -> None:
    told = world()
    with asker(told).net() as net:
        await serper_maps.place(name, US, ZH, net)
    assert json.loads(told.asked[0][0].body or b"") == {**member, "gl": "us", "hl": "zh-tw"}


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
    with asker(world(status, body)).net() as net, pytest.raises(ProviderError, match=says) as caught:
        await serper_maps.search("coffee", None, 1, US, ZH, net)
    assert caught.value.reason == "refused"
    assert "secret" not in caught.value.message
