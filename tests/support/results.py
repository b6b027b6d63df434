"""Sources of search results of our own at the outer seam: each host has its answers, given in turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

from support.clock import ManualClock
from webquarry.errors import ProviderError
from webquarry.net import Door, Net
from webquarry.net.manners import Turns
from webquarry.net.transport import Limits, Request, Response
from webquarry.settings import Settings
from webquarry.types import Deadline, Provider, Wire

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Told:
    """What is answered. takes_s: seconds that it takes by the world's clock."""

    status: int = 200
    body: str | bytes = ""
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/html; charset=utf-8"})
    takes_s: float = 0.0
    cookies: tuple[str, ...] = ()


def redirect(location: str) -> Told:
    return Told(302, "", {"location": location})


class World:
    """The outside, and the one door to it. answers: by host, one after the other; a host without any is down."""

    def __init__(self, answers: Mapping[str, list[Told]], **settings: object) -> None:
        self.answers = {host: list(told) for host, told in answers.items()}
        self.clock = ManualClock(NOW)
        self.asked: list[Request] = []
        self.door = Door(Settings.model_validate(settings), self.clock, self)
        self.door.turns = Turns(self.clock, 8, sleep=self._sleep)

    def net(self, provider: Provider, seconds: float = 30) -> Net:
        return self.door.net(provider, Deadline.after(seconds, self.clock))

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append(request)
        queue = self.answers.get(urlsplit(request.url).hostname or "", [])
        if not queue:
            raise ProviderError("Nobody there.", reason="down")
        told = queue.pop(0)
        self.clock.advance(told.takes_s)
        body = told.body.encode() if isinstance(told.body, str) else told.body
        return Response(told.status, told.headers, body, self.clock.now(), len(body), cookies=told.cookies)

    async def close(self) -> None:
        pass

    async def _sleep(self, seconds: float) -> None:
        self.clock.advance(seconds)


def query(request: Request) -> dict[str, str]:
    """The fields of a request's address, or of the form that it posts."""
    text = urlsplit(request.url).query if request.body is None else request.body.decode()
    return dict(parse_qsl(text, keep_blank_values=True))


def cookies(request: Request) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in request.headers.get("Cookie", "").split("; "))
    return {name: value for name, _, value in pairs}


def page(body: str | bytes, url: str = "https://source.example/", status: int = 200) -> Wire:
    """A wire that is a page."""
    content = body.encode() if isinstance(body, str) else body
    return Wire(content, url, url, status, {"content-type": "text/html; charset=utf-8"}, NOW)
