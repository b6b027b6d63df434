"""A map of our own at the outer seam: answers by address, in turn, and remembers who asked for what and when."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from support.clock import ManualClock
from webquarry.errors import ProviderError
from webquarry.net import Door, Net
from webquarry.net.manners import Turns
from webquarry.net.transport import Limits, Request, Response
from webquarry.settings import Settings
from webquarry.types import Deadline, Provider, Wire

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NID = "NID=511=made; path=/; domain=.google.com; HttpOnly"
HOME, SEARCH, PLACE = "/maps", "/search", "/maps/preview/place"
CAPTCHA = "/sorry/index"


@dataclass(frozen=True)
class Told:
    """What is answered."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()


def array(value: Any) -> Told:
    return Told(200, b")]}'\n" + json.dumps(value).encode(), {"content-type": "application/json; charset=UTF-8"})


def page(text: str = "", *, status: int = 200, cookies: tuple[str, ...] = ()) -> Told:
    body = f"<!DOCTYPE html><html><body>{text}</body></html>".encode()
    return Told(status, body, {"content-type": "text/html; charset=UTF-8"}, cookies)


def redirect(location: str) -> Told:
    return Told(302, b"", {"location": location, "content-type": "text/html"})


SESSION = page(cookies=(NID,))
TO_CAPTCHA = redirect("https://www.google.com/sorry/index?continue=x")
TO_CONSENT = redirect("https://consent.google.com/m?continue=x")


@dataclass
class World:
    """The outside: what each path answers, one after the other, the last for good. Paths without an answer are down."""

    answers: dict[str, list[Told]]
    clock: ManualClock = field(default_factory=lambda: ManualClock(NOW))
    asked: list[tuple[Request, float]] = field(default_factory=list)

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append((request, self.clock.monotonic()))
        parts = urlsplit(request.url)
        path = parts.path if parts.hostname == "www.google.com" else f"//{parts.hostname}{parts.path}"
        queue = self.answers.get(path, [])
        if not queue:
            raise ProviderError(f"Nobody answers at {path}.", reason="down")
        told = queue.pop(0) if len(queue) > 1 else queue[0]
        body = told.body[: limits.max_bytes]
        assert limits.truncate or len(body) == len(told.body)
        return Response(
            told.status,
            told.headers,
            body,
            self.clock.now(),
            len(told.body),
            truncated=len(body) < len(told.body),
            cookies=told.cookies,
        )

    async def close(self) -> None:
        pass

    @property
    def paths(self) -> list[str]:
        return [urlsplit(request.url).path for request, _ in self.asked]

    @property
    def moments_s(self) -> list[float]:
        return [at_s for _, at_s in self.asked]

    def cookies(self, index: int) -> dict[str, str]:
        """What the request at this place carried."""
        field_ = self.asked[index][0].headers.get("Cookie", "")
        return dict(pair.strip().split("=", 1) for pair in field_.split(";") if pair.strip())

    def query(self, index: int) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.asked[index][0].url).query).items()}


class Asker:
    """Asks as the pipeline does: one door, a net for each attempt. Waiting for a turn moves the world's clock."""

    def __init__(self, world: World, provider: Provider, **settings: str) -> None:
        self.world = world
        self._provider = provider
        self.door = Door(Settings.model_validate(settings), world.clock, world)
        self.door.turns = Turns(world.clock, 4, sleep=self._sleep)

    def net(self) -> Net:
        return self.door.net(self._provider, Deadline.after(30, self.world.clock))

    async def _sleep(self, seconds: float) -> None:
        self.world.clock.advance(seconds)


def wire(body: Any, url: str = "https://www.google.com/search?tbm=map") -> Wire:
    """An answer to read: of bytes as they are, of anything else as JSON behind the guarding line."""
    content = body if isinstance(body, bytes) else b")]}'\n" + json.dumps(body).encode()
    return Wire(body=content, url=url, requested_url=url, status=200, headers={}, fetched_at=NOW)
