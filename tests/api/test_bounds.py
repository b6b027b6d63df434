"""Raw bytes: each refusal is an error of the API, and no input makes the server grow or fail."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from support.client import Client, Reply, line_to
from support.sandbox import Sandbox
from webquarry.api.protocol import MAX_HEADER_BYTES, MAX_PIPELINED, MAX_TARGET_BYTES, BoundedProtocol
from webquarry.api.server import server

HOST = b"Host: somewhere.example\r\n"
NOWHERE = b"GET /api/v1/nowhere HTTP/1.1\r\n" + HOST


def exchange(client: Client, *pieces: bytes) -> list[Reply]:
    """Send bytes. Return all responses until the server closes the connection."""
    with line_to(client.url) as line:
        for piece in pieces:
            line.send(piece)
        return line.replies()


def refused(client: Client, status: int, *pieces: bytes) -> None:
    """Assert that the only response is a refusal that closes the connection."""
    replies = exchange(client, *pieces)
    assert [(reply.status, reply.code) for reply in replies] == [(status, "invalid_params")]
    assert replies[0].headers["connection"] == "close"
    client.contract.judge("GET", "/api/v1/nowhere", replies[0])


def final(client: Client, *pieces: bytes) -> list[int]:
    """Return the statuses of the responses. The last request closes the connection."""
    replies = exchange(client, *pieces)
    assert all(reply.code for reply in replies if reply.status >= 400)
    return [reply.status for reply in replies]


@pytest.mark.parametrize(
    "head",
    [
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"G\xcbT / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"G\x00T / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.2\r\nHost: a\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        b"GET / HTTP/11\r\nHost: a\r\n\r\n",
        b"GET  / HTTP/1.1 x\r\nHost: a\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /é HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
        b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET nowhere HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
        b"GET / HTTP/1.1\nHost: a\n\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n: nameless\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
)
def test_malformed_http_is_answered_with_a_json_error(client: Client, head: bytes) -> None:
    refused(client, 400, head)


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: 1\r\nContent-Length: 1\r\n",
        b"Content-Length: 1\r\nContent-Length: 2\r\n",
        b"Content-Length: 1, 1\r\n",
        b"Content-Length: +1\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 0x1\r\n",
        b"Content-Length: 99999999999999999999999\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
    ],
)
@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_a_body_with_an_ambiguous_end_is_refused_unread(client: Client, method: bytes, fields: bytes) -> None:
    smuggled = b"0\r\n\r\nGET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    refused(client, 400, method + b" /api/v1/nowhere HTTP/1.1\r\n" + HOST + fields + b"\r\n" + smuggled)


@pytest.mark.parametrize("fields", [b"", HOST + HOST, HOST + b"Host: other.example\r\n"])
def test_a_request_with_several_hosts_is_refused(client: Client, fields: bytes) -> None:
    refused(client, 400, b"GET /healthz HTTP/1.1\r\n" + fields + b"\r\n")


@pytest.mark.parametrize(
    "chunks", [b"x\r\n", b"1\r\nab", b"1;\x00\r\na\r\n", b"-1\r\na\r\n", b"FFFFFFFFFFFFFFFFF\r\na", b"1 \r\na\r\n"]
)
def test_a_broken_chunk_gets_one_response(client: Client, chunks: bytes) -> None:
    refused(client, 400, NOWHERE + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)


@pytest.mark.parametrize("size", [MAX_TARGET_BYTES + 1, 3 * MAX_TARGET_BYTES, 500_000])
@pytest.mark.parametrize("pieces", [1, 7])
def test_a_target_over_8_kb_is_414(client: Client, size: int, pieces: int) -> None:
    request = b"GET /" + b"a" * (size - 1) + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    step = len(request) // pieces + 1
    refused(client, 414, *(request[at : at + step] for at in range(0, len(request), step)))


def test_a_target_of_8_kb_is_accepted(client: Client) -> None:
    request = b"GET /" + b"a" * (MAX_TARGET_BYTES - 1) + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    assert final(client, request) == [404]


def test_headers_over_32_kb_are_431(client: Client) -> None:
    refused(client, 431, NOWHERE + b"X: " + b"a" * MAX_HEADER_BYTES + b"\r\n\r\n")


def test_headers_of_nearly_32_kb_are_accepted(client: Client) -> None:
    assert final(client, NOWHERE + b"Connection: close\r\nX: " + b"a" * (MAX_HEADER_BYTES - 100) + b"\r\n\r\n") == [404]


def test_many_small_headers_are_431(client: Client) -> None:
    refused(client, 431, NOWHERE + b"".join(b"a%d: b\r\n" % n for n in range(5000)) + b"\r\n")


LAST = HOST + b"Connection: close\r\n\r\n"


@pytest.mark.parametrize(
    ("status", "request_bytes"),
    [
        (200, b"GET / HTTP/1.1\r\n" + LAST),
        (200, b"GET /healthz HTTP/1.1\r\n" + LAST),
        (200, b"GET /robots.txt HTTP/1.1\r\n" + LAST),
        (200, b"GET /openapi.json HTTP/1.1\r\n" + LAST),
        (200, b"GET /favicon.ico HTTP/1.1\r\n" + LAST),
        (200, b"GET /status.json HTTP/1.1\r\n" + LAST),
        (200, b"GET /.well-known/oauth-authorization-server HTTP/1.1\r\n" + LAST),
        (204, b"OPTIONS /oauth/token HTTP/1.1\r\n" + LAST),
        (303, b"GET /account HTTP/1.1\r\n" + LAST),
        (400, b"hello\r\n\r\n"),
        (400, b"POST /oauth/token HTTP/1.1\r\nContent-Length: 1\r\n" + LAST + b"x"),
        (401, b"GET /api/v1/search?q=a HTTP/1.1\r\n" + LAST),
        (401, b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        (404, b"GET /nowhere HTTP/1.1\r\n" + LAST),
        (404, b"GET /static/nowhere.css HTTP/1.1\r\n" + LAST),
        (404, b"GET /logos/nowhere.png HTTP/1.1\r\n" + LAST),
        (404, b"GET /api/v1/nowhere HTTP/1.1\r\n" + LAST),
        (405, b"DELETE / HTTP/1.1\r\n" + LAST),
        (414, b"GET /" + b"a" * MAX_TARGET_BYTES + b" HTTP/1.1\r\n" + LAST),
        (421, b"POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n" + LAST),
        (431, b"GET / HTTP/1.1\r\nX: " + b"a" * MAX_HEADER_BYTES + b"\r\n" + LAST),
    ],
)
def test_every_response_forbids_guessing_its_type(client: Client, status: int, request_bytes: bytes) -> None:
    with line_to(client.url) as line:
        line.send(request_bytes)
        reply = line.reply(to="HEAD")  # some responses have no length, and no body matters here
    assert reply is not None
    assert (reply.status, reply.headers["x-content-type-options"]) == (status, "nosniff")


def resident_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:"))


def pour(client: Client, opening: bytes, drop: bytes, total_bytes: int) -> bytes:
    """Send the opening and then drops until `total_bytes` or a disconnect. Return the received bytes."""
    with line_to(client.url) as line:
        block = drop * (65536 // len(drop))
        try:
            line.send(opening)
            for _ in range(total_bytes // len(block)):
                line.send(block)
        except (BrokenPipeError, ConnectionResetError):
            return b""
        replies = line.replies()
    return replies[0].body if replies else b""


@pytest.mark.parametrize(
    ("opening", "drop"),
    [
        (NOWHERE + b"X: ", b"a"),
        (NOWHERE, b"name: value\r\n"),
        (b"GET /", b"a"),
        (NOWHERE + b"a", b"a"),
        (b"", b"\r\n"),
        (NOWHERE + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"name: value\r\n"),
        (NOWHERE + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"a"),
        (NOWHERE + b"Transfer-Encoding: chunked\r\n\r\n1;x=", b"a"),
        (NOWHERE + b"Content-Length: 100000000\r\n\r\n", b"a"),
    ],
    ids=["value", "fields", "target", "name", "line ends", "trailers", "trailer", "chunk extension", "body"],
)
def test_48_mb_of_any_data_do_not_increase_memory(
    client: Client, sandbox: Sandbox, opening: bytes, drop: bytes
) -> None:
    before = resident_kb(sandbox.pid)
    pour(client, opening, drop, 48 * 1024 * 1024)
    assert resident_kb(sandbox.pid) - before < 4 * 1024


def test_pipelined_requests_are_answered_in_order(client: Client) -> None:
    paths = [b"/healthz", b"/api/v1/nowhere", b"/openapi.json", b"/healthz"]
    requests = b"".join(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in paths)
    last = b"GET /nowhere HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
    assert final(client, requests + last) == [200, 404, 200, 200, 404]


def test_the_number_of_pipelined_requests_is_limited(client: Client) -> None:
    requests = (NOWHERE + b"\r\n") * 5000
    assert final(client, requests) == [404] * (1 + MAX_PIPELINED) + [400]


def test_an_error_after_pipelined_requests_is_sent_after_their_responses(client: Client) -> None:
    requests = (b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 3
    assert final(client, requests + b"what?\r\n\r\n") == [200, 200, 200, 400]
    assert final(client, requests + b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n") == [200, 200, 200, 414]


def test_a_broken_body_after_pipelined_requests_is_reported_after_their_responses(client: Client) -> None:
    requests = (b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 3
    assert final(client, requests + NOWHERE + b"Transfer-Encoding: chunked\r\n\r\nx\r\n") == [200, 200, 200, 400]


def test_data_after_a_refusal_is_not_answered(client: Client) -> None:
    refused(client, 400, b"what?\r\n\r\n" + NOWHERE + b"\r\n", NOWHERE + b"\r\n")


def test_a_connection_stays_open_after_an_api_error(client: Client) -> None:
    with line_to(client.url) as line:
        for _ in range(3):
            line.send(NOWHERE + b"\r\n")
            reply = line.reply()
            assert reply is not None
            assert reply.status == 404


def test_an_absolute_target_is_routed_by_its_path(client: Client) -> None:
    request = b"GET http://other.example/api/v1/nowhere?a=b HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
    assert final(client, request) == [404]


def test_an_http_1_0_connection_is_closed_after_one_response(client: Client) -> None:
    assert final(client, b"GET /healthz HTTP/1.0\r\n\r\n" + b"GET /healthz HTTP/1.0\r\n\r\n") == [200]


def test_upgrades_are_ignored_and_data_after_them_is_not_read(client: Client) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13\r\n\r\n"
    assert final(client, NOWHERE + upgrade + NOWHERE + b"\r\n") == [404]
    assert final(client, NOWHERE + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n") == [404]


def test_a_complete_body_on_get_is_ignored(client: Client) -> None:
    chunked = NOWHERE + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Api-Key: trailer\r\n\r\n"
    sized = NOWHERE + b"Content-Length: 5\r\n\r\nhello"
    assert final(client, chunked + sized + NOWHERE + b"Connection: close\r\n\r\n") == [404, 404, 404]


@pytest.mark.parametrize("field", [b"", b"Connection: close\r\n", b"Expect: 100-continue\r\n"])
def test_a_response_before_the_end_of_the_body_ends_the_connection(client: Client, field: bytes) -> None:
    with line_to(client.url) as line:
        line.send(NOWHERE + field + b"Content-Length: 40\r\n\r\n")
        reply = line.reply()
        assert reply is not None
        assert (reply.status, reply.headers["connection"]) == (404, "close")
        line.send(NOWHERE + b"\r\n")  # either the body or another request
        assert line.reply() is None


@pytest.mark.parametrize("field", [b"", b"Connection: close\r\n"])
def test_a_client_that_keeps_sending_still_reads_an_early_response(client: Client, field: bytes) -> None:
    request = b"POST /api/v1/nowhere HTTP/1.1\r\n" + HOST + field + b"Content-Length: 8000000\r\n\r\n"
    assert final(client, request, b"a" * 4_000_000, b"a" * 4_000_000) == [404]


def test_a_key_in_a_trailer_is_not_accepted(client: Client) -> None:
    request = b"GET /api/v1/conversions/cv_0 HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n"
    trailer = b"\r\n0\r\nX-Api-Key: " + client.key.encode() + b"\r\nConnection: close\r\n\r\n"
    with line_to(client.url) as line:
        line.send(request + trailer)
        reply = line.reply()
    assert reply is not None
    assert reply.code == "unauthorized"


def test_a_request_can_arrive_byte_by_byte(client: Client) -> None:
    request = NOWHERE + b"Connection: close\r\n\r\n"
    with line_to(client.url) as line:
        line._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(request)):
            line.send(request[at : at + 1])
        assert [reply.status for reply in line.replies()] == [404]


class ImpatientProtocol(BoundedProtocol):
    head_timeout_s = 0.2


@pytest.fixture
async def impatient() -> AsyncIterator[tuple[str, int]]:
    """A server that waits 0.2 s for a head, and takes 0.4 s for /slow."""

    async def app(scope: uvicorn._types.Scope, _receive: object, send: uvicorn._types.ASGISendCallable) -> None:
        assert scope["type"] == "http"
        if scope["path"] == "/slow":
            await asyncio.sleep(0.4)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok", "more_body": False})

    config = uvicorn.Config(app, http=ImpatientProtocol, lifespan="off", log_config=None)
    config.load()
    state = uvicorn.server.ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: ImpatientProtocol(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()


async def lived_s(reader: asyncio.StreamReader) -> float:
    began = time.monotonic()
    async with asyncio.timeout(60):
        assert await reader.read() == b""
    return time.monotonic() - began


@pytest.mark.parametrize("opening", [b"", b"\r\n", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
async def test_a_missing_head_ends_the_connection(impatient: tuple[str, int], opening: bytes) -> None:
    reader, writer = await asyncio.open_connection(*impatient)
    writer.write(opening)
    assert 0.1 < await lived_s(reader) < 20
    writer.close()


async def test_single_bytes_do_not_keep_a_connection_open(impatient: tuple[str, int]) -> None:
    reader, writer = await asyncio.open_connection(*impatient)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200")
    dying = asyncio.create_task(lived_s(reader))
    async with asyncio.timeout(20):
        while not dying.done():
            writer.write(b"\r\n")
            await asyncio.sleep(0.03)
    with suppress(ConnectionResetError):  # writing after the end may cause a reset
        await dying
    writer.close()


async def test_the_time_limit_for_a_head_does_not_apply_to_idle_connections(impatient: tuple[str, int]) -> None:
    reader, writer = await asyncio.open_connection(*impatient)
    for _ in range(2):
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(0.3)
    writer.close()


async def test_a_late_pipelined_head_does_not_end_a_long_response(impatient: tuple[str, int]) -> None:
    reader, writer = await asyncio.open_connection(*impatient)
    writer.write(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET / HT")
    assert (await reader.readuntil(b"\r\n\r\nok")).startswith(b"HTTP/1.1 200")
    assert await lived_s(reader) < 20
    writer.close()


async def test_a_request_that_was_received_before_the_shutdown_is_answered_before_the_drain() -> None:
    asked, goes_on, events = asyncio.Event(), asyncio.Event(), list[str]()

    async def app(_scope: object, _receive: object, send: Any) -> None:
        asked.set()
        await goes_on.wait()  # like a request that still waits for the lookup of its key
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})
        events.append("answered")

    async def drain() -> None:
        events.append("drained")

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        serving = server(app, host="127.0.0.1", port=0, drain=drain)
        task = asyncio.create_task(serving._serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        async with asyncio.timeout(60):
            await asked.wait()
            serving.should_exit = True
            await asyncio.sleep(0.5)  # by then, the listener is closed
            goes_on.set()
            assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
            await task
        writer.close()
    assert events == ["answered", "drained"]


async def test_open_requests_get_an_error_at_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.api.server.GRACE_S", 0)
    monkeypatch.setattr("webquarry.api.server.FINISH_S", 0)
    asked, drained = asyncio.Event(), asyncio.Event()

    async def app(_scope: object, _receive: object, _send: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    async def drain() -> None:
        drained.set()

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        serving = server(app, host="127.0.0.1", port=0, drain=drain)
        # uvicorn would handle the tests' signals
        task = asyncio.create_task(serving._serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        async with asyncio.timeout(60):
            await asked.wait()
            serving.should_exit = True
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            await task
        writer.close()
    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in head
    assert body == b'{"error":"The service is shutting down. Try again shortly.","code":"overloaded"}'
    assert drained.is_set()
