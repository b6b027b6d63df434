"""A simulated network at the outermost seam: it returns responses by URL, in turn, and records requests and times."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlsplit

from support.clock import ManualClock
from webquarry.core.errors import ConversionFailed, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider
from webquarry.net import Door, Net
from webquarry.net.politeness import Turns
from webquarry.net.rendering import Renderer
from webquarry.net.transport import Limits, Request, Response

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Told:
    """A response. takes_s: its duration in seconds on the world's clock."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    takes_s: float = 0.0


def redirect(location: str) -> Told:
    return Told(302, b"", {"location": location, "content-type": "text/html"})


@dataclass
class World:
    """The simulated network.

    answers: by path or host and path, or a prefix of either, one after the other; the last one repeats. Other hosts do
    not exist.
    """

    answers: dict[str, list[Told]]
    clock: ManualClock = field(default_factory=lambda: ManualClock(NOW))
    asked: list[tuple[float, Request]] = field(default_factory=list)

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append((self.clock.monotonic(), request))
        await asyncio.sleep(0)  # let other requests run
        parts = urlsplit(request.url)
        addresses = (parts.path, f"{parts.hostname}{parts.path}")
        fitting = sorted((known for known in self.answers if any(a.startswith(known) for a in addresses)), key=len)
        if not fitting:
            raise ProviderError("Nobody there.", reason="down")
        found = self.answers[fitting[-1]]
        answer = found.pop(0) if len(found) > 1 else found[0]
        self.clock.advance(answer.takes_s)
        body = answer.body if limits.wants_body(answer.status) else b""
        room = min(limits.max_bytes, limits.max_wire_bytes)
        if len(body) > room and not limits.truncate:
            raise ConversionFailed("The answer is larger than it may be.", reason="limits")
        return Response(
            answer.status,
            answer.headers,
            body[:room],
            self.clock.now(),
            len(body),
            truncated=len(body) > room,
            cookies=answer.cookies,
        )

    async def close(self) -> None:
        pass

    @property
    def paths(self) -> list[str]:
        return [urlsplit(request.url).path for _, request in self.asked]

    def requests(self, path: str) -> list[Request]:
        return [request for _, request in self.asked if urlsplit(request.url).path.startswith(path)]


def cookies_of(request: Request) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in request.headers.get("Cookie", "").split(";"))
    return {name: value for name, _, value in pairs if name}


def query_of(request: Request) -> dict[str, str]:
    """Return the query's parameters by name."""
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query, keep_blank_values=True).items()}


def raw_parameter(request: Request, name: str) -> str:
    """Return a parameter's percent-decoded text."""
    [value] = [
        text for key, _, text in (pair.partition("=") for pair in urlsplit(request.url).query.split("&")) if key == name
    ]
    return unquote_plus(value)


class House:
    """Network access to such a world. Its turns wait on the world's clock."""

    def __init__(self, world: World, browser: Renderer | None = None, **settings: Any) -> None:
        self.world = world
        self.door = Door(Settings(**settings), world.clock, world, browser)
        self.door.admission.turns = Turns(world.clock, 8, later=world.clock.later)

    def net(self, provider: Provider, seconds: float = 30) -> Net:
        return self.door.net(provider, Deadline.after(seconds, self.world.clock))
