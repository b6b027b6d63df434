"""Requests sent over HTTP to a running server."""

import asyncio
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPMessage
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from webquarry.cli.asking import Failure, Question, Reply, SentFile
from webquarry.cli.exit_codes import UNREACHABLE

SPARE_S = 30.0
"""Seconds added to the endpoint's deadline for the transfer and the server's queue."""
MAX_BYTES = 256 * 1024 * 1024
"""Maximum size of a response in bytes. Every endpoint's responses are smaller."""
_PIECE = 64 * 1024
_HELP = re.compile(r"<([^<>\s]{1,500})>; rel=\"help\"")
_KEY = re.compile(r"[!-~]{1,200}")


class RemoteServer:
    """A server, by its URL. Redirects are not followed, because a redirect could send the key to another host."""

    def __init__(self, url: str, key: str) -> None:
        self._url = check_url(url)
        if not key:
            raise Failure(f"The server {self._url} needs an API key.", "unauthorized")
        if not _KEY.fullmatch(key):
            raise Failure("The API key contains spaces or characters that are not allowed in keys.", "unauthorized")
        self._key = key
        self._opener: OpenerDirector = build_opener(_NoRedirects)

    async def ask(self, question: Question) -> Reply:
        """Return the reply. Raises Failure for an error of the server, or if it can't be reached."""
        return await _run_in_daemon(lambda: self._ask(question))

    def _ask(self, question: Question) -> Reply:
        request = self._make_request(question)
        wait_s = question.entry.deadline_s + SPARE_S
        try:
            with self._opener.open(request, timeout=wait_s) as response:
                body = _read(response, time.monotonic() + wait_s)
                headers: HTTPMessage = response.headers
        except HTTPError as error:
            with error:
                raise self._explain(error) from error
        except URLError as error:
            sentence = f"Can't reach {self._url}: {_explain_reason(error.reason)}. Check that the server is running."
            raise Failure(sentence, UNREACHABLE) from error
        except (OSError, HTTPException) as error:
            raise Failure(f"{self._url} cut off the response: {_explain_reason(error)}.", UNREACHABLE) from error
        if headers.get_content_type() != "application/json" or "X-Credits-Charged" not in headers:
            raise Failure(f"{self._url} is not a Webquarry server. Check --server.", UNREACHABLE)
        charged = headers["X-Credits-Charged"]
        return Reply(body, int(charged) if charged.isdecimal() else 0, headers.get("X-Cache", ""))

    def _make_request(self, question: Question) -> Request:
        query = f"?{urlencode(question.query)}" if question.query else ""
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Accept": "application/json",
            "User-Agent": "webquarry-cli",
        }
        if question.fresh:
            headers["Cache-Control"] = "no-cache"
        body = None
        if question.file is not None:
            boundary = secrets.token_hex(16)
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            body = _encode_upload(question.file, boundary)
        url = f"{self._url}{question.entry.path}{query}"
        return Request(url, data=body, headers=headers)  # noqa: S310  # the scheme has been checked

    def _explain(self, error: HTTPError) -> Failure:
        """Return the failure with the server's error message, or a failure which states that the server is not
        Webquarry.
        """
        headers = error.headers
        if 300 <= error.code < 400:
            target = headers.get("Location", "another address")
            return Failure(f"{self._url} redirects to {target}. Use the server's own URL with --server.", UNREACHABLE)
        try:
            told: Any = json.loads(_read(error, time.monotonic() + SPARE_S))
            message, code = str(told["error"]), str(told["code"])
        except (ValueError, TypeError, KeyError, OSError, HTTPException):
            sentence = (
                f"{self._url} responded with status {error.code}, but does not seem to be a Webquarry server. Check "
                f"--server."
            )
            return Failure(sentence, UNREACHABLE)
        help_url = _HELP.search(headers.get("Link", ""))
        wait = headers.get("Retry-After", "")
        return Failure(
            message,
            code,
            help_url=help_url[1] if help_url else "",
            request_id=headers.get("X-Request-Id", ""),
            retry_after_s=float(wait) if wait.isdecimal() else None,
        )


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def check_url(url: str) -> str:
    """Return the server's URL without a trailing slash. Raises Failure if it is not an http or https URL."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid or re.search(r"[\s?#@]", url):
        hint = "" if "://" in url else f" Did you mean http://{url}?"
        raise Failure(f"--server must be a URL such as https://quarry.example, not {url}.{hint}", "invalid_params")
    return url.rstrip("/")


def read_key(given: str | None, environment: Mapping[str, str]) -> str:
    """Return the API key from the option or from a variable, or "" if there is none.

    The option is the key itself, or @FILE for a file that contains it.
    """
    if given is None:
        return (environment.get("WEBQUARRY_API_KEY") or environment.get("WEBQUARRY_KEY") or "").strip()
    if not given.startswith("@"):
        return given.strip()
    try:
        with open(given[1:], encoding="ascii") as file:
            return file.read(10_000).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"Can't read the key from {given[1:]}: {_explain_reason(error)}.", "unauthorized") from error


async def _run_in_daemon(work: Callable[[], Reply]) -> Reply:
    """Run the work in a daemon thread.

    Unlike asyncio's threads, a daemon thread does not keep the process alive after Ctrl+C.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Reply] = loop.create_future()

    def finish(reply: Reply | None, error: Exception | None) -> None:
        if future.cancelled():
            return
        if reply is None:
            future.set_exception(error or RuntimeError("no reply"))
        else:
            future.set_result(reply)

    def run() -> None:
        reply, fault = None, None
        try:
            reply = work()
        except Exception as error:  # noqa: BLE001  # the exception is raised where the future is awaited
            fault = error
        with suppress(RuntimeError):  # the loop was closed in the meantime
            loop.call_soon_threadsafe(finish, reply, fault)

    threading.Thread(target=run, daemon=True).start()
    return await future


def _read(response: Any, until: float) -> bytes:
    """Return the body. Raises OSError if the body is too large or does not arrive in the time left."""
    pieces, size = [], 0
    while piece := response.read1(_PIECE):
        size += len(piece)
        if size > MAX_BYTES:
            raise OSError(f"it is larger than {MAX_BYTES:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError("timed out")
        pieces.append(piece)
    if response.length:  # `read1` mistakes a closed connection for the end of the body
        raise OSError(f"{response.length:,} bytes are missing")
    return b"".join(pieces)


def _encode_upload(file: SentFile, boundary: str) -> bytes:
    name = re.sub(r'[\x00-\x1f\x7f"\\]', "_", file.name)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    return b"".join((head.encode("utf-8", "replace"), file.read(), f"\r\n--{boundary}--\r\n".encode()))


def _explain_reason(error: object) -> str:
    """Return a network error as text without its class name."""
    if isinstance(error, TimeoutError):
        return "no response in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
