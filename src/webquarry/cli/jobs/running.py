"""What `webquarry job run`, `job results` and `crawl` do: start or find a job, write its results, and exit."""

import asyncio
import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson

from webquarry.cli.asking import Failure, exit_with
from webquarry.cli.catalogue import Parameter
from webquarry.cli.exit_codes import INTERRUPTED
from webquarry.cli.jobs.access import Access
from webquarry.cli.jobs.folder import ResultFolder
from webquarry.cli.jobs.following import Follower
from webquarry.cli.jobs.operations import Query
from webquarry.cli.spinner import spin


@dataclass(frozen=True, slots=True)
class Order:
    """A request for a job. `path` is the operation, `content` the body."""

    path: str
    content: bytes
    media: str


@dataclass(frozen=True, slots=True)
class Output:
    """Where and how results are written.

    query: parameters of the results. subject: returns the name of an item's input. retries: run failed items again.
    """

    directory: Path
    raw: bool
    as_json: bool
    query: Query
    subject: Callable[[Mapping[str, Any]], str]
    retries: bool = False


def run_job(access: Access, wanted: Order | str, output: Output) -> NoReturn:
    """Start the job that is ordered, or take the one with an ID. Write its results, report, and exit."""
    follower: Follower | None = None

    async def run(folder: ResultFolder) -> None:
        nonlocal follower
        async with access.open(works=True) as api:
            follower = Follower(api, folder, output.query, output.raw, output.as_json, output.subject)
            if isinstance(wanted, str):
                job_id = wanted
                folder.claim(_digest(access.name, wanted.encode(), output))
                folder.name_job(job_id)
            else:
                digest = _digest(access.name, wanted.path.encode() + b"\n" + wanted.content, output)
                job_id = await follower.start(wanted.path, wanted.content, wanted.media, digest)
            await follower.follow(job_id, retries=output.retries)

    try:
        with ResultFolder(output.directory) as folder, spin(lambda: follower.describe_progress() if follower else ""):
            try:
                asyncio.run(run(folder))
            finally:
                if folder.about is not None and folder.about.job_id is not None:
                    folder.write_index()
    except Failure as failure:
        _report(follower, output)
        exit_with(failure, as_json=output.as_json)
    except KeyboardInterrupt:
        _report(follower, output)
        if follower is not None and follower.job and not output.as_json:
            click.echo(_tell_how_to_go_on(access, follower), err=True)
        sys.exit(INTERRUPTED)
    _report(follower, output)
    if follower is None:
        raise RuntimeError("the job was not followed")
    if output.as_json:
        click.echo(orjson.dumps(follower.job))
    sys.exit(follower.exit)


def make_body(fields: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request's body that options have set."""
    body: dict[str, Any] = {}
    for each in fields:
        value = given.get(each.name)
        if value is None or value == () or value is False:
            continue
        at = body.setdefault(each.within, {}) if each.within else body
        at[each.name] = list(value) if isinstance(value, tuple) else value
    return body


def _digest(place: str, request: bytes, output: Output) -> str:
    shape = orjson.dumps([place, output.raw, output.query])
    return hashlib.sha256(shape + b"\n" + request).hexdigest()


def _report(follower: Follower | None, output: Output) -> None:
    if follower is not None and follower.job and not output.as_json:
        click.echo(f"{output.directory}: {follower.summarize()}", err=True)


def _tell_how_to_go_on(access: Access, follower: Follower) -> str:
    if access.server is None:
        return "The job has stopped. Run the same command again to continue it."
    return (
        f"The job {follower.job['id']} continues on the server. Run the same command again to get its results, or end "
        f"it with `webquarry job cancel {follower.job['id']}`."
    )
