"""Clients of the attacked server: plain HTTP, one connection per request, with a time limit for each."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

import orjson

from webquarry.endpoints.registry import API_PREFIX

PAGE_PATH = f"{API_PREFIX}/markdown/url"
FILE_PATH = f"{API_PREFIX}/markdown/file"


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a request.

    outcome: `answer`; the code of an error; `late` if nothing arrived in time; `lost` if the connection ended without a
    response; `broken` if the response is not one of the API; status: 0 if there is none; charged: credits according to
    the response; note: the error's reason and message.
    """

    outcome: str
    status: int = 0
    charged: int = 0
    seconds: float = 0.0
    note: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Payer:
    """An account and one of its keys."""

    account_id: str
    key: str


async def get(
    place: tuple[str, int], payer: Payer, path: str, query: Mapping[str, str], *, most_s: float, fresh: bool = True
) -> CallResult:
    """Request an endpoint. fresh: whether stored results are refused."""
    return await _exchange(place, payer, f"GET {path}?{urlencode(query)}", b"", (), most_s, fresh=fresh)


async def send_file(place: tuple[str, int], payer: Payer, body: bytes, *, most_s: float) -> CallResult:
    fields, form = as_form(body)
    return await _exchange(place, payer, f"POST {FILE_PATH}", form, fields, most_s, fresh=True)


def as_form(body: bytes) -> tuple[tuple[str, ...], bytes]:
    """Return the header fields and the body of a request that uploads a file."""
    boundary = f"doctor-{token_hex(8)}"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file.bin"\r\n\r\n'
    form = head.encode() + body + f"\r\n--{boundary}--\r\n".encode()
    return (f"Content-Type: multipart/form-data; boundary={boundary}", f"Content-Length: {len(form)}"), form


def request_head(line: str, payer: Payer, *fields: str) -> bytes:
    """Return the head of a request with `Connection: close`."""
    usual = ("Host: doctor", f"X-API-Key: {payer.key}", "Connection: close")
    return "\r\n".join([f"{line} HTTP/1.1", *usual, *fields, "", ""]).encode()


async def _exchange(
    place: tuple[str, int],
    payer: Payer,
    line: str,
    body: bytes,
    fields: tuple[str, ...],
    most_s: float,
    *,
    fresh: bool,
) -> CallResult:
    began_s = time.perf_counter()
    writer = None
    heard = b""
    outcome = "lost"
    try:
        async with asyncio.timeout(most_s):
            reader, writer = await asyncio.open_connection(*place)
            uncached = ("Cache-Control: no-cache",) if fresh else ()
            writer.write(request_head(line, payer, *fields, *uncached) + body)
            heard = await reader.read(-1)
    except TimeoutError:
        outcome = "late"
    except OSError as exc:
        return CallResult("lost", seconds=time.perf_counter() - began_s, note=str(exc))
    finally:
        if writer is not None:
            writer.transport.abort()
    return read_answer(heard, outcome, time.perf_counter() - began_s)


def read_answer(heard: bytes, without: str, seconds: float) -> CallResult:
    """Parse a response. without: the outcome if there is no response."""
    head, separator, body = heard.partition(b"\r\n\r\n")
    if not separator:
        return CallResult(without, seconds=seconds)
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    status = int(first.split(" ")[1])
    charged = int(headers.get("x-credits-charged", "0"))
    content: Any = None
    with suppress(orjson.JSONDecodeError):
        content = orjson.loads(body)
    if status == 200 and isinstance(content, dict):
        return CallResult("answer", status, charged, seconds, body=body)
    if isinstance(content, dict) and set(content) == {"error", "code"}:
        note = ": ".join(part for part in (headers.get("x-error-reason", ""), str(content["error"])) if part)
        return CallResult(str(content["code"]), status, charged, seconds, note)
    return CallResult("broken", status, charged, seconds)
