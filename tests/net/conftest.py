"""An origin, and doors that may visit it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from support.origin import Origin
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider
from webquarry.net import Door, Net

PROVIDER = Provider(name="page", title="Any page")
OpenDoor = Callable[..., Door]
OpenNet = Callable[..., Net]


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        yield origin


@pytest.fixture
async def open_door() -> AsyncIterator[OpenDoor]:
    """`open_door(*origins, **settings)`: a door that may visit these origins, closed after the test."""
    async with AsyncExitStack() as stack:

        def open_(*origins: Origin, **settings: Any) -> Door:
            allowed = tuple(origin.target for origin in origins)
            door = Door(Settings(**{"egress_allow": allowed, **settings}), SystemClock())
            stack.push_async_callback(door.close)
            return door

        yield open_


@pytest.fixture
def net(origin: Origin, open_door: OpenDoor) -> Net:
    """The network access of an attempt that may visit `origin` and has ten seconds."""
    return open_door(origin).net(PROVIDER, Deadline.after(10, SystemClock()))
