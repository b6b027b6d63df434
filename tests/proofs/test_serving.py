"""A server in its operator's hands: started twice, stopped, and administered with other commands."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from support.caller import Caller
from support.origin import Asked, Origin
from support.pages import article, as_answer
from support.server import Server
from webquarry.accounts.memory import KNOWN_S
from webquarry.cli.serving import FIRST_ACCOUNT


@pytest.mark.long
async def test_second_server_on_the_folder_exits_with_a_sentence(tmp_path: Path) -> None:
    async with Server(tmp_path) as server:
        second = await server.command("serve", "--port", "0")
        assert second.code == 1
        assert second.err == (
            f"Error: Another server (process {server.pid}) uses {tmp_path}. "
            "Stop that server, or choose another folder with --data-dir.\n"
        )


async def test_first_start_grants_credits_and_later_grants_apply_immediately(origin: Origin, tmp_path: Path) -> None:
    folder = tmp_path / "my data"
    async with (
        Server(folder, egress_allow=origin.target) as server,
        Caller(server, await server.first_key()) as caller,
    ):
        assert f"grant {FIRST_ACCOUNT} 1000 --data-dir '{folder}'" in await server.greeting()
        first = await caller.markdown(origin.on("/first", as_answer(article("first"))))
        assert first.headers["x-credits-remaining"] == "999"
        granted = await server.command("credits", "grant", FIRST_ACCOUNT, "3")
        assert (granted.code, granted.out) == (0, f"Balance of {FIRST_ACCOUNT}: 1002 credits.\n")
        second = await caller.markdown(origin.on("/second", as_answer(article("second"))))
        assert second.headers["x-credits-remaining"] == "1001"


async def test_stopping_waits_for_running_requests(origin: Origin, tmp_path: Path) -> None:
    gate = _Gate(origin)
    async with Server(tmp_path, egress_allow=origin.target) as server:
        async with Caller(server, await server.first_key()) as caller:
            # the converter's child runs by then: a stop does not wait for its start
            assert (await caller.markdown(origin.on("/before", as_answer(article("before"))))).status == 200
            call = asyncio.create_task(caller.markdown(gate.url))
            await gate.visited.wait()
            stop = asyncio.create_task(server.stop())
            await asyncio.sleep(0)  # the signal is sent before the upstream responds
            gate.open.set()
            assert (await call).body["creditsCharged"] == 1
        assert await stop == 0
    assert _open_holds(tmp_path) == 0


async def test_stopping_refunds_runs_that_do_not_end(origin: Origin, tmp_path: Path) -> None:
    gate, other_gate = _Gate(origin, "/one"), _Gate(origin, "/other")
    async with Server(tmp_path, egress_allow=origin.target) as server:
        async with Caller(server, await server.first_key()) as caller:
            call = asyncio.create_task(caller.markdown(gate.url))
            await gate.visited.wait()
            left = asyncio.create_task(caller.markdown(other_gate.url))
            await other_gate.visited.wait()
            left.cancel()
            assert _open_holds(tmp_path) == 2
            async with asyncio.timeout(10):  # the time that container runtimes allow before they kill
                assert await server.stop() == 0
            refused = await call
        assert (refused.status, refused.body["code"]) == (503, "overloaded")
        assert _open_holds(tmp_path) == 0
        verified = await server.command("ledger", "verify")
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")


@pytest.mark.long
async def test_key_revoked_while_a_server_runs_is_refused_within_five_seconds(tmp_path: Path) -> None:
    async with (
        Server(tmp_path, rate_limit_per_minute=100_000) as server,
        Caller(server, await server.first_key()) as caller,
    ):
        assert (await caller.get("/api/v1/conversions/cv_none")).status == 404
        listed = await server.command("key", "list", FIRST_ACCOUNT)
        revoked = await server.command("key", "revoke", FIRST_ACCOUNT, listed.out.split()[0])
        assert revoked.code == 0
        async with asyncio.timeout(KNOWN_S + 1):  # a second for the last request itself
            while (await caller.get("/api/v1/conversions/cv_none")).status != 401:  # noqa: ASYNC110
                await asyncio.sleep(0.02)


class _Gate:
    """A page that is sent once the gate is open. visited: set by its request."""

    def __init__(self, origin: Origin, path: str = "/") -> None:
        self.visited = asyncio.Event()
        self.open = asyncio.Event()
        self.url = origin.on(path, self._answer)

    async def _answer(self, _asked: Asked, writer: asyncio.StreamWriter) -> None:
        self.visited.set()
        await self.open.wait()
        writer.write(as_answer(article("gated")))
        await writer.drain()


def _open_holds(folder: Path) -> int:
    store = sqlite3.connect(folder / "webquarry.db")
    try:
        held: int = store.execute("SELECT COUNT(*) FROM open_holds").fetchone()[0]
    finally:
        store.close()
    return held
