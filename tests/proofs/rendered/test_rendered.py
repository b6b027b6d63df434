"""Fifty pages whose text needs scripts, through the running API, while its Chromium is killed.

Every response has the page's own text or a clear error, the server continues as usual, and failures cost nothing.
"""

import asyncio
import os
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from proofs.rendered.catalogue import PAGES, Page
from proofs.rendered.hosts import FOREIGN, Hosts, hosts_of_pages
from support.caller import Caller, Reply
from support.chromium import chromium_of, is_alive, kill, kind_of, parent_of
from support.server import Server
from webquarry.endpoints.declare import PAGE_DEADLINE_S

CALLERS = 6
GRANTED = 200
SEED = 50
ANSWER_WITHIN_S = PAGE_DEADLINE_S + 5
VICTIMS = ("leader", "leader", "renderer", "renderer", "gpu-process", "utility", "zygote", "all")
LONG = ("restless", "crash")
"""Kinds that take as long as a page may: these pages start first, and the other pages run meanwhile."""
WITH_TEXT = tuple(page for page in PAGES if page.has_text)
OF_EACH_KIND = tuple({page.kind: page for page in reversed(PAGES)}.values())
OF_A_KILL = frozenset({"unavailable", "down", "timeout"})
"""Reasons of a request that lost its browser or its page, or spent too much time waiting for another one."""


@pytest.fixture
async def hosts() -> AsyncIterator[Hosts]:
    async with hosts_of_pages() as hosts:
        yield hosts


def test_there_are_fifty_distinct_pages_of_eight_kinds() -> None:
    assert len({page.name for page in PAGES}) == len(PAGES) == 50
    assert min(Counter(page.kind for page in PAGES).values()) >= 4
    assert len({page.kind for page in PAGES}) == 8
    sentences = [text for page in PAGES for text in page.story.paragraphs]
    assert len(set(sentences)) == len(sentences)


@pytest.mark.long
@pytest.mark.parametrize("pages", [pytest.param(OF_EACH_KIND, id="one of each kind"), pytest.param(PAGES, id="all")])
async def test_each_page_gives_its_text_or_the_expected_error(
    pages: Sequence[Page], hosts: Hosts, tmp_path: Path
) -> None:
    with_text = [page for page in pages if page.has_text]
    async with Server(tmp_path, **_settings(hosts)) as server:
        async with Caller(server, await server.first_key()) as caller:
            replies = await _ask(caller, hosts, pages)
            again = await _ask(caller, hosts, with_text)
        assert await server.stop() == 0
        verified = await server.command("ledger", "verify")

    wrong = {name: found for name, reply in replies.items() if (found := _fault(name, reply))}
    assert wrong == {}
    assert {reply.body["data"]["fetched_with"] for reply in again.values()} == {"browser"}
    assert _costs(again) == {0}
    assert _balance(tmp_path) == GRANTED - len(with_text)
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")
    assert chromium_of(tmp_path) == []


@pytest.mark.long
async def test_killing_chromium_affects_only_the_current_page(hosts: Hosts, tmp_path: Path) -> None:
    async with Server(tmp_path, **_settings(hosts)) as server:
        pid = server.pid
        async with Caller(server, await server.first_key()) as caller:
            async with _killing(tmp_path, hosts, random.Random(SEED)) as killed:
                replies = await _ask(caller, hosts, PAGES)
            assert sum(killed.values()) >= 5, killed
            got = [page for page in WITH_TEXT if replies[page.name].status == 200]
            spent = GRANTED - _balance(tmp_path)
            again = await _ask(caller, hosts, WITH_TEXT, times=3)  # the last kill may affect the first of them
            health = await caller.get("/healthz")
        assert (server.pid, health.status) == (pid, 200)
        assert await server.stop() == 0
        verified = await server.command("ledger", "verify")

    wrong = {name: found for name, reply in replies.items() if (found := _fault(name, reply, OF_A_KILL))}
    assert wrong == {}
    assert spent == len(got)
    assert {name for name, reply in again.items() if _fault(name, reply)} == set()
    assert _costs({page.name: again[page.name] for page in got}) <= {0}
    assert _balance(tmp_path) == GRANTED - len(WITH_TEXT)
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")
    assert chromium_of(tmp_path) == []
    log = (tmp_path / "serve.log").read_text()
    assert '"exception"' not in log
    assert "Traceback" not in log


