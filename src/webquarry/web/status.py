"""The status page: the state of each endpoint and source of this instance, as HTML, markdown and JSON.

The states are based on the last runs of this server, and the daily bars on the runs of all servers.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api.negotiation import prefers_markdown
from webquarry.core.clock import Clock
from webquarry.core.errors import Overloaded
from webquarry.core.recent import KEPT, Figures
from webquarry.core.types import GRADE_NOTES, best_grade
from webquarry.endpoints.availability import SourceStanding, Standing, State
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.jobs.standing import QueueStanding
from webquarry.logs.figures import Figure, Read
from webquarry.web.bars import Bars, Runs, draw_bars, tell_share
from webquarry.web.site import MARKDOWN, VARIES, Site, respond

KINDS = {"fine": "good", "shaky": "warn", "failing": "bad", "no requests yet": "", "not set up": ""}
"""Styles of the states' badges."""
CIRCUITS = {"open": "paused", "half-open": "being retried", "closed": "with failures"}
"""Descriptions of the circuits' states."""
DAYS = 90
FIGURES_AGE_S = 60.0
"""Maximum age in seconds of the daily figures, which are stored once a minute."""
WORST_FIRST: Sequence[State] = ("failing", "shaky", "fine", "no requests yet", "not set up")
NAMED = 3
QUEUE_AGE_S = 10.0
"""Maximum age in seconds of the standing of the queue of jobs."""
LONG_WAIT_S = 15 * 60.0
"""Longest usual wait of a job. A site that refuses requests rests for ten minutes."""
_UNKEPT = {"cache-control": "no-store"}


