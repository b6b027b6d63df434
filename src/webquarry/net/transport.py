"""Interface of transports: one request to one host, without redirects, politeness or checks of the status."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from webquarry.core.types import Deadline

Method = Literal["GET", "POST", "RENDER"]
"""Method of a request. `RENDER` occurs only on tapes, for a page that a browser rendered (`rendering`)."""
OF_THE_TRANSFER = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Header fields that describe the transfer of a body and do not apply to the decoded body."""


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request to send. `url` is normalized; `headers` exclude Host, Accept-Encoding and Content-Length.

    `secrets` are additional query parameters that are sent but never shown or stored.
    """

    method: Method
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the size of a response.

    `max_wire_bytes` applies to the body as transferred, `max_bytes` to the decoded body. With `truncate`, a larger body
    is cut instead of refused. `wants_body(status)` returns whether to read the body of a response with this status.
    """

    max_wire_bytes: int
    max_bytes: int
    truncate: bool
    wants_body: Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Response:
    """A received HTTP response with its whole body.

    `headers` has lower-case names and omits headers that only describe the transfer. `body` is decoded. `fetched_at`
    is in UTC. `wire_bytes` is the length of the body as transferred. `cookies` are the values of all `Set-Cookie`
    fields.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    fetched_at: datetime
    wire_bytes: int
    truncated: bool = False
    cookies: tuple[str, ...] = field(default=(), repr=False)


class Transport(Protocol):
    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        """Send one request and return the response, before the deadline.

        Raises UnsafeTarget if an address is not public, ProviderError (timeout, down, refused, unavailable) if there is
        no complete response, and ConversionFailed (limits) if it is too large.
        """
        ...

    async def close(self) -> None:
        """Close all connections within a few seconds."""
        ...
