"""Circuit breakers: an origin (scheme, host and port) that keeps failing is left alone for a while.

Closed: all pass. Open, after repeated failures or a Retry-After: none pass until its time is over. Half-open: one
attempt passes, and decides.

What counts is what the origin did, not what was asked of it. Where we know the addresses (a search engine, a
registry), refusals, walls and dead connections are what it does to us, so there is one circuit for all accounts. Where
callers name the addresses, anybody can find a path that refuses, and it says nothing about the next path or the next
caller. So each account has circuits of its own there, which count dead connections, requests to back off and walls at
different paths; and only what WITNESSES accounts have met within WITNESSED_S closes an origin for all.
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
"""Of each kind: those of our own addresses and those of callers'."""
WITNESSES = 3
"""Accounts whose circuits of one origin have opened, before it is left alone by the others too."""
WITNESSED_S = 60.0
"""How long an account's circuit counts for the others, at most. Who opened it is shut out for as long as that itself,
and longer where a Retry-After says so: nobody can keep an origin closed for others and go on using it."""
_COUNTED = frozenset({"blocked", "refused", "down"})
_OF_THE_REQUEST = frozenset({400, 404, 405, 406, 410, 411, 413, 414, 415, 416, 422, 431})
"""Statuses by which a server says that it was asked for the wrong thing, which is not its fault."""
_TOO_MANY_REQUESTS = 429


class Place(NamedTuple):
    """What a circuit is of. account: whose it is, where callers choose the addresses; None where it is everybody's."""

    provider: str
    origin: str
    account: str | None = None


@dataclass(frozen=True, slots=True)
class CircuitState:
    """For people and metrics. open_s: seconds for which nothing passes yet."""

    provider: str
    origin: str
    state: Literal["closed", "open", "half-open"]
    failures: int
    reason: ProviderReason
    open_s: float


@dataclass(slots=True)
class _Circuit:
    """walls: paths at which the origin showed one, where they are told apart."""

    reason: ProviderReason
    failures: int = 0
    last_failure_s: float = 0.0
    wait_s: float = 0.0
    opened_until_s: float | None = None
    probe_until_s: float = 0.0
    walls: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Witnessed:
    """What accounts have met at one origin. until_s: by account, how long it counts for the others."""

    reason: ProviderReason
    until_s: dict[str, float] = field(default_factory=dict)


class Breakers:
    """All circuits; only those with failures are held, the oldest are forgotten first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # apart, so that addresses which callers make up drive out nothing that we need
        self._of_all: OrderedDict[Place, _Circuit] = OrderedDict()
        self._of_accounts: OrderedDict[Place, _Circuit] = OrderedDict()
        self._witnessed: OrderedDict[tuple[str, str], _Witnessed] = OrderedDict()

    def check(self, place: Place, deadline: Deadline) -> None:
        """Pass, or ProviderError with the reason of the failures. A half-open circuit lets one attempt through until
        it has been told its outcome or the attempt's deadline is over."""
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
        """Pass unless the circuit has opened since `check` let this attempt through: while it stood in line, say."""
        self._check_witnessed(place)
        circuit = self._circuits(place).get(place)
        closed_for_s = (circuit.opened_until_s or 0.0) - self._clock.monotonic() if circuit else 0.0
        if circuit is not None and closed_for_s > 0:
            raise _make_left_alone_error(place, circuit.reason, closed_for_s)

    def failed(self, place: Place, error: ProviderError, *, path: str = "", status: int | None = None) -> None:
        """Count a failure at `path`, which was answered with `status` if at all. What says nothing about the origin
        counts for nothing; a timeout does not either, but ends a probe."""
        circuits = self._circuits(place)
        circuit = circuits.get(place)
        probing = circuit is not None and circuit.opened_until_s is not None
        if not _counts(place, error, status):
            if error.reason == "refused":
                self.succeeded(place)  # it answers, and does not ask to be left alone
                return
            if not (probing and error.reason == "timeout"):
                return
        now_s = self._clock.monotonic()
        reason: ProviderReason = error.reason  # type: ignore[assignment]  # ProviderError takes no other
        if circuit is None or (not probing and now_s - circuit.last_failure_s > WINDOW_S):
            circuit = circuits[place] = _Circuit(reason)
        circuit.reason, circuit.last_failure_s = reason, now_s
        circuits.move_to_end(place)
        if len(circuits) > MAX_CIRCUITS:
            circuits.popitem(last=False)
        if place.account is not None and reason == "blocked" and not probing and not error.retry_after_s:
            if path in circuit.walls:
                return
            circuit.walls.add(path)
        circuit.failures += 1
        if circuit.opened_until_s is not None and now_s < circuit.opened_until_s:
            return  # an attempt that began before the circuit opened
        if probing or circuit.failures >= THRESHOLD or error.retry_after_s:
            self._open(place, circuit, now_s, error.retry_after_s or 0.0)

    def succeeded(self, place: Place) -> None:
        """Close the circuit and forget its failures. An open one stays: this attempt began before it opened."""
        circuits = self._circuits(place)
        circuit = circuits.get(place)
        if circuit is None or (circuit.opened_until_s or 0.0) > self._clock.monotonic():
            return
        del circuits[place]
        witnessed = self._witnessed.get(place[:2])
        if witnessed is not None and place.account is not None:
            witnessed.until_s.pop(place.account, None)

    def undecided(self, place: Place) -> None:
        """An attempt ended without a verdict: let the next one probe."""
        if circuit := self._circuits(place).get(place):
            circuit.probe_until_s = 0.0

    def states(self) -> list[CircuitState]:
        """The circuits with failures, of each kind the newest failure last."""
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
        """ProviderError while the circuits of enough accounts count."""
        witnessed = self._witnessed.get(place[:2]) if place.account is not None else None
        if witnessed is None:
            return
        now_s = self._clock.monotonic()
        left_s = sorted((until_s - now_s for until_s in witnessed.until_s.values() if until_s > now_s), reverse=True)
        if len(left_s) >= WITNESSES:
            raise _make_left_alone_error(place, witnessed.reason, left_s[WITNESSES - 1])


def _counts(place: Place, error: ProviderError, status: int | None) -> bool:
    """Whether the failure is the origin's doing."""
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
