"""Charts drawn on the server: credits per day as stacked bars, in SVG with a sentence for screen readers.

Colors are classes in the stylesheet, so a chart follows light and dark mode. It has no inline styles.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from webquarry.api.statements import DayStatement

WIDTH, HEIGHT = 720, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 12, 26
SERIES = 5
"""Number of endpoints with a separate color. The other endpoints share a color."""
OTHERS = "others"
GAP = 0.25


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a day's bar, in drawing units. `label` describes it in words."""

    x: float
    y: float
    width: float
    height: float
    series: int
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A horizontal line, or a day on the axis, with its label."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing for the template.

    `series` contains the (number, name) of each color. `summary` describes the chart in a sentence.
    """

    bars: tuple[Bar, ...]
    lines: tuple[Mark, ...]
    days: tuple[Mark, ...]
    series: tuple[tuple[int, str], ...]
    summary: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    floor: int = HEIGHT - BOTTOM


def draw(usage: Sequence[DayStatement], since: date, until: date) -> Chart:
    """Return a chart of credits per day from `since` to `until`, split by endpoint. `usage` may be in any order."""
    of_endpoint: Counter[str] = Counter()
    of_day: dict[date, Counter[str]] = {}
    for row in usage:
        of_endpoint[row.endpoint] += row.credits
        of_day.setdefault(row.day, Counter())[row.endpoint] += row.credits
    named = [name for name, credits in of_endpoint.most_common(SERIES) if credits]
    has_others = any(credits for name, credits in of_endpoint.items() if name not in named)
    number_of = {name: number for number, name in enumerate(named)}
    top = find_top(max((sum(day.values()) for day in of_day.values()), default=0))
    days = [since + timedelta(days=n) for n in range((until - since).days + 1)]
    step = (WIDTH - LEFT - RIGHT) / len(days)
    bars: list[Bar] = []
    for place, day in enumerate(days):
        bars += _stack(day, of_day.get(day, Counter()), number_of, LEFT + place * step, step, top)
    series = [(number, name) for name, number in number_of.items()]
    return Chart(
        bars=tuple(bars),
        lines=tuple(Mark(_height_at(value, top), f"{value:,}") for value in (0, top // 2, top)),
        days=tuple(_name_days(days, step)),
        series=(*series, (SERIES, OTHERS)) if has_others else tuple(series),
        summary=_tell(of_day, since, until),
    )


def find_top(most: int) -> int:
    """Return the top of the scale: 2, 4, 6, 8 or 10 times a power of ten, at or above the highest day's value."""
    power = 1
    while 10 * power < most:
        power *= 10
    return next(digit * power for digit in (2, 4, 6, 8, 10) if digit * power >= most)


def _stack(
    day: date, credits: Counter[str], number_of: dict[str, int], left: float, step: float, top: int
) -> list[Bar]:
    parts: Counter[int] = Counter()
    names = {number: name for name, number in number_of.items()}
    for name, amount in credits.items():
        parts[number_of.get(name, SERIES)] += amount
    bars, below = [], 0
    for number in sorted(parts):
        if parts[number] > 0:
            upper, lower = _height_at(below + parts[number], top), _height_at(below, top)
            label = f"{day}, {names.get(number, OTHERS)}: {parts[number]:,}"
            x, width = round(left + step * GAP / 2, 2), round(step * (1 - GAP), 2)
            bars.append(Bar(x, upper, width, round(lower - upper, 2), number, label))
            below += parts[number]
    return bars


def _height_at(value: int, top: int) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top, 2)


def _name_days(days: Sequence[date], step: float) -> list[Mark]:
    """Return labels for about six days, evenly spaced."""
    every = max(1, -(-len(days) // 6))
    return [
        Mark(round(LEFT + (place + 0.5) * step, 2), f"{day.day} {day:%b}")
        for place, day in enumerate(days)
        if place % every == 0
    ]


def _tell(of_day: dict[date, Counter[str]], since: date, until: date) -> str:
    total = sum(sum(day.values()) for day in of_day.values())
    if not total:
        return f"No credits were charged from {since} to {until}."
    most_day = max(of_day, key=lambda day: sum(of_day[day].values()))
    most = sum(of_day[most_day].values())
    return (
        f"{total:,} credit{'' if total == 1 else 's'} spent from {since} to {until}. "
        f"The busiest day was {most_day} ({most:,}). The table lists every day."
    )
