"""What is counted, for `/metrics`. One object a process, handed to whoever counts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "webquarry_calls", "Answered calls.", ["endpoint", "cache", "code"], registry=self.registry
        )
        self.credits = Counter("webquarry_credits_charged", "Credits charged.", ["endpoint"], registry=self.registry)
        self.run_seconds = Histogram(
            "webquarry_run_seconds",
            "Duration of runs: fetching, reading and rendering.",
            ["endpoint"],
            buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120),
            registry=self.registry,
        )
        self.attempts = Counter(
            "webquarry_attempts",
            "Tries of providers, by their end.",
            ["provider", "result"],
            registry=self.registry,
        )
        self.renders = Counter(
            "webquarry_renders", "Pages given to the browser, by their end.", ["result"], registry=self.registry
        )
        self.losses = Counter(
            "webquarry_wire_losses",
            "Values that a reader looked for in a wire and did not find, or found with another type.",
            ["endpoint", "path"],
            registry=self.registry,
        )
        self.late_settles = Counter(
            "webquarry_late_settles", "Runs that ended after their hold had been refunded.", registry=self.registry
        )

        self._called: dict[tuple[str, str, str], Counter] = {}

    def called(self, endpoint: str, cache: str, code: str) -> None:
        """Count an answered call. Its counter is kept: to find it by its labels costs a cached answer too much."""
        labels = (endpoint, cache, code)
        counter = self._called.get(labels)
        if counter is None:
            counter = self._called[labels] = self.calls.labels(*labels)
        counter.inc()

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """A figure that is read whenever the metrics are."""
        Gauge(f"webquarry_{name}", description, registry=self.registry).set_function(read)

    def tally(self, name: str, description: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        """Counts that another part keeps by kind, read whenever the metrics are."""
        self.registry.register(_Tally(f"webquarry_{name}", description, label, read))

    def levels(
        self, name: str, description: str, labels: Sequence[str], read: Callable[[], Mapping[tuple[str, ...], float]]
    ) -> None:
        """Figures by several labels, read whenever the metrics are."""
        self.registry.register(_Levels(f"webquarry_{name}", description, labels, read))

    def text(self) -> bytes:
        """The Prometheus text format."""
        return generate_latest(self.registry)


@dataclass(frozen=True)
class _Levels(Collector):
    name: str
    description: str
    labels: Sequence[str]
    read: Callable[[], Mapping[tuple[str, ...], float]]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily(self.name, self.description, labels=self.labels)
        for labels, figure in self.read().items():
            family.add_metric(labels, figure)
        yield family


@dataclass(frozen=True)
class _Tally(Collector):
    name: str
    description: str
    label: str
    read: Callable[[], Mapping[str, float]]

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(self.name, self.description, labels=[self.label])
        for kind, count in self.read().items():
            family.add_metric([kind], count)
        yield family
