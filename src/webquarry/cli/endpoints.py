"""`webquarry get` and `read`: one subcommand per endpoint, its options read from the registry. And the list of them."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import orjson

from webquarry import log
from webquarry.api.responses import error_body
from webquarry.app import INTERNAL, assemble
from webquarry.cli.common import json_option, print_json, read_settings, tell_errors
from webquarry.clock import SystemClock
from webquarry.declare import Extractor, Result
from webquarry.errors import FileTooLarge, InvalidParams, ServiceError
from webquarry.params import FORMAT, ParamSpec, parse, specs, split_format
from webquarry.pipeline import ANY_FRESH, Freshness
from webquarry.registry import API_PREFIX, GROUPS, Registry, load
from webquarry.run import missing_settings, remedy, report_changes
from webquarry.settings import PREFIX, Settings, SettingsError
from webquarry.storage import StorageError
from webquarry.types import File, Provider, Wire
from webquarry.wording import choices, freshness, price

REFUSED = 3
"""Exit code when an endpoint or a reader answers with an error; its JSON body is printed."""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_CONTRACT_KEYS = ("type", "required", "default", "enum", "min", "max", "max_length", "empty")

_TABLE_HEAD = """# Endpoints

Made by `webquarry endpoints --markdown`; a test holds it to the registry. Sources are asked in order until one answers;
one that needs a setting is left out without it. Unproven: its reader was written after descriptions, since no whole
recorded answer was at hand. As a browser: asked with a plain browser's headers (`WEBQUARRY_BROWSER_HEADERS`).
"""
_COLUMNS = "| Operation | Gives | Price | Kept | Sources |\n| --- | --- | --- | --- | --- |\n"


@click.command()
@json_option
@click.option("--markdown", "as_markdown", is_flag=True, help="As the table of docs/endpoints.md.")
@tell_errors
def endpoints(as_json: bool, as_markdown: bool) -> None:
    """List the endpoints with prices, freshness, parameters and sources."""
    if as_markdown:
        click.echo(write_table(load()), nl=False)
        return
    rows = list_endpoints(load(), read_settings())
    if as_json:
        print_json(rows)
        return
    for row in rows:
        note = "" if row["available"] else f"  ({row['remedy']})"
        click.echo(f"{row['name']:32} {row['credits']} credit{'' if row['credits'] == 1 else 's'}  {row['path']}{note}")


def list_endpoints(registry: Registry, settings: Settings) -> list[dict[str, Any]]:
    """The registry as `endpoints --json` prints it (DESIGN section 9)."""
    return [_row(extractor, settings) for extractor in registry]


def write_table(registry: Registry) -> str:
    """The endpoints by group as markdown: price, freshness, and the sources in the order in which they are asked."""
    parts = [_TABLE_HEAD]
    for group, about in GROUPS.items():
        rows = [_table_row(extractor) for extractor in registry if extractor.group == group]
        if rows:
            parts.append(f"## {group}\n\n{about.about}\n\n{_COLUMNS}{''.join(rows)}")
    return "\n".join(parts)


def _table_row(extractor: Extractor) -> str:
    sources = ", ".join(_describe_source(provider) for provider in extractor.all_providers) or "none"
    cells = (
        f"`{extractor.method} {API_PREFIX}{extractor.path}`",
        extractor.title,
        price(extractor),
        freshness(extractor).removeprefix("answers are ").removeprefix("cached for "),
        sources,
    )
    return f"| {' | '.join(cells)} |\n"


def _describe_source(provider: Provider) -> str:
    needs = " and ".join(f"`{PREFIX}{name.upper()}`" for name in provider.needs)
    notes = (
        f"needs {needs}" if needs else "",
        "unproven" if provider.unproven else "",
        "as a browser" if provider.browser_headers else "",
    )
    notice = "; ".join(filter(None, notes))
    return f"`{provider.name}`{f' ({notice})' if notice else ''}"


class _Endpoints(click.Group):
    """A subcommand for each endpoint, made when it is asked for."""

    def __init__(self, make: Callable[[Extractor], click.Command], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._make = make

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [extractor.name for extractor in load()]

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        extractor = load().by_name.get(name)
        return None if extractor is None else self._make(extractor)


def _row(extractor: Extractor, settings: Settings) -> dict[str, Any]:
    providers = extractor.all_providers
    todo = remedy(providers, settings)
    return {
        "name": extractor.name,
        "method": extractor.method,
        "path": API_PREFIX + extractor.path,
        "params": [_param_row(spec) for spec in (*specs(extractor.params), FORMAT)],
        "credits": extractor.credits,
        "fresh_s": None if extractor.fresh is None else int(extractor.fresh.total_seconds()),
        "group": extractor.group,
        "providers": [provider.name for provider in providers],
        "unproven": [provider.name for provider in providers if provider.unproven],
        "browser_headers": {p.name: dict(p.browser_headers) for p in providers if p.browser_headers},
        "unconfigured": {p.name: missing for p in providers if (missing := list(missing_settings(p, settings)))},
        "available": todo is None,
        "remedy": todo,
        "example": dict(extractor.example),
    }


def _param_row(spec: ParamSpec) -> dict[str, Any]:
    row = {key: getattr(spec, key) for key in _CONTRACT_KEYS}
    return {
        "name": spec.name,
        "description": spec.description,
        **{key: value for key, value in row.items() if value is not None},
    }


def _make_get(extractor: Extractor) -> click.Command:
    def run(
        subject: str | None,
        sandbox: bool,
        data_dir: Path | None,
        raw: bool,
        output: Path | None,
        fresh: bool = False,
        file: Path | None = None,
        **options: str | None,
    ) -> None:
        query = [(name, value) for name, value in options.items() if value is not None]

        def work() -> bytes:
            path = file
            if extractor.upload is None:
                query.extend(_name_subject(extractor, query, subject))
            else:
                path = _choose_file(file, subject)
            if raw:
                query.append((FORMAT.name, "markdown"))
            settings = read_settings(sandbox=sandbox, quiet=True, data_dir=data_dir)
            sent = None if path is None else _read_file(path, extractor)
            body = asyncio.run(_call(extractor, query, sent, settings, sandbox=sandbox, fresh=fresh))
            return orjson.loads(body)["markdown"].encode() if raw else body

        _print_or_refuse(work, output)

    upload = extractor.upload
    subject = "FILE" if upload else _find_subjects(extractor)[0].upper() if _find_subjects(extractor) else ""
    own = [
        click.Option(["--sandbox"], is_flag=True, help="Answer from the sandbox's tapes, on its own store."),
        click.Option(["--data-dir"], type=click.Path(path_type=Path), help="Folder of the store [./data]."),
        click.Option(["--raw"], is_flag=True, help="Print the markdown alone."),
        click.Option(
            ["--output", "-o"], type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead."
        ),
        click.Option(["--fresh"], is_flag=True, help="Do not take the answer from the cache.")
        if upload is None
        else click.Option(["--file"], type=_FILE, help=upload.description),
    ]
    params: list[click.Parameter] = [
        click.Argument(["subject"], required=False, metavar=f"[{subject}]"),
        *(_option(spec) for spec in (*specs(extractor.params), FORMAT)),
        *own,
    ]
    return click.Command(extractor.name, callback=run, params=params, help=_help(extractor))


def _find_subjects(extractor: Extractor) -> tuple[str, ...]:
    """The parameters that an argument without a name may stand for: those of the first group of which one is to be
    given, else the first required one."""
    if extractor.params.one_of:
        return extractor.params.one_of[0]
    return tuple(spec.name for spec in specs(extractor.params) if spec.required)[:1]


def _name_subject(
    extractor: Extractor, query: Sequence[tuple[str, str]], subject: str | None
) -> Sequence[tuple[str, str]]:
    """The argument as the parameter whose rules it keeps to; as the first when it keeps to none."""
    if subject is None:
        return ()
    names = _find_subjects(extractor)
    if not names:
        raise InvalidParams(f"{extractor.name} takes no argument without a name.")
    rest, _ = split_format(query)
    for name in names:
        with suppress(InvalidParams):
            parse(extractor.params, [*rest, (name, subject)])
            return ((name, subject),)
    return ((names[0], subject),)


def _choose_file(option: Path | None, subject: str | None) -> Path:
    if (option is None) == (subject is None):
        raise InvalidParams("One file is to be given: as the argument, or with --file.")
    path = option or Path(str(subject))
    if not path.is_file():
        raise InvalidParams(f"There is no file {path}.")
    return path


def _read_file(path: Path, extractor: Extractor) -> File:
    limit = extractor.upload.max_bytes if extractor.upload else 0
    if path.stat().st_size > limit:
        raise FileTooLarge(f"The file is larger than {limit:,} bytes.")
    return File.of(path.name, path.read_bytes())


async def _call(
    extractor: Extractor,
    query: Sequence[tuple[str, str]],
    file: File | None,
    settings: Settings,
    *,
    sandbox: bool,
    fresh: bool,
) -> bytes:
    async with assemble(settings, sandbox=sandbox) as service:
        call = service.pipeline.prepare(extractor, query, file)
        freshness = Freshness(no_cache=True) if fresh else ANY_FRESH
        answer = await service.pipeline.answer(INTERNAL, call, request_id="cli", freshness=freshness)
        return answer.body


def _make_read(extractor: Extractor) -> click.Command:
    def run(
        provider: str,
        wire: Path,
        markdown: bool,
        wire_url: str | None,
        content_type: str,
        fetched_at: str | None,
        **options: str | None,
    ) -> None:
        address = wire_url or options.get("url") or ""
        recorded = Wire(
            body=wire.read_bytes(),
            url=address,
            requested_url=address,
            status=200,
            headers={"content-type": content_type} if content_type else {},
            fetched_at=_parse_instant(fetched_at),
        )
        query = [(name, value) for name, value in options.items() if value is not None]

        def work() -> bytes:
            with report_changes(extractor.name, provider):
                result = _find_reader(extractor, provider)(recorded, parse(extractor.params, query))
                return extractor.render(result).encode() if markdown else result.model_dump_json(indent=2).encode()

        log.set_up("warning")
        _print_or_refuse(work)

    names = [provider.name for provider in extractor.all_providers]
    extra = [
        click.Option(["--provider"], type=click.Choice(names), required=True, help="Whose reader."),
        click.Option(
            ["--wire"],
            type=_FILE,
            required=True,
            help="File with the recorded body.",
        ),
        click.Option(["--markdown"], is_flag=True, help="Print the rendering instead of the data."),
        click.Option(["--wire-url"], help="Address that the wire came from."),
        click.Option(["--content-type"], default="", help="Content-Type that the wire came with."),
        click.Option(["--fetched-at"], help="Instant of the recording, RFC 3339 [now]."),
    ]
    options = [_option(spec) for spec in specs(extractor.params)]
    return click.Command(extractor.name, callback=run, params=[*options, *extra], help=_help(extractor))


def _find_reader(extractor: Extractor, provider: str) -> Callable[[Wire, Any], Result]:
    read = {source.provider.name: source.read for source in extractor.sources}.get(provider, extractor.read)
    if read is None:
        raise InvalidParams(f"{extractor.name} reads several wires at once: use `webquarry get` with --sandbox.")
    return read


def _option(spec: ParamSpec) -> click.Option:
    """A parameter as an option of its own name; what it may hold is judged by the endpoint, as over HTTP."""
    default = f" [{spec.default}]" if spec.default is not None else ""
    return click.Option([f"--{spec.name}"], metavar=spec.type.upper(), help=f"{spec.description}{default}")


def _help(extractor: Extractor) -> str:
    costs = f"Over HTTP: {price(extractor)}; {freshness(extractor)}."
    sentences = (extractor.description.strip(), choices(extractor), costs)
    return "\n\n".join(sentence for sentence in sentences if sentence)


def _parse_instant(text: str | None) -> datetime:
    if text is None:
        return SystemClock().now()
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as exc:
        raise click.BadParameter("must be like 2026-01-31T12:00:00Z", param_hint="fetched-at") from exc
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _print_or_refuse(work: Callable[[], bytes], output: Path | None = None) -> None:
    """Print or write what the work gives; or print the JSON body of the error that it ends with."""
    try:
        made = work()
    except (SettingsError, StorageError) as exc:
        raise click.ClickException(str(exc)) from exc
    except ServiceError as error:
        click.echo(error_body(error))
        sys.exit(REFUSED)
    if output is None:
        click.echo(made, nl=not made.endswith(b"\n"))
        return
    try:
        output.write_bytes(made)
    except OSError as exc:
        raise click.ClickException(f"Cannot write {output}: {exc.strerror}.") from exc


get = _Endpoints(_make_get, name="get", help="Call an endpoint from here: no server, no price, no limit.")
read = _Endpoints(_make_read, name="read", help="Read one recorded wire with a provider's reader.")
