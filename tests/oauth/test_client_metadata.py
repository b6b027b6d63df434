"""Metadata documents of apps, fetched by the guarded client from a real server."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from support.origin import Origin, answer
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.net import Door
from webquarry.oauth import OAuthError
from webquarry.oauth.client_metadata import make_fetcher
from webquarry.oauth.clients import DOCUMENT_BYTES

BODY = b'{"client_id": "https://app.example/client.json"}'
JSON = {"Content-Type": "application/json"}
Fetch = Callable[[str], Awaitable[bytes]]


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        yield origin


@pytest.fixture
async def fetch(origin: Origin) -> AsyncIterator[Fetch]:
    """A fetcher of documents that may visit the origin although it is not public."""
    door = Door(Settings(egress_allow=(f"127.0.0.1:{origin.port}",)), SystemClock())
    yield make_fetcher(door, SystemClock())
    await door.close()


async def test_a_document_is_fetched_as_it_is(origin: Origin, fetch: Fetch) -> None:
    origin.on("/client.json", answer(200, BODY, JSON))
    assert await fetch(f"http://127.0.0.1:{origin.port}/client.json") == BODY
    assert origin.requests[0].headers["accept"] == "application/json"
    assert "cookie" not in origin.requests[0].headers


@pytest.mark.parametrize(
    "refused",
    [
        answer(404, BODY, JSON),
        answer(500, BODY, JSON),
        answer(302, b"", {"Location": "/other.json"}),
        answer(200, b" " * (DOCUMENT_BYTES + 1), JSON),
    ],
)
async def test_oversized_or_invalid_document_is_refused_and_no_redirect_followed(
    origin: Origin, fetch: Fetch, refused: bytes
) -> None:
    origin.on("/client.json", refused)
    origin.on("/other.json", answer(200, BODY, JSON))
    with pytest.raises(OAuthError, match="can't be fetched") as error:
        await fetch(f"http://127.0.0.1:{origin.port}/client.json")
    assert error.value.code == "invalid_client"
    assert len(origin.requests) == 1


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "[64:ff9b::a9fe:a9fe]", "0x7f.1"]
)
async def test_private_addresses_are_not_visited(origin: Origin, host: str) -> None:
    door = Door(Settings(egress_ports=(origin.port,)), SystemClock())
    origin.on("/client.json", answer(200, BODY, JSON))
    with pytest.raises(OAuthError, match="can't be fetched"):
        await make_fetcher(door, SystemClock())(f"http://{host}:{origin.port}/client.json")
    assert origin.connections == 0
    await door.close()
