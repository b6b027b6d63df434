"""A service whose sources are tapes while it takes itself for a real one: credits are charged, and it has a sandbox
beside it. All of a session's tests of the playground share it, each with visitors of its own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from support.playground import House
from webquarry import sandbox as tapes
from webquarry.app import assemble
from webquarry.net.tape import Player
from webquarry.settings import Settings


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("playground")
    settings = Settings(data_dir=folder, rate_limit_per_minute=10_000, **tapes.settings())
    async with assemble(settings, serving=True, transport=Player(tapes.world())) as service:
        yield House(service, service.asgi())
