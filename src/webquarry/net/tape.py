"""Tapes: exchanges written to a folder, and played from it.

`tape.toml` has a table for each exchange, in the order in which they happened; long bodies stand beside it, in files
that open with what they are.

    [[exchange]]
    method = "GET"                        or "POST", or "RENDER": a page that a browser made
    url = "https://example.com/"
    request_headers.accept = "text/html"  any number, or none
    request_body = "q=tea"                of a post
    status = 200
    fetched_at = 2026-11-01T12:00:00Z
    headers.content-type = "text/html"    any number, or none
    body = "01.html"                      a neighbour with the bytes; or json = "01.json", a value that is sent without
                                          the spaces it is laid out with; or text = "…"; or none: it was empty

    fault = "down"                        or "timeout", in place of all below `status`: there was no answer

Bodies stand there with their encodings undone. The header `content-location` of a rendered page says where its browser
was in the end, when that is not the address asked for.
"""

import asyncio
import json
import re
import tomllib
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from webquarry.errors import ConversionFailed, ProviderError
from webquarry.net.rendering import Rendered, Renderer
from webquarry.net.transport import Limits, Request, Response, Transport
from webquarry.toml import Value, write_values
from webquarry.types import Deadline
from webquarry.urls import normalise_url

TAPE = "tape.toml"
"""The file that makes a folder a tape."""
TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".js": "text/javascript; charset=utf-8",
    ".xml": "application/xml",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".zip": "application/zip",
}
"""What a body is, by the end of its file's name."""
_ASKED = frozenset({"method", "url", "request_headers", "request_body"})
_TOLD = frozenset({"status", "fetched_at", "headers"})
_BODIES = frozenset({"body", "json", "text"})
_FAULTS = ("down", "timeout")
_METHODS = ("GET", "POST", "RENDER")
_INLINE_BYTES = 200
"""A text up to which a body stands in the tape itself."""
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_SHOWN = 8
_KEPT_REQUEST_HEADERS = frozenset({"accept", "accept-language", "content-type"})  # any other may be a credential
_DROPPED_RESPONSE_HEADERS = frozenset({"set-cookie"})
_RENDERED_AT = "content-location"


@dataclass(frozen=True, slots=True)
class Fault:
    """What stands for an answer that did not come."""

    reason: Literal["down", "timeout"]

    def error(self, host: str) -> ProviderError:
        fault = "could not be reached" if self.reason == "down" else "did not answer in time"
        return ProviderError(f"{host} {fault}.", reason=self.reason)


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


def read_tape(folder: Path, beside: Collection[str] = ()) -> dict[str, Any]:
    """What `tape.toml` of the folder says. beside: names that may stand there beside `exchange`.

    ValueError, a sentence that names the file, when it is not there, is no TOML or has a name that is not known.
    """
    path = folder / TAPE
    try:
        tape = tomllib.loads(path.read_text("utf-8"))
    except OSError as exc:
        raise ValueError(f"{path}: it cannot be read: {exc.strerror}.") from exc
    except ValueError as exc:
        raise ValueError(f"{path}: it is no TOML: {exc}.") from exc
    _refuse_unknown(path, "the tape", tape, {"exchange", *beside})
    return tape


def read_exchanges(folder: Path, tape: Mapping[str, Any] | None = None) -> list[Exchange]:
    """The exchanges of a folder, in their order. tape: what its `tape.toml` says, read unless given.

    ValueError, a sentence that names the file, when one is not whole.
    """
    tables = (read_tape(folder) if tape is None else tape).get("exchange", [])
    if not isinstance(tables, list):
        raise ValueError(f"{folder / TAPE}: exchanges begin with [[exchange]].")
    return [_read_exchange(folder, number, one) for number, one in enumerate(tables, 1)]


def write_exchange(folder: Path, number: int, exchange: Exchange) -> None:
    """Write an exchange behind those that the folder's tape has; number: of its body's file."""
    request, response = exchange.request, exchange.response
    asked: dict[str, Value] = {"method": request.method, "url": request.url}
    text = f"{write_values(asked)}{write_values(request.headers, 'request_headers')}"
    if request.body is not None:
        text += write_values({"request_body": request.body.decode()})
    if isinstance(response, Fault):
        text += write_values({"fault": response.reason})
    else:
        text += write_values({"status": response.status, "fetched_at": response.fetched_at})
        text += write_values(response.headers, "headers")
        text += write_values(_write_body(folder, f"{number:02d}", response))
    path = folder / TAPE
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{chr(10) if path.stat().st_size else ''}[[exchange]]\n{text}")


