"""`webquarry doctor`: self-checks of an installation."""

from typing import Any

import click

from webquarry.cli.common import data_dir_option, json_option, tell_errors
from webquarry.cli.groups import Group


@click.group(cls=Group, invoke_without_command=True)
@data_dir_option
@json_option
def doctor(as_json: bool, **options: Any) -> None:
    """Check this installation and explain how to fix problems. Exit 1 if a problem keeps it from working.

    Takes seconds and changes nothing. A server may be running.
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    from webquarry.cli import examinations  # not needed for the help

    tell_errors(examinations.check_installation)(as_json=as_json, **options)


@doctor.command("sources")
@click.argument("endpoints", nargs=-1, metavar="[ENDPOINT]...")
@data_dir_option
@json_option
@tell_errors
def ask_sources(endpoints: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Send each provider its endpoint's example request and print which providers respond. Exit 1 if none does.

    Takes a minute or two. Nothing is charged or stored. Providers without a required key are listed but not requested.
    """
    from webquarry.cli import examinations  # not needed for the help

    examinations.ask_sources(endpoints, as_json=as_json, **options)


@doctor.command("egress")
@click.option("--only", multiple=True, help="Run only attacks whose names start with this text. Repeatable.")
@click.option("--list", "lists", is_flag=True, help="List the attacks without running them.")
@click.option("--no-browser", is_flag=True, help="Skip the browser, which takes most of the time.")
@click.option("--quiet", "-q", is_flag=True, help="Don't print attacks that were blocked.")
@json_option
@tell_errors
def attack_egress(only: tuple[str, ...], lists: bool, no_browser: bool, quiet: bool, as_json: bool) -> None:
    """Attack the installed code on loopback with the current settings. Exit 1 if an attack reaches its target.

    No request leaves this machine, running servers are not affected, and nothing is stored.
    """
    from webquarry.cli import examinations  # not needed for the help

    if lists:
        examinations.list_egress()
    else:
        examinations.attack_egress(only, browser=not no_browser, quiet=quiet, as_json=as_json)


@doctor.command("isolation")
@click.option("--quiet", "-q", is_flag=True, help="Don't print attacks that were blocked.")
@data_dir_option
@json_option
@tell_errors
def attack_isolation(quiet: bool, as_json: bool, **options: Any) -> None:
    """Run hostile code in the converter's child processes. Exit 1 if it escapes.

    Takes seconds. It tries to reach the network, the data folder, the service's process and other jobs.
    """
    from webquarry.cli import examinations  # not needed for the help

    examinations.attack_isolation(quiet=quiet, as_json=as_json, **options)
