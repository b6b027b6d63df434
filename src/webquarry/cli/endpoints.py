"""`webquarry endpoints`: lists the endpoints."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from webquarry.cli.common import json_option, print_json, read_settings, tell_errors

if TYPE_CHECKING:
    from webquarry.endpoints.registry import Registry


@click.command()
@json_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table of docs/endpoints.md.")
@click.option("--catalogue", "as_catalogue", is_flag=True, hidden=True)
@click.option("--changes", "as_changes", is_flag=True, hidden=True)
@tell_errors
def endpoints(as_json: bool, as_markdown: bool, as_catalogue: bool, as_changes: bool) -> None:
    """List the endpoints with their prices, cache durations, parameters and providers."""
    from webquarry.cli.catalogue_writer import write_catalogue
    from webquarry.cli.endpoint_lists import list_endpoints, write_line, write_table
    from webquarry.endpoints.registry import load

    writers = ((as_catalogue, write_catalogue), (as_markdown, write_table), (as_changes, _write_changes))
    for is_wanted, write in writers:
        if is_wanted:
            click.echo(write(load()), nl=False)
            return
    rows = list_endpoints(load(), read_settings())
    if as_json:
        print_json(rows)
        return
    for group in load().groups:
        click.echo(f"{load().describe_group(group).title}:")
        click.echo("".join(f"  {write_line(row)}\n" for row in rows if row["group"] == group))


def _write_changes(registry: "Registry") -> str:
    from webquarry.web.docs.changes import read_dates, write_dates

    return write_dates(registry, read_dates(), datetime.now(UTC).date())
