"""`webquarry serve` with one deliberate fault, for testing the suite.

    python careless_server.py FAULT --port 0 …

The fault affects attackers' requests. `small_page` of the site, at its first address, belongs to a bystander.
"""

import asyncio
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from webquarry.api.upload import Uploads
from webquarry.cli import main
from webquarry.core.errors import Overloaded, ProviderError
from webquarry.ledger import Ledger
from webquarry.pipeline import Pipeline
from webquarry.workers.child import import_function
from webquarry.workers.pool import Pool

BYSTANDER = "//127.77.0.1:"
_honest = Pipeline.answer
_kept: list[Any] = []
_failures: Counter[str] = Counter()
_one_at_a_time = asyncio.Lock()


def _url(call: Any) -> str:
    return str(getattr(call.params, "url", ""))


def _is_attacked(call: Any) -> bool:
    return BYSTANDER not in _url(call)


def _around(fault: Callable[..., Awaitable[Any]]) -> None:
    """Replace every response by a fault."""

    async def answer(self: Pipeline, caller: Any, call: Any, **options: Any) -> Any:
        async def go() -> Any:
            return await _honest(self, caller, call, **options)

        return await fault(call, go)

    Pipeline.answer = answer  # type: ignore[method-assign]  # the fault


async def stalls(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    """Block the loop for over a second, as an expensive pattern does."""
    if _is_attacked(call):
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            re.match(r"(a|a)*b", "a" * 14)
    return await go()


async def hangs(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    if _is_attacked(call):
        while True:
            pass
    return await go()


async def leaks(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    if _is_attacked(call):
        _kept.append(b"\1" * 300_000_000)
        await asyncio.sleep(1)
    return await go()


async def leaks_elsewhere(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    """Start a child that exceeds its memory limit."""
    if _is_attacked(call):
        taking = "import time; kept = b'1' * 600_000_000; time.sleep(60)"
        _kept.append(await asyncio.create_subprocess_exec(sys.executable, "-c", taking))
        await asyncio.sleep(2)
    return await go()


async def tarries(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    if _is_attacked(call):
        await asyncio.sleep(60)
    return await go()


async def fails(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    if _is_attacked(call):
        raise RuntimeError("a fault of ours")
    return await go()


async def neglects(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    """Delay other accounts' requests."""
    if not _is_attacked(call):
        await asyncio.sleep(6)
    else:
        await asyncio.sleep(1)
    return await go()


async def queues(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    """Handle one request at a time, whichever account sends it."""
    if _one_at_a_time.locked():
        raise Overloaded
    async with _one_at_a_time:
        return await go()


async def resents(call: Any, go: Callable[[], Awaitable[Any]]) -> Any:
    """Refuse a host by name for all accounts after failures for one of them."""
    host = _url(call).split("/")[2].partition(":")[0] if _url(call) else ""
    if _failures[host] >= 5:
        raise ProviderError("It has kept failing.", reason="down")
    try:
        return await go()
    except ProviderError:
        _failures[host] += 1
        raise


def charges() -> None:
    """Charge failed requests."""

    async def refund(self: Ledger, hold: Any, receipt: Any) -> int:
        return (await self.settle(hold, 1, None)).balance

    Ledger.refund = refund  # type: ignore[method-assign]  # the fault


def converts_itself() -> None:
    """Convert without children and limits, in the event loop."""

    async def run(self: Pool, name: str, body: bytes, options: Any = None, **_: Any) -> Any:
        return import_function(name)(body, **(options or {}))

    Pool.run = run  # type: ignore[method-assign, assignment]  # the fault


def crowds() -> None:
    """Check the balance only after the whole file has arrived, and let one account's uploads fill the space of all
    accounts.
    """

    async def ask_nobody(*_: Any) -> None: ...

    receive = Uploads.receive
    under_way = [0]

    async def crowded(self: Uploads, *args: Any, **options: Any) -> Any:
        if under_way[0] >= 16:
            raise Overloaded
        under_way[0] += 1
        try:
            return await receive(self, *args, **options)
        finally:
            under_way[0] -= 1

    Pipeline.check_balance = ask_nobody  # type: ignore[method-assign, assignment]  # the fault
    Uploads.receive = crowded  # type: ignore[method-assign]  # the fault


def hears_nothing() -> None:
    """Ignore SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal = lambda *_: None


_FAULTS: dict[str, Callable[[], None]] = {
    **{
        fault.__name__: partial(_around, fault)
        for fault in (stalls, hangs, leaks, leaks_elsewhere, tarries, fails, neglects, queues, resents)
    },
    **{fault.__name__: fault for fault in (charges, converts_itself, crowds, hears_nothing)},
}

if __name__ == "__main__":
    _FAULTS[sys.argv[1]]()
    main(["serve", *sys.argv[2:]])
