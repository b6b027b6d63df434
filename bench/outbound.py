"""New outbound connections through the guarded dialer compared with plain aiohttp with the same settings.

The upstream is another process on loopback that closes each connection after its response; it is addressed by name. The
dialler's guarded session is measured, rather than the session for targets that the operator has allowed. The address
rule runs each time, with a judge that does all its work and then permits loopback. Rounds alternate. Then single
requests alternate between both variants, to measure the time until the head of the response. Goal: in the median round,
the guarded rate is at least 0.8 of the plain rate.
"""

import asyncio
import socket
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

import aiohttp
import uvloop
from aiohttp.abc import AbstractResolver, ResolveResult

from bench.table import bar, show
from bench.upstream import HTML, upstream
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.address import is_public
from webquarry.net.dial import Dialler
from webquarry.net.inflate import ACCEPT_ENCODING
from webquarry.net.transport import Limits, Request

ROUNDS = 5
REQUESTS = 1500
AT_ONCE = 16
LEAST = 0.8
NAME = "upstream.example"
HEADERS = {"User-Agent": "bench", "Accept": "*/*"}
LIMITS = Limits(max_wire_bytes=10_000_000, max_bytes=20_000_000, truncate=False, wants_body=lambda status: True)
HEAD_ONLY = Limits(max_wire_bytes=1, max_bytes=1, truncate=False, wants_body=lambda status: False)
SINGLE = 1000


async def measure() -> None:
    async with upstream(HTML, closes=True) as target:
        port = int(target.rpartition(":")[2])
        clock = SystemClock()
        dialler = Dialler(Settings(), clock, resolve=_loopback, judge=_judge)
        plain = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=_Loopback(), limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, connect=5),
            auto_decompress=False,
            trust_env=False,
        )
        request = Request("GET", f"http://{NAME}:{port}/", HEADERS)

        async def guarded_get() -> None:
            response = await dialler.send(request, Deadline.after(10, clock), LIMITS)
            assert response.body == HTML

        async def plain_get() -> None:
            headers = {**HEADERS, "Accept-Encoding": ACCEPT_ENCODING}
            async with asyncio.timeout(10), plain.get(request.url, headers=headers, allow_redirects=False) as answer:
                assert await answer.read() == HTML

        async def guarded_head() -> None:
            await dialler.send(request, Deadline.after(10, clock), HEAD_ONLY)

        async def plain_head() -> None:
            headers = {**HEADERS, "Accept-Encoding": ACCEPT_ENCODING}
            async with asyncio.timeout(10), plain.get(request.url, headers=headers, allow_redirects=False):
                pass

        async with dialler, plain:
            for warm_up in (plain_get, guarded_get):
                await _rate(warm_up, REQUESTS // 5)
            rounds = [(await _rate(plain_get, REQUESTS), await _rate(guarded_get, REQUESTS)) for _ in range(ROUNDS)]
            singles = [(await _seconds(plain_head), await _seconds(guarded_head)) for _ in range(SINGLE)]
    rows = [(f"{n + 1}", p, g, g / p) for n, (p, g) in enumerate(rounds)]
    # ratios are taken within each round, because both sides ran under the same conditions
    ratio = statistics.median(g / p for p, g in rounds)
    plain_rate, guarded_rate = (statistics.median(rates) for rates in zip(*rounds, strict=True))
    show(
        "New outbound connections, requests a second",
        ("round", "plain aiohttp", "guarded", "ratio"),
        [*rows, ("median", plain_rate, guarded_rate, ratio)],
        bar(ratio, LEAST),
    )
    firsts = [
        (name, *(statistics.quantiles(seconds, n=100)[at] * 1e6 for seconds in zip(*singles, strict=True)))
        for name, at in (("median", 49), ("90th percentile", 89), ("99th percentile", 98))
    ]
    show(
        "New connection to the head of its answer, one at a time, microseconds",
        ("of requests", "plain aiohttp", "guarded", "more"),
        [(name, p, g, g - p) for name, p, g in firsts],
        f"The guard costs {firsts[0][2] - firsts[0][1]:.0f} us to the first byte in the median.",
    )


async def _rate(get: Callable[[], Awaitable[None]], requests: int) -> float:
    waiting = iter(range(requests))

    async def ask() -> None:
        for _ in waiting:
            await get()

    began = time.perf_counter()
    async with asyncio.TaskGroup() as askers:
        for _ in range(AT_ONCE):
            askers.create_task(ask())
    return requests / (time.perf_counter() - began)


async def _seconds(get: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    await get()
    return time.perf_counter() - began


def _judge(address: str) -> bool:
    return is_public(address) or address == "127.0.0.1"


async def _loopback(_host: str) -> Sequence[str]:
    return ("127.0.0.1",)


class _Loopback(AbstractResolver):
    """Resolver for plain aiohttp that returns the same address."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=port,
                family=socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
        ]

    async def close(self) -> None:
        """Do nothing. There are no resources to release."""


if __name__ == "__main__":
    uvloop.run(measure())
