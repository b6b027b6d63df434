"""Counters for `/metrics` and the status page.

Each process has one object, which is passed to all code that counts.
"""

import collections
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from webquarry.core.recent import Recent

_Family = CounterMetricFamily | GaugeMetricFamily
_Read = Callable[[], Mapping[tuple[str, ...], float]]

MAX_PATHS = 5000
"""Maximum number of distinct paths in the metric of lost values, across all endpoints."""
OTHER_PATHS = "(others)"


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.endpoints, self.sources = Recent(), Recent()
        self._calls: dict[tuple[str, ...], int] = {}  # the library's counter would be too slow for cached responses
        labels = ("endpoint", "cache", "code")
        self._register("calls", "Requests that received a response.", labels, self._calls.copy, CounterMetricFamily)
        self.credits = Counter("webquarry_credits_charged", "Credits charged.", ["endpoint"], registry=self.registry)
        self._charged: collections.Counter[str] = collections.Counter()
        self.run_seconds = Histogram(
            "webquarry_run_seconds",
            "Duration of runs: fetching, parsing and rendering.",
            ["endpoint"],
            buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120),
            registry=self.registry,
        )
        self.attempts = Counter(
            "webquarry_attempts",
            "Attempts to use a provider, by result.",
            ["provider", "result"],
            registry=self.registry,
        )
        self.renders = Counter(
            "webquarry_renders", "Pages loaded in the browser, by result.", ["result"], registry=self.registry
        )
        self.losses = Counter(
            "webquarry_wire_losses",
            "Values that were missing from a provider's response or had an unexpected type.",
            ["endpoint", "path"],
            registry=self.registry,
        )
        self._paths: set[tuple[str, str]] = set()
        self.late_settles = Counter(
            "webquarry_late_settles", "Runs that ended after their credits had been refunded.", registry=self.registry
        )
        self.loop_pauses = Histogram(
            "webquarry_loop_pause_seconds",
            "Delay of the event loop, sampled 50 times a second. All requests wait during a delay.",
            buckets=(0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5),
            registry=self.registry,
        )
        self._longest_pause = Longest()
        self.gauge(
            "loop_longest_pause_seconds",
            "Longest delay of the event loop in the last one to two minutes.",
            lambda: self._longest_pause.value,
        )

    def called(self, endpoint: str, cache: str, code: str) -> None:
        """Count a response."""
        labels = (endpoint, cache, code)
        self._calls[labels] = self._calls.get(labels, 0) + 1

    def charged(self, endpoint: str, credits: int) -> None:
        """Count credits that were charged."""
        self.credits.labels(endpoint).inc(credits)
        self._charged[endpoint] += credits

    def totals(self) -> dict[tuple[str, str], int]:
        """Return the counts since the start, by endpoint and name.

        The names are `requests`, `cached` (requests answered from the cache or by a request in progress), `credits`,
        `runs`, `failures` (of runs), and `code:<code>` for each error.
        """
        totals: collections.Counter[tuple[str, str]] = collections.Counter()
        for (endpoint, cache, code), count in self._calls.items():
            totals[endpoint, "requests"] += count
            if cache in ("hit", "joined"):
                totals[endpoint, "cached"] += count
            if code != "ok":
                totals[endpoint, f"code:{code}"] += count
        for name, counts in (
            ("credits", self._charged),
            ("runs", self.endpoints.runs),
            ("failures", self.endpoints.failures),
        ):
            totals.update({(endpoint, name): count for endpoint, count in counts.items()})
        return totals

    def lost(self, endpoint: str, path: str, count: int) -> None:
        """Count values that a reader did not find at a path.

        Beyond `MAX_PATHS`, all paths are counted as one: readers have fewer paths, but a compromised child process
        could invent any number.
        """
        if (endpoint, path) not in self._paths and len(self._paths) >= MAX_PATHS:
            path = OTHER_PATHS
        self._paths.add((endpoint, path))
        self.losses.labels(endpoint, path).inc(count)

    def paused(self, seconds: float) -> None:
        """Record by how many seconds a check of the event loop was late."""
        self.loop_pauses.observe(seconds)
        self._longest_pause.see(seconds)

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Register a gauge that is computed when the metrics are read."""
        Gauge(f"webquarry_{name}", description, registry=self.registry).set_function(read)

    def tally(self, name: str, description: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        """Register counters that another part keeps by label. They are read together with the metrics."""

        def read_by_labels() -> Mapping[tuple[str, ...], float]:
            return {(kind,): count for kind, count in read().items()}

        self._register(name, description, (label,), read_by_labels, CounterMetricFamily)

    def levels(self, name: str, description: str, labels: Sequence[str], read: _Read) -> None:
        """Register gauges with several labels. They are read together with the metrics."""
        self._register(name, description, labels, read, GaugeMetricFamily)

    def _register(self, name: str, description: str, labels: Sequence[str], read: _Read, form: type[_Family]) -> None:
        self.registry.register(_Figures(f"webquarry_{name}", description, labels, read, form))

    def text(self) -> bytes:
        """Return the metrics in the Prometheus text format."""
        return generate_latest(self.registry)


class Longest:
    """The longest value in this minute or the previous one. `now` returns monotonic seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._minute = 0
        self._this = self._last = 0.0

    def see(self, value: float) -> None:
        self._turn()
        self._this = max(self._this, value)

    @property
    def value(self) -> float:
        self._turn()
        return max(self._this, self._last)

    def _turn(self) -> None:
        minute = int(self._now() // 60)
        if minute != self._minute:
            self._last = self._this if minute == self._minute + 1 else 0.0
            self._this = 0.0
            self._minute = minute


@dataclass(frozen=True)
class _Figures(Collector):
    """Metrics that another part keeps, by label values."""

    name: str
    description: str
    labels: Sequence[str]
    read: _Read
    form: type[_Family]

    def collect(self) -> Iterator[_Family]:
        family = self.form(self.name, self.description, labels=self.labels)
        for labels, figure in self.read().items():
            family.add_metric(labels, figure)
        yield family
