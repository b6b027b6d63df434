"""Interest over time: how often keywords are searched, on a common scale from 0 to 100.

Provider: Google Trends, by its widgets or through SerpApi. See docs/upstreams/trends.md.

Raises EmptyResult if the series has no data. A second request must confirm this.
"""

import math
from collections.abc import Sequence
from datetime import datetime, time
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, field, param
from webquarry.extractors.trends.model.params import (
    RequestFields,
    SourceName,
    TrendsParams,
    ages,
    list_request_facts,
    list_request_fields,
    write_end,
)
from webquarry.extractors.trends.model.windows import LONGEST_KEPT
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.chain import chain
from webquarry.extractors.trends.sources.values import LESS_THAN_ONE, has_enough, index_at, read_moment
from webquarry.providers import serpapi
from webquarry.read import at, must
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows
from webquarry.render import Md

MAX_KEYWORDS: Final = 5
MAX_ROWS: Final = 60
TOO_FEW: Final = "All values are 0 because there were too few searches to measure."
UNFINISHED: Final = "The last interval is still in progress, so its value may change."

Step = Literal["MINUTE", "EIGHT_MINUTE", "SIXTEEN_MINUTE", "HOUR", "DAY", "WEEK", "MONTH"]
_DAY_S: Final = 86_400
_STEPS: Final[dict[int, Step]] = {
    60: "MINUTE",
    480: "EIGHT_MINUTE",
    960: "SIXTEEN_MINUTE",
    3_600: "HOUR",
    _DAY_S: "DAY",
    7 * _DAY_S: "WEEK",
    **dict.fromkeys((days * _DAY_S for days in range(28, 32)), "MONTH"),
}


def list_keywords(text: str) -> str:
    """Normalize comma-separated keywords. Raises ValueError if a keyword is empty or there are too many keywords."""
    keywords = [keyword.strip() for keyword in text.split(",")]
    if not all(keywords):
        raise ValueError("must not contain empty keywords")
    if len(keywords) > MAX_KEYWORDS:
        raise ValueError(f"must contain at most {MAX_KEYWORDS} keywords, separated by commas")
    return ",".join(keywords)


class InterestParams(TrendsParams):
    q: Annotated[str, AfterValidator(list_keywords)] = param(
        "Up to five comma-separated keywords or topic IDs such as /m/02vqfm. They are compared with each other.",
        max_length=256,
        example="coffee,tea",
    )

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(self.q.split(","))


class Value(Result):
    keyword: str = field("Keyword as requested.")
    value: int = field("Interest from 0 to 100.", wire="default.timelineData[].value[]")
    has_data: bool = field(
        "Whether there is data. A value of 0 with data means less than 1.", wire="default.timelineData[].hasData[]"
    )
    formatted_value: str = field("Formatted value (`<1`).", wire="default.timelineData[].formattedValue[]")


class Point(Result):
    timestamp: int = field("Start time, in seconds since 1970.", unit="s", wire="default.timelineData[].time")
    date: datetime = field("Start time, UTC.")
    formatted_time: str | None = field(
        "Formatted time range of the point.", wire="default.timelineData[].formattedTime"
    )
    is_partial: bool = field("Whether the interval is still in progress.", wire="default.timelineData[].isPartial")
    values: list[Value] = field("One value per keyword, in order.")


class Average(Result):
    keyword: str = field("Keyword as requested.")
    value: int = field("Average of all values, rounded.", wire="default.averages[]")


class Interest(RequestFields):
    keywords: list[str] = field("Keywords, in the requested order.")
    resolution: Step | None = field(
        "Interval between points: `MINUTE`, `EIGHT_MINUTE`, `SIXTEEN_MINUTE`, `HOUR`, `DAY`, `WEEK` or `MONTH`; "
        "null for any other interval."
    )
    is_empty: bool = field("Whether all values are 0 because there are too few searches.")
    timeline: list[Point] = field("Points, oldest first.", wire="default.timelineData")
    averages: list[Average] = field("Averages, one per keyword, comparable with each other.")


