"""The jobs of this process, without a server.

They are in a separate store within the data folder, so that a command neither works on the jobs of a server's accounts
nor needs the server to stop. Their items are free: the store has one account, with more credits than anybody can spend.
"""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final

import click
import orjson

from webquarry.accounts import Accounts, Caller
from webquarry.api.operations import Reply, Request, Routes
from webquarry.app import assemble
from webquarry.cli.jobs.operations import PREFIX, Body, Query, split_lines
from webquarry.cli.local import describe_failure
from webquarry.core.credits import MAX_CREDITS
from webquarry.core.errors import NotFound, ServiceError
from webquarry.core.settings import Settings
from webquarry.service import Service
from webquarry.storage import FolderInUse

FOLDER: Final = "jobs"
"""Name of the store's folder in the data folder."""
ACCOUNT: Final = "command-line@localhost.localdomain"
MOST_JOBS: Final = 10_000
MOST_ITEMS: Final = 100_000_000


class LocalJobs:
    """Jobs of this process. See `JobsApi`."""

    charges = False
    poll_s = 0.3

    def __init__(self, service: Service, caller: Caller) -> None:
        self._service = service
        self._caller = caller
        self._routes = Routes(service.handlers())

    async def send(self, method: str, path: str, query: Query = (), body: Body | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = orjson.loads((await self._answer(method, path, query, body)).body)
        return answer

    async def read_lines(self, path: str, query: Query = ()) -> AsyncIterator[bytes]:
        reply = await self._answer("GET", path, query, None)
        if reply.stream is None:
            raise TypeError(f"{path} is no stream")
        try:
            async with aclosing(reply.stream) as stream:
                async for line in split_lines(stream):
                    yield line
        except ServiceError as error:
            raise describe_failure(error) from error

    @asynccontextmanager
    async def working(self, job_id: str) -> AsyncIterator[None]:
        """Work on the job. Other jobs, which their commands have left, are paused."""
        jobs = self._service.workshop.jobs
        for other in await jobs.list_jobs(self._caller, state="running", batch=MOST_JOBS):
            if other.id != job_id:
                await jobs.pause(self._caller, other.id)
        async with self._service.workshop.working():
            yield

    async def _answer(self, method: str, path: str, query: Query, body: Body | None) -> Reply:
        headers: list[tuple[bytes, bytes]] = []
        message = {"type": "http.request", "body": b"", "more_body": False}
        if body is not None:
            headers = [(b"content-type", body.media.encode()), (b"idempotency-key", body.key.encode())]
            message["body"] = body.content

        async def receive() -> dict[str, Any]:
            return message

        try:
            match = self._routes.find(PREFIX + path, method)
            if match is None:
                raise NotFound(f"There is no operation {path}.")
            return await match.answer(Request(self._caller, query, headers, receive, match.id))
        except ServiceError as error:
            raise describe_failure(error) from error


@asynccontextmanager
async def open_local_jobs(settings: Settings, *, sandbox: bool, works: bool) -> AsyncIterator[LocalJobs]:
    """Yield the jobs in the data folder. `works` locks their store, for a process that works on them.

    Raises StorageError if the store can't be opened.
    """
    own = settings.model_copy(
        update={
            "data_dir": settings.data_dir / FOLDER,
            "database_url": None,
            "redis_url": None,
            "smtp_host": None,
            "jobs": False,  # `LocalJobs.working` works on one job
            "jobs_per_account": MOST_JOBS,
            "job_items_per_account": MOST_ITEMS,
        }
    )
    try:
        async with assemble(own, sandbox=sandbox, serving=works) as service:
            yield LocalJobs(service, await _find_caller(service.accounts))
    except FolderInUse as error:
        raise click.ClickException(
            f"Another command works on jobs in {settings.data_dir}. Wait until it ends, or choose another folder with "
            "--data-dir."
        ) from error


async def _find_caller(accounts: Accounts) -> Caller:
    """Return the caller of the command line. The first command creates its account."""
    account = await accounts.by_email(ACCOUNT)
    if account is None:
        account, _ = await accounts.create(ACCOUNT, MAX_CREDITS)
    key, *_ = await accounts.list_keys(account.id)
    return Caller(account.id, key.id)