RunsByEndpoint = Mapping[str, Mapping[date, Runs]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence on the state of all endpoints. `kind` is the style of its notice."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Family:
    """The status of a group of endpoints. `state` is the worst state of its endpoints."""

    title: str
    state: State
    members: Sequence[Standing]
    bars: Bars


class Status:
    """Routes of `/status`."""

    def __init__(
        self,
        site: Site,
        registry: Registry,
        clock: Clock,
        list_standings: Callable[[], Sequence[Standing]],
        read_figures: Read,
        read_queue: Callable[[], Awaitable[QueueStanding]],
    ) -> None:
        """`list_standings` returns states on this server, `read_figures` the daily figures of all servers.

        `read_queue` returns how well jobs are served.
        """
        self._site = site
        self._clock = clock
        self._began_at = clock.now()
        self._registry = registry
        self._list_standings = list_standings
        self._read_figures = read_figures
        self._read_queue = read_queue
        self._queue: tuple[float, Verdict] | None = None
        self._figures: tuple[float, Sequence[Figure]] | None = None

    def routes(self) -> Sequence[BaseRoute]:
        return (Route("/status", self.page), Route("/status.md", self.markdown), Route("/status.json", self.json))

    async def page(self, request: Request) -> Response:
        """Return the page as HTML, or as markdown if the client prefers it."""
        if prefers_markdown(request.headers.get("accept", ""), over="text/html"):
            return await self.markdown(request)
        return await self._site.page(request, "status.html", headers=_UNKEPT, kinds=KINDS, **await self._describe())

    async def markdown(self, request: Request) -> Response:
        text = self._site.render("status.md", **await self._describe())
        return await respond(request, text.encode(), MARKDOWN, headers={**_UNKEPT, **VARIES})

    async def _describe(self) -> dict[str, Any]:
        """Return the values for both forms of the page."""
        standings, runs = self._list_standings(), count_runs(await self._recall_figures())
        states = [each.state for each in standings]
        return {
            "verdict": judge_all(standings),
            "queue": await self._judge_queue(),
            "bars": self._draw(runs, runs),
            "families": list(self._list_families(standings, runs)),
            "tell_share": tell_share,
            "days": DAYS,
            "counts": {state: states.count(state) for state in KINDS if state in states},
            "began_at": self._began_at,
            "now": self._clock.now(),
            "kept": KEPT,
            "tell_age": tell_age,
            "tell_remarks": tell_remarks,
        }

    def _list_families(self, standings: Sequence[Standing], runs: RunsByEndpoint) -> Iterator[Family]:
        for name in self._registry.groups:
            members = [each for each in standings if each.extractor.group == name]
            if members:
                bars = self._draw(runs, [each.extractor.name for each in members])
                state = min((each.state for each in members), key=WORST_FIRST.index)
                yield Family(self._registry.describe_group(name).title, state, members, bars)

    def _draw(self, runs: RunsByEndpoint, endpoints: Iterable[str]) -> Bars:
        days: dict[date, Runs] = {}
        for endpoint in endpoints:
            for day, of_day in runs.get(endpoint, {}).items():
                days[day] = days.get(day, Runs()).plus(of_day)
        return draw_bars(days, self._clock.now().astimezone(UTC).date(), DAYS)

    async def _recall_figures(self) -> Sequence[Figure]:
        """Return the daily figures, at most a minute old, or an empty list if the store is unavailable."""
        now = self._clock.monotonic()
        if self._figures is None or now - self._figures[0] > FIGURES_AGE_S:
            try:
                self._figures = now, await self._read_figures(DAYS)
            except Overloaded:
                return self._figures[1] if self._figures else ()
        return self._figures[1]

    async def _judge_queue(self) -> Verdict:
        """Return the verdict on the queue of jobs, at most ten seconds old."""
        now = self._clock.monotonic()
        if self._queue is None or now - self._queue[0] > QUEUE_AGE_S:
            try:
                self._queue = now, judge_queue(await self._read_queue())
            except Overloaded:
                return Verdict("warn", "Unknown: the database is busy")
        return self._queue[1]

    async def json(self, request: Request) -> Response:
        standings = self._list_standings()
        verdict, queue = judge_all(standings), await self._judge_queue()
        body = {
            "verdict": {"state": verdict.kind, "text": verdict.text},
            "jobs": {"state": queue.kind, "text": queue.text},
            "sandbox": self._site.sandbox,
            "since": self._began_at,
            "now": self._clock.now(),
            "endpoints": [_write_endpoint(each) for each in standings],
        }
        return await respond(request, orjson.dumps(body), "application/json", headers=_UNKEPT)


def judge_all(standings: Sequence[Standing]) -> Verdict:
    """Return the verdict on all endpoints that are set up."""
    failing = [each.extractor.title for each in standings if each.state == "failing"]
    shaky = [each.extractor.title for each in standings if each.state == "shaky"]
    if failing:
        verb = "One endpoint is" if len(failing) == 1 else f"{len(failing)} endpoints are"
        return Verdict("bad", f"{verb} failing: {_name(failing)}")
    if shaky:
        verb = "One endpoint has" if len(shaky) == 1 else f"{len(shaky)} endpoints have"
        return Verdict("warn", f"{verb} failures: {_name(shaky)}")
    return Verdict("good", "All systems operational")


def judge_queue(standing: QueueStanding) -> Verdict:
    """Return the verdict on the queue of jobs."""
    if standing.wait_s > LONG_WAIT_S:
        return Verdict("warn", f"Some jobs have not made progress for {standing.wait_s / 60:.0f} minutes")
    return Verdict("good", "Running" if standing.running else "Ready")


def count_runs(figures: Iterable[Figure]) -> RunsByEndpoint:
    """Return the number of runs of each endpoint by day."""
    found: dict[str, dict[date, Runs]] = {}
    for figure in figures:
        if figure.name in ("runs", "failures"):
            of_endpoint = found.setdefault(figure.endpoint, {})
            more = Runs(figure.value, 0) if figure.name == "runs" else Runs(0, figure.value)
            of_endpoint[figure.day] = of_endpoint.get(figure.day, Runs()).plus(more)
    return found


def _name(titles: Sequence[str]) -> str:
    """Return a list of titles as text, such as `Web search, Maps and 2 more`."""
    more = len(titles) - NAMED
    return f"{', '.join(titles[:NAMED])} and {more} more" if more > 0 else ", ".join(titles)


def tell_age(instant: datetime, now: datetime) -> str:
    """Return an age such as `12 s ago`, in its largest unit."""
    seconds = max(0, int((now - instant).total_seconds()))
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return f"{seconds} s ago"


def tell_remarks(source: SourceStanding) -> str:
    """Return remarks on a provider: missing settings, the state of its hosts, and a note on its grade."""
    hosts = [f"{count} host{'' if count == 1 else 's'} {CIRCUITS[state]}" for state, count in source.circuits.items()]
    note = GRADE_NOTES.get(source.provider.grade) if source.remedy is None else None
    grade = [note] if note else []
    text = ", ".join([*([source.remedy] if source.remedy else []), *hosts, *grade])
    return text[:1].upper() + text[1:]


def _write_endpoint(standing: Standing) -> dict[str, Any]:
    extractor = standing.extractor
    return {
        "name": extractor.name,
        "title": extractor.title,
        "path": f"{API_PREFIX}{extractor.path}",
        "group": extractor.group,
        "grade": best_grade(extractor.all_providers),
        **_write_state(standing),
        "sources": [_write_source(source) for source in standing.sources],
    }


def _write_source(source: SourceStanding) -> dict[str, Any]:
    return {
        "name": source.provider.name,
        "title": source.provider.title,
        "grade": source.provider.grade,
        "unproven": source.provider.unproven,
        **_write_state(source),
        "circuits": dict(source.circuits),
    }


def _write_state(each: Standing | SourceStanding) -> dict[str, Any]:
    return {
        "state": each.state,
        "available": each.remedy is None,
        "remedy": each.remedy,
        **_write_figures(each.figures),
    }


def _write_figures(figures: Figures | None) -> dict[str, Any]:
    return {
        "count": figures.count if figures else 0,
        "success_share": round(figures.share, 3) if figures else None,
        "median_ms": figures.median_ms if figures else None,
        "last_success_at": figures.last_success_at if figures else None,
        "last_at": figures.last_at if figures else None,
    }
