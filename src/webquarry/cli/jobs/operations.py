"""The operations of jobs that the command line uses, on a server or in this process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

Query = Sequence[tuple[str, str]]
START = "/jobs"
CRAWL = "/crawl"
PREFIX = "/api/v1"


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request that starts a job. `key` makes repeated requests start one job."""

    content: bytes
    media: str
    key: str


class JobsApi(Protocol):
    """The operations of jobs, by their paths below the API's prefix. Raises Failure for every error."""

    charges: bool
    """Whether items cost credits."""
    poll_s: float
    """Seconds between two requests for new results."""

    async def send(self, method: str, path: str, query: Query = (), body: Body | None = None) -> dict[str, Any]:
        """Send a request and return the JSON of the response."""
        ...

    def read_lines(self, path: str, query: Query = ()) -> AsyncIterator[bytes]:
        """Yield the lines of a response."""
        ...

    def working(self, job_id: str) -> AbstractAsyncContextManager[None]:
        """Work on the job within the context. A server works on its jobs anyway."""
        ...


async def split_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield complete lines of a body."""
    begun: list[bytes] = []
    async for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield b"".join((*begun, part))
            begun.clear()
        begun.append(rest)
