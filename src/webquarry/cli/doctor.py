"""`webquarry doctor`: an installation examines itself."""

import asyncio
import sys

import click
import orjson

from webquarry.doctor.adversary import Adversary
from webquarry.doctor.attacks import declared
from webquarry.doctor.defence import defence
from webquarry.doctor.network import Network
from webquarry.doctor.opened import Opened
from webquarry.doctor.report import as_json, line, summary
from webquarry.doctor.suite import Finding, play
from webquarry.settings import Settings


def examine_egress(
    settings: Settings, only: tuple[str, ...], *, browser: bool, as_json_text: bool, quiet: bool
) -> None:
    """Play the attacks whose names begin with one of `only` (all when empty), print what came of them, and exit: 0 when
    none reached what it was after, else 1."""
    opened = Opened(settings)
    attacks = [attack for attack in declared() if not only or attack.name.startswith(only)]
    if not attacks:
        raise click.ClickException("No attack has a name that begins so: `webquarry doctor egress --list` names them.")
    if not as_json_text:
        for note in opened.notes:
            click.echo(f"note     {note}")

    network = Network()

    async def run() -> list[Finding]:
        findings = []
        async with Adversary(network) as adversary, defence(settings, adversary, browser=browser) as clients:
            async for finding in play(attacks, adversary, clients, opened, page_wire_mb=settings.page_wire_mb):
                findings.append(finding)
                if not as_json_text and not (quiet and finding.verdict == "held"):
                    click.echo(line(finding))
        return findings

    with asyncio.Runner(loop_factory=lambda: network) as runner:
        findings = runner.run(run())
    if as_json_text:
        click.echo(orjson.dumps(as_json(findings, opened.notes), option=orjson.OPT_INDENT_2))
    else:
        click.echo(summary(findings))
    sys.exit(any(finding.verdict == "reached" for finding in findings))


def list_attacks() -> None:
    """Print what would be played."""
    for attack in declared():
        for name in [f"{attack.name}: {what}" for what in attack.marks] or [attack.name]:
            click.echo(f"{name}  ({attack.tries})")
