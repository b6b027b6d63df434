"""The requests of one attempt.

Each request is checked by the target rule and the breakers, waits for its turn, and is recorded. When the attempt ends,
its outcome is reported to the breakers.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from urllib.parse import SplitResult, urlsplit

from webquarry.core.clock import Clock
from webquarry.core.errors import ConversionFailed, ExtractionError, ProviderError, UnsafeTarget
from webquarry.core.log import log
from webquarry.core.settings import Settings
from webquarry.core.shares import account_of
from webquarry.core.types import Deadline, Provider
from webquarry.core.urls import DEFAULT_PORTS
from webquarry.net import redirect
from webquarry.net.breaker import Breakers, Place
from webquarry.net.politeness import Turns
from webquarry.net.rendering import Rendered
from webquarry.net.target import TargetRule
from webquarry.net.transport import Response

Answered = TypeVar("Answered", Response, Rendered)


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One request of an attempt, for receipts, logs and timings.

    `status` is None if there was no response; `reason` then states why. `wire_bytes` counts the body as transferred, or
    all subresources of a rendered page.
    """

    host: str
    status: int | None
    ms: int
    wire_bytes: int
    reason: str | None = None
    rendered: bool = False


class Admission:
    """Decides which hosts this process may send requests to, and when. Shared by all attempts.

    `visits` and `waited_s` count, per provider, the requests sent and the seconds that they waited for their turns. Set
    `plays_tapes` for tapes, which contact no host and need no turns, and whose recorded failures must not open a
    circuit.
    """

    def __init__(self, settings: Settings, clock: Clock, *, plays_tapes: bool) -> None:
        self.plays_tapes = plays_tapes
        self.rule = TargetRule(settings)
        self.turns = Turns(clock, settings.host_concurrency)
        self.breakers = Breakers(clock)
        self.visits: Counter[str] = Counter()
        self.waited_s: defaultdict[str, float] = defaultdict(float)


class _Said(NamedTuple):
    """The path and status of an origin's last response."""

    path: str
    status: int


class Exchanges:
    """Requests of one attempt. `done` lists all requests made so far."""

    def __init__(self, admission: Admission, provider: Provider, deadline: Deadline, account: str) -> None:
        self.done: list[Exchanged] = []
        self._admission = admission
        self._provider = provider
        self._deadline = deadline
        self._account = account
        self._origins: dict[str, _Said | None] = {}  # origins that the breakers let pass; the last to respond is last
        self._counted: list[ProviderError] = []

    async def make(
        self, url: str, deadline: Deadline, ask: Callable[[], Awaitable[Answered]], *, rendered: bool = False
    ) -> Answered:
        """Check the target, wait for a turn, and return the result of `ask`. `deadline` limits the wait."""
        admission = self._admission
        parts = urlsplit(url)
        host, origin = parts.hostname or "", redirect.origin_of(parts)
        admission.rule.check(host, parts.port or DEFAULT_PORTS[parts.scheme])
        if admission.plays_tapes:
            return await self._send(parts, ask, rendered=rendered)
        if origin not in self._origins:  # a probe is a whole attempt, with any number of requests
            admission.breakers.check(self._place(origin), self._deadline)
            self._origins[origin] = None
        began_s = time.perf_counter()
        async with admission.turns.turn(host, self._provider.politeness, deadline, self._account):
            admission.visits[self._provider.name] += 1
            admission.waited_s[self._provider.name] += time.perf_counter() - began_s
            admission.breakers.check_again(self._place(origin))
            return await self._send(parts, ask, rendered=rendered)

    def fail(self, url: str, error: ProviderError, status: int | None = None) -> None:
        """Report an unusable response from `url` to the breakers."""
        parts = urlsplit(url)
        origin = redirect.origin_of(parts)
        self._origins.pop(origin, None)
        if not self._admission.plays_tapes:
            self._admission.breakers.failed(self._place(origin), error, path=parts.path, status=status)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Mark errors raised within as already reported to the breakers, or as not caused by the host."""
        try:
            yield
        except ProviderError as exc:
            self._counted.append(exc)
            raise

    def conclude(self, error: BaseException | None) -> None:
        """Report the attempt's outcome to the breakers of the origins that it visited.

        `error` is None if it succeeded.
        """
        if isinstance(error, ProviderError) and error.reason != "changed" and not self._is_counted(error):
            answered = [(origin, said) for origin, said in self._origins.items() if said is not None]
            if answered:
                origin, said = answered[-1]
                self.fail(origin + said.path, error, said.status)
        breakers = self._admission.breakers
        is_verdict = error is None or isinstance(error, ExtractionError)
        for origin, answer in self._origins.items():
            decide = breakers.succeeded if is_verdict and answer is not None else breakers.undecided
            decide(self._place(origin))

    async def _send(self, url: SplitResult, ask: Callable[[], Awaitable[Answered]], *, rendered: bool) -> Answered:
        """Make one request and record it."""
        host, origin = url.hostname or "", redirect.origin_of(url)
        started_s = time.perf_counter()
        try:
            answer = await ask()
        except (ProviderError, UnsafeTarget, ConversionFailed) as exc:
            self._record(Exchanged(host, None, _ms_since(started_s), 0, exc.reason or exc.code, rendered))
            # a provider is unavailable because of this service, not the host
            if isinstance(exc, ProviderError) and exc.reason != "unavailable":
                self.fail(url.geturl(), exc)
            raise
        self._record(Exchanged(host, answer.status, _ms_since(started_s), answer.wire_bytes, rendered=rendered))
        self._origins.pop(origin, None)
        self._origins[origin] = _Said(url.path, answer.status)
        return answer

    def _record(self, done: Exchanged) -> None:
        self.done.append(done)
        log.info(
            "render" if done.rendered else "fetch",
            host=done.host,
            status=done.status,
            ms=done.ms,
            bytes=done.wire_bytes,
            reason=done.reason,
        )

    def _place(self, origin: str) -> Place:
        return Place(self._provider.name, origin, account_of(self._account) if self._provider.callers_choose else None)

    def _is_counted(self, error: ProviderError) -> bool:
        return any(error is counted for counted in self._counted)


def _ms_since(started_s: float) -> int:
    return round((time.perf_counter() - started_s) * 1000)
