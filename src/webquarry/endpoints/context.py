"""The context of an endpoint's `run`: the network, child processes, parts, and options for the response."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from webquarry.core.clock import Clock
from webquarry.core.errors import ServiceError
from webquarry.core.types import Deadline, File, Known, Picture, Provider, Wire
from webquarry.workers.isolated import Isolated

if TYPE_CHECKING:
    from webquarry.net import Net


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """A part's data and markdown, or the error that ended it.

    `id` is the id of its conversion. `page_starts` are the offsets in the markdown at which the pages of a document
    begin, in characters. `charged` is 0 if the part was cached, joined or failed. `cached` is True if it was cached or
    joined. `age_s` is its age in seconds; 0 if the part was run for this dossier. `asked_at` is the time of the request
    to its source. `provider` and `source_url` identify the source.
    """

    id: str | None = None
    data_json: bytes | None = None
    markdown_text: bytes | None = None
    page_starts: tuple[int, ...] = ()
    error: str | None = None
    code: str | None = None
    failure: ServiceError | None = None
    charged: int = 0
    cached: bool = False
    age_s: int = 0
    asked_at: datetime | None = None
    provider: str | None = None
    source_url: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None

    @property
    def data(self) -> Mapping[str, Any] | None:
        """The data, which is parsed at each access."""
        return None if self.data_json is None else orjson.loads(self.data_json)

    @property
    def markdown(self) -> str | None:
        return None if self.markdown_text is None else self.markdown_text.decode()


class Context(Protocol):
    """The context of an extractor's `run`.

    Settings are read with `Net.setting` and must be declared by the provider.
    """

    @property
    def deadline(self) -> Deadline: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def known(self) -> Known | None:
        """The stored result that serves if its source has not changed. A run that finds so raises NotModified."""
        ...

    @property
    def file(self) -> File:
        """The request's file, for endpoints that take one."""
        ...

    def net(self, provider: Provider) -> "Net":
        """Return network access with the politeness and breaker of a declared provider.

        Raises LookupError if the provider is not declared.
        """
        ...

    def is_configured(self, provider: Provider) -> bool:
        """Return whether all settings that the provider needs are set."""
        ...

    @property
    def isolated(self) -> Isolated:
        """Runs a function on untrusted bytes in a child process, within the request's deadline."""
        ...

    async def part(self, name: str, /) -> PartAnswer:
        """Run a declared part, or take it from the cache."""
        ...

    async def further(self) -> tuple[str, ...]:
        """Return the names of further parts, which are derived from the results of the other parts.

        Those results must exist.
        """
        ...

    def shorten_freshness(self, fresh: timedelta) -> None:
        """Limit how long this result may be served from the cache, because it is incomplete."""
        ...

    def keep_wire(self, wire: Wire, provider: Provider | None = None) -> None:
        """Store this wire with the conversion, as the response from which the result was read.

        `provider` is the wire's provider, if several providers were used. It defaults to the last provider used.
        """
        ...

    def keep_picture(self, picture: Picture) -> str:
        """Store an image with the result. Return its public path below `/logos`."""
        ...
