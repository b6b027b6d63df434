"""Pauses of the event loop while hostile content is read: felt from outside, over the attacks of `doctor content`.

`/healthz` is asked every 5 ms over a kept connection, by a process of its own; beside it a twin that has nothing else
to do, whose waits are the machine's. Where one wait held up the requests that were due in it, these count as well.

`python -m bench.content_attacks [--only PREFIX …] [--browser]`. Asked: p99.9 under 20 ms, none above 100 ms.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.table import show
from webquarry.doctor.content.attacks import list_attacks
from webquarry.doctor.content.pulse import EVERY_S
from webquarry.doctor.content.suite import Finding, play

P999_MS = 20.0
MOST_MS = 100.0
_EVERY_MS = 1000 * EVERY_S
_WORST = 10


async def measure(only: Sequence[str], *, browser: bool) -> None:
    attacks = [attack for attack in list_attacks() if not only or attack.name.startswith(tuple(only))]
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as folder:
        found = [finding async for finding in play(attacks, Path(folder), browser=browser)]
    found = [finding for finding in found if finding.verdict != "skipped"]
    families: dict[str, list[Finding]] = {}
    for finding in found:
        families.setdefault(finding.attack.family.partition(" of ")[0], []).append(finding)
    show(
        "Waits of /healthz while hostile content is read, by family",
        ("attacks", "played", "broke", "asked", "p99 ms", "p99.9 ms", "longest ms", "twin's longest ms"),
        [_row(family, findings) for family, findings in families.items()],
    )
    waits_ms, asked = _waits_ms(found)
    p999_ms, longest_ms = _quantile_ms(waits_ms, asked, 0.999), max(waits_ms, default=0.0)
    worst = sorted(found, key=lambda finding: finding.pulse.longest_ms, reverse=True)[:_WORST]
    show(
        "The longest",
        ("attack", "longest ms", "twin's longest ms", "outcome", "verdict"),
        [
            (finding.attack.name, finding.pulse.longest_ms, finding.pulse.twin_ms, finding.outcome, finding.verdict)
            for finding in worst
        ],
        f"p99.9 {p999_ms:.1f} ms; asked: under {P999_MS:g} ms ({_met(p999_ms < P999_MS)}).",
        f"Longest {longest_ms:.1f} ms; asked: under {MOST_MS:g} ms ({_met(longest_ms < MOST_MS)}).",
    )


def _row(family: str, findings: Sequence[Finding]) -> tuple[object, ...]:
    waits_ms, asked = _waits_ms(findings)
    return (
        family,
        len(findings),
        sum(finding.verdict == "broke" for finding in findings),
        asked,
        _quantile_ms(waits_ms, asked, 0.99),
        _quantile_ms(waits_ms, asked, 0.999),
        max(waits_ms, default=0.0),
        max(finding.pulse.twin_ms for finding in findings),
    )


def _waits_ms(findings: Iterable[Finding]) -> tuple[list[float], int]:
    """The noted waits, with those of requests that were due meanwhile and could not be sent; and how many there were of
    all."""
    waits_ms: list[float] = []
    asked = 0
    for finding in findings:
        asked += finding.pulse.asked
        for wait_ms in (*finding.pulse.waits_ms, *([finding.pulse.silent_ms] if finding.pulse.silent_ms > 2 else ())):
            waits_ms.append(wait_ms)
            missed = int(wait_ms // _EVERY_MS)
            waits_ms += [wait_ms - at * _EVERY_MS for at in range(1, missed + 1)]
            asked += missed
    return waits_ms, asked


def _quantile_ms(waits_ms: Sequence[float], asked: int, share: float) -> float:
    """What so large a share of all waits is below; those that were not noted count as none."""
    beyond = int(asked * (1 - share))
    worst = sorted(waits_ms, reverse=True)
    return worst[beyond] if beyond < len(worst) else 0.0


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--only", action="append", default=[], help="attacks whose names begin so")
    parser.add_argument("--browser", action="store_true", help="play those that need a browser as well")
    options = parser.parse_args()
    asyncio.run(measure(options.only, browser=options.browser))
