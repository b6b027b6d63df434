"""Tapes: replays recorded responses and records new ones."""

from collections import deque
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from webquarry.core.errors import ConversionFailed, ProviderError
from webquarry.core.types import Deadline
from webquarry.net.rendering import Rendered
from webquarry.net.tape import Exchange, Fault
from webquarry.net.transport import Limits, Request, Response

_SHOWN = 8
_KEPT_REQUEST_HEADERS = frozenset({"accept", "accept-language", "content-type"})  # any other header may be a credential
_RENDERED_AT = "content-location"


class NoTape(ProviderError):
    """No tape has a response to this request.

    missing: description of the request and of the similar tapes, for authors of tapes; known: requests for which there
    are tapes.
    """

    def __init__(self, missing: str, known: Sequence[str] = ()) -> None:
        instead = f": try {', or '.join(known)}." if known else "."
        super().__init__(f"The sandbox has no sample data for this request{instead}", reason="unavailable")
        self.missing = missing


class Player:
    """A transport and browser that replay tapes.

    A request matches by method, URL and, for a POST, body. The first match wins, so that the same request always has
    the same response.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._exchanges: dict[tuple[str, str, bytes | None], Exchange] = {}
        for exchange in exchanges:
            self._exchanges.setdefault(_key(exchange.request), exchange)
        self._urls: dict[str, list[str]] = {}  # URLs by host
        for url in sorted({url for _, url, _ in self._exchanges}):
            self._urls.setdefault(urlsplit(url).hostname or "", []).append(url)

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        response = self._answer(request)
        body = response.body if limits.wants_body(response.status) else b""
        room = min(limits.max_bytes, limits.max_wire_bytes)
        if len(body) > room and not limits.truncate:
            raise ConversionFailed(f"The response is larger than {room:,} bytes.", reason="limits")
        return Response(
            status=response.status,
            headers=response.headers,
            body=body[:room],
            fetched_at=response.fetched_at,
            wire_bytes=len(body),
            truncated=len(body) > room,
            cookies=response.cookies,
        )

    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        response = self._answer(Request("RENDER", url))
        return Rendered(
            html=response.body.decode("utf-8", "replace"),
            url=response.headers.get(_RENDERED_AT, url),
            status=response.status,
            headers=response.headers,
            fetched_at=response.fetched_at,
            requests=1,
            wire_bytes=response.wire_bytes,
            settled=True,
        )

    async def close(self) -> None:
        """Do nothing; no resources are held."""

    def _answer(self, request: Request) -> Response:
        exchange = self._exchanges.get(_key(request))
        if exchange is None:
            raise NoTape(self._missing(request))
        return exchange.answered()

    def _missing(self, request: Request) -> str:
        shown = self._urls.get(urlsplit(request.url).hostname or "") or sorted(self._urls)
        rest = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        has = f"{', '.join(shown[:_SHOWN])}{rest}" if shown else "none"
        return f"No response is recorded for {request.method} {request.url}. Recorded: {has}."


class Maker(Player):
    """Replays given responses in order and records the exchanges, to create a tape from response bodies.

    An item in `answers` that is None leaves its request without a tape, for requests whose failure the caller
    tolerates. `exchanges` lists the requests made so far, `left` is the number of unused responses, and `wanted` lists
    requests for which no response was left.
    """

    def __init__(self, answers: Iterable[Response | Fault | None]) -> None:
        super().__init__([])
        self._left = deque(answers)
        self._left_out: set[tuple[str, str, bytes | None]] = set()
        self.wanted: list[Request] = []

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(self._exchanges.values())

    @property
    def left(self) -> int:
        return len(self._left)

    def _answer(self, request: Request) -> Response:
        key = _key(request)
        if key not in self._exchanges and key not in self._left_out:
            if not self._left:
                self.wanted.append(request)
                raise NoTape(f"No response is left for {request.method} {request.url}.")
            answer = self._left.popleft()
            if answer is None:
                self._left_out.add(key)
            else:
                self._exchanges[key] = Exchange(_harmless(request), answer)
        return super()._answer(request)


def _key(request: Request) -> tuple[str, str, bytes | None]:
    return request.method, request.url, request.body if request.method == "POST" else None


def _harmless(request: Request) -> Request:
    """Return the request without headers that may be credentials."""
    headers = {name: value for name, value in request.headers.items() if name.lower() in _KEPT_REQUEST_HEADERS}
    return Request(request.method, request.url, headers, request.body)
