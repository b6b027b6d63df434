"""HTML of figures: charts as SVG and tables, without styles and scripts. Colors are classes in the stylesheet."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Final

from webquarry.core.types import PICTURES_PATH
from webquarry.web.playground.figures import Bars, Figure, Lines, Picture, Places

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 60, 12, 12, 28
MAX_BARS: Final = 20
MAX_PLACES: Final = 40
MAX_TEXT: Final = 100
MAX_POINTS: Final = 60
"""Maximum number of rows in a table of times. From a longer table, rows are dropped at even intervals."""
LABELS: Final = 4
"""Maximum number of labels below a line chart."""
LONG_SPAN_S: Final = 180 * 86400
"""Length of a period in seconds beyond which the labels below a chart are months."""
MAX_PICTURE: Final = 256
BAR: Final = 100


def write_figures(figures: Sequence[Figure]) -> str:
    """Return the HTML of figures, one after the other."""
    return "".join(_write(figure, number) for number, figure in enumerate(figures))


def _write(figure: Figure, number: int) -> str:
    match figure:
        case Lines():
            body = _write_lines(figure, number)
        case Bars():
            body = _write_bars(figure)
        case Places():
            body = _write_places(figure)
        case Picture():
            body = _write_picture(figure)
    return f'<section class="figure"><h3>{_text(figure.title)}</h3>{body}</section>'


def _write_bars(bars: Bars) -> str:
    """Return a table in which each number is also shown as a bar."""
    shown = bars.rows[:MAX_BARS]
    top = max((value for _, value in shown), default=0) or 1
    rows = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td class="level">{_write_bar(value / top)}</td>'
        f'<td class="num">{_format(value, bars.unit)}</td></tr>'
        for name, value in shown
    )
    table = f'<table class="bars">{_write_caption(bars.title)}<tbody>{rows}</tbody></table>'
    return table + _more(bars.rows, shown)


def _write_bar(part: float) -> str:
    width = max(round(BAR * part, 1), 0.5) if part else 0
    return (
        f'<svg viewBox="0 0 {BAR} 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="series-0" x="0" y="0" width="{width}" height="10"/></svg>'
    )


def _write_lines(lines: Lines, number: int) -> str:
    """Return a line chart, followed by a folded table of its numbers."""
    top = find_top(max((value for _, values in lines.series for value in values if value is not None), default=0))
    first, last = lines.times[0], lines.times[-1]
    span = (last - first).total_seconds()
    xs = [LEFT + (WIDTH - LEFT - RIGHT) * (time - first).total_seconds() / span for time in lines.times]
    drawn = "".join(
        f'<polyline class="line-{at}" points="{points}"/>'
        for at, (_, values) in enumerate(lines.series)
        for points in _split(xs, values, top)
    )
    titles = f"figure-{number}-title figure-{number}-summary"
    return (
        f'<svg class="lines" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{titles}">'
        f'<title id="figure-{number}-title">{_text(lines.title)}</title>'
        f'<desc id="figure-{number}-summary">{_summarise(lines)}</desc>'
        f"{_write_scale(top)}{_write_times(lines.times, xs)}{drawn}</svg>{_write_legend(lines)}"
        f"<details><summary>Numbers</summary>{_write_table(lines)}</details>"
    )


def find_top(most: float) -> float:
    """Return the top of the scale: 1, 2, 4, 5, 8 or 10 times a power of ten, at or above the largest number."""
    power = 1.0
    while 10 * power < most:
        power *= 10
    return next(digit * power for digit in (1, 2, 4, 5, 8, 10) if digit * power >= most)


def _split(xs: Sequence[float], values: Sequence[float | None], top: float) -> list[str]:
    """Return the points of a line, in several parts where numbers are missing."""
    parts: list[list[str]] = [[]]
    for x, value in zip(xs, values, strict=True):
        if value is None:
            parts.append([])
        else:
            parts[-1].append(f"{x:.1f},{_height_at(value, top):.1f}")
    return [" ".join(part) for part in parts if part]


def _height_at(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top


def _write_scale(top: float) -> str:
    return "".join(
        f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="scale" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_shorten(value)}</text>'
        for value in (0.0, top / 2, top)
        for y in (_height_at(value, top),)
    )


def _write_times(times: Sequence[datetime], xs: Sequence[float]) -> str:
    every = -(-len(times) // LABELS)
    anchors = {0: "start", len(times) - 1: "end"}
    return "".join(
        f'<text class="scale" x="{xs[at]:.1f}" y="{HEIGHT - 6}" text-anchor="{anchors.get(at, "middle")}">'
        f"{_format_time(times[at], times)}</text>"
        for at in range(0, len(times), every)
    )


def _write_legend(lines: Lines) -> str:
    if len(lines.series) < 2:
        return ""
    names = "".join(
        f'<span><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">'
        f'<rect class="series-{at}" x="0" y="0" width="10" height="10"/></svg> {_text(name)}</span>'
        for at, (name, _) in enumerate(lines.series)
    )
    return f'<p class="legend">{names}</p>'


def _write_table(lines: Lines) -> str:
    every = -(-len(lines.times) // MAX_POINTS)
    heads = "".join(f'<th scope="col">{_text(name or "Value")}</th>' for name, _ in lines.series)
    rows = "".join(
        f'<tr><th scope="row">{_format_time(lines.times[at], lines.times, whole=True)}</th>'
        + "".join(f'<td class="num">{_format_known(values[at])}</td>' for _, values in lines.series)
        + "</tr>"
        for at in range(0, len(lines.times), every)
    )
    return (
        f'<table>{_write_caption(lines.title)}<thead><tr><th scope="col">Time (UTC)</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _summarise(lines: Lines) -> str:
    """Return a sentence for people who cannot see the chart."""
    parts = []
    for name, values in lines.series:
        known = [(value, time) for value, time in zip(values, lines.times, strict=True) if value is not None]
        if known:
            most, at = max(known)
            when = _format_time(at, lines.times, whole=True)
            parts.append(f"{_text(name or 'The value')} is highest on {when}, at {_format(most, '')}.")
    first, last = (_format_time(lines.times[at], lines.times, whole=True) for at in (0, -1))
    return f"From {first} to {last}. {' '.join(parts)} The table lists the numbers."


def _write_places(places: Places) -> str:
    shown = places.rows[:MAX_PLACES]
    rows = "".join(
        f"<li><strong>{_text(name)}</strong>{_write_rating(rating)} "
        f'<span class="distance">{_format_distance(distance)}</span><br>'
        f'<span class="muted">{_text(address)}</span></li>'
        for name, address, rating, distance in shown
    )
    return (
        f'<p class="muted">Distances from {places.middle}.</p><ol class="places">{rows}</ol>{_more(places.rows, shown)}'
    )


def _write_rating(rating: float | None) -> str:
    return "" if rating is None else f' <span class="muted">rated {rating:g}</span>'


def _write_picture(picture: Picture) -> str:
    width, height = picture.width, picture.height
    size = ""
    if width and height:
        factor = min(1.0, MAX_PICTURE / max(width, height))
        size = f' width="{max(1, round(width * factor))}" height="{max(1, round(height * factor))}"'
    words = f'<p class="muted">{width} × {height} pixels</p>' if width and height else ""
    return (
        f'<p><img class="picture" src="{PICTURES_PATH}{picture.name}" alt="Picture from the response"{size}></p>{words}'
    )


def _write_caption(title: str) -> str:
    """Return a caption for screen readers. Other readers see the heading above the figure."""
    return f'<caption><span class="visually-hidden">{_text(title)}</span></caption>'


def _more(rows: Sequence[object], shown: Sequence[object]) -> str:
    rest = len(rows) - len(shown)
    return f'<p class="muted">{rest:,} more in the JSON.</p>' if rest else ""


def _text(text: str) -> str:
    cut = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …"
    return escape(cut)


def _format(value: float, unit: str) -> str:
    """Return a number as text for people, with its unit."""
    if unit == "share":
        return f"{100 * value:.1f} %"
    if unit == "percent":
        return f"{value:,.4g} %"
    if unit:
        return f"{value:,.2f} {unit}"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _shorten(value: float) -> str:
    """Return a number for the scale in a few characters: `500`, `1.5M`."""
    for size, sign in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"


def _format_known(value: float | None) -> str:
    return "–" if value is None else _format(value, "")


def _format_distance(km: float) -> str:
    if km < 1:
        return f"{round(1000 * km, -1):.0f} m"
    return f"{km:,.1f} km" if km < 100 else f"{km:,.0f} km"


def _format_time(time: datetime, times: Sequence[datetime], *, whole: bool = False) -> str:
    """Return a time with the precision that all times together need: months, days or minutes. `whole` is for tables."""
    span = (times[-1] - times[0]).total_seconds()
    has_hours = any(each.hour or each.minute for each in times[:3])
    if has_hours and (whole or span <= 3 * 86400):
        return f"{time:%Y-%m-%d %H:%M}" if whole else f"{time.day} {time:%b %H:%M}"
    if all(each.day == 1 for each in times) or (span > LONG_SPAN_S and not whole):
        return f"{time:%b %Y}"
    return f"{time:%Y-%m-%d}" if whole else f"{time.day} {time:%b}"