def read(wire: Wire, params: InterestParams) -> Interest:
    """Parse the data of the widget TIMESERIES."""
    answer = widgets.answer_of(wire)
    rows = must(answer, "default.timelineData", list)
    _check_number(rows, "value", params)
    points = read_rows(rows, lambda row: _point(row, params.keywords), "timelineData[]")
    averages = at(answer, "default.averages", list)
    return _interest(params, "google_trends", rows, points, averages)


def read_serpapi(wire: Wire, params: InterestParams) -> Interest:
    answer = serpapi.answer_of(wire)
    rows = must(answer, "interest_over_time.timeline_data", list)
    _check_number(rows, "values", params)
    points = read_rows(rows, lambda row: _read_serpapi_point(row, params.keywords), "timeline_data[]")
    averages = at(answer, "interest_over_time.averages", list) if len(params.keywords) > 1 else None
    return _interest(params, "serpapi", rows, points, [at(row, "value", int) for row in averages or ()])


def _check_number(rows: Sequence[Any], member: str, params: InterestParams) -> None:
    """Raise ProviderError "changed" if the response has another number of keywords than the request."""
    width = next((len(values) for row in rows if (values := at(row, member, list)) is not None), None)
    if width not in (None, len(params.keywords)):
        raise ProviderError(
            f"Google Trends returned data for {width} keywords instead of {len(params.keywords)}.", reason="changed"
        )


def _point(row: Any, keywords: Sequence[str]) -> Point | None:
    """Parse a row, or return None if its time or a value is unreadable."""
    numbers, has_data, formatted = (at(row, member, list) or () for member in ("value", "hasData", "formattedValue"))
    values = []
    for place, keyword in enumerate(keywords):
        value = index_at(numbers, f"[{place}]")
        if value is None:
            return None
        values.append(_read_value(keyword, value, at(has_data, f"[{place}]", bool), at(formatted, f"[{place}]", str)))
    is_partial = at(row, "isPartial", bool) if "isPartial" in row else None
    return _at_its_time(at(row, "time", str), to_line(at(row, "formattedTime", str)), is_partial, values)


def _read_serpapi_point(row: Any, keywords: Sequence[str]) -> Point | None:
    values = []
    for place, keyword in enumerate(keywords):
        value = index_at(row, f"values[{place}].extracted_value")
        if value is None:
            return None
        values.append(_read_value(keyword, value, None, at(row, f"values[{place}].value", str)))
    is_partial = at(row, "partial_data", bool) if "partial_data" in row else None
    return _at_its_time(at(row, "timestamp", str), to_line(at(row, "date", str)), is_partial, values)


def _read_value(keyword: str, value: int, has_data: bool | None, formatted: str | None) -> Value:
    return Value(
        keyword=keyword,
        value=value,
        has_data=value > 0 or formatted == LESS_THAN_ONE if has_data is None else has_data,
        formatted_value=to_line(formatted) or str(value),
    )


def _at_its_time(
    seconds: str | None, formatted: str | None, is_partial: bool | None, values: list[Value]
) -> Point | None:
    begins = read_moment(seconds)
    if begins is None:
        return None
    return Point(
        timestamp=int(begins.timestamp()),
        date=begins,
        formatted_time=formatted,
        is_partial=bool(is_partial),
        values=values,
    )


def _interest(
    params: InterestParams, source: SourceName, rows: Sequence[Any], points: list[Point], averages: Sequence[Any] | None
) -> Interest:
    """Return the result. averages: as the provider sends them; Google Trends sends none for a single keyword."""
    warnings = has_enough(len(points), len(rows), "points")
    points = sorted(points, key=lambda point: point.timestamp)
    if not any(value.has_data for point in points for value in point.values):
        raise EmptyResult(f"Google Trends has no data for {', '.join(params.keywords)} at this place and time.")
    is_empty = not any(value.value for point in points for value in point.values)
    if is_empty:
        warnings.append(TOO_FEW)
    if points[-1].is_partial:
        warnings.append(UNFINISHED)
    return Interest(
        **list_request_fields(params, source, warnings),
        keywords=list(params.keywords),
        resolution=_resolution(points),
        is_empty=is_empty,
        timeline=points,
        averages=_calculate_averages(params.keywords, points, averages),
    )


