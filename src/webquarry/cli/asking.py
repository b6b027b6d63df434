"""Requests to endpoints and their replies, used for both the local service and a server."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, Protocol

import click

from webquarry.cli.catalogue import Entry
from webquarry.cli.exit_codes import BY_CODE, Exit
from webquarry.cli.screen import clean

API_KEY_HINT = "Set WEBQUARRY_API_KEY, or pass --key @FILE with a file that contains the key."
_NEXT_STEPS = {"unauthorized": API_KEY_HINT}
"""Advice by error code, for errors whose message contains no advice."""


STDIN = "-"
"""Argument that stands for standard input."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file to upload. It is read when its request is sent. `path` is `-` for standard input."""

    path: str
    max_bytes: int

    @property
    def name(self) -> str:
        return "stdin" if self.path == STDIN else Path(self.path).name

    def read(self) -> bytes:
        """Return the file's content. Raises Failure if the file can't be read or is too large."""
        try:
            if self.path == STDIN:
                body = sys.stdin.buffer.read(self.max_bytes + 1)
            else:
                with Path(self.path).open("rb") as file:
                    body = file.read(self.max_bytes + 1)
        except OSError as error:
            raise Failure(f"Can't read {self.path}: {error.strerror}.", "invalid_params") from error
        if len(body) > self.max_bytes:
            raise Failure(f"The file is larger than {self.max_bytes:,} bytes.", "file_too_large")
        return body


@dataclass(frozen=True, slots=True)
class Question:
    """A request to an endpoint.

    `subject` names the request in messages: the argument, or "" if all parameters are options.
    """

    entry: Entry
    query: tuple[tuple[str, str], ...]
    subject: str = ""
    file: SentFile | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A successful response. `body` is the JSON of the API; `cache` is `hit`, `joined` or `miss`."""

    body: bytes = field(repr=False)
    credits: int
    cache: str


class Failure(Exception):
    """A failed request: a sentence and an error code of the API.

    `help_url` and `request_id` are "" if unknown. `retry_after_s` is the number of seconds to wait before a retry, or
    None.
    """

    def __init__(
        self, message: str, code: str, *, help_url: str = "", request_id: str = "", retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.help_url = help_url
        self.request_id = request_id
        self.retry_after_s = retry_after_s

    @property
    def exit(self) -> Exit:
        return BY_CODE.get(self.code, Exit.FAILED)

    def lines(self) -> list[str]:
        """Return the error as lines of text: message and code, then advice, and the request id for support."""
        found = [f"{self.message} ({self.code})"]
        if step := _NEXT_STEPS.get(self.code):
            found.append(step)
        if self.help_url:
            found.append(f"Help: {self.help_url}")
        if self.request_id:
            found.append(f"Request ID: {self.request_id}")
        return found


class Asker(Protocol):
    """Interface to a service that answers requests."""

    async def ask(self, question: Question) -> Reply:
        """Send the request and return the reply. Raises Failure."""
        ...


def exit_with(failure: Failure, *, as_json: bool) -> NoReturn:
    """Report the failure on standard error and exit with its code. `as_json` prints the error as the API sends it."""
    if as_json:
        click.echo(json.dumps({"error": failure.message, "code": failure.code}), err=True)
    else:
        first, *rest = map(clean, failure.lines())
        click.echo("\n".join([f"Error: {first}", *rest]), err=True)
    sys.exit(failure.exit)
