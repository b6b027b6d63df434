"""What is counted, for `/metrics`. One object a process, handed to whoever counts."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest


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

    def text(self) -> bytes:
        """The Prometheus text format."""
        return generate_latest(self.registry)
