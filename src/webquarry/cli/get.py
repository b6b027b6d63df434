"""`webquarry get`: one request to an endpoint from here, without a server."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
import orjson

from webquarry.app import INTERNAL, assemble
from webquarry.cli.common import read_settings
from webquarry.cli.subcommands import FILE, Endpoints, make_option, print_or_refuse, write_help
from webquarry.core.errors import FileTooLarge, InvalidParams
from webquarry.core.settings import Settings
from webquarry.core.types import File
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, parse, specs, split_format
from webquarry.pipeline import ANY_FRESH, Freshness


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

        print_or_refuse(work, output)

    upload = extractor.upload
    subject = "FILE" if upload else next(iter(_find_subjects(extractor)), "").upper()
    own = [
        click.Option(["--sandbox"], is_flag=True, help="Use the sandbox: sample data and separate accounts."),
        click.Option(["--data-dir"], type=click.Path(path_type=Path), help="Data directory [./data]."),
        click.Option(["--raw"], is_flag=True, help="Print only the markdown."),
        click.Option(
            ["--output", "-o"], type=click.Path(dir_okay=False, path_type=Path), help="Write the output to this file."
        ),
        click.Option(["--fresh"], is_flag=True, help="Don't use a cached response.")
        if upload is None
        else click.Option(["--file"], type=FILE, help=upload.description),
    ]
    params: list[click.Parameter] = [
        click.Argument(["subject"], required=False, metavar=f"[{subject}]"),
        *(make_option(spec) for spec in (*specs(extractor.params), FORMAT)),
        *own,
    ]
    return click.Command(extractor.name, callback=run, params=params, help=write_help(extractor))


def _find_subjects(extractor: Extractor) -> tuple[str, ...]:
    """Return the parameters that an unnamed argument may stand for.

    These are the first exactly-one-of group, or else the first required parameter.
    """
    if extractor.params.one_of:
        return extractor.params.one_of[0]
    return tuple(spec.name for spec in specs(extractor.params) if spec.required)[:1]


def _name_subject(
    extractor: Extractor, query: Sequence[tuple[str, str]], subject: str | None
) -> Sequence[tuple[str, str]]:
    """Return the argument as the first parameter that accepts it, or as the first one if none does."""
    if subject is None:
        return ()
    names = _find_subjects(extractor)
    if not names:
        raise InvalidParams(f"{extractor.name} accepts no positional argument.")
    rest, _ = split_format(query)
    for name in names:
        with suppress(InvalidParams):
            parse(extractor.params, [*rest, (name, subject)])
            return ((name, subject),)
    return ((names[0], subject),)


def _choose_file(option: Path | None, subject: str | None) -> Path:
    if (option is None) == (subject is None):
        raise InvalidParams("Specify exactly one file, as the argument or with --file.")
    path = option or Path(str(subject))
    if not path.is_file():
        raise InvalidParams(f"File not found: {path}.")
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


get = Endpoints(
    _make_get, name="get", help="Send a request to an endpoint without a server. It is free and has no rate limit."
)
