"""Real pages through the running API, by many concurrent clients."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.caller import Caller, Reply
from support.origin import Origin
from support.pages import article, as_answer, real_pages
from support.server import Server
from webquarry.core.errors import ANSWERED

CALLERS = 16
DOCUMENTED = {(error.status, error.code) for error in ANSWERED}


@pytest.mark.long
@pytest.mark.parametrize("most", [40, 200])
async def test_pages_are_converted_under_load_and_are_free_the_second_time(
    most: int, origin: Origin, tmp_path: Path
) -> None:
    pages = real_pages(most) or [article(f"page-{n}") for n in range(3 * CALLERS)]
    urls = [origin.on(f"/{n}", as_answer(page)) for n, page in enumerate(pages)]
    settings = {"egress_allow": origin.target, "first_account_credits": len(pages), "rate_limit_per_minute": 100_000}
    async with Server(tmp_path, **settings) as server:
        async with Caller(server, await server.first_key()) as caller:
            first = await _pass(caller, urls)
            charged = _ledger(tmp_path)
            converted = [url for url, reply in zip(urls, first, strict=True) if reply.status == 200]
            second = await _pass(caller, converted)
        verified = await server.command("ledger", "verify")

    assert len(first) == len(pages)
    faults = {(r.status, r.body["code"]) for r in first if r.status != 200}
    assert faults <= DOCUMENTED
    assert all(status < 500 for status, _ in faults)
    assert len(converted) >= 0.9 * len(pages), Counter((r.status, r.body.get("error")) for r in first)
    assert {r.body["creditsCharged"] for r in first if r.status == 200} == {1}
    assert all(r.body["cached"] and r.body["creditsCharged"] == 0 for r in second)
    assert _ledger(tmp_path) == charged
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")


async def _pass(caller: Caller, urls: Sequence[str]) -> list[Reply]:
    """Request every URL by concurrent clients. Return the replies in the order of the URLs."""
    replies: dict[str, Reply] = {}
    waiting = iter(urls)

    async def call() -> None:
        for url in waiting:
            replies[url] = await caller.markdown(url)

    async with asyncio.TaskGroup() as callers:
        for _ in range(CALLERS):
            callers.create_task(call())
    return [replies[url] for url in urls]


def _ledger(folder: Path) -> tuple[int, int]:
    """Return the number of rows and their sum."""
    with sqlite3.connect(folder / "webquarry.db") as store:
        rows, total = store.execute("SELECT COUNT(*), SUM(amount) FROM ledger").fetchone()
    store.close()
    return rows, total
