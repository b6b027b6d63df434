"""Limits of a page's traffic through the proxy in bytes and time, and the memory that it takes."""

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest
import uvloop

from support.clock import ManualClock
from support.origin import Asked, Origin, answer
from support.proxied import proxy_for, visiting
from webquarry.core.clock import SystemClock
from webquarry.core.types import Deadline
from webquarry.net.proxy import Quota, Times

MEGABYTE = 1 << 20


@asynccontextmanager
async def _talker() -> AsyncIterator[int]:
    """Yield the port of a server that sends endlessly to every client."""

    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


class TestLimits:
    async def test_requests_beyond_the_quota_get_a_429(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy:
            lease = proxy.lease(Quota(max_requests=2))
            async with visiting(proxy, lease) as visitor:
                url = f"http://site.test:{origin.port}/"
                assert [(await visitor.ask("GET", url)).status for _ in range(3)] == [404, 404, 429]
            assert (lease.requests, lease.exceeded, len(origin.requests)) == (2, {"requests"}, 2)
            async with visiting(proxy) as other:
                assert (await other.ask("GET", url)).status == 404

    async def test_refused_requests_count_too(self) -> None:
        async with proxy_for() as proxy:
            lease = proxy.lease(Quota(max_requests=3))
            async with visiting(proxy, lease) as visitor:
                statuses = [(await visitor.ask("GET", "http://127.0.0.1/")).status for _ in range(4)]
            assert statuses == [403, 403, 403, 429]
            assert lease.refused == proxy.counts.refused == 3

    async def test_connections_beyond_the_quota_get_a_503(self, origin: Origin) -> None:
        url = f"http://site.test:{origin.port}/"
        async with proxy_for(origin.port) as proxy:
            lease = proxy.lease(Quota(max_connections=1))
            async with visiting(proxy, lease) as one, visiting(proxy, lease) as other:
                assert (await one.ask("GET", url)).status == 404
                assert (await other.ask("GET", url)).status == 503
                assert await other.is_cut()
                assert (await one.ask("GET", url)).status == 404
            assert lease.exceeded == {"connections"}

    @pytest.mark.parametrize("is_tunnel", [True, False])
    async def test_bytes_beyond_the_quota_end_the_page(self, is_tunnel: bool) -> None:
        async with _talker() as port, proxy_for(port) as proxy:
            lease = proxy.lease(Quota(max_bytes=MEGABYTE))
            async with visiting(proxy, lease) as visitor:
                if is_tunnel:
                    await visitor.ask("CONNECT", f"site.test:{port}")
                else:
                    visitor.tell("GET", f"http://site.test:{port}/")
                got = await _all_of(visitor.reader)
            assert got <= MEGABYTE + 1000
            assert lease.closed
            assert lease.exceeded == {"bytes"}

    async def test_page_ends_at_its_deadline(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy:
            lease = proxy.lease(Quota(deadline=Deadline.after(0.05, SystemClock())))
            async with visiting(proxy, lease) as visitor:
                await visitor.ask("CONNECT", f"site.test:{origin.port}")
                assert await visitor.is_cut()
            assert lease.exceeded == {"deadline"}

    async def test_no_request_passes_after_the_deadline(self) -> None:
        clock = ManualClock()
        deadline = Deadline.after(1, clock)
        clock.advance(2)
        async with proxy_for() as proxy:
            lease = proxy.lease(Quota(deadline=deadline))
            await asyncio.sleep(0)
            async with visiting(proxy, lease) as visitor:
                assert (await visitor.ask("GET", "http://site.test/")).status == 407


class TestClose:
    async def test_closed_lease_cuts_its_connections_and_no_others(self, origin: Origin) -> None:
        came = asyncio.Event()

        async def never(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            came.set()
            await origin.left(writer)

        waiting = origin.on("/wait", never).replace("127.0.0.1", "site.test")
        url = f"http://site.test:{origin.port}/"
        async with proxy_for(origin.port) as proxy:
            lease = proxy.lease(Quota())
            async with (
                visiting(proxy, lease) as tunnel,
                visiting(proxy, lease) as plain,
                visiting(proxy, lease) as idle,
                visiting(proxy) as other,
            ):
                await tunnel.ask("CONNECT", f"site.test:{origin.port}")
                plain.tell("GET", waiting)
                await idle.ask("GET", url)
                await other.ask("GET", url)
                await came.wait()
                lease.close()
                assert [await cut.is_cut() for cut in (tunnel, plain, idle)] == [True] * 3
                assert (await other.ask("GET", url)).status == 404
                async with visiting(proxy, lease) as late:
                    assert (await late.ask("GET", url)).status == 407

    async def test_lease_closed_during_the_lookup_dials_nothing(self, origin: Origin) -> None:
        looked_up, answered = asyncio.Event(), asyncio.Event()

        async def slow(_host: str) -> list[str]:
            looked_up.set()
            await answered.wait()
            return ["127.0.0.1"]

        async with proxy_for(origin.port, resolve=slow) as proxy:
            lease = proxy.lease(Quota())
            async with visiting(proxy, lease) as visitor:
                visitor.tell("CONNECT", f"site.test:{origin.port}")
                await looked_up.wait()
                lease.close()
                answered.set()
                assert await visitor.is_cut()
        assert origin.connections == 0

    @pytest.mark.parametrize("is_tunnel", [True, False])
    @pytest.mark.parametrize("run", [asyncio.run, uvloop.run])  # the loops differ in what closed connections raise
    def test_browser_that_leaves_in_the_middle_ends_its_connection_to_the_site(
        self, run: Callable[[Coroutine[None, None, None]], None], is_tunnel: bool
    ) -> None:
        run(self._leave_in_the_middle(is_tunnel))

    async def _leave_in_the_middle(self, is_tunnel: bool) -> None:
        loop = asyncio.get_running_loop()
        faults: list[object] = []
        loop.set_exception_handler(lambda _, context: faults.append(context))
        async with _talker() as port, proxy_for(port) as proxy:
            lease = proxy.lease(Quota(max_connections=1))
            for _ in range(5):
                async with visiting(proxy, lease) as visitor:
                    if is_tunnel:
                        visitor.tell("CONNECT", f"site.test:{port}")
                    else:
                        visitor.tell("GET", f"http://site.test:{port}/")
                    await visitor.reader.readexactly(200_000)
                await _settled(lambda: len(asyncio.all_tasks()))
            assert "connections" not in lease.exceeded
            gc.collect()
        assert faults == []

    async def test_moved_bytes_are_counted_both_ways(self, origin: Origin) -> None:
        origin.on("/", answer(200, b"x" * 1000))
        async with proxy_for(origin.port) as proxy:
            lease = proxy.lease(Quota())
            async with visiting(proxy, lease) as visitor:
                await visitor.ask("POST", f"http://site.test:{origin.port}/", body=b"y" * 500)
            assert lease.moved_bytes == 1500


class TestPatience:
    async def test_slow_head_is_abandoned(self) -> None:
        async with proxy_for(times=Times(head_s=0.05)) as proxy, visiting(proxy) as visitor:
            visitor.say(b"GET http://site.test/ HTTP/1.1\r\nHost: ")
            assert (await visitor.hear()).status == 408
            assert await visitor.is_cut()

    async def test_single_bytes_do_not_extend_the_time_for_a_head(self) -> None:
        async with proxy_for(times=Times(head_s=0.1)) as proxy, visiting(proxy) as visitor:
            loop = asyncio.get_running_loop()
            started_s = loop.time()
            hearing = asyncio.create_task(visitor.hear())
            while not hearing.done():
                visitor.say(b"G")
                await asyncio.wait([hearing], timeout=0.01)
            assert hearing.result().status == 408
            assert loop.time() - started_s < 20

    async def test_idle_connection_is_cut(self) -> None:
        async with proxy_for(times=Times(idle_s=0.05)) as proxy, visiting(proxy) as visitor:
            assert await visitor.is_cut()

    async def test_idle_tunnel_is_cut(self, origin: Origin) -> None:
        async with proxy_for(origin.port, times=Times(idle_s=0.5)) as proxy, visiting(proxy) as visitor:
            await visitor.ask("CONNECT", f"site.test:{origin.port}")
            assert await visitor.is_cut()

    async def test_silent_site_is_abandoned(self, origin: Origin) -> None:
        async def never(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            await origin.left(writer)

        origin.on("/", never)
        async with proxy_for(origin.port, times=Times(idle_s=0.05)) as proxy, visiting(proxy) as visitor:
            visitor.tell("GET", f"http://site.test:{origin.port}/")
            assert await visitor.is_cut()


class TestMemory:
    @pytest.mark.parametrize("is_tunnel", [True, False])
    async def test_slow_reader_slows_the_site_down(self, is_tunnel: bool) -> None:
        async with _talker() as port, proxy_for(port) as proxy:
            lease = proxy.lease(Quota())
            async with visiting(proxy, lease) as visitor:
                visitor.writer.transport.pause_reading()  # type: ignore[attr-defined]  # of every transport that reads
                tracemalloc.start()
                if is_tunnel:
                    visitor.tell("CONNECT", f"site.test:{port}")
                else:
                    visitor.tell("GET", f"http://site.test:{port}/")
                moved = await _settled(lambda: lease.moved_bytes)
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
        assert 0 < moved < 20 * MEGABYTE  # what the system's socket buffers hold
        assert peak < 2 * MEGABYTE

    async def test_two_hundred_pages_leave_no_state_behind(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy:

            async def page() -> None:
                lease = proxy.lease(Quota(deadline=Deadline.after(60, SystemClock())))
                async with visiting(proxy, lease) as visitor:
                    await visitor.ask("GET", f"http://site.test:{origin.port}/")
                    await visitor.ask("GET", "http://127.0.0.1/")
                lease.close()

            for _ in range(20):
                await page()
            gc.collect()
            before = len(gc.get_objects())
            for _ in range(200):
                await page()
            origin.requests.clear()
            await _settled(lambda: len(asyncio.all_tasks()))
            gc.collect()
            assert len(gc.get_objects()) - before < 400


async def _all_of(reader: asyncio.StreamReader) -> int:
    got = 0
    try:
        while piece := await reader.read(65536):
            got += len(piece)
    except ConnectionError:
        pass
    return got


async def _settled(measured: Callable[[], int]) -> int:
    """Return the value after it has started to change and then stopped."""
    seen = -1
    while (now := measured()) != seen or now == 0:
        seen = now
        await asyncio.sleep(0.05)
    return now
