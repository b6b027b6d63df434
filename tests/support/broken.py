"""Broken bodies of responses, and a transport that sends them in place of taped ones."""

import asyncio
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from webquarry.core.errors import ConversionFailed
from webquarry.core.types import Deadline
from webquarry.net.player import Player
from webquarry.net.rendering import Rendered
from webquarry.net.tape import Exchange, Fault
from webquarry.net.transport import Limits, Request, Response

Shape = Callable[[bytes], bytes]
DEPTH: Final = 10_000
HUGE_BYTES: Final = 50 * 1024 * 1024
RENDERED_LETTERS: Final = 20 * 1024 * 1024
_NAMES: Final = re.compile(rb'"(\w+)":')


def cut(body: bytes) -> bytes:
    """Return the first half, as if the connection had ended without an error."""
    return body[: len(body) // 2]


def make_garbage(body: bytes) -> bytes:
    """Return as many random bytes, at most 64 KB."""
    return random.Random(len(body)).randbytes(min(len(body), 1 << 16) or 1)


def change_types(body: bytes) -> bytes:
    """Return the body with a number as the value of each JSON member that is a string, or is empty."""
    return re.sub(rb'(?<=":)\s*(?:"(?:[^"\\]|\\.)*"|\{\}|\[\])', b" 7", body)


def nest(body: bytes) -> bytes:
    """Return markup or JSON, the same format as the body, nested deeper than JSON parsers allow."""
    start = body.lstrip()[:1]
    if start == b"<":
        return b"<div>" * DEPTH + b"text" + b"</div>" * DEPTH
    name = (_NAMES.search(body) or [b"", b"data"])[1]
    return b'{"%b":' % name + b"[" * DEPTH + b"]" * DEPTH + b"}"


def nest_objects(body: bytes) -> bytes:
    """Return nested JSON objects whose name occurs in the body."""
    name = (_NAMES.search(body) or [b"", b"data"])[1]
    return (b'{"%b":' % name) * DEPTH + b"1" + b"}" * DEPTH


def enlarge(body: bytes) -> bytes:
    """Return the body after 50 MB of white space, which is valid in JSON and in markup."""
    return b" " * HUGE_BYTES + body


SHAPES: Mapping[str, Shape] = {
    "truncated": cut,
    "empty": lambda _: b"",
    "garbage": make_garbage,
    "NUL bytes": lambda body: bytes(min(len(body), 1 << 16) or 1),
    "other types": change_types,
    "null": lambda _: b"null",
    "a number": lambda _: b"7",
    "a string": lambda _: b'"text"',
    "a list": lambda _: b"[]",
    "an object": lambda _: b"{}",
    "a list of nulls": lambda _: b"[null,null,[null,[null]]]",
    "deep lists": nest,
    "deep objects": nest_objects,
    "50 MB": enlarge,
}
"""Broken bodies made from a valid body, by name."""
NEVER: Final = "never"
DOWN: Final = "down"
LATE: Final = "late"
WAYS: tuple[str, ...] = (*SHAPES, DOWN, LATE)
"""The ways in which a source can fail: a broken body, or no response because of a broken connection or a timeout. NEVER
is a source that sends nothing until the request's deadline.
"""
QUICK_WAYS: tuple[str, ...] = (
    *("truncated", "empty", "garbage", "other types", "a list", "an object", "deep lists", "50 MB", DOWN, LATE),
)
"""One way of each kind."""


class BrokenPlayer(Player):
    """Replays exchanges whose responses are broken. With NEVER, these requests get no response."""

    def __init__(self, exchanges: Iterable[Exchange], way: str, *, first: bool) -> None:
        """first: only the first response with a body is broken, rather than all."""
        self._silent: set[tuple[str, str]] = set()
        super().__init__([*self._break(exchanges, way, first=first)])

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        await self._wait_if_silent(request.method, request.url)
        return await super().send(request, deadline, limits)

    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        await self._wait_if_silent("RENDER", url)
        rendered = await super().render(url, deadline, account)
        if len(rendered.html) > RENDERED_LETTERS:  # like the browser
            raise ConversionFailed("The page is too large.", reason="limits")
        return rendered

    async def _wait_if_silent(self, method: str, url: str) -> None:
        if (method, url) in self._silent:
            await asyncio.Event().wait()

    def _break(self, exchanges: Iterable[Exchange], way: str, *, first: bool) -> Iterator[Exchange]:
        broken = 0
        for exchange in exchanges:
            response, request = exchange.response, exchange.request
            if not isinstance(response, Response) or not is_good(exchange) or (first and broken):
                yield exchange
                continue
            broken += 1
            if way in SHAPES:
                body = SHAPES[way](response.body)
                yield replace(exchange, response=replace(response, body=body, wire_bytes=len(body)))
            elif way == NEVER:
                self._silent.add((request.method, request.url))
            else:
                yield replace(exchange, response=Fault("down" if way == DOWN else "timeout"))


def is_good(exchange: Exchange) -> bool:
    """Return whether this is a response with content, other than a site's rules for robots."""
    response = exchange.response
    if isinstance(response, Fault) or exchange.request.url.endswith("/robots.txt"):
        return False
    return response.status == HTTPStatus.OK and bool(response.body)
