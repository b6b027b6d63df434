"""Circuit breakers: stop sending requests for a while to an origin (scheme, host and port) that keeps failing.

A closed circuit lets every attempt pass. It opens after repeated failures or a Retry-After and then rejects attempts
until its wait is over. A half-open circuit lets one attempt pass, and its outcome closes or reopens the circuit.

Only failures caused by the origin count, not those caused by the request. Where Webquarry chooses the URLs (a search
engine, a registry), refusals, block pages and dead connections show how the origin treats Webquarry, so all accounts
share one circuit. Where callers choose the URLs, anyone can find a path that is refused, which gives no information
about other paths or callers. There, each account has separate circuits, which count dead connections, requests to back
off and block pages at different paths. An origin is closed to every account only after WITNESSES accounts have opened a
circuit within WITNESSED_S.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple

from webquarry.core.clock import Clock
from webquarry.core.errors import ProviderError, ProviderReason
from webquarry.core.types import Deadline

THRESHOLD = 5
WINDOW_S = 60.0
FIRST_WAIT_S = 15.0
LONGEST_WAIT_S = 600.0
MAX_CIRCUITS = 10_000
"""Maximum for each kind of circuit: shared and per account."""
WITNESSES = 3
"""Number of accounts whose circuits for an origin must open before the origin is closed to other accounts as well."""
WITNESSED_S = 60.0
"""Maximum time in seconds for which an account's open circuit counts for other accounts.

An account whose circuit opened is rejected for at least as long, and longer after a Retry-After, so no account can
close an origin to others and keep using it.
"""
_COUNTED = frozenset({"blocked", "refused", "down"})
_OF_THE_REQUEST = frozenset({400, 404, 405, 406, 410, 411, 413, 414, 415, 416, 422, 431})
"""Statuses of faults in the request. They do not count as failures of the origin."""
_TOO_MANY_REQUESTS = 429


class Place(NamedTuple):
    """Key of a circuit.

    `account` is set where callers choose the URLs and None where all accounts share the circuit.
    """

    provider: str
    origin: str
    account: str | None = None


@dataclass(frozen=True, slots=True)
class CircuitState:
    """State of a circuit, for status pages and metrics.

    `open_s` is the number of seconds until the next attempt may pass.
    """

    provider: str
    origin: str
    state: Literal["closed", "open", "half-open"]
    failures: int
    reason: ProviderReason
    open_s: float


@dataclass(slots=True)
class _Circuit:
    """The failures of one origin, counted for all accounts or for one account.

    `walls` holds the paths that served a block page, if block pages are counted once per path.
    """

    reason: ProviderReason
    failures: int = 0
    last_failure_s: float = 0.0
    wait_s: float = 0.0
    opened_until_s: float | None = None
    probe_until_s: float = 0.0
    block_pages: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Witnessed:
    """Accounts whose circuits for one origin opened.

    `until_s` maps each account to the time until which its circuit counts for others.
    """

    reason: ProviderReason
    until_s: dict[str, float] = field(default_factory=dict)


def _is_news(place: Place, circuit: _Circuit, error: ProviderError, path: str) -> bool:
    """Return whether a failure is counted. If paths are counted, repeated block pages at the same path don't count."""
    if place.account is None or error.reason != "blocked" or error.retry_after_s:
        return True
    is_new = path not in circuit.block_pages
    circuit.block_pages.add(path)
    return is_new


