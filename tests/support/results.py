"""Test sources of search results, each a host in a simulated network (`support.world`)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from support.clock import ManualClock
from support.world import NOW, House, Told, World
from webquarry.core.types import Wire
from webquarry.net.transport import Request

HTML: Mapping[str, str] = {"content-type": "text/html; charset=utf-8"}


def html(body: str = "", *, status: int = 200, **more: Any) -> Told:
    """Return the response with a page."""
    return Told(status, body.encode(), HTML, **more)


class Sources(House):
    """Network access to the sources. answers: by host, one after the other; the last one repeats."""

    def __init__(self, answers: Mapping[str, list[Told]], **settings: Any) -> None:
        super().__init__(World({host: list(answer) for host, answer in answers.items()}), **settings)

    @property
    def asked(self) -> list[Request]:
        return [request for _, request in self.world.asked]

    @property
    def clock(self) -> ManualClock:
        return self.world.clock


def query(request: Request) -> dict[str, str]:
    """Return the fields of a request's query, or of its form body."""
    text = urlsplit(request.url).query if request.body is None else request.body.decode()
    return dict(parse_qsl(text, keep_blank_values=True))


def page(body: str | bytes, url: str = "https://source.example/", status: int = 200) -> Wire:
    """Return a wire with a page."""
    content = body.encode() if isinstance(body, str) else body
    return Wire(content, url, url, status, HTML, NOW)