@pytest.mark.long
async def test_browser_of_a_killed_server_is_ended_by_the_next_start(hosts: Hosts, tmp_path: Path) -> None:
    page = _BY_NAME["restless-timers"]
    async with Server(tmp_path, **_settings(hosts)) as server:
        async with Caller(server, await server.first_key()) as caller:
            call = asyncio.create_task(caller.markdown(hosts.url(page)))
            async with asyncio.timeout(60):
                while hosts.requests < 2:  # noqa: ASYNC110  # once by the service, once by the browser
                    await asyncio.sleep(0.05)
            left = chromium_of(tmp_path)
            os.kill(left[0], signal.SIGSTOP)  # otherwise, the driver would notice the end of its server
            kill(parent_of(left[0]))
            await server.kill()
            with pytest.raises(aiohttp.ClientError):
                await call
        assert is_alive(left[0])
        await server.start()
        assert chromium_of(tmp_path) == []
        assert not any(is_alive(pid) for pid in left)
        assert list((tmp_path / "browser").iterdir()) == []
        assert _balance(tmp_path) == GRANTED
        verified = await server.command("ledger", "verify")
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")


def _settings(hosts: Hosts) -> dict[str, object]:
    return {
        "egress_allow": hosts.targets,
        "first_account_credits": GRANTED,
        "rate_limit_per_minute": 100_000,
    }


async def _ask(caller: Caller, hosts: Hosts, pages: Sequence[Page], *, times: int = 1) -> dict[str, Reply]:
    """Request every page with concurrent clients. Return the last replies by name.

    A failure of the browser is retried up to `times` requests. Raises TimeoutError if a response does not arrive in
    time.
    """
    replies: dict[str, Reply] = {}
    shuffled = random.Random(SEED).sample(pages, k=len(pages))
    waiting = iter(sorted(shuffled, key=lambda page: page.kind not in LONG))

    async def call() -> None:
        for page in waiting:
            for _ in range(times):
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    reply = replies[page.name] = await caller.markdown(hosts.url(page))
                if reply.headers.get("x-error-reason") != "unavailable":
                    break

    async with asyncio.TaskGroup() as callers:
        for _ in range(CALLERS):
            callers.create_task(call())
    return replies


@asynccontextmanager
async def _killing(folder: Path, hosts: Hosts, dice: random.Random) -> AsyncIterator[Counter[str]]:
    """Kill a process of the server's Chromium, or all of them, after every few requests to the pages.

    Sometimes the next kill follows immediately, while another one starts. Counts the kills by kind.
    """
    killed: Counter[str] = Counter()

    async def strike() -> None:
        while True:
            until = hosts.requests + dice.choice((0, 10, 20)) + dice.randrange(10)
            while hosts.requests < until:  # noqa: ASYNC110  # the hosts set no event
                await asyncio.sleep(0.02)
            await asyncio.sleep(dice.random())
            kind = dice.choice(VICTIMS)
            running = await asyncio.to_thread(chromium_of, folder)
            victims = [pid for pid in running if kind in (kind_of(pid), "all")]
            if victims:
                for pid in victims if kind == "all" else [dice.choice(victims)]:
                    kill(pid)
                killed[kind] += 1

    striking = asyncio.create_task(strike())
    try:
        yield killed
    finally:
        striking.cancel()
        await asyncio.wait({striking})


_BY_NAME = {page.name: page for page in PAGES}


def _fault(name: str, reply: Reply, excused: frozenset[str] = frozenset()) -> str:
    """Return the fault of a response, or "".

    A response is right if it has the page's own text, complete and without another page's, or an error with a reason
    that is declared for the page or excused.
    """
    page = _BY_NAME[name]
    if reply.status != 200:
        reason = reply.headers.get("x-error-reason", "")
        is_clear = (reply.status, reply.body.get("code")) == (
            422,
            "provider_error",
        ) and reason in page.reasons | excused
        return "" if is_clear else f"{reply.status} {reason} {reply.body}"
    if not page.has_text:
        return "is answered"
    text = " ".join(reply.body["markdown"].split())
    missing = [found for found in (page.story.title, *page.story.paragraphs) if found not in text]
    others = [other.name for other in PAGES if other is not page and any(t in text for t in other.story.paragraphs)]
    if missing or others or FOREIGN in text:
        return f"lacks {missing}, has text of {others}: {text}"
    return "" if reply.body["data"]["fetched_with"] == "browser" else "is taken without its scripts"


def _costs(replies: Mapping[str, Reply]) -> set[int]:
    return {reply.body["creditsCharged"] for reply in replies.values()}


def _balance(folder: Path) -> int:
    store = sqlite3.connect(folder / "webquarry.db")
    try:
        balance: int = store.execute("SELECT SUM(balance) FROM accounts").fetchone()[0]
    finally:
        store.close()
    return balance
