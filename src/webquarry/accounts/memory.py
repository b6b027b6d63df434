"""The short memory of what the store said of a credential: so a revocation acts on every replica within `KNOWN_S`."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from webquarry.core.clock import Clock

KNOWN_S = 5.0
"""How long an answer of the store is believed: a revocation elsewhere acts within this."""
UNKNOWN_S = 1.0
REMEMBERED = 10_000
"""Entries of each kind: a flood of bad credentials pushes out bad ones only."""
V = TypeVar("V")
_V = TypeVar("_V")


class ShortMemory(Generic[V]):
    """What credentials stand for, by digest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # the float is the monotonic instant until which an entry holds
        self._known: OrderedDict[str, tuple[V, float]] = OrderedDict()
        self._unknown: OrderedDict[str, float] = OrderedDict()
        self._times_forgotten = 0

    async def find(self, digest: str, look_up: Callable[[str], Awaitable[V | None]]) -> V | None:
        """What the digest stands for, None for nothing; does not suspend when it was looked up just now."""
        known = self._known.get(digest)
        if known is not None and known[1] > self._clock.monotonic():
            return known[0]
        # counted from before the question: an answer may be as old as that
        asked_at, times_forgotten = self._clock.monotonic(), self._times_forgotten
        if self._unknown.get(digest, asked_at) > asked_at:
            return None
        found = await look_up(digest)
        if found is None:
            _remember(self._unknown, digest, asked_at + UNKNOWN_S)
        elif times_forgotten == self._times_forgotten:  # else it may be what was ended meanwhile
            _remember(self._known, digest, (found, asked_at + KNOWN_S))
        return found

    def forget(self, digest: str) -> None:
        self._times_forgotten += 1
        self._known.pop(digest, None)

    def forget_all(self, is_meant: Callable[[V], bool]) -> None:
        """Forget whatever stands for a value that is meant."""
        self._times_forgotten += 1
        for digest in [digest for digest, (value, _) in self._known.items() if is_meant(value)]:
            del self._known[digest]


def _remember(memory: OrderedDict[str, _V], digest: str, value: _V) -> None:
    """Put an entry last; forget the first beyond the bound. Entries end in about the order in which they came."""
    memory[digest] = value
    memory.move_to_end(digest)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
