"""Tapes: exchanges written to a folder, and played from it.

    01.request.json    {"method", "url", "headers"?, "body"?: text}; method `RENDER`: a page that a browser made
    01.response.json   {"status", "headers", "fetched_at": RFC 3339, and the body as one of
                        "body": text | "json": any value | "base64": text | "body_file": name of a neighbour}
                       or {"fault": "down" | "timeout"}: there was no answer

and 02, 03, … in the order in which they happened. Bodies stand there with their encodings undone. The header
`content-location` of a rendered page says where its browser was in the end, when that is not the address asked for.
"""

import asyncio
import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from webquarry.errors import ConversionFailed, ProviderError
from webquarry.net.rendering import Rendered, Renderer
from webquarry.net.transport import Limits, Request, Response, Transport
from webquarry.types import Deadline
from webquarry.urls import normalise_url

INLINE_BYTES = 256 * 1024
_SHOWN = 8
_KEPT_REQUEST_HEADERS = frozenset({"accept", "accept-language", "content-type"})  # any other may be a credential
_DROPPED_RESPONSE_HEADERS = frozenset({"set-cookie"})
_RENDERED_AT = "content-location"


@dataclass(frozen=True, slots=True)
class Fault:
    """What stands for an answer that did not come."""

    reason: Literal["down", "timeout"]

    def error(self, host: str) -> ProviderError:
        said = "could not be reached" if self.reason == "down" else "did not answer in time"
        return ProviderError(f"{host} {said}.", reason=self.reason)


class NoTape(ProviderError):
    """A question to which no tape is the answer.

    missing: the request, and what there is, for those who make tapes; known: questions that tapes answer.
    """

    def __init__(self, missing: str, known: Sequence[str] = ()) -> None:
        instead = f": try {', or '.join(known)}." if known else "."
        super().__init__(f"The sandbox has no answer to this{instead}", reason="unavailable")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Exchange:
    request: Request
    response: Response | Fault

    def answered(self) -> Response:
        """The response; the ProviderError of the fault where there was none."""
        if isinstance(self.response, Fault):
            raise self.response.error(urlsplit(self.request.url).hostname or "")
        return self.response


def read_exchanges(folder: Path) -> list[Exchange]:
    """The exchanges of one tape, in their order. ValueError names the file that is not as it should be."""
    return [_read_exchange(path) for path in sorted(folder.glob("*.request.json"))]


