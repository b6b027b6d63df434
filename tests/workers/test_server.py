"""The fork server: the modules that it imports for its children, and its end during a request."""

import asyncio
import os
import signal
from importlib import import_module

import pytest

from webquarry.engine import PRELOADED
from webquarry.workers.channel import Channel
from webquarry.workers.faults import ChildLost
from webquarry.workers.fork_server import ForkServer
from webquarry.workers.limits import Limits


@pytest.mark.parametrize("name", PRELOADED)
def test_all_preloaded_modules_exist(name: str) -> None:
    """The fork server leaves a broken module to the jobs that need it, so that its start does not report it."""
    module, _, function = name.partition(":")
    imported = import_module(module)
    if function:
        getattr(imported, function)()


async def test_request_fails_if_the_server_is_closed_before_it_responds() -> None:
    server = await ForkServer.start(Limits(), (), ())
    channel = Channel()
    try:
        os.killpg(server._process.pid, signal.SIGSTOP)
        request = asyncio.create_task(server.fork(channel))
        await asyncio.sleep(0.1)  # the request is sent, and its response awaited
        await server.close()
        async with asyncio.timeout(10):
            with pytest.raises(ChildLost):
                await request
    finally:
        channel.hand_over()
        channel.close()