def _calculate_averages(
    keywords: Sequence[str], points: Sequence[Point], averages: Sequence[Any] | None
) -> list[Average]:
    """Return the provider's averages, or calculate them from the points if there are none."""
    given = [index_at(averages, f"[{place}]") for place in range(len(keywords))] if averages else []
    own = [_calculate_mean([point.values[place].value for point in points]) for place in range(len(keywords))]
    means = [own[place] if value is None else value for place, value in enumerate(given)] or own
    return [Average(keyword=keyword, value=value) for keyword, value in zip(keywords, means, strict=True)]


def _calculate_mean(values: Sequence[int]) -> int:
    return math.floor(sum(values) / len(values) + 0.5)


def _resolution(points: Sequence[Point]) -> Step | None:
    """Return the step between points: the shortest distance between two points.

    Clock changes and gaps only make distances longer.
    """
    gaps = [later.timestamp - earlier.timestamp for earlier, later in pairwise(points)]
    return _STEPS.get(min((gap for gap in gaps if gap > 0), default=0))


def render(r: Interest) -> str:
    page = Md(f"{', '.join(r.keywords)}: interest over time").facts(list_request_facts(r))
    page.paragraph(
        "Interest is relative: 100 is the highest value in this table, 50 is half of it, and 0 is too low to measure."
    )
    by_the_day = all(point.date.time() == time() for point in r.timeline)
    page.table(
        "Averages",
        ("Keyword", "Average", "Highest", "Reached"),
        [_summary(r, place, by_the_day) for place in range(len(r.keywords))],
    )
    shown, note = list_thin_points(r.timeline)
    rows = [[_write_when(point, by_the_day), *(value.formatted_value for value in point.values)] for point in shown]
    page.table("Timeline", ("Beginning (UTC)", *r.keywords), rows)
    page.paragraph(note)
    return write_end(page, r, ",".join(r.keywords))


def list_thin_points(points: Sequence[Point]) -> tuple[Sequence[Point], str | None]:
    """Return at most `MAX_ROWS` evenly spaced points, including the last, and a warning if points were dropped."""
    step = math.ceil(len(points) / MAX_ROWS)
    if step < 2:
        return points, None
    shown = points[(len(points) - 1) % step :: step]
    return (
        shown,
        f"The table shows one of every {step} points, {len(shown)} of {len(points)}; the JSON format has all of them.",
    )


def _summary(r: Interest, place: int, by_the_day: bool) -> tuple[str, int, int, str]:
    highest = max(r.timeline, key=lambda point: point.values[place].value)
    return r.keywords[place], r.averages[place].value, highest.values[place].value, _write_when(highest, by_the_day)


def _write_when(point: Point, by_the_day: bool) -> str:
    begins = f"{point.date:%Y-%m-%d}" if by_the_day else f"{point.date:%Y-%m-%d %H:%M}"
    return f"{begins} (not over)" if point.is_partial else begins


extractor = Extractor(
    name="trends_interest",
    path="/trends/interest",
    version=2,
    group="trends",
    title="Search interest over time",
    description=(
        "Returns the search interest over time on Google for up to five keywords, compared on one scale from 0 to "
        "100, with averages. The interval between points depends on the length of the time range. If there is no "
        "data, the request returns `empty_result`."
    ),
    params=InterestParams,
    result=Interest,
    credits=1,
    fresh=LONGEST_KEPT,
    ages=ages,
    sources=chain("TIMESERIES", "TIMESERIES", read, read_serpapi),
    render=render,
    ends={
        "empty_result": "There are not enough searches.",
        "invalid_params": "The region does not exist.",
    },
    example={"q": "coffee,tea"},
)
