"""Circuit breakers: a host that keeps failing is left alone for a while.

One per provider and host, since a provider may have many (registries, arbitrary pages) and one bad host says nothing
about the others. Closed: all pass. Open, after repeated failures or a Retry-After: none pass until its time is over.
Half-open: one attempt passes, and decides.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

from webquarry.clock import Clock
from webquarry.errors import ProviderError, ProviderReason
from webquarry.types import Deadline

THRESHOLD = 5
WINDOW_S = 60.0
FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 600.0
MAX_CIRCUITS = 10_000
_COUNTED = frozenset({"blocked", "refused", "down"})


@dataclass(frozen=True, slots=True)
class CircuitState:
    """For people and metrics. open_s: seconds for which nothing passes yet."""

    provider: str
    host: str
    state: Literal["closed", "open", "half-open"]
    failures: int
    reason: ProviderReason
    open_s: float


@dataclass(slots=True)
class _Circuit:
    reason: ProviderReason
    failures: int = 0
    last_failure_s: float = 0.0
    wait_s: float = 0.0
    opened_until_s: float | None = None
    probe_until_s: float = 0.0


class Breakers:
    """All circuits; only those with failures are held, the oldest are forgotten first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._circuits: OrderedDict[tuple[str, str], _Circuit] = OrderedDict()

    def check(self, provider: str, host: str, deadline: Deadline) -> None:
        """Pass, or ProviderError with the reason of the failures. A half-open circuit lets one attempt through until
        it has been told its outcome or the attempt's deadline is over."""
        circuit = self._circuits.get((provider, host))
        if circuit is None or circuit.opened_until_s is None:
            return
        now_s = self._clock.monotonic()
        closed_for_s = max(circuit.opened_until_s, circuit.probe_until_s) - now_s
        if closed_for_s > 0:
            raise _left_alone(host, circuit, closed_for_s)
        circuit.probe_until_s = deadline.at_s

    def check_again(self, provider: str, host: str) -> None:
        """Pass unless the circuit has opened since `check` let this attempt through: while it stood in line, say."""
        circuit = self._circuits.get((provider, host))
        closed_for_s = (circuit.opened_until_s or 0.0) - self._clock.monotonic() if circuit else 0.0
        if circuit is not None and closed_for_s > 0:
            raise _left_alone(host, circuit, closed_for_s)

    def failed(self, provider: str, host: str, error: ProviderError) -> None:
        """Count a failure. Timeouts and changed wires count for nothing, except that a timeout ends a probe."""
        key = (provider, host)
        circuit = self._circuits.get(key)
        probing = circuit is not None and circuit.opened_until_s is not None
        if error.reason not in _COUNTED and not (probing and error.reason == "timeout"):
            return
        now_s = self._clock.monotonic()
        reason: ProviderReason = error.reason  # type: ignore[assignment]  # ProviderError takes no other
        if circuit is None or (not probing and now_s - circuit.last_failure_s > WINDOW_S):
            circuit = self._circuits[key] = _Circuit(reason)
        circuit.reason, circuit.last_failure_s = reason, now_s
        circuit.failures += 1
        self._circuits.move_to_end(key)
        if len(self._circuits) > MAX_CIRCUITS:
            self._circuits.popitem(last=False)
        if circuit.opened_until_s is not None and now_s < circuit.opened_until_s:
            return  # an attempt that began before the circuit opened
        if probing or circuit.failures >= THRESHOLD or error.retry_after_s:
            self._open(circuit, now_s, error.retry_after_s or 0.0)

    def succeeded(self, provider: str, host: str) -> None:
        """Close the circuit and forget its failures. An open one stays: this attempt began before it opened."""
        circuit = self._circuits.get((provider, host))
        if circuit is None or (circuit.opened_until_s or 0.0) > self._clock.monotonic():
            return
        del self._circuits[provider, host]

    def undecided(self, provider: str, host: str) -> None:
        """An attempt ended without a verdict: let the next one probe."""
        if circuit := self._circuits.get((provider, host)):
            circuit.probe_until_s = 0.0

    def states(self) -> list[CircuitState]:
        """The circuits with failures, the newest failure last."""
        now_s = self._clock.monotonic()
        return [_state(key, circuit, now_s) for key, circuit in self._circuits.items()]

    def _open(self, circuit: _Circuit, now_s: float, retry_after_s: float) -> None:
        if circuit.failures >= THRESHOLD or circuit.opened_until_s is not None:
            circuit.wait_s = min(LONGEST_WAIT_S, circuit.wait_s * 2 or FIRST_WAIT_S)
        circuit.opened_until_s = now_s + min(LONGEST_WAIT_S, max(circuit.wait_s, retry_after_s))
        circuit.probe_until_s = 0.0


def _left_alone(host: str, circuit: _Circuit, closed_for_s: float) -> ProviderError:
    return ProviderError(
        f"{host} has kept failing ({circuit.reason}) and is left alone: try again in {max(1, round(closed_for_s))} s.",
        reason=circuit.reason,
        retry_after_s=closed_for_s,
    )


def _state(key: tuple[str, str], circuit: _Circuit, now_s: float) -> CircuitState:
    open_s = max(0.0, (circuit.opened_until_s or 0.0) - now_s)
    state: Literal["closed", "open", "half-open"] = "closed"
    if circuit.opened_until_s is not None:
        state = "open" if open_s else "half-open"
    return CircuitState(*key, state=state, failures=circuit.failures, reason=circuit.reason, open_s=open_s)
