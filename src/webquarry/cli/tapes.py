"""`webquarry tape`: creates cases from response bodies, and stores the current result as the expected result."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from pathlib import Path

import click

from webquarry.cli.common import tell_errors
from webquarry.cli.groups import Group
from webquarry.core.clock import SystemClock

_NOW = "now"


@click.group(cls=Group)
def tape() -> None:
    """Manage tapes, the recorded exchanges that tests and the sandbox use."""


@tape.command("accept")
@click.argument("name")
@click.option(
    "--unreleased",
    is_flag=True,
    help="Keep the version number because no server has used this version of the reader yet.",
)
@click.option("--turned", is_flag=True, help="Allow a response to become an error, or an error a response.")
@tell_errors
def accept_tapes(name: str, unreleased: bool, turned: bool) -> None:
    """Replace the expected result of NAME with the current one, and show the differences.

    NAME is an endpoint or endpoint/case.
    If the expected result changes, increase the endpoint's `version` first.
    """
    from webquarry.cli.tape_cases import accept
    from webquarry.core import log
    from webquarry.sandbox import cases

    endpoint, _, wanted = name.partition("/")
    chosen = [case for case in cases(endpoint) if wanted in ("", case.folder.name)]
    if not chosen:
        raise click.ClickException(f"Tape not found: {name}.")
    log.set_up("error")
    _show(accept(chosen, unreleased=unreleased, turned=turned))


@tape.command("new")
@click.argument("endpoint")
@click.argument("case")
@click.option(
    "--wire",
    "wires",
    multiple=True,
    metavar="FILE",
    help="File with a response body, in the order of the requests. @empty: no body. @down or @timeout: no response. "
    "@none: no tape for this request.",
)
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="Parameter of the request.")
@click.option("--file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="File to upload.")
@click.option("--provider", help="Use only this provider.")
@click.option("--setting", "settings", multiple=True, metavar="NAME=VALUE", help="Setting that a provider needs.")
@click.option(
    "--status", "statuses", multiple=True, type=int, help="Status of the last response [200], or one per response."
)
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="Header of the last response.")
@click.option("--url", "urls", multiple=True, help="URL of the last response, or one per response.")
@click.option("--fetched-at", default=_NOW, help="Time of the responses, RFC 3339 [now].")
@click.option("--note", default="", help="The tape's origin, edits, and the special case that it covers.")
@tell_errors
def make_tape(
    endpoint: str,
    case: str,
    wires: tuple[str, ...],
    params: tuple[str, ...],
    file: Path | None,
    provider: str | None,
    settings: tuple[str, ...],
    statuses: tuple[int, ...],
    headers: tuple[str, ...],
    urls: tuple[str, ...],
    fetched_at: str,
    note: str,
) -> None:
    """Create CASE of ENDPOINT from recorded responses. The current result becomes the expected one.

    The requests are derived by running the endpoint's sources with these parameters.
    """
    from webquarry.cli.tape_cases import accept
    from webquarry.cli.tape_maker import Making, Wires, describe_error, make
    from webquarry.core import log
    from webquarry.endpoints.registry import load

    log.set_up("error")
    extractor = load().by_name.get(endpoint)
    if extractor is None:
        raise click.ClickException(f"Unknown endpoint: {endpoint}.")
    try:
        given = Wires.given(wires, statuses, headers, urls, _instant(fetched_at))
        making = Making(
            extractor, case, _pairs("--param", params), file, provider, _pairs("--setting", settings), given, note
        )
        made, error = asyncio.run(make(making))
    except ValueError as exc:
        raise click.ClickException(str(exc)) from exc
    try:
        _show(accept([made], unreleased=False, turned=False))
    except click.ClickException:
        shutil.rmtree(made.folder)
        raise
    if error is not None:
        click.echo(describe_error(error))
    click.echo(f"Written to {made.folder}.")
    if not note:
        click.echo("In the tape's note, describe its origin, the edits and the special case that it covers.")


def _show(lines: AsyncIterator[str]) -> None:
    async def show() -> None:
        async for line in lines:
            click.echo(line)

    try:
        asyncio.run(show())
    except ValueError as exc:
        raise click.ClickException(str(exc)) from exc


def _pairs(option: str, given: Iterable[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, mark, value in pairs:
        if not mark or not name:
            raise ValueError(f"{option} must be NAME=VALUE, not {name}{mark}{value}.")
    return {name: value for name, _, value in pairs}


def _instant(text: str) -> datetime:
    if text == _NOW:
        return SystemClock().now().replace(microsecond=0)
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as exc:
        raise ValueError(f"--fetched-at must be a time such as 2026-01-31T12:00:00Z, not {text}.") from exc
    if instant.tzinfo is None:
        raise ValueError(f"--fetched-at must have a time zone, such as {text}Z.")
    return instant
