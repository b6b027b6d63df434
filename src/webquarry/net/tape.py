"""File format of tapes: writing exchanges to a folder and reading them.

`tape.toml` has a table for each exchange, in the order in which they happened. Long bodies are separate files in the
same folder, readable in their own format.

    [[exchange]]
    method = "GET"                        or "POST", or "RENDER": a page rendered by a browser
    url = "https://example.com/"
    request_headers.accept = "text/html"  any number, or none
    request_body = "q=tea"                for a POST
    status = 200
    fetched_at = 2026-11-01T12:00:00Z
    headers.content-type = "text/html"    any number, or none
    body = "01.html"                      a file in the folder; or json = "01.json", a value that is sent without its
                                          layout; or text = "…"; omitted for an empty body
    fault = "down"                        or "timeout", instead of everything from `status` on: no response

Bodies are stored decoded. The header `content-location` of a rendered page holds the browser's final URL if it differs
from the requested one.
"""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.toml import Value, write_values
from webquarry.core.urls import normalise_url
from webquarry.net.transport import Request, Response

TAPE = "tape.toml"
"""Name of the file that makes a folder a tape."""
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
"""Content type of a body by the extension of its file."""
_ASKED = frozenset({"method", "url", "request_headers", "request_body"})
_TOLD = frozenset({"status", "fetched_at", "headers"})
_BODIES = frozenset({"body", "json", "text"})
_FAULTS = ("down", "timeout")
_METHODS = ("GET", "POST", "RENDER")
_INLINE_BYTES = 200
"""Maximum size of a body that is stored as text in the tape itself."""
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure recorded in place of a response."""

    reason: Literal["down", "timeout"]

    def error(self, host: str) -> ProviderError:
        fault = "could not be reached" if self.reason == "down" else "didn't respond in time"
        return ProviderError(f"{host} {fault}.", reason=self.reason)


@dataclass(frozen=True, slots=True)
class Exchange:
    request: Request
    response: Response | Fault

    def answered(self) -> Response:
        """Return the response. Raises the fault's ProviderError if there was no response."""
        if isinstance(self.response, Fault):
            raise self.response.error(urlsplit(self.request.url).hostname or "")
        return self.response


def read_tape(folder: Path, beside: Collection[str] = ()) -> dict[str, Any]:
    """Return the contents of the folder's `tape.toml`. `beside` lists names allowed in addition to `exchange`.

    Raises ValueError, with a sentence that names the file, if the file is missing, is not TOML or contains an unknown
    name.
    """
    path = folder / TAPE
    try:
        tape = tomllib.loads(path.read_text("utf-8"))
    except OSError as exc:
        raise ValueError(f"{path} can't be read: {exc.strerror}.") from exc
    except ValueError as exc:
        raise ValueError(f"{path}: invalid TOML: {exc}.") from exc
    _refuse_unknown(path, "the tape", tape, {"exchange", *beside})
    return tape


def read_exchanges(folder: Path, tape: Mapping[str, Any] | None = None) -> list[Exchange]:
    """Return the exchanges of a folder in order. `tape` is the content of its `tape.toml`, which is read if it is not
    given.

    Raises ValueError, with a sentence that names the file, if an exchange is incomplete.
    """
    tables = (read_tape(folder) if tape is None else tape).get("exchange", [])
    if not isinstance(tables, list):
        raise ValueError(f"{folder / TAPE}: each exchange must be a table named [[exchange]].")
    return [_read_exchange(folder, number, one) for number, one in enumerate(tables, 1)]


def write_exchange(folder: Path, number: int, exchange: Exchange) -> None:
    """Append an exchange to the folder's tape. `number` names the file of its body."""
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


def _read_exchange(folder: Path, number: int, table: Any) -> Exchange:
    path, what = folder / TAPE, f"exchange {number}"
    try:
        if not isinstance(table, dict):
            raise ValueError("it is not a table")
        if table["method"] not in _METHODS:
            raise ValueError(f"its method must be one of {', '.join(_METHODS)}")
        request = Request(
            method=table["method"],
            url=normalise_url(table["url"]),
            headers=_texts(table, "request_headers"),
            body=table["request_body"].encode() if "request_body" in table else None,
        )
        if "fault" in table:
            _refuse_unknown(path, what, table, _ASKED | {"fault"})
            if table["fault"] not in _FAULTS:
                raise ValueError(f"its fault must be one of {', '.join(_FAULTS)}")
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
        raise ValueError(f"{path}: {what} is invalid: {exc}.") from exc
    return Exchange(request, response)


def _status(table: Mapping[str, Any]) -> int:
    status = table["status"]
    if type(status) is not int or not 100 <= status <= 999:
        raise ValueError("its status must be a number of three digits")
    return status


def _instant(table: Mapping[str, Any]) -> datetime:
    instant = table["fetched_at"]
    if not isinstance(instant, datetime) or instant.tzinfo is None:
        raise ValueError("its fetched_at must be a time such as 2026-01-31T12:00:00Z")
    return instant.astimezone(UTC)


def _texts(table: Mapping[str, Any], name: str) -> dict[str, str]:
    values: dict[str, str] = table.get(name, {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise ValueError(f"{name} must be strings")
    return values


class _Unknown(ValueError):
    """An unknown name in a tape."""


def _refuse_unknown(path: Path, what: str, table: Mapping[str, Any], known: Collection[str]) -> None:
    for name in table:
        if name not in known:
            raise _Unknown(f"{path}: {what} has the unknown key {name}; valid keys are {', '.join(sorted(known))}.")


def _read_body(folder: Path, table: Mapping[str, Any]) -> bytes:
    found = sorted(_BODIES & table.keys())
    if len(found) > 1:
        raise ValueError(f"its body is set more than once, by {' and '.join(found)}")
    if not found:
        return b""
    if found == ["text"]:
        return str(table["text"]).encode()
    path = folder / Path(table[found[0]]).name
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise ValueError(f"its body {path.name} can't be read: {exc.strerror}") from exc
    return json.dumps(json.loads(content)).encode() if found == ["json"] else content


def _write_body(folder: Path, stem: str, response: Response) -> dict[str, Value]:
    """Return the entry for the body, which is written to a separate file unless it is short."""
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
    """Return the file extension for the response's content type or, if the type is unknown, for text or binary data."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    for extension, known in TYPES.items():
        if kind == known.partition(";")[0]:
            return extension
    for ending in ("json", "xml"):
        if kind.endswith(("+" + ending, "/" + ending)):
            return f".{ending}"
    return ".bin" if _decode(response.body) is None else ".txt"
