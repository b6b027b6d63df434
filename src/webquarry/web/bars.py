"""Bars for days, drawn on the server as SVG paths. Each day has a bar whose color shows the day's share of failures."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from webquarry.endpoints.availability import FINE, SHAKY

STEP: Final = 8
WIDTH: Final = 6
HEIGHT: Final = 28
LEVELS: Final = ("good", "warn", "bad", "none")
"""Classes of bars. `none` is a day without runs."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Number of runs, and number of failed runs."""

    runs: int = 0
    failures: int = 0

    @property
    def share(self) -> float:
        """The share of runs that succeeded, from 0 to 1; 1 if there were no runs."""
        return (self.runs - self.failures) / self.runs if self.runs else 1.0

    @property
    def level(self) -> str:
        """The class of the bar."""
        if not self.runs:
            return "none"
        return "good" if self.share >= FINE else "warn" if self.share >= SHAKY else "bad"

    def plus(self, other: "Runs") -> "Runs":
        return Runs(self.runs + other.runs, self.failures + other.failures)


@dataclass(frozen=True, slots=True)
class Bars:
    """A drawing for the template.

    `paths` contains a (level, path) for all bars of each level. `summary` describes the drawing.
    """

    paths: tuple[tuple[str, str], ...]
    width: int
    height: int
    total: Runs
    summary: str


def draw_bars(days: Mapping[date, Runs], until: date, count: int) -> Bars:
    """Return bars for the last `count` days, up to and including `until`."""
    since = until - timedelta(days=count - 1)
    parts: dict[str, list[str]] = {level: [] for level in LEVELS}
    total, worst, worst_day = Runs(), Runs(), since
    for place in range(count):
        day = since + timedelta(days=place)
        runs = days.get(day, Runs())
        parts[runs.level].append(f"M{place * STEP} 0h{WIDTH}v{HEIGHT}h-{WIDTH}z")
        total = total.plus(runs)
        if runs.share < worst.share:
            worst, worst_day = runs, day
    paths = tuple((level, "".join(path)) for level, path in parts.items() if path)
    return Bars(paths, count * STEP, HEIGHT, total, _tell(total, worst, worst_day, count))


def tell_share(runs: Runs) -> str:
    """Return a share of successes such as `99.8 %`. It is only 100 if there were no failures."""
    return f"{1000 * (runs.runs - runs.failures) // runs.runs / 10:g} %" if runs.runs else "no runs"


def _tell(total: Runs, worst: Runs, worst_day: date, count: int) -> str:
    if not total.runs:
        return f"No runs in the last {count} days."
    text = f"{tell_share(total)} of {total.runs:,} run{'' if total.runs == 1 else 's'} in {count} days succeeded"
    return f"{text}, fewest on {worst_day} ({tell_share(worst)})." if worst.failures else f"{text}."
