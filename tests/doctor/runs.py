"""One run of the suite against the installed code, and one against clients without any rule, for each way."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from doctor.careless import Careless, unguarded
from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.attack import Attack, AttemptResult
from webquarry.doctor.egress.attacks import list_attacks
from webquarry.doctor.egress.defence import defence
from webquarry.doctor.egress.network import Network
from webquarry.doctor.egress.opened import Opened
from webquarry.doctor.egress.suite import Client, Finding, play
from webquarry.settings import Settings

Findings = Mapping[str, Finding]
BUSY_MACHINE_S = 15.0
"""What is late has no end at all: on a machine that does many things, to be seconds behind is not to be late."""
CHROMIUM = shutil.which("chromium")


def of(*, pages: bool) -> tuple[Attack, ...]:
    """The attacks that need a browser, or the others."""
    return tuple(attack for attack in list_attacks() if (attack.way == "page") is pages)


def few(attacks: Iterable[Attack]) -> tuple[Attack, ...]:
    """The first two of each kind, as their names tell it."""
    kinds: Counter[str] = Counter()
    chosen = []
    for attack in attacks:
        kind = attack.name.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= 2:
            chosen.append(attack)
    return tuple(chosen)


def names(attacks: Iterable[Attack]) -> list[str]:
    """As findings name them."""
    return [name for attack in attacks for name in [f"{attack.name}: {what}" for what in attack.marks] or [attack.name]]


def defended(attacks: Iterable[Attack], settings: Settings, *, browser: bool = False) -> Findings:
    """What comes of attacks on the installed code."""

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
    """What comes of them where there is no rule at all."""

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


@lru_cache(maxsize=4)
def held_findings(*, pages: bool, all_of_them: bool) -> Findings:
    attacks = of(pages=pages)
    return defended(attacks if all_of_them else few(attacks), Settings(), browser=pages)


@lru_cache(maxsize=4)
def reached_findings(*, pages: bool, all_of_them: bool) -> Findings:
    attacks = of(pages=pages)
    return undefended(attacks if all_of_them else few(attacks), browser=pages)


class _Careless:
    """Generous where an attack wants to be let in, brittle where it wants something to break."""

    def __init__(self, adversary: Adversary) -> None:
        self._generous = Careless(adversary)
        self._brittle = Careless(adversary, brittle=True)

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        client: Client = self._brittle if attack.aim == "fault" else self._generous
        return await client.attempt(attack, asks)
