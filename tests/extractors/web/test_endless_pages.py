"""A page whose conversion never ends causes an error for its caller and affects nobody else."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.caller import Caller, Reply
from support.endless import ASLEEP, ENDLESS, EndlessServer
from support.origin import Origin
from support.pages import article, as_answer
from support.processes import is_running
from support.server import Server

STARTED_S = 2.5
"""Maximum processor time in seconds that a child takes to start."""
WITHIN_S = 10.0
"""Maximum time in seconds that a supervisor waits for a stopping service before killing it."""


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        yield origin


@pytest.fixture
async def server(origin: Origin, tmp_path: Path) -> AsyncIterator[Server]:
    async with EndlessServer(tmp_path, egress_allow=origin.target, workers=1) as server:
        yield server


async def until_converting(server: Server) -> None:
    """Wait until a child converts a page."""
    async with asyncio.timeout(20):
        while not any(map(_is_busy, _children(server.pid))):  # noqa: ASYNC110  # another process sets no event
            await asyncio.sleep(0.05)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def _is_busy(pid: int) -> bool:
    """Return whether the process has used more processor time than a start takes."""
    ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
    return ticks / os.sysconf("SC_CLK_TCK") > STARTED_S


async def other_key(server: Server) -> str:
    """Return the key of another account."""
    made = await server.command("account", "create", "other@example.com", "--credits", "10")
    return next(word for word in made.out.split() if word.startswith("wq_live_"))


def reason(reply: Reply) -> tuple[int, str, str]:
    return reply.status, reply.body["code"], reply.headers["x-error-reason"]


@pytest.mark.long
@pytest.mark.parametrize("pages", [1, 2])
async def test_endless_page_delays_nobody_and_is_refunded(server: Server, origin: Origin, pages: int) -> None:
    endless = [origin.on(f"/{at}", as_answer(b"<p>" + ENDLESS)) for at in range(pages)]
    good = origin.on("/good", as_answer(article("good")))
    key = await server.first_key()
    async with Caller(server, key) as caller, Caller(server, await other_key(server)) as other:
        calls = [asyncio.create_task(caller.markdown(url)) for url in endless]
        await until_converting(server)
        slowest_s = 0.0
        for _ in range(20):
            began = time.perf_counter()
            assert (await caller.get("/healthz")).status == 200
            slowest_s = max(slowest_s, time.perf_counter() - began)
        assert slowest_s < 1
        answered = await other.markdown(good)  # the only slot is taken, and of two pages one waits for it
        assert answered.status == 200
        assert not any(call.done() for call in calls)
        replies = await asyncio.gather(*calls)
        assert {reason(reply) for reply in replies} == {(422, "conversion_failed", "timeout")}
        assert "The page took longer than 15 s" in replies[0].body["error"]
        assert {reply.headers["x-credits-charged"] for reply in replies} == {"0"}
        assert (await caller.markdown(good)).status == 200
    assert (await server.command("ledger", "verify")).out == "The ledger is consistent.\n"


@pytest.mark.long
@pytest.mark.parametrize("sent", [ENDLESS, ASLEEP])
async def test_service_stops_in_time_whatever_its_children_do(server: Server, origin: Origin, sent: bytes) -> None:
    url = origin.on("/", as_answer(b"<p>" + sent))
    async with Caller(server, await server.first_key()) as caller:
        call = asyncio.create_task(caller.markdown(url))
        while not origin.requests:  # noqa: ASYNC110  # another process sets no event
            await asyncio.sleep(0.01)
        if sent == ENDLESS:
            await until_converting(server)
        children = _children(server.pid)
        began = time.perf_counter()
        assert await server.stop() == 0
        assert time.perf_counter() - began < WITHIN_S
        assert (await call).status == 503
    assert not list(filter(is_running, children))
    assert (await server.command("ledger", "verify")).out == "The ledger is consistent.\n"
