import json

import pytest

from support.world import House, Told, World
from webquarry.core.errors import ProviderError
from webquarry.core.locale import Language
from webquarry.core.types import Wire
from webquarry.extractors.search.model.overview import OverviewParams
from webquarry.extractors.search.sources import gemini
from webquarry.extractors.search.sources.gemini import GEMINI

PATH = "/v1beta/models/a-model:generateContent"


async def ask(house: House) -> Wire:
    with house.net(GEMINI) as net:
        return await gemini.fetch(OverviewParams(q="why is the sky blue", hl=Language("pt-BR")), net)


def house(answer: Told) -> House:
    return House(World({PATH: [answer]}), gemini_key="a-key", gemini_model="a-model")


async def test_request_uses_a_web_search_and_the_key_is_not_shown() -> None:
    asking = house(Told(200, b"{}"))
    found = await ask(asking)
    [(_, asked)] = asking.world.asked
    body = json.loads(asked.body or b"")
    assert body["contents"] == [{"role": "user", "parts": [{"text": "why is the sky blue"}]}]
    assert body["tools"] == [{"google_search": {}}]
    assert "pt-BR" in body["systemInstruction"]["parts"][0]["text"]
    assert asked.headers["x-goog-api-key"] == "a-key"
    assert "a-key" not in asked.url + found.url + found.requested_url


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Told(400, b'{"error": {"message": "API key not valid."}}'), "API key not valid"),
        (Told(404, b'{"error": {"message": "models/x is not found"}}'), "models/x is not found"),
        (Told(403, b"{}"), "status 403"),
        (Told(429, b"{}"), "status 429"),
        (Told(503, b"<html>"), "status 503"),
    ],
)
async def test_refusals_state_their_reason(answer: Told, message: str) -> None:
    with pytest.raises(ProviderError, match=message) as caught:
        await ask(house(answer))
    assert caught.value.reason == "refused"
