"""HTTP requests to a running Webquarry server, sent from threads so that Ctrl+C never waits for one."""

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from webquarry.cli.asking import Failure
from webquarry.cli.exit_codes import UNREACHABLE

T = TypeVar("T")
SPARE_S = 30.0
"""Seconds added to the time that a request takes, for the transfer and the server's queue."""
MAX_BYTES = 256 * 1024 * 1024
"""Maximum size of a response in bytes. Every endpoint's responses are smaller."""
PIECE = 64 * 1024
_HELP = re.compile(r"<([^<>\s]{1,500})>; rel=\"help\"")
_KEY = re.compile(r"[!-~]{1,200}")


class Server:
    """A server, by its URL. Redirects are not followed, because a redirect could send the key to another host."""

    def __init__(self, url: str, key: str) -> None:
        self.url = check_url(url)
        if not key:
            raise Failure(f"The server {self.url} needs an API key.", "unauthorized")
        if not _KEY.fullmatch(key):
            raise Failure("The API key contains spaces or characters that are not allowed in keys.", "unauthorized")
        self._key = key
        self._opener: OpenerDirector = build_opener(_NoRedirects)

    @contextmanager
    def send(
        self,
        method: str,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        wait_s: float,
    ) -> Iterator[HTTPResponse]:
        """Send a request and yield the response. `wait_s` is the maximum silence of the server in seconds.

        Raises Failure for an error of the server, if it can't be reached, or if the response breaks off while the
        context reads it.
        """
        url = f"{self.url}{path}{f'?{urlencode(query)}' if query else ''}"
        sent = {"Authorization": f"Bearer {self._key}", "Accept": "application/json", "User-Agent": "webquarry-cli"}
        request = Request(url, body, {**sent, **(headers or {})}, method=method)  # noqa: S310  # the scheme is checked
        try:
            with self._opener.open(request, timeout=wait_s) as response:
                yield response
        except HTTPError as error:
            with error:
                raise self._explain(error) from error
        except URLError as error:
            sentence = f"Can't reach {self.url}: {explain_reason(error.reason)}. Check that the server is running."
            raise Failure(sentence, UNREACHABLE) from error
        except (OSError, HTTPException) as error:
            raise Failure(f"{self.url} cut off the response: {explain_reason(error)}.", UNREACHABLE) from error

    def make_foreign_failure(self) -> Failure:
        """Return the failure for a response that no Webquarry server sends."""
        return Failure(f"{self.url} is not a Webquarry server. Check --server.", UNREACHABLE)

    def _explain(self, error: HTTPError) -> Failure:
        """Return the server's error in its own words, or a failure if something other than Webquarry responded."""
        headers = error.headers
        if 300 <= error.code < 400:
            target = headers.get("Location", "another address")
            return Failure(f"{self.url} redirects to {target}. Use the server's own URL with --server.", UNREACHABLE)
        try:
            told: Any = json.loads(read_body(error, time.monotonic() + SPARE_S))
            message, code = str(told["error"]), str(told["code"])
        except (ValueError, TypeError, KeyError, OSError, HTTPException):
            sentence = (
                f"{self.url} responded with status {error.code}, but does not seem to be a Webquarry server. Check "
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
        raise Failure(f"Can't read the key from {given[1:]}: {explain_reason(error)}.", "unauthorized") from error


async def run_in_daemon(work: Callable[[], T]) -> T:
    """Run the work in a daemon thread.

    Unlike asyncio's threads, a daemon thread does not keep the process alive after Ctrl+C.
    """
    outcome: Future[T] = Future()
    outcome.set_running_or_notify_cancel()  # a canceled caller does not stop the thread

    def run() -> None:
        try:
            outcome.set_result(work())
        except Exception as error:  # noqa: BLE001  # raised where the outcome is awaited
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(outcome)


def read_body(response: Any, until: float) -> bytes:
    """Return the body. Raises OSError if it is too large or takes longer than the time left."""
    pieces, size = [], 0
    while piece := response.read1(PIECE):
        size += len(piece)
        if size > MAX_BYTES:
            raise OSError(f"it is larger than {MAX_BYTES:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError("timed out")
        pieces.append(piece)
    if response.length:  # `read1` mistakes a closed connection for the end of the body
        raise OSError(f"{response.length:,} bytes are missing")
    return b"".join(pieces)


def explain_reason(error: object) -> str:
    """Return a network error as text without its class name."""
    if isinstance(error, TimeoutError):
        return "no response in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