class Player:
    """A transport and a browser that answer from tapes.

    A request is matched by method, address and, when posted, body; of several equal ones the first counts, so that
    the same question always has the same answer.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._exchanges: dict[tuple[str, str, bytes | None], Exchange] = {}
        for exchange in exchanges:
            self._exchanges.setdefault(_key(exchange.request), exchange)
        self._urls: dict[str, list[str]] = {}  # by host
        for url in sorted({url for _, url, _ in self._exchanges}):
            self._urls.setdefault(urlsplit(url).hostname or "", []).append(url)

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
        shown = self._urls.get(urlsplit(request.url).hostname or "") or sorted(self._urls)
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
        self._written = len(read_exchanges(folder)) if (folder / TAPE).exists() else 0

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
        headers = {name: value for name, value in response.headers.items() if name not in _DROPPED_RESPONSE_HEADERS}
        exchange = Exchange(_harmless(request), replace(response, headers=headers))
        await asyncio.to_thread(write_exchange, self._folder, self._written, exchange)


class Maker(Player):
    """Answers what is asked with the responses that it was given, in their order: so a tape is made of bodies.

    answers: None leaves a request without a tape, where who asks can do without it. exchanges: what was asked and
    answered so far; left: how many answers were not asked for; wanted: requests for which none was left.
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
                raise NoTape(f"There is no wire left for {request.method} {request.url}.")
            answer = self._left.popleft()
            if answer is None:
                self._left_out.add(key)
            else:
                self._exchanges[key] = Exchange(_harmless(request), answer)
        return super()._answer(request)


def _key(request: Request) -> tuple[str, str, bytes | None]:
    return request.method, request.url, request.body if request.method == "POST" else None


def _harmless(request: Request) -> Request:
    """The request without what may be a credential."""
    headers = {name: value for name, value in request.headers.items() if name.lower() in _KEPT_REQUEST_HEADERS}
    return Request(request.method, request.url, headers, request.body)


def _read_exchange(folder: Path, number: int, table: Any) -> Exchange:
    path, what = folder / TAPE, f"exchange {number}"
    try:
        if not isinstance(table, dict):
            raise ValueError("it is no table")
        if table["method"] not in _METHODS:
            raise ValueError(f"its method is none of {', '.join(_METHODS)}")
        request = Request(
            method=table["method"],
            url=normalise_url(table["url"]),
            headers=_texts(table, "request_headers"),
            body=table["request_body"].encode() if "request_body" in table else None,
        )
        if "fault" in table:
            _refuse_unknown(path, what, table, _ASKED | {"fault"})
            if table["fault"] not in _FAULTS:
                raise ValueError(f"its fault is none of {', '.join(_FAULTS)}")
            return Exchange(request, Fault(table["fault"]))
        _refuse_unknown(path, what, table, _ASKED | _TOLD | _BODIES)
        body = _read_body(folder, table)
        headers = {name.lower(): value for name, value in _texts(table, "headers").items()}
        response = Response(
            status=_status(table),
            headers=headers,
            body=body,
            fetched_at=_instant(table),
            wire_bytes=len(body),
            cookies=(headers["set-cookie"],) if "set-cookie" in headers else (),
        )
    except _Unknown:
        raise
    except KeyError as exc:
        raise ValueError(f"{path}: {what} has no {exc.args[0]}.") from exc
    except (TypeError, AttributeError, ValueError) as exc:
        raise ValueError(f"{path}: {what} is not whole: {exc}.") from exc
    return Exchange(request, response)


def _status(table: Mapping[str, Any]) -> int:
    status = table["status"]
    if type(status) is not int or not 100 <= status <= 999:
        raise ValueError("its status is no number of three digits")
    return status


def _instant(table: Mapping[str, Any]) -> datetime:
    instant = table["fetched_at"]
    if not isinstance(instant, datetime) or instant.tzinfo is None:
        raise ValueError("its fetched_at is no instant like 2026-01-31T12:00:00Z")
    return instant.astimezone(UTC)


def _texts(table: Mapping[str, Any], name: str) -> dict[str, str]:
    values: dict[str, str] = table.get(name, {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise ValueError(f"{name} are texts")
    return values


class _Unknown(ValueError):
    """A name in a tape that means nothing."""


def _refuse_unknown(path: Path, what: str, table: Mapping[str, Any], known: Collection[str]) -> None:
    for name in table:
        if name not in known:
            raise _Unknown(f"{path}: {what} has {name}, which is none of {', '.join(sorted(known))}.")


def _read_body(folder: Path, table: Mapping[str, Any]) -> bytes:
    found = sorted(_BODIES & table.keys())
    if len(found) > 1:
        raise ValueError(f"its body is told by {' and '.join(found)} at once")
    if not found:
        return b""
    if found == ["text"]:
        return str(table["text"]).encode()
    path = folder / Path(table[found[0]]).name
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise ValueError(f"its body {path.name} cannot be read: {exc.strerror}") from exc
    return json.dumps(json.loads(content)).encode() if found == ["json"] else content


def _write_body(folder: Path, stem: str, response: Response) -> dict[str, Value]:
    """The line that tells the body, which is written to a file of its own unless it is short."""
    body = response.body
    if not body:
        return {}
    if len(body) <= _INLINE_BYTES and (text := _decode(body)) is not None and not _CONTROL.search(text):
        return {"text": text}
    name = f"{stem}{_extension(response)}"
    (folder / name).write_bytes(body)
    return {"body": name}


def _decode(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _extension(response: Response) -> str:
    """By the type that the answer says; else whether it is text."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    for extension, known in TYPES.items():
        if kind == known.partition(";")[0]:
            return extension
    for ending in ("json", "xml"):
        if kind.endswith(("+" + ending, "/" + ending)):
            return f".{ending}"
    return ".bin" if _decode(response.body) is None else ".txt"
