"""An upstream on loopback for the service."""

from collections.abc import AsyncIterator

import pytest

from support.origin import Origin


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        yield origin
