"""Pauses of the event loop while hostile content is read, measured from outside over the attacks of `tests/attacks`.

A separate process requests `/healthz` every 5 ms over a kept connection. A second process without other work does the
same, and its waits are caused by the machine. Requests that were due during a wait are delayed and also count. "own"
excludes the time in which the loop's thread was ready to run but had no processor. On a busy machine, other processes
cause most of this time; on a quiet machine, the service's own child processes cause most of it.

`python -m bench.content_attacks [--only PREFIX …] [--browser]` takes half an hour for all attacks; long waits are
printed immediately. Goal: p99.9 under 20 ms, and no wait above 100 ms.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from attacks.attacks import list_attacks
from attacks.pulse import EVERY_S, NOTED_MS
from attacks.suite import Finding, play
from bench.table import show

P999_MS = 20.0
MOST_MS = 100.0
_EVERY_MS = 1000 * EVERY_S
_WORST = 10


async def measure(only: Sequence[str], *, browser: bool) -> None:
    attacks = [attack for attack in list_attacks() if not only or attack.name.startswith(tuple(only))]
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as folder:
        found = []
        async for finding in play(attacks, Path(folder), browser=browser):
            if finding.verdict != "skipped":
                found.append(finding)
                _tell(finding)
    families: dict[str, list[Finding]] = {}
    for finding in found:
        families.setdefault(finding.attack.family.partition(" of ")[0], []).append(finding)
    show(
        "Waits of /healthz while hostile content is read, by family",
        ("attacks", "played", "broke", "asked", "p99 ms", "p99.9 ms", "own", "longest ms", "own", "twin's longest ms"),
        [_row(family, findings) for family, findings in families.items()],
    )
    waits, own = _Waits.of(found), _Waits.of(found, own=True)
    worst = sorted(found, key=lambda finding: finding.pulse.longest_ms, reverse=True)[:_WORST]
    show(
        "The longest",
        ("attack", "longest ms", "twin's longest ms", "outcome", "verdict"),
        [
            (finding.attack.name, finding.pulse.longest_ms, finding.pulse.twin_ms, finding.outcome, finding.verdict)
            for finding in worst
        ],
        _compare("p99.9", waits.quantile_ms(0.999), own.quantile_ms(0.999), P999_MS),
        _compare("Longest", waits.longest_ms, own.longest_ms, MOST_MS),
    )


@dataclass(frozen=True, slots=True)
class _Waits:
    """The waits of one series.

    noted: recorded waits, including requests that were due during a wait and could not be sent. asked: total number of
    requests.
    """

    noted_ms: Sequence[float]
    asked: int

    @classmethod
    def of(cls, findings: Iterable[Finding], *, own: bool = False) -> Self:
        """Collect the waits of the findings.

        own: whether to exclude time in which the machine gave the thread no processor.
        """
        noted_ms: list[float] = []
        asked = 0
        for finding in findings:
            pulse = finding.pulse
            asked += pulse.asked
            felt_ms = list(pulse.waits_ms)
            if own:
                felt_ms = [wait - unserved for wait, unserved in zip(felt_ms, pulse.unserved_ms, strict=True)]
            if pulse.silent_ms > NOTED_MS:
                felt_ms.append(pulse.silent_ms)
            for wait_ms in felt_ms:
                missed = max(0, int(wait_ms // _EVERY_MS))
                noted_ms += [wait_ms - at * _EVERY_MS for at in range(missed + 1)]
                asked += missed
        return cls(sorted(noted_ms, reverse=True), asked)

    @property
    def longest_ms(self) -> float:
        return next(iter(self.noted_ms), 0.0)

    def quantile_ms(self, share: float) -> float:
        """Return the quantile of all waits in milliseconds. Waits that were not recorded count as 0."""
        beyond = int(self.asked * (1 - share))
        return self.noted_ms[beyond] if beyond < len(self.noted_ms) else 0.0


def _tell(finding: Finding) -> None:
    """Print an attack that exceeded the goal or caused an error as soon as it has finished."""
    pulse = finding.pulse
    if pulse.longest_ms >= P999_MS or finding.verdict == "broke":
        own_ms = _Waits.of([finding], own=True).longest_ms
        waits = f"{pulse.longest_ms:.0f} ms, own {own_ms:.0f}, its twin {pulse.twin_ms:.0f}"
        print(f"{finding.attack.name}: {waits}. {finding.outcome}. {finding.why}".rstrip(), flush=True)


def _row(family: str, findings: Sequence[Finding]) -> tuple[object, ...]:
    waits, own = _Waits.of(findings), _Waits.of(findings, own=True)
    return (
        family,
        len(findings),
        sum(finding.verdict == "broke" for finding in findings),
        waits.asked,
        waits.quantile_ms(0.99),
        waits.quantile_ms(0.999),
        own.quantile_ms(0.999),
        waits.longest_ms,
        own.longest_ms,
        max(finding.pulse.twin_ms for finding in findings),
    )


def _compare(name: str, ms: float, own_ms: float, most_ms: float) -> str:
    is_met = "met" if ms < most_ms else "NOT met"
    return f"{name} {ms:.1f} ms, own {own_ms:.1f}; asked: under {most_ms:g} ms ({is_met})."


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--only", action="append", default=[], help="attacks whose names begin so")
    parser.add_argument("--browser", action="store_true", help="play those that need a browser as well")
    options = parser.parse_args()
    asyncio.run(measure(options.only, browser=options.browser))
