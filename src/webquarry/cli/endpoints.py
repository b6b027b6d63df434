"""`webquarry endpoints`: lists the endpoints."""

import click

from webquarry.cli.common import json_option, print_json, read_settings, tell_errors


@click.command()
@json_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table of docs/endpoints.md.")
@click.option("--catalogue", "as_catalogue", is_flag=True, hidden=True)
@tell_errors
def endpoints(as_json: bool, as_markdown: bool, as_catalogue: bool) -> None:
    """List the endpoints with their prices, cache durations, parameters and providers."""
    from webquarry.cli.catalogue_writer import write_catalogue
    from webquarry.cli.endpoint_lists import list_endpoints, write_line, write_table
    from webquarry.endpoints.registry import load

    if as_catalogue:
        click.echo(write_catalogue(load()), nl=False)
        return
    if as_markdown:
        click.echo(write_table(load()), nl=False)
        return
    rows = list_endpoints(load(), read_settings())
    if as_json:
        print_json(rows)
        return
    for group in load().groups:
        click.echo(f"{load().describe_group(group).title}:")
        click.echo("".join(f"  {write_line(row)}\n" for row in rows if row["group"] == group))
