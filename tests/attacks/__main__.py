"""`python -m attacks`: attack newly started servers with hostile pages, files and sources."""

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import orjson

from attacks import report, suite
from attacks.attack import Attack
from attacks.attacks import list_attacks
from attacks.server import ServerError
from webquarry.core import log
from webquarry.doctor.report import line


@click.command()
@click.option("--only", multiple=True, help="Play attacks whose names begin with this; may be repeated.")
@click.option("--list", "lists", is_flag=True, help="Name the attacks and play none.")
@click.option("--no-browser", is_flag=True, help="Leave out what a browser would have to render.")
@click.option("--quiet", "-q", is_flag=True, help="Print only what was not held.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON report at the end.")
def main(only: tuple[str, ...], *, lists: bool, no_browser: bool, quiet: bool, as_json: bool) -> None:
    """Attack servers started for it with hostile pages, files and sources; exit 1 when one gives way.

    Takes about 20 minutes on two quiet cores. Nothing leaves this machine, no running server is touched, and nothing is
    kept.
    """
    chosen = [attack for attack in list_attacks() if not only or attack.name.startswith(only)]
    if not chosen:
        raise click.ClickException("No attack has a name that begins with this: `python -m attacks --list` names them.")
    if lists:
        for attack in chosen:
            click.echo(f"{attack.name}  ({attack.tries})")
        return
    log.set_up("error")
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))  # ends the servers too
    try:
        findings = asyncio.run(_play(chosen, browser=not no_browser, quiet=quiet, silent=as_json))
    except ServerError as exc:
        raise click.ClickException(str(exc)) from exc
    told = report.as_json(findings)
    click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2) if as_json else report.summary(findings))
    sys.exit(not told["ok"])


async def _play(attacks: Sequence[Attack], *, browser: bool, quiet: bool, silent: bool) -> list[suite.Finding]:
    """Return the findings. Prints each, and the progress if standard error is a terminal."""
    began, findings = time.monotonic(), []
    with TemporaryDirectory(prefix="webquarry-attacks-") as folder:
        async for finding in suite.play(attacks, Path(folder), browser=browser):
            findings.append(finding)
            if not silent and not (quiet and finding.verdict == "held"):
                click.echo(line(finding))
            if sys.stderr.isatty():
                left_s = (time.monotonic() - began) / len(findings) * (len(attacks) - len(findings))
                click.echo(
                    f"\r{len(findings)} of {len(attacks)}, about {left_s / 60:.0f} min left ", nl=False, err=True
                )
    return findings


if __name__ == "__main__":
    main()
