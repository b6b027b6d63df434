"""The start page of administrators: totals, credits by day, the most used endpoints, and error rates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Directory, Visitor
from webquarry.api.statements import DayStatement
from webquarry.core.clock import Clock
from webquarry.logs.figures import Figure, Read
from webquarry.web.account.chart import draw
from webquarry.web.gate import Gate

OVERVIEW = "/admin/overview"
DAYS = 30
TOP = 15
CODE = "code:"


@dataclass(frozen=True, slots=True)
class EndpointTotals:
    """Totals of an endpoint, or of all endpoints. `failures` counts failed runs; `runs` excludes cached responses."""

    name: str
    requests: int
    cached: int
    errors: int
    runs: int
    failures: int
    credits: int


@dataclass(frozen=True, slots=True)
class ErrorTotal:
    """The number of responses with an error code."""

    code: str
    count: int


class AdminOverview:
    """Routes of `/admin/overview`. `read` returns daily figures."""

    def __init__(self, gate: Gate, directory: Directory, read: Read, clock: Clock) -> None:
        self._gate = gate
        self._directory = directory
        self._read = read
        self._clock = clock

    def routes(self) -> Sequence[BaseRoute]:
        return (Route(OVERVIEW, self._gate.page(self.show, admin=True), methods=["GET"]),)

    async def show(self, request: Request, _visitor: Visitor) -> Response:
        figures = await self._read(DAYS)
        until = self._clock.now().astimezone(UTC).date()
        since = until - timedelta(days=DAYS - 1)
        endpoints = list_endpoints(figures)
        return await self._gate.show(
            request,
            "admin/overview.html",
            accounts=await self._directory.count(),
            total=sum_up("all", figures),
            endpoints=endpoints[:TOP],
            others=len(endpoints[TOP:]),
            errors=list_errors(figures),
            chart=draw(list(list_days(figures)), since, until),
            days=DAYS,
        )


def sum_up(name: str, figures: Iterable[Figure]) -> EndpointTotals:
    """Return the totals of these figures."""
    sums: Counter[str] = Counter()
    for figure in figures:
        sums["errors" if figure.name.startswith(CODE) else figure.name] += figure.value
    return EndpointTotals(
        name,
        requests=sums["requests"],
        cached=sums["cached"],
        errors=sums["errors"],
        runs=sums["runs"],
        failures=sums["failures"],
        credits=sums["credits"],
    )


def list_endpoints(figures: Sequence[Figure]) -> list[EndpointTotals]:
    """Return the totals of each endpoint, most requests first."""
    grouped: dict[str, list[Figure]] = {}
    for figure in figures:
        grouped.setdefault(figure.endpoint, []).append(figure)
    totals = [sum_up(name, of_endpoint) for name, of_endpoint in grouped.items()]
    return sorted(totals, key=lambda each: (-each.requests, each.name))


def list_errors(figures: Iterable[Figure]) -> list[ErrorTotal]:
    """Return the number of responses with each error code, most frequent first."""
    counts: Counter[str] = Counter()
    for figure in figures:
        if figure.name.startswith(CODE):
            counts[figure.name.removeprefix(CODE)] += figure.value
    return [ErrorTotal(code, count) for code, count in counts.most_common()]


def list_days(figures: Iterable[Figure]) -> Iterable[DayStatement]:
    """Yield the credits of each day and endpoint for the chart."""
    for figure in figures:
        if figure.name == "credits":
            yield DayStatement(day=figure.day, endpoint=figure.endpoint, credits=figure.value, calls=0, refunded=0)
