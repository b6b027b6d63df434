"""Request bodies that never arrive, arrive too slowly or are incomplete: every interface gives up in time and logs no
internal error.
"""

import asyncio
import html
import json
import re
import time
from collections.abc import Callable, MutableMapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import webquarry
from support.client import Client, line_to
from support.sandbox import Sandbox
from webquarry.api import body
from webquarry.api.body import Receive, read_body, read_chunks
from webquarry.core.errors import FileTooLarge, InvalidParams

FORM = "application/x-www-form-urlencoded"
SURFACES = {
    "/login": FORM,
    "/signup": FORM,
    "/playground/search": FORM,
    "/oauth/token": FORM,
    "/oauth/revoke": FORM,
    "/oauth/register": "application/json",
    "/mcp": "application/json",
    "/api/v1/markdown/file": "multipart/form-data; boundary=mark",
}
"""One URL for each kind of endpoint that takes a body, with the media type of the body."""
SOURCE = Path(webquarry.__file__).parent


def test_every_interface_uses_the_same_body_reader() -> None:
    """All other code reads bodies through this reader, so the limits below apply to every interface."""
    asks = re.compile(r"request\.(?:body|form|json|stream)\(|await (?:\w+\.)?receive\(\)")
    paths = [path for path in SOURCE.rglob("*.py") if asks.search(path.read_text("utf-8"))]
    # the tool server passes the body that was read to the SDK, and then the connection's next message; a stream waits
    # for the client to disconnect
    expected = {"api/body.py", "api/responses.py", "mcp/endpoint.py"}
    assert {path.relative_to(SOURCE).as_posix() for path in paths} == expected


def announce(client: Client, path: str) -> bytes:
    """Return the head of a POST request whose body has not yet been sent."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {SURFACES[path]}",
        f"Authorization: Bearer {client.key}",
        "Content-Length: 100",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def test_no_interface_waits_long_for_a_body(client: Client) -> None:
    began = time.monotonic()
    with ExitStack() as lines:
        waiting = {path: lines.enter_context(line_to(client.url)) for path in SURFACES}
        for path, line in waiting.items():
            line.send(announce(client, path))
        for path, line in waiting.items():
            reply = line.reply()
            assert reply is not None, path
            assert reply.status == 400, path
            assert "less than 8,192 bytes a second" in html.unescape(reply.text), path
    assert time.monotonic() - began < 3 * body.GRACE_S


def test_a_caller_who_disconnects_is_not_logged_as_a_bug(client: Client, sandbox: Sandbox) -> None:
    before = sandbox.log.stat().st_size
    for path in SURFACES:
        with line_to(client.url) as line:
            line.send(announce(client, path) + b"--")
    answered = client.ask("/api/v1/nowhere")  # the log line follows the earlier lines
    marker = answered.headers["x-request-id"]
    deadline = time.monotonic() + 20
    while marker not in (told := sandbox.log.read_bytes()[before:].decode()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    lines = [json.loads(line) for line in told.splitlines()]
    assert {line["event"] for line in lines} <= {"request", "tool"}, told
    assert "traceback" not in told.lower()
    assert "exception" not in told.lower()


def arriving(*pieces: bytes, ends: bool = True, every_s: float = 0.0) -> Receive:
    """Return a `receive` function that returns the body in pieces, and then the end of the body or a disconnect."""
    left = list(pieces)

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.sleep(every_s)
        if not left:
            return {"type": "http.disconnect"}
        piece = left.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(left) or not ends}

    return receive


async def test_a_body_of_exactly_the_limit_is_read() -> None:
    assert await read_body([], arriving(b"ab", b"", b"cd"), 4) == b"abcd"
    assert await read_body([], arriving(b""), 4) == b""


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_beyond_the_limit_is_refused_as_early_as_possible(announced: bool) -> None:
    asked: list[bool] = []
    arrives = arriving(b"abcde", b"f", b"g")

    async def receive() -> MutableMapping[str, Any]:
        asked.append(True)
        return await arrives()

    with pytest.raises(FileTooLarge, match="larger than 4 bytes"):
        await read_body([(b"content-length", b"7")] if announced else [], receive, 4)
    assert len(asked) == (0 if announced else 1)


async def test_an_incomplete_body_is_reported() -> None:
    with pytest.raises(InvalidParams, match="closed before"):
        await read_body([], arriving(b"ab", ends=False), 4)


async def collect(receive: Receive) -> int:
    return sum([len(chunk) async for chunk in read_chunks(receive)])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: arriving(*[b""] * 1000, every_s=0.005), "less than 8,192 bytes a second"),
        (lambda: arriving(b"x" * 500, *[b"x"] * 1000, every_s=0.01), "less than 8,192 bytes a second"),
        (lambda: arriving(*[b"x" * 9000] * 1000, every_s=0.01), "within 0 seconds"),
    ],
    ids=["empty pieces", "drops", "for ever"],
)
async def test_a_body_that_is_too_slow_is_refused(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Receive], words: str
) -> None:
    monkeypatch.setattr(body, "GRACE_S", 0.05)
    monkeypatch.setattr(body, "WITHIN_S", 0.3)
    began = time.monotonic()
    with pytest.raises(InvalidParams, match=words):
        await collect(make())
    assert time.monotonic() - began < 2
