"""`webquarry read`: parses one recorded response with a provider's reader."""

from datetime import UTC, datetime
from pathlib import Path

import click

from webquarry.cli.asking import Failure, exit_with
from webquarry.cli.catalogue import Entry
from webquarry.cli.subcommands import Endpoints, make_option, write_help

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _make_read(entry: Entry) -> click.Command:
    def run(
        provider: str,
        wire: Path,
        markdown: bool,
        wire_url: str | None,
        content_type: str,
        fetched_at: str | None,
        **options: str | None,
    ) -> None:
        # importing it takes a second, and the help does not need it
        from webquarry.cli.wire_reader import Recording, read_wire

        address = wire_url or options.get("url") or ""
        query = [(name, value) for name, value in options.items() if value is not None]
        recording = Recording(wire.read_bytes(), address, content_type, _parse_instant(fetched_at))
        try:
            made = read_wire(entry.name, provider, recording, query, markdown=markdown)
        except Failure as failure:
            exit_with(failure, as_json=False)
        click.echo(made, nl=not made.endswith(b"\n"))

    extra = [
        click.Option(
            ["--provider"], type=click.Choice(entry.providers), required=True, help="Provider whose reader to use."
        ),
        click.Option(["--wire"], type=_FILE, required=True, help="File with the recorded response body."),
        click.Option(["--markdown"], is_flag=True, help="Print the markdown instead of the data."),
        click.Option(["--wire-url"], help="URL of the recorded response."),
        click.Option(["--content-type"], default="", help="Content-Type of the recorded response."),
        click.Option(["--fetched-at"], help="Time of the recording, RFC 3339 [now]."),
    ]
    params: list[click.Parameter] = [*map(make_option, entry.parameters), *extra]
    return click.Command(entry.name, callback=run, params=params, help=write_help(entry), short_help=entry.title)


def _parse_instant(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as exc:
        raise click.BadParameter("must be a time such as 2026-01-31T12:00:00Z", param_hint="fetched-at") from exc
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


read = Endpoints(_make_read, name="read", help="Parse one recorded response with a provider's reader.")
