"""`webquarry job`: an endpoint for many inputs, on a server or in this process."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final

import click
import orjson

from webquarry.cli.asking import Failure, exit_with
from webquarry.cli.catalogue import Entry, read_catalogue, read_common_parameters, read_job_fields
from webquarry.cli.choices import choose_server, list_server_options
from webquarry.cli.common import print_json
from webquarry.cli.groups import Group
from webquarry.cli.jobs.access import Access
from webquarry.cli.jobs.inputs import FORMS, find_subject, read_inputs
from webquarry.cli.jobs.operations import START, JobsApi
from webquarry.cli.jobs.running import Order, Output, make_body, run_job
from webquarry.cli.screen import clean
from webquarry.cli.subcommands import Endpoints, make_field_option, make_option, write_help

Statement = Mapping[str, Any]
NDJSON: Final = "application/x-ndjson"
_OUT = click.Path(file_okay=False, path_type=Path)


def list_access_options() -> list[click.Parameter]:
    """Return the options that say where jobs are."""
    return [
        *list_server_options("Use the jobs of this Webquarry server.", sandbox="sample data and separate jobs"),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, and errors too."),
    ]


def take_access(options: dict[str, Any]) -> Access:
    """Remove the options of `list_access_options` except `as_json`, and return what they mean."""
    server, key, sandbox, data_dir = (options.pop(name) for name in ("server", "key", "sandbox", "data_dir"))
    return Access(choose_server(server, is_local=bool(sandbox or data_dir)), key, sandbox, data_dir)


def list_output_options() -> list[click.Parameter]:
    """Return the options that say where results are written."""
    return [
        click.Option(
            ["-o", "--out"],
            type=_OUT,
            required=True,
            help="Directory for the results: a file for each, and index.ndjson, which lists them. The same command "
            "with the same directory continues a job that was interrupted.",
        ),
        click.Option(["--retry"], is_flag=True, help="Run failed items again whose error may have passed."),
    ]


def _make_run(entry: Entry) -> click.Command:
    def run(
        inputs: str, inputs_format: str | None, out: Path, retry: bool, raw: bool, as_json: bool, **options: Any
    ) -> None:
        access = take_access(options)
        fields, common = read_job_fields(), {each.name for each in read_common_parameters()}
        query = [(name, options[name]) for name in sorted(common) if options[name] is not None]
        if raw:
            query.append(("format", "markdown"))
        own = {each.name for each in entry.parameters}
        shared = {name: options[name] for name in sorted(own) if options[name] is not None}
        head = {"operation": entry.name, **({"shared": shared} if shared else {}), **make_body(fields, options)}
        try:
            rows = [head, *read_inputs(inputs, inputs_format, entry)]
            order = Order(START, b"\n".join(map(orjson.dumps, rows)), NDJSON)
        except Failure as failure:
            exit_with(failure, as_json=as_json)
        subject = partial(find_subject, entry)
        run_job(access, order, Output(out, raw, as_json, query, subject, retry))

    params: list[click.Parameter] = [
        click.Option(
            ["-i", "--inputs"],
            metavar="FILE",
            required=True,
            help="File with the inputs, or - for standard input: CSV or TSV with the parameters' names in the first "
            "line, JSON, JSON lines, or lines of text.",
        ),
        click.Option(["--inputs-format"], type=click.Choice(FORMS), help="Form of the inputs. [by the extension]"),
        *list_output_options(),
        click.Option(["--raw"], is_flag=True, help="Write only the markdown."),
        *map(make_field_option, read_job_fields()),
        *map(make_option, (*entry.parameters, *read_common_parameters())),
        *list_access_options(),
    ]
    return click.Command(entry.name, callback=run, params=params, help=write_help(entry), short_help=entry.title)


@click.group(cls=Group)
def job() -> None:
    """Run an endpoint for many inputs, and manage jobs.

    Without --server, jobs run in this process, for as long as their command runs. They are free. With --server, they
    run on a Webquarry server, which charges the account of the key.
    """


job.add_command(
    Endpoints(
        _make_run,
        name="run",
        help="Run an endpoint for many inputs, and write the results to a directory.\n\nTo continue a job that was "
        "interrupted, run the same command again.",
    )
)


def _on_jobs(command: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Decorate a command so that it gets the jobs (`JobsApi`) and `as_json`, and reports failures."""

    @wraps(command)
    def run(as_json: bool, **options: Any) -> None:
        access = take_access(options)

        async def work() -> None:
            async with access.open() as api:
                await command(api, as_json=as_json, **options)

        try:
            asyncio.run(work())
        except Failure as failure:
            exit_with(failure, as_json=as_json)

    return run


