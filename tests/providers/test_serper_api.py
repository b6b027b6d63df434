import pytest

from support.world import House, Told, World
from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider
from webquarry.providers import serper_api

MADE = Provider(name="made", title="Serper's made service", needs=(serper_api.SERPER_KEY,))


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (400, b'{"message": "Not enough credits", "statusCode": 400}', "Not enough credits"),
        (403, b'{"message": "Unauthorized."}', "Unauthorized."),
        (401, b"{}", "status 401"),
        (429, b"", "status 429"),
        (500, b"", "status 500"),
    ],
)
async def test_refusal_has_the_providers_own_message(status: int, body: bytes, message: str) -> None:
    world = World({"google.serper.dev/made": [Told(status, body, {"content-type": "application/json"})]})
    with House(world, serper_key="secret").net(MADE) as net, pytest.raises(ProviderError, match=message) as caught:
        await serper_api.ask("made", {"q": "coffee"}, MADE, net)
    assert caught.value.reason == "refused"
    assert "secret" not in caught.value.message
