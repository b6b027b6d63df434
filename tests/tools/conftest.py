"""One sandbox in this process for all tests of a file."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from support.tools import ToolClient, tool_service
from webquarry.service import Service


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Service, str]]:
    """The service, and the key of an account with enough credits."""
    async with tool_service(tmp_path_factory.mktemp("tools")) as served:
        yield served


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(service: tuple[Service, str]) -> ToolClient:
    return ToolClient(service[0].asgi(), service[1], query="groups=all")