def _add(name: str, callback: Callable[..., None], summary: str, *params: click.Parameter) -> None:
    job.add_command(click.Command(name, callback=callback, params=[*params, *list_access_options()], help=summary))


@_on_jobs
async def _list(api: JobsApi, as_json: bool, state: str | None, limit: int) -> None:
    query = [("limit", str(limit)), *([("state", state)] if state else [])]
    found = (await api.send("GET", START, query))["jobs"]
    if as_json:
        print_json(found)
        return
    for each in found:
        click.echo(_write_line(each))


@_on_jobs
async def _show(api: JobsApi, as_json: bool, job_id: str) -> None:
    _tell(await api.send("GET", _path(job_id)), api, as_json=as_json)


def _act(action: str) -> Callable[..., None]:
    @_on_jobs
    async def act(api: JobsApi, as_json: bool, job_id: str) -> None:
        _tell(await api.send("POST", f"{_path(job_id)}/{action}"), api, as_json=as_json)

    return act


def _results(job_id: str, out: Path | None, raw: bool, as_json: bool, **options: Any) -> None:
    access = take_access(options)
    query = [("format", "markdown")] if raw else []
    try:
        path = _path(job_id)
        if out is None:
            asyncio.run(_print_results(access, path, query))
            return
    except Failure as failure:
        exit_with(failure, as_json=as_json)
    run_job(access, job_id, Output(out, raw, as_json, query, _find_any_subject))


async def _print_results(access: Access, path: str, query: list[tuple[str, str]]) -> None:
    async with access.open() as api:
        async for line in api.read_lines(f"{path}/results.ndjson", query):
            click.echo(line)


def _find_any_subject(given: Mapping[str, Any]) -> str:
    """Return the value that names an input of an unknown endpoint."""
    for entry in read_catalogue().values():
        if entry.subjects and given.get(entry.subjects[0]):
            return find_subject(entry, given)
    return " ".join(map(str, given.values()))


def _path(job_id: str) -> str:
    """Return the path of a job. Raises Failure for a text that is no ID, which could name another path."""
    if not job_id.replace("_", "").isalnum() or not job_id.isascii():
        raise Failure("A job's ID is `job_` followed by 32 hexadecimal digits.", "invalid_params")
    return f"{START}/{job_id}"


def _tell(found: Statement, api: JobsApi, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    click.echo(_write_line(found))
    counts = ", ".join(f"{count:,} {state}" for state, count in found["counts"].items() if count)
    click.echo(f"  {counts or 'no items'}")
    if api.charges:
        limit = f" of {found['max_credits']:,}" if found["max_credits"] is not None else ""
        click.echo(f"  {found['charged']:,} credits charged{limit}, {found['cached']:,} items cached")
    if found["eta_s"] is not None:
        click.echo(f"  about {found['eta_s']:,} s left, {found['rate']} items a second")


def _write_line(found: Statement) -> str:
    state = f"{found['state']} ({found['reason']})" if found["reason"] else found["state"]
    ended = sum(found["counts"][name] for name in ("done", "failed", "stopped"))
    name = f"  {found['name']}" if found["name"] else ""
    kind = "crawl" if found["kind"] == "crawl" else found["operation"]
    created = found["created_at"][:16].replace("T", " ")
    return clean(f"{found['id']}  {created}Z  {state}  {ended:,} of {found['items']:,}  {kind}{name}")


def _make_id() -> click.Argument:
    return click.Argument(["job_id"], metavar="ID")


_add(
    "list",
    _list,
    "List your jobs, newest first.",
    click.Option(["--state"], type=click.Choice(["running", "paused", "done", "cancelled"]), help="Only these jobs."),
    click.Option(["--limit"], type=click.IntRange(1, 100), default=20, show_default=True, help="Number of jobs."),
)
_add("show", _show, "Show the state and counts of a job.", _make_id())
_add("cancel", _act("cancel"), "Cancel a job. Items that run are refunded.", _make_id())
_add("pause", _act("pause"), "Pause a job: items that run go on, no further ones begin.", _make_id())
_add("resume", _act("resume"), "Resume a paused job.", _make_id())
_add("retry", _act("retry"), "Run failed items of a job again whose error may have passed.", _make_id())
_add(
    "results",
    _results,
    "Print the results of a job as JSON lines, or write them to a directory with --out, until the job ends.",
    _make_id(),
    click.Option(["-o", "--out"], type=_OUT, help="Directory for the results: a file for each, and index.ndjson."),
    click.Option(["--raw"], is_flag=True, help="Write only the markdown."),
)
