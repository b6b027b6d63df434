"""The seam under `Net`: one exchange with one host, without redirects, manners or judgement of statuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from webquarry.core.types import Deadline

Method = Literal["GET", "POST", "RENDER"]
"""`RENDER` stands on tapes only: a page that a browser made (`rendering`)."""
OF_THE_TRANSFER = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Fields that say how a body travelled, and nothing about it once it is here."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. url: normalised; headers: without Host, Accept-Encoding and Content-Length.

    secrets: further parameters of the query, which stand in what is sent and nowhere else.
    """

    method: Method
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of an answer is taken.

    max_wire_bytes: as transferred; max_bytes: once inflated; truncate: cut what is beyond instead of refusing it;
    wants_body: says of a status whether the body is wanted; the bodies of others are not read.
    """

    max_wire_bytes: int
    max_bytes: int
    truncate: bool
    wants_body: Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Response:
    """What was answered. headers: lower-case names, without those that describe the transfer only;
    body: encodings undone; fetched_at: UTC; wire_bytes: length of the body as transferred; cookies: the values of all
    `Set-Cookie` fields."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    fetched_at: datetime
    wire_bytes: int
    truncated: bool = False
    cookies: tuple[str, ...] = field(default=(), repr=False)


class Transport(Protocol):
    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        """The answer to one request, by the deadline.

        UnsafeTarget when an address is not public; ProviderError (timeout, down, refused, unavailable) when there is
        no whole answer; ConversionFailed (limits) when it is too large.
        """
        ...

    async def close(self) -> None:
        """Let go of all connections, within seconds."""
        ...
