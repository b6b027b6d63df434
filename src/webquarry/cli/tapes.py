"""`webquarry tape accept`: play a case through the real pipeline and keep what comes out."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path

import click
import orjson

from webquarry import log
from webquarry.app import INTERNAL, assemble
from webquarry.cli.common import tell_errors
from webquarry.errors import InternalError, ServiceError
from webquarry.net.tape import Player
from webquarry.registry import load
from webquarry.sandbox import cases
from webquarry.sandbox.cases import ACCEPTED, Case, expected_answer, expected_error
from webquarry.settings import Settings


@click.group()
def tape() -> None:
    """Tapes: the made exchanges that tests and sandbox play."""


@tape.command("accept")
@click.argument("name")
@click.option("--unreleased", is_flag=True, help="No server has used this version of the reader yet: keep its number.")
@tell_errors
def accept_tapes(name: str, unreleased: bool) -> None:
    """Rewrite what is expected of NAME (an endpoint, or endpoint/case) from what the code makes now.

    A changed expectation needs a raised `version` of the endpoint.
    """
    endpoint, _, wanted = name.partition("/")
    chosen = [case for case in cases(endpoint) if wanted in ("", case.folder.name)]
    if not chosen:
        raise click.ClickException(f"There is no tape {name}.")
    log.set_up("error")

    async def show() -> None:
        async for line in accept(chosen, unreleased=unreleased):
            click.echo(line)

    try:
        asyncio.run(show())
    except ValueError as exc:
        raise click.ClickException(str(exc)) from exc


async def accept(chosen: Iterable[Case], *, unreleased: bool) -> AsyncIterator[str]:
    """One line per case: which files of its expectation changed. unreleased: no server has used this version yet.

    ValueError when an expectation changes and the endpoint's version does not, or when the code fails.
    """
    versions = {extractor.name: extractor.version for extractor in load()}
    for case in chosen:
        made = await play(case)
        changed = case.accept(made, versions[case.endpoint], unreleased=unreleased)
        yield f"{case.name}: {_told(changed)}"


def _told(changed: Sequence[str]) -> str:
    """What the files that changed mean: the expectation, or no more than the version that stands behind it."""
    content = [name for name in changed if name != ACCEPTED]
    return f"changed: {', '.join(content)}" if content else "as before, of this version now" if changed else "as before"


async def play(case: Case) -> Mapping[str, bytes]:
    """What the real pipeline makes of a case's own exchanges, as the files of an expectation."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), **case.settings)
        async with assemble(settings, transport=Player(case.exchanges)) as service:
            try:
                extractor = service.registry.by_name[case.endpoint]
                call = service.pipeline.prepare(extractor, tuple(case.params.items()), case.file)
                answer = await service.pipeline.answer(INTERNAL, call, request_id="tape")
            except InternalError as fault:
                raise ValueError(f"{case.name}: the code fails; the log says where.") from fault
            except ServiceError as error:
                return expected_error(error)
    body = orjson.loads(answer.body)
    return expected_answer(body["data"], body["markdown"])
