"""Access to jobs: those of a server, or those of this process."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from webquarry.cli.jobs.operations import JobsApi
from webquarry.cli.server import check_url, read_key


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