class Player:
    """A transport and a browser that answer from tapes.

    A request is matched by method, address and, when posted, body; of several equal ones the first counts, so that
    the same question always has the same answer.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._exchanges: dict[tuple[str, str, bytes | None], Exchange] = {}
        for exchange in exchanges:
            self._exchanges.setdefault(_key(exchange.request), exchange)

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        response = self._answer(request)
        body = response.body if limits.wants_body(response.status) else b""
        room = min(limits.max_bytes, limits.max_wire_bytes)
        if len(body) > room and not limits.truncate:
            raise ConversionFailed(f"The answer has more than the {room:,} bytes that are read.", reason="limits")
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
        """Nothing is open."""

    def _answer(self, request: Request) -> Response:
        exchange = self._exchanges.get(_key(request))
        if exchange is None:
            raise NoTape(self._missing(request))
        return exchange.answered()

    def _missing(self, request: Request) -> str:
        urls = sorted({url for _, url, _ in self._exchanges})
        host = urlsplit(request.url).hostname
        near = [url for url in urls if urlsplit(url).hostname == host]
        shown = near or sorted({urlsplit(url).hostname or "" for url in urls})
        rest = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        has = f"{', '.join(shown[:_SHOWN])}{rest}" if shown else "none at all"
        return f"There is no tape of {request.method} {request.url}; there are tapes of {has}."


class Recorder:
    """A transport, and a browser where one is given, that also writes what passes through it, behind the exchanges that
    the folder already holds.

    Credentials are not written: of request headers only harmless ones, of responses no cookies.
    """

    def __init__(self, transport: Transport, folder: Path, browser: Renderer | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._transport = transport
        self._browser = browser
        self._folder = folder
        self._written = len(list(folder.glob("*.request.json")))

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        response = await self._transport.send(request, deadline, limits)
        await self._keep(request, response)
        return response

    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        if self._browser is None:
            raise ProviderError("There is no browser to record.", reason="unavailable")
        rendered = await self._browser.render(url, deadline, account)
        body = rendered.html.encode("utf-8", "replace")
        headers = {**rendered.headers, _RENDERED_AT: rendered.url}
        await self._keep(
            Request("RENDER", url), Response(rendered.status, headers, body, rendered.fetched_at, rendered.wire_bytes)
        )
        return rendered

    async def close(self) -> None:
        await self._transport.close()

    async def _keep(self, request: Request, response: Response) -> None:
        self._written += 1
        await asyncio.to_thread(_write, self._folder, f"{self._written:02d}", request, response)


def _key(request: Request) -> tuple[str, str, bytes | None]:
    return request.method, request.url, request.body if request.method == "POST" else None


def _read_exchange(path: Path) -> Exchange:
    answer = path.with_name(path.name.replace(".request.", ".response."))
    try:
        asked, told = json.loads(path.read_bytes()), json.loads(answer.read_bytes())
        request = Request(
            method=asked["method"],
            url=normalise_url(asked["url"]),
            headers=asked.get("headers", {}),
            body=asked["body"].encode() if "body" in asked else None,
        )
        if told.get("fault") in ("down", "timeout"):
            return Exchange(request, Fault(told["fault"]))
        body = _body(told, path.parent)
        headers = {name.lower(): value for name, value in told["headers"].items()}
        if "json" in told:
            headers.setdefault("content-type", "application/json")
        response = Response(
            status=told["status"],
            headers=headers,
            body=body,
            fetched_at=datetime.fromisoformat(told["fetched_at"]).astimezone(UTC),
            wire_bytes=len(body),
            cookies=(headers["set-cookie"],) if "set-cookie" in headers else (),
        )
    except (OSError, KeyError, TypeError, AttributeError, ValueError) as exc:
        raise ValueError(f"{path}: not a whole exchange: {exc!r}") from exc
    return Exchange(request, response)


def _body(told: Mapping[str, Any], folder: Path) -> bytes:
    match [name for name in ("body", "json", "base64", "body_file") if name in told]:
        case ["body"]:
            return str(told["body"]).encode()
        case ["json"]:
            return json.dumps(told["json"]).encode()
        case ["base64"]:
            return base64.b64decode(told["base64"], validate=True)
        case ["body_file"]:
            return (folder / Path(told["body_file"]).name).read_bytes()
        case []:
            return b""
    raise ValueError("more than one of body, json, base64, body_file")


def _write(folder: Path, number: str, request: Request, response: Response) -> None:
    asked: dict[str, Any] = {"method": request.method, "url": request.url}
    if kept := {n: v for n, v in request.headers.items() if n.lower() in _KEPT_REQUEST_HEADERS}:
        asked["headers"] = kept
    if request.body is not None:
        asked["body"] = request.body.decode()
    told: dict[str, Any] = {
        "status": response.status,
        "headers": {n: v for n, v in response.headers.items() if n not in _DROPPED_RESPONSE_HEADERS},
        "fetched_at": response.fetched_at.isoformat().replace("+00:00", "Z"),
    }
    if len(response.body) > INLINE_BYTES:
        told["body_file"] = f"{number}.body"
        (folder / told["body_file"]).write_bytes(response.body)
    else:
        told.update(_inline(response.body))
    _dump(folder / f"{number}.request.json", asked)
    _dump(folder / f"{number}.response.json", told)


def _inline(body: bytes) -> dict[str, str]:
    """As text where that loses nothing."""
    try:
        return {"body": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def _dump(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