class Breakers:
    """All circuits. Only circuits with failures are stored; the oldest circuits are dropped first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # kept separately, so that hosts chosen by callers cannot evict the shared circuits
        self._of_all: OrderedDict[Place, _Circuit] = OrderedDict()
        self._of_accounts: OrderedDict[Place, _Circuit] = OrderedDict()
        self._witnessed: OrderedDict[tuple[str, str], _Witnessed] = OrderedDict()

    def check(self, place: Place, deadline: Deadline) -> None:
        """Raise ProviderError with the reason of the failures if the circuit is open.

        A half-open circuit lets one attempt pass, then rejects others until that attempt's outcome is reported or its
        deadline has passed.
        """
        self._check_witnessed(place)
        circuit = self._circuits(place).get(place)
        if circuit is None or circuit.opened_until_s is None:
            return
        now_s = self._clock.monotonic()
        closed_for_s = max(circuit.opened_until_s, circuit.probe_until_s) - now_s
        if closed_for_s > 0:
            raise _make_left_alone_error(place, circuit.reason, closed_for_s)
        circuit.probe_until_s = deadline.at_s

    def check_again(self, place: Place) -> None:
        """Raise ProviderError if the circuit has opened since `check`, while this attempt waited for its turn."""
        self._check_witnessed(place)
        circuit = self._circuits(place).get(place)
        closed_for_s = (circuit.opened_until_s or 0.0) - self._clock.monotonic() if circuit else 0.0
        if circuit is not None and closed_for_s > 0:
            raise _make_left_alone_error(place, circuit.reason, closed_for_s)

    def failed(self, place: Place, error: ProviderError, *, path: str = "", status: int | None = None) -> None:
        """Count a failure at `path`. `status` is the HTTP status of the response, if there was one.

        Failures that the origin did not cause are not counted. A timeout is not counted either, but it ends a probe.
        """
        circuit = self._circuits(place).get(place)
        probing = circuit is not None and circuit.opened_until_s is not None
        if not _counts(place, error, status) and not self._ends_probe(place, error, probing=probing):
            return
        now_s = self._clock.monotonic()
        circuit = self._record(place, error, now_s)
        if not probing and not _is_news(place, circuit, error, path):
            return
        circuit.failures += 1
        if circuit.opened_until_s is not None and now_s < circuit.opened_until_s:
            return  # the attempt began before the circuit opened
        if probing or circuit.failures >= THRESHOLD or error.retry_after_s:
            self._open(place, circuit, now_s, error.retry_after_s or 0.0)

    def _ends_probe(self, place: Place, error: ProviderError, *, probing: bool) -> bool:
        """Return whether a failure that does not count ends a probe. A refusal instead closes the circuit."""
        if error.reason == "refused":
            self.succeeded(place)  # the origin responds and has not asked for fewer requests
        return probing and error.reason == "timeout"

    def _record(self, place: Place, error: ProviderError, now_s: float) -> _Circuit:
        """Add a failure to the circuit and move the circuit to the end of the list.

        Starts a new circuit if the last failure is old.
        """
        reason: ProviderReason = error.reason  # type: ignore[assignment]  # ProviderError only accepts these reasons
        circuits = self._circuits(place)
        circuit = circuits.get(place)
        is_closed = circuit is not None and circuit.opened_until_s is None
        if circuit is None or (is_closed and now_s - circuit.last_failure_s > WINDOW_S):
            circuit = circuits[place] = _Circuit(reason)
        circuit.reason, circuit.last_failure_s = reason, now_s
        circuits.move_to_end(place)
        if len(circuits) > MAX_CIRCUITS:
            circuits.popitem(last=False)
        return circuit

    def succeeded(self, place: Place) -> None:
        """Close the circuit and forget its failures.

        An open circuit stays open, because this attempt began before it opened.
        """
        circuits = self._circuits(place)
        circuit = circuits.get(place)
        if circuit is None or (circuit.opened_until_s or 0.0) > self._clock.monotonic():
            return
        del circuits[place]
        witnessed = self._witnessed.get(place[:2])
        if witnessed is not None and place.account is not None:
            witnessed.until_s.pop(place.account, None)

    def undecided(self, place: Place) -> None:
        """Let the next attempt probe, because this attempt ended without a verdict."""
        if circuit := self._circuits(place).get(place):
            circuit.probe_until_s = 0.0

    def states(self) -> list[CircuitState]:
        """Return the circuits that have failures: shared circuits first, and within each kind, sorted by their newest
        failure.
        """
        now_s = self._clock.monotonic()
        every: Iterable[tuple[Place, _Circuit]] = chain(self._of_all.items(), self._of_accounts.items())
        return [_state(place, circuit, now_s) for place, circuit in every]

    def _circuits(self, place: Place) -> OrderedDict[Place, _Circuit]:
        return self._of_all if place.account is None else self._of_accounts

    def _open(self, place: Place, circuit: _Circuit, now_s: float, retry_after_s: float) -> None:
        if circuit.failures >= THRESHOLD or circuit.opened_until_s is not None:
            circuit.wait_s = min(LONGEST_WAIT_S, circuit.wait_s * 2 or FIRST_WAIT_S)
        circuit.opened_until_s = now_s + min(LONGEST_WAIT_S, max(circuit.wait_s, retry_after_s))
        circuit.probe_until_s = 0.0
        if place.account is not None:
            self._witness(place, place.account, circuit.reason, min(circuit.opened_until_s, now_s + WITNESSED_S))

    def _witness(self, place: Place, account: str, reason: ProviderReason, until_s: float) -> None:
        witnessed = self._witnessed.setdefault(place[:2], _Witnessed(reason))
        witnessed.reason = reason
        now_s = self._clock.monotonic()
        witnessed.until_s = {name: kept_s for name, kept_s in witnessed.until_s.items() if kept_s > now_s}
        witnessed.until_s[account] = until_s
        self._witnessed.move_to_end(place[:2])
        if len(self._witnessed) > MAX_CIRCUITS:
            self._witnessed.popitem(last=False)

    def _check_witnessed(self, place: Place) -> None:
        """Raise ProviderError while the circuits of at least WITNESSES accounts are open."""
        witnessed = self._witnessed.get(place[:2]) if place.account is not None else None
        if witnessed is None:
            return
        now_s = self._clock.monotonic()
        left_s = sorted((until_s - now_s for until_s in witnessed.until_s.values() if until_s > now_s), reverse=True)
        if len(left_s) >= WITNESSES:
            raise _make_left_alone_error(place, witnessed.reason, left_s[WITNESSES - 1])


def _counts(place: Place, error: ProviderError, status: int | None) -> bool:
    """Return whether the origin caused the failure."""
    if error.reason != "refused" or error.retry_after_s:
        return error.reason in _COUNTED
    if place.account is not None:
        return status == _TOO_MANY_REQUESTS
    return status not in _OF_THE_REQUEST


def _make_left_alone_error(place: Place, reason: ProviderReason, closed_for_s: float) -> ProviderError:
    return ProviderError(
        f"{place.origin} has failed repeatedly ({reason}) and is paused. Try again in {max(1, round(closed_for_s))} s.",
        reason=reason,
        retry_after_s=closed_for_s,
    )


def _state(place: Place, circuit: _Circuit, now_s: float) -> CircuitState:
    open_s = max(0.0, (circuit.opened_until_s or 0.0) - now_s)
    state: Literal["closed", "open", "half-open"] = "closed"
    if circuit.opened_until_s is not None:
        state = "open" if open_s else "half-open"
    return CircuitState(place.provider, place.origin, state, circuit.failures, circuit.reason, open_s)
