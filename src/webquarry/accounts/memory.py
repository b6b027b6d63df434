"""Short-lived cache of credentials. A revocation takes effect on every server within `KNOWN_S` seconds."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from webquarry.core.clock import Clock

KNOWN_S = 5.0
"""Seconds for which a result is cached. A revocation on another server takes effect within this time."""
UNKNOWN_S = 1.0
REMEMBERED = 10_000
"""Maximum number of cached credentials of each kind. Invalid credentials are cached separately, so a flood of them does
not evict valid credentials.
"""
V = TypeVar("V")
_V = TypeVar("_V")


class ShortMemory(Generic[V]):
    """Cache of the values that credentials stand for, by digest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # the float is the monotonic time at which the entry expires
        self._known: OrderedDict[str, tuple[V, float]] = OrderedDict()
        self._unknown: OrderedDict[str, float] = OrderedDict()
        self._times_forgotten = 0

    async def find(self, digest: str, look_up: Callable[[str], Awaitable[V | None]]) -> V | None:
        """Return the value for a digest, or None. Does not suspend if the digest was looked up recently."""
        known = self._known.get(digest)
        if known is not None and known[1] > self._clock.monotonic():
            return known[0]
        # read the clock before the query, because the result may be that old
        asked_at, times_forgotten = self._clock.monotonic(), self._times_forgotten
        if self._unknown.get(digest, asked_at) > asked_at:
            return None
        found = await look_up(digest)
        if found is None:
            _remember(self._unknown, digest, asked_at + UNKNOWN_S)
        # otherwise, the credential may have been revoked during the query
        elif times_forgotten == self._times_forgotten:
            _remember(self._known, digest, (found, asked_at + KNOWN_S))
        return found

    def forget(self, digest: str) -> None:
        self._times_forgotten += 1
        self._known.pop(digest, None)

    def forget_all(self, is_meant: Callable[[V], bool]) -> None:
        """Drop every entry whose value satisfies `is_meant`."""
        self._times_forgotten += 1
        for digest in [digest for digest, (value, _) in self._known.items() if is_meant(value)]:
            del self._known[digest]


def _remember(memory: OrderedDict[str, _V], digest: str, value: _V) -> None:
    """Append an entry and drop the oldest entries beyond the limit. Entries expire roughly in the order in which they
    were added.
    """
    memory[digest] = value
    memory.move_to_end(digest)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
