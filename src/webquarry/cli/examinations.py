"""The checks and attacks of `webquarry doctor`, and the printing of their findings."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict
from typing import Any, TypeVar

import click
import orjson

from webquarry.cli.common import read_settings
from webquarry.core import log
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.doctor import installation, report, sources
from webquarry.doctor.egress import attacks as egress
from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.defence import defence
from webquarry.doctor.egress.network import Network
from webquarry.doctor.egress.opened import Opened
from webquarry.doctor.egress.report import ORDER as EGRESS_ORDER
from webquarry.doctor.egress.report import summary as egress_summary
from webquarry.doctor.egress.suite import Finding, play
from webquarry.doctor.isolation import suite as isolation
from webquarry.doctor.report import Found, Named
from webquarry.endpoints.registry import load
from webquarry.engine import list_secrets, open_engine
from webquarry.workers import confine

_N = TypeVar("_N", bound=Named)
_F = TypeVar("_F", bound=Found)


def check_installation(*, as_json: bool, **options: Any) -> None:
    """Check the installation, print what to do, and exit with 1 if a problem keeps it from working."""
    settings = read_settings(quiet=True, **options)
    checks = asyncio.run(_check_installation(settings, silent=as_json))
    problems = sum(check.state == "problem" for check in checks)
    summary = f"Problems: {problems}." if problems else "Ready to serve."
    _conclude({"ok": not problems, "checks": [asdict(check) for check in checks]}, summary, as_json_text=as_json)


async def _check_installation(settings: Settings, *, silent: bool) -> list[installation.Check]:
    checks = []
    async for check in installation.examine(settings, list_secrets(settings)):
        checks.append(check)
        if not silent:
            click.echo(check.line())
    return checks


def ask_sources(endpoints: tuple[str, ...], *, as_json: bool, **options: Any) -> None:
    """Send each provider its endpoint's example, print the results, and exit with 1 if no provider responds."""
    settings = read_settings(quiet=True, **options)
    log.set_up("error")
    known = {extractor.name for extractor in load()}
    if unknown := [name for name in endpoints if name not in known]:
        raise click.ClickException(f"Unknown endpoint {unknown[0]}. Run `webquarry endpoints` to list all endpoints.")

    async def run() -> list[sources.Finding]:
        findings = []
        async with open_engine(settings) as engine:
            async for finding in sources.ask_all(engine.registry, engine.pipeline.runner, endpoints):
                findings.append(finding)
                if not as_json:
                    click.echo(finding.line())
        return findings

    findings = asyncio.run(run())
    counts = Counter(finding.state for finding in findings)
    outcome = {"ok": bool(counts["answers"]), "sources": [asdict(finding) for finding in findings]}
    summary = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
    _conclude(outcome, summary, as_json_text=as_json)


def attack_egress(only: tuple[str, ...], *, browser: bool, quiet: bool, as_json: bool) -> None:
    """Attack the installed code on loopback with the current settings."""
    settings = Settings.from_environment(os.environ)
    log.set_up("error")  # attacks are reported as findings, not as log events
    examine_egress(settings, only, browser=browser, as_json_text=as_json, quiet=quiet)


def examine_egress(
    settings: Settings, only: tuple[str, ...], *, browser: bool, as_json_text: bool, quiet: bool
) -> None:
    """Run attacks whose names begin with one of `only` (all if empty), print the findings, and exit.

    The exit code is 0 if no attack succeeded, otherwise 1.
    """
    opened = Opened(settings)
    attacks = _chosen(egress.list_attacks(), only, "egress")
    if not as_json_text:
        for note in opened.notes:
            click.echo(f"note     {note}")

    network = Network()

    async def run() -> list[Finding]:
        async with Adversary(network) as adversary, defence(settings, adversary, browser=browser) as clients:
            playing = play(attacks, adversary, clients, opened, page_wire_mb=settings.page_wire_mb)
            return await _print_findings(playing, silent=as_json_text, quiet=quiet)

    with asyncio.Runner(loop_factory=lambda: network) as runner:
        findings = runner.run(run())
    _conclude(report.as_json(findings, EGRESS_ORDER, opened.notes), egress_summary(findings), as_json_text=as_json_text)


def list_egress() -> None:
    """Print the names of the attacks."""
    for attack in egress.list_attacks():
        for name in [f"{attack.name}: {what}" for what in attack.marks] or [attack.name]:
            click.echo(f"{name}  ({attack.tries})")


def attack_isolation(*, quiet: bool, as_json: bool, **options: Any) -> None:
    """Run hostile code in the converter's child processes, and exit with 1 if it escapes."""
    settings = read_settings(sandbox=False, **options)
    log.set_up("error")

    async def run() -> list[isolation.Finding]:
        findings = []
        async for finding in isolation.examine(SystemClock(), list_secrets(settings)):
            findings.append(finding)
            if not as_json and not (quiet and finding.held):
                click.echo(finding.line())
        return findings

    confine.hide()  # like the service
    findings = asyncio.run(run())
    open_count = sum(not finding.held for finding in findings)
    told = [{**asdict(finding), "verdict": "held" if finding.held else "open"} for finding in findings]
    outcome = {"ok": not open_count, "attempts": told}
    _conclude(outcome, f"{len(findings) - open_count} held, {open_count} open", as_json_text=as_json)


def _chosen(declared: Iterable[_N], only: tuple[str, ...], suite: str) -> list[_N]:
    """Return the attacks whose names begin with one of `only`, or all."""
    attacks = [attack for attack in declared if not only or attack.name.startswith(only)]
    if not attacks:
        raise click.ClickException(
            f"No attack's name starts with this text. `webquarry doctor {suite} --list` lists all attacks."
        )
    return attacks


async def _print_findings(playing: AsyncIterator[_F], *, silent: bool, quiet: bool) -> list[_F]:
    """Print findings as they arrive, and return them. `quiet` omits attacks that were blocked."""
    findings = []
    async for finding in playing:
        findings.append(finding)
        if not silent and not (quiet and finding.verdict == "held"):
            click.echo(report.line(finding))
    return findings


def _conclude(report: dict[str, Any], summary: str, *, as_json_text: bool) -> None:
    """Print the summary and exit, with 0 if no finding has the worst verdict, otherwise with 1."""
    click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2) if as_json_text else summary)
    sys.exit(not report["ok"])
