"""One run of the suite against the installed code, and one against clients without any rule, for each way.

    python -m doctor.runs held|reached pages|others all|usual|few

prints the results of the attacks. Tests start it as a program, because memory is measured around each attack: that is
fast in a small process, and slower than the attacks in one with all tests.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from doctor.careless import Careless, unguarded
from webquarry.core.settings import Settings
from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.attack import Attack, AttemptResult
from webquarry.doctor.egress.attacks import list_attacks
from webquarry.doctor.egress.defence import defence
from webquarry.doctor.egress.network import Network
from webquarry.doctor.egress.opened import Opened
from webquarry.doctor.egress.suite import Client, Finding, play

Findings = Mapping[str, Finding]
RUN_S = 600.0
BUSY_MACHINE_S = 15.0
"""Late attacks never end: on a busy machine, a delay of seconds is not late."""
CHROMIUM = shutil.which("chromium")
Number = Literal["all", "usual", "few"]
COSTLY = frozenset(
    f"bomb: {name}"
    for name in (
        *("gzip, fastest", "deflate", "bare deflate", "gzip in gzip", "gzip in brotli", "brotli in Zstandard"),
        *("empty gzip members in gzip", "empty Zstandard frames in brotli"),
    )
)
"""Attacks that take a second of processor time each and have siblings; left out of the usual ones."""


def of(*, pages: bool) -> tuple[Attack, ...]:
    """Return the attacks that need a browser, or the others."""
    return tuple(attack for attack in list_attacks() if (attack.way == "page") is pages)


def few(attacks: Iterable[Attack]) -> tuple[Attack, ...]:
    """Return the first attack of each kind, according to their names."""
    kinds: dict[str, Attack] = {}
    for attack in attacks:
        kinds.setdefault(attack.name.partition(":")[0], attack)
    return tuple(kinds.values())


def names(attacks: Iterable[Attack]) -> list[str]:
    """Return the names used in findings."""
    return [name for attack in attacks for name in [f"{attack.name}: {what}" for what in attack.marks] or [attack.name]]


def defended(attacks: Iterable[Attack], settings: Settings, *, browser: bool = False) -> Findings:
    """Return the findings of attacks on the installed code."""

    async def run() -> Findings:
        async with Adversary(network) as adversary, defence(settings, adversary, browser=browser) as clients:
            playing = play(
                attacks, adversary, clients, Opened(settings), page_wire_mb=settings.page_wire_mb, late_s=BUSY_MACHINE_S
            )
            return {finding.attack.name: finding async for finding in playing}

    network = Network()
    with asyncio.Runner(loop_factory=lambda: network) as runner:
        return runner.run(run())


def undefended(attacks: Iterable[Attack], *, browser: bool = False) -> Findings:
    """Return the findings of attacks on clients without any rule."""

    async def run() -> Findings:
        async with Adversary(network) as adversary:
            careless = _Careless(adversary)
            opened = Opened(Settings())
            if not browser:
                playing = play(
                    attacks, adversary, {"fetch": careless, "proxy": careless}, opened, page_wire_mb=10, late_s=0.25
                )
                return {finding.attack.name: finding async for finding in playing}
            async with unguarded(CHROMIUM or "", adversary) as chromium:
                playing = play(attacks, adversary, {"page": chromium}, opened, page_wire_mb=10)
                return {finding.attack.name: finding async for finding in playing}

    network = Network()
    with asyncio.Runner(loop_factory=lambda: network) as runner:
        return runner.run(run())


@dataclass(frozen=True, slots=True)
class Came:
    """The result of an attack in another process. is_expected: whether its outcome is expected for a blocked attack."""

    verdict: str
    why: str
    outcome: str
    is_expected: bool


@lru_cache(maxsize=4)
def held_findings(number: Number, *, pages: bool) -> Mapping[str, Came]:
    return _play_apart("held", number, pages=pages)


@lru_cache(maxsize=4)
def reached_findings(number: Number, *, pages: bool) -> Mapping[str, Came]:
    return _play_apart("reached", number, pages=pages)


def _play_apart(what: str, number: Number, *, pages: bool) -> Mapping[str, Came]:
    chosen = ("pages" if pages else "others", number)
    done = subprocess.run(
        [sys.executable, "-m", "doctor.runs", what, *chosen],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=RUN_S,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {name: Came(*came) for name, *came in json.loads(done.stdout.splitlines()[-1])}


def main(what: str, way: str, number: str) -> None:
    attacks = of(pages=way == "pages")
    if number == "few":
        attacks = few(attacks)
    elif number == "usual":
        attacks = tuple(attack for attack in attacks if attack.name not in COSTLY)
    if what == "held":
        found = defended(attacks, Settings(), browser=way == "pages")
    else:
        found = undefended(attacks, browser=way == "pages")
    came = [
        (name, finding.verdict, finding.why, finding.outcome, finding.outcome in finding.attack.holds)
        for name, finding in found.items()
    ]
    print(json.dumps(came))  # noqa: T201  # read by the parent


class _Careless:
    """Generous for attacks that need access, brittle for attacks that aim at a failure."""

    def __init__(self, adversary: Adversary) -> None:
        self._generous = Careless(adversary)
        self._brittle = Careless(adversary, brittle=True)

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        client: Client = self._brittle if attack.aim == "fault" else self._generous
        return await client.attempt(attack, asks)


if __name__ == "__main__":
    main(*sys.argv[1:])
