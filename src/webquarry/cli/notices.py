"""`webquarry notices`: licences of the installed packages."""

from dataclasses import asdict

import click

from webquarry.cli.common import json_option, print_json
from webquarry.cli.licences import find_notices


@click.command()
@click.option("--texts", is_flag=True, help="Print the full license texts.")
@json_option
def notices(texts: bool, as_json: bool) -> None:
    """List the installed dependencies and their licenses."""
    found = find_notices()
    if as_json:
        print_json([asdict(notice) for notice in found])
        return
    for notice in found:
        click.echo(f"{notice.name} {notice.version}  {notice.licence}  {notice.home}".rstrip())
        if texts:
            for name, text in notice.texts.items():
                click.echo(f"\n--- {name}\n\n{text.strip()}\n")
