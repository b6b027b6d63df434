import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest

from webquarry.workers.channel import Channel

LARGE = bytes(range(256)) * 20_000


@pytest.fixture
async def channel() -> AsyncIterator[Channel]:
    made = Channel()
    yield made
    made.close()
    made.hand_over()


async def test_sent_data_arrives_completely_and_in_order(channel: Channel) -> None:
    channel.send((b"head", b"", LARGE))
    channel.send((b"behind",))
    assert channel.has_unsent
    expected = b"head" + LARGE + b"behind"
    assert await asyncio.to_thread(_read, channel.child_source, len(expected)) == expected
    async with asyncio.timeout(5):
        while channel.has_unsent:  # noqa: ASYNC110  # the other side has read: it takes some turns of the loop
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("sizes", [(1, 2, 3), (16, len(LARGE), 5), (len(LARGE), 1), (0, 100_000, 0, 70_000)])
async def test_exactly_the_requested_bytes_are_returned(channel: Channel, sizes: tuple[int, ...]) -> None:
    found = (b"x" + LARGE * 2)[: sum(sizes)]
    writing = asyncio.create_task(asyncio.to_thread(_write, channel.child_sink, found))
    assert [await channel.exactly(size) for size in sizes] == [
        found[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))
    ]
    await writing


async def test_pending_read_fails_when_the_child_ends() -> None:
    channel = Channel()
    waiting = asyncio.create_task(channel.exactly(10))
    os.write(channel.child_sink, b"half")
    await asyncio.sleep(0.01)
    channel.hand_over()
    with pytest.raises(asyncio.IncompleteReadError):
        await waiting
    channel.send((LARGE,))
    assert not channel.has_unsent  # the reader has gone
    channel.close()


async def test_pending_read_fails_when_the_channel_closes(channel: Channel) -> None:
    waiting = asyncio.create_task(channel.exactly(10))
    await asyncio.sleep(0)
    channel.close()
    with pytest.raises(asyncio.IncompleteReadError):
        await waiting


async def test_unrequested_data_is_not_read(channel: Channel) -> None:
    os.write(channel.child_sink, b"ab")
    assert await channel.exactly(1) == b"a"
    reading = asyncio.create_task(channel.exactly(2))
    await asyncio.sleep(0)
    os.write(channel.child_sink, b"cd")
    assert await reading == b"bc"
    os.write(channel.child_sink, b"unasked")
    began_s = time.thread_time()
    await asyncio.sleep(0.5)
    assert time.thread_time() - began_s < 0.1  # the channel does not keep the loop busy
    assert await channel.exactly(8) == b"dunasked"


def _read(source: int, size: int) -> bytes:
    found = b""
    while len(found) < size and (part := os.read(source, 1 << 20)):
        found += part
    return found


def _write(sink: int, sent: bytes) -> None:
    rest = memoryview(sent)
    while rest:
        rest = rest[os.write(sink, rest) :]
