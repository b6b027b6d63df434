"""Access to jobs: those of a server, or those of this process."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import click

from webquarry.cli.server import check_url, read_key

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


@dataclass(frozen=True, slots=True)
class Access:
    """The options that say where jobs are. `server` is None for this process."""

    server: str | None
    key: str | None
    sandbox: bool
    data_dir: Path | None

    @property
    def name(self) -> str:
        """The name of the place, which tells apart jobs of different servers and data folders."""
        if self.server is not None:
            return check_url(self.server)
        folder = self.data_dir or Path(os.environ.get("WEBQUARRY_DATA_DIR") or "data")
        return f"{folder.absolute()}{' (sandbox)' if self.sandbox else ''}"

    @asynccontextmanager
    async def open(self, *, works: bool = False) -> AsyncIterator[JobsApi]:
        """Yield the jobs. `works`: this process may work on them. Raises Failure and ClickException."""
        if self.server is not None:
            from webquarry.cli.jobs.remote import RemoteJobs

            yield RemoteJobs(self.server, read_key(self.key, os.environ))
            return
        from webquarry.cli.common import read_settings  # importing the service takes a second
        from webquarry.cli.jobs.local import open_local_jobs
        from webquarry.core.settings import SettingsError
        from webquarry.storage import StorageError

        try:
            settings = read_settings(sandbox=self.sandbox, quiet=True, data_dir=self.data_dir)
            async with open_local_jobs(settings, sandbox=self.sandbox, works=works) as local:
                yield local
        except (SettingsError, StorageError) as error:
            raise click.ClickException(str(error)) from error


async def split_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield complete lines of a body."""
    begun: list[bytes] = []
    async for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield b"".join((*begun, part))
            begun.clear()
        begun.append(rest)
