import json
from typing import Any

import pytest

from support.maps import wire
from support.world import House, Told, World
from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.maps.model.map_view import MapView
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.sources.untested import google_places

API = "places.googleapis.com/v1/places:searchText"


def page(token: str | None = None, status: int = 200) -> Told:
    body: dict[str, Any] = {"places": []} if token is None else {"places": [], "nextPageToken": token}
    return Told(status, json.dumps(body).encode(), {"content-type": "application/json"})


async def search(world: World, number: int = 1, view: str | None = None) -> list[Wire]:
    params = MapsParams.model_validate({"q": "coffee", "ll": view, "page": number, "hl": "pt-BR"})
    with House(world, google_places_key="secret").net(google_places.GOOGLE_PLACES) as net:
        return await google_places.fetch(params, net)


def asked(world: World) -> list[Any]:
    return [json.loads(request.body or b"") for _, request in world.asked]


async def test_request_has_place_language_and_fields() -> None:
    world = World({API: [page()]})
    await search(world, view="@38,23.7,14z")
    [question] = asked(world)
    radius = question["locationBias"]["circle"].pop("radius")
    assert radius == pytest.approx(MapView.parse("@38,23.7,14z").diameter_m / 2)
    assert question == {
        "textQuery": "coffee",
        "languageCode": "pt-BR",
        "regionCode": "US",
        "pageSize": 20,
        "locationBias": {"circle": {"center": {"latitude": 38.0, "longitude": 23.7}}},
    }
    headers = world.asked[0][1].headers
    assert headers["X-Goog-Api-Key"] == "secret"
    assert headers["X-Goog-FieldMask"].startswith("nextPageToken,places.id,places.displayName,")
    assert " " not in headers["X-Goog-FieldMask"]


async def test_later_page_is_reached_by_the_tokens_of_the_earlier() -> None:
    world = World({API: [page("a"), page("b"), page("c")]})
    assert len(await search(world, 3)) == 3
    assert [question.get("pageToken") for question in asked(world)] == [None, "a", "b"]
    assert all(question["textQuery"] == "coffee" for question in asked(world))


async def test_pages_end_without_a_token() -> None:
    world = World({API: [page("a"), page()]})
    assert len(await search(world, 3)) == 2
    assert len(world.asked) == 2


@pytest.mark.parametrize("status", [400, 403, 429, 500])
async def test_refusal_is_reported_without_the_key(status: int) -> None:
    with pytest.raises(ProviderError) as caught:
        await search(World({API: [page(status=status)]}))
    assert caught.value.reason == "refused"
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("body", [b"null", b"[]", b'{"nextPageToken":"t"}', b'{"places":7}'])
def test_unreadable_page_is_not_the_last_page(body: bytes) -> None:
    with pytest.raises(ProviderError) as caught:
        google_places.read_next_page(wire(body))
    assert caught.value.reason == "changed"
