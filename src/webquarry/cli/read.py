"""`webquarry read`: read one recorded wire with a provider's reader."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from webquarry.cli.subcommands import FILE, Endpoints, make_option, print_or_refuse, write_help
from webquarry.core import log
from webquarry.core.clock import SystemClock
from webquarry.core.errors import InvalidParams
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result
from webquarry.endpoints.params import parse, specs
from webquarry.endpoints.run import report_changes


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
        print_or_refuse(work)

    names = [provider.name for provider in extractor.all_providers]
    extra = [
        click.Option(["--provider"], type=click.Choice(names), required=True, help="Provider whose reader to use."),
        click.Option(
            ["--wire"],
            type=FILE,
            required=True,
            help="File with the recorded response body.",
        ),
        click.Option(["--markdown"], is_flag=True, help="Print the markdown instead of the data."),
        click.Option(["--wire-url"], help="URL of the recorded response."),
        click.Option(["--content-type"], default="", help="Content-Type of the recorded response."),
        click.Option(["--fetched-at"], help="Time of the recording, RFC 3339 [now]."),
    ]
    options = [make_option(spec) for spec in specs(extractor.params)]
    return click.Command(extractor.name, callback=run, params=[*options, *extra], help=write_help(extractor))


def _find_reader(extractor: Extractor, provider: str) -> Callable[[Wire, Any], Result]:
    read = {source.provider.name: source.read for source in extractor.sources}.get(provider, extractor.read)
    if read is None:
        raise InvalidParams(f"{extractor.name} needs several responses. Use `webquarry get` with --sandbox.")
    return read


def _parse_instant(text: str | None) -> datetime:
    if text is None:
        return SystemClock().now()
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as exc:
        raise click.BadParameter("must be like 2026-01-31T12:00:00Z", param_hint="fetched-at") from exc
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


read = Endpoints(_make_read, name="read", help="Parse one recorded response with a provider's reader.")
