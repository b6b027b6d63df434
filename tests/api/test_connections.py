"""Connections are limited per network and in total, and a flood displaces its own connections."""

import asyncio
import os
import resource
import select
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn

from support.server import Server
from webquarry.api.addresses import Addresses
from webquarry.api.connections import MAX_CONNECTIONS, SPARE, Connections, Place
from webquarry.api.protocol import BoundedProtocol

PROXY = "10.0.0.1"


class House:
    """A limited number of connections, and the names of the connections that were closed."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.count = Connections(Addresses([PROXY]), most=most, most_of_one=most_of_one)
        self.ended: list[str] = []

    def open(self, name: str, host: str = "192.0.2.1") -> Place:
        return self.count.admit(host, lambda: self.ended.append(name))

    def busy(self, name: str, host: str = "192.0.2.1") -> Place:
        place = self.open(name, host)
        self.count.work(place)
        return place


def via_proxy(visitor: str) -> dict[str, object]:
    """Return the scope of a request that the proxy forwards."""
    return {"client": (PROXY, 1), "headers": [(b"x-forwarded-for", visitor.encode())]}


def test_a_new_connection_displaces_the_longest_idle_one_of_its_network() -> None:
    house = House(most=100, most_of_one=3)
    first, _, _ = [house.open(name) for name in "abc"]
    house.open("elsewhere", "198.51.100.1")
    house.count.wait(first)  # some data arrived, so this is no longer the longest idle connection
    assert not house.open("d").is_spare
    assert house.ended == ["b"]
    assert house.count.held == 4


def test_a_new_connection_displaces_the_longest_idle_one_when_the_server_is_full() -> None:
    house = House(most=3, most_of_one=2)
    house.open("a", "192.0.2.1")
    house.open("b", "192.0.2.2")
    house.open("c", "192.0.2.2")
    house.open("d", "192.0.2.3")
    house.open("e", "192.0.2.4")
    assert house.ended == ["a", "b"]
    assert (house.count.held, house.count.displaced) == (3, 2)


def test_a_connection_that_waits_for_a_response_is_never_displaced() -> None:
    house = House(most=3, most_of_one=2)
    kept = [house.busy("a"), house.busy("b")]
    assert house.open("c").is_spare  # this network is full
    house.busy("d", "192.0.2.2")
    assert house.open("e", "192.0.2.3").is_spare  # and now all networks together
    assert house.ended == []
    house.count.wait(kept[1])
    assert not house.open("f", "192.0.2.3").is_spare
    assert house.ended == ["b"]


def test_spare_slots_go_to_the_newest_connections() -> None:
    house = House(most=1, most_of_one=1)
    house.busy("busy")
    places = [house.open(str(number)) for number in range(SPARE + 2)]
    assert all(place.is_spare for place in places)
    assert house.ended == ["0", "1"]
    for place in places:
        house.count.leave(place)
    assert house.count.held == 1


def test_all_addresses_of_an_ipv6_64_network_count_as_one_client() -> None:
    house = House(most=100, most_of_one=2)
    for number in range(4):
        house.open(str(number), f"2001:db8::{number:x}")
    house.open("other", "2001:db8:0:1::1")
    assert house.ended == ["0", "1"]


def test_only_the_server_limit_applies_to_a_trusted_proxy() -> None:
    house = House(most=5, most_of_one=2)
    for name in "abcde":
        assert not house.busy(name, PROXY).is_spare
    assert house.open("f", PROXY).is_spare
    assert house.ended == []


def test_bodies_sent_through_a_proxy_count_for_their_clients() -> None:
    house = House(most=100, most_of_one=2)
    places = {name: house.open(name, PROXY) for name in "abcd"}
    for name in "abc":
        assert house.count.attribute(places[name], via_proxy("192.0.2.1"))
    assert house.ended == ["a"]
    assert house.count.attribute(places["d"], via_proxy("192.0.2.2"))
    assert house.ended == ["a"]
    house.count.release(places["b"])
    again = house.open("e", PROXY)
    assert house.count.attribute(again, via_proxy("192.0.2.1"))
    assert house.ended == ["a"]
    for place in (places["c"], again):
        house.count.work(place)
    assert not house.count.attribute(house.open("f", PROXY), via_proxy("192.0.2.1"))


def test_released_slots_leave_no_state_behind() -> None:
    house = House(most=10, most_of_one=3)
    for round in range(5):
        places = [house.open(f"{round} {number}", f"192.0.2.{number % 4}") for number in range(20)]
        places.append(house.open("proxy", PROXY))
        house.count.attribute(places[-1], via_proxy(f"198.51.100.{round}"))
        for place in places:
            house.count.leave(place)
            house.count.leave(place)
            house.count.wait(place)
        assert (house.count.held, house.count.silent, house.count._networks) == (0, 0, {})


def test_half_of_the_descriptors_are_reserved_for_handling_requests() -> None:
    assert Connections.within(1024, Addresses()).most == 512
    assert Connections.within(1_000_000, Addresses()).most == MAX_CONNECTIONS


# a flooded server

FILES = 1024
FLOOD = 4000
SILENT = (
    b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 100\r\n\r\n"
)


class FewFiles(Server):
    """A server with a low limit of open files."""

    program = (
        sys.executable,
        "-c",
        "import os, resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}))\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'webquarry', *sys.argv[1:]])",
    )


@contextmanager
def many_files() -> Iterator[None]:
    """Raise this process's limit of open files to the maximum."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < FLOOD + 500:
        pytest.skip(f"the flood needs {FLOOD + 500:,} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def ask_thrice(port: int, path: str, source: str) -> tuple[int, float]:
    """Return (status, seconds) of the fastest of three responses to this address, because the machine may be busy."""
    return min((ask(port, path, source) for _ in range(3)), key=lambda answer: answer[1])


def ask(port: int, path: str, source: str) -> tuple[int, float]:
    """Return (status, seconds) of one response; the status is 0 for none."""
    began = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    try:
        connection.request("GET", path)
        return connection.getresponse().status, time.monotonic() - began
    except (HTTPException, OSError):
        return 0, time.monotonic() - began
    finally:
        connection.close()


def flood(port: int, count: int) -> list[socket.socket]:
    """Open connections with unfinished POST requests, also from the address of the other requests."""
    opened = []
    for _ in range(count):
        link = socket.create_connection(("127.0.0.1", port), timeout=20)
        link.setblocking(False)
        opened.append(link)
        link.send(SILENT)
    return opened


def count_open(links: list[socket.socket]) -> int:
    """Return the number of connections that the server has not closed."""
    poll = select.poll()
    for link in links:
        poll.register(link, select.POLLIN)
    return len(links) - len(poll.poll(0))


async def test_a_flood_of_idle_posts_does_not_block_other_clients(tmp_path: Path) -> None:
    async with FewFiles(tmp_path, "--sandbox") as server:
        port = urlsplit(server.url).port or 0
        with many_files():
            links = await asyncio.to_thread(flood, port, FLOOD)
            try:
                async with asyncio.timeout(60):
                    while (held := count_open(links)) > FILES // 8:  # noqa: ASYNC110  # the kernel sets no event
                        await asyncio.sleep(0.02)
                answers = [
                    await asyncio.to_thread(ask_thrice, port, path, source)
                    for source in ("127.0.0.1", "127.0.0.2")
                    for path in ("/healthz", "/docs", "/readyz")
                ]
                files = len(os.listdir(f"/proc/{server.pid}/fd"))
            finally:
                for link in links:
                    link.close()
    assert held > 0
    assert files < FILES // 2
    assert [status for status, _ in answers] == [200] * 6
    assert max(took_s for _, took_s in answers) < 1.0
    log = (tmp_path / "serve.log").read_text()
    assert "exception" not in log
    assert len(log) < 2000, "a flood floods the log"


class Unread(BoundedProtocol):
    unread_s = 0.2


async def test_a_response_that_the_client_does_not_read_is_abandoned() -> None:
    async def app(_scope: object, _receive: object, send: uvicorn._types.ASGISendCallable) -> None:
        body = b"x" * 20_000_000
        length = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    config = uvicorn.Config(app, http=Unread, lifespan="off", log_config=None)
    config.load()
    connections, state = Connections(Addresses()), uvicorn.server.ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Unread(config, state, {}, connections=connections), "127.0.0.1", 0)
    async with server:
        address = server.sockets[0].getsockname()
        idle = socket.create_connection(address)
        idle.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        async with asyncio.timeout(20):
            while not connections.held:  # noqa: ASYNC110  # the kernel sets no event
                await asyncio.sleep(0.01)
            while connections.held:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*address, limit=2**16)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        size = 0
        while size < 20_000_000:  # the client reads slowly, but some data each time
            size += len(await reader.read(1_000_000))
            await asyncio.sleep(0.002)
        writer.close()
        idle.close()
