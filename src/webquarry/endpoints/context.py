"""What an endpoint's own `run` is given by the machinery: doors, children, parts, and what it may say of its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from webquarry.core.clock import Clock
from webquarry.core.types import Deadline, File, Isolated, Picture, Provider, Wire

if TYPE_CHECKING:
    from webquarry.net import Net


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What a part gave: its data and markdown, or the error that ended it.

    charged: credits; 0 for what was there, was joined, or failed. cached: whether it was there or joined.
    age_s: seconds since it was made; 0 of what ran for this dossier. asked_at: when its source was asked. provider,
    source_url: whom and where.
    """

    data: Mapping[str, Any] | None = None
    markdown: str | None = None
    error: str | None = None
    code: str | None = None
    charged: int = 0
    cached: bool = False
    age_s: int = 0
    asked_at: datetime | None = None
    provider: str | None = None
    source_url: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None


class Context(Protocol):
    """What the machinery gives to an extractor's own `run`. Settings are asked for by `Net.setting`, and are those that
    the provider declares."""

    @property
    def deadline(self) -> Deadline: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def file(self) -> File:
        """The file of a call whose endpoint takes one."""
        ...

    def net(self, provider: Provider) -> "Net":
        """The door to the outside, with the manners and breaker of one of the declared providers; LookupError for any
        other."""
        ...

    @property
    def isolated(self) -> Isolated:
        """Runs a function on foreign bytes in a child process, by the call's deadline."""
        ...

    async def part(self, name: str, /) -> PartAnswer:
        """Run (or take from the cache) one of the declared parts."""
        ...

    def shorten_freshness(self, fresh: timedelta) -> None:
        """Say that this answer is second best: it serves others no longer than this."""
        ...

    def keep_wire(self, wire: Wire, provider: Provider | None = None) -> None:
        """Name the wire that this answer was read from, so that it is stored with the conversion. provider: whose it
        is, where several were asked; the last one unless given."""
        ...

    def keep_picture(self, picture: Picture) -> str:
        """Store the picture with the answer; the address below `/logos` at which everybody sees it."""
        ...
