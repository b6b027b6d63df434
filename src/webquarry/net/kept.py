"""Cached values of a provider: sessions, tokens, tables.

    SESSION = "session"

    kept: Kept[str, Session] = Kept.of(net, SESSION)
    session = await kept.get(country, partial(begin, net), lasts_s=1800.0)
    ...
    kept.forget(country, session)    # the source has refused it

It belongs to `net` because it is stored in a provider's memo, waits for fetches, and uses the clock. The first caller's
attempt fetches the value, within its deadline, and the fetch counts as one of its requests.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from webquarry.core.clock import Clock
from webquarry.net.net import Net

K = TypeVar("K")
V = TypeVar("V")

MAX_KEPT = 256


@dataclass(slots=True)
class _Value(Generic[V]):
    value: V
    until_s: float


@dataclass(slots=True)
class _Fetching(Generic[V]):
    """A fetch in progress. `came` contains the fetched value, or is empty if the fetch failed."""

    done: asyncio.Event = field(default_factory=asyncio.Event)
    came: list[V] = field(default_factory=list)


class Kept(Generic[K, V]):
    """Cache of values by key, each with an expiry. Beyond `most`, the least recently used value is dropped.

    Callers that want the same key at the same time share one fetch. If it fails or is canceled, nothing is cached and
    only its caller gets the error. The next waiting caller then fetches, within that caller's deadline.
    """

    def __init__(self, clock: Clock, most: int = MAX_KEPT) -> None:
        self._clock = clock
        self._most = most
        self._values: OrderedDict[K, _Value[V]] = OrderedDict()
        self._fetches: dict[K, _Fetching[V]] = {}

    @classmethod
    def of(cls, net: Net, name: str, most: int = MAX_KEPT) -> "Kept[K, V]":
        """Return this process's cache with this name from the provider's memo."""
        kept: Kept[K, V] = net.memo.setdefault(name, cls(net.deadline.clock, most))
        return kept

    def __len__(self) -> int:
        return len(self._values)

    def held(self, key: K) -> V | None:
        """Return the cached value, or None if it is missing or has expired."""
        kept = self._values.get(key)
        if kept is None:
            return None
        if self._clock.monotonic() >= kept.until_s:
            del self._values[key]
            return None
        self._values.move_to_end(key)
        return kept.value

    async def get(
        self, key: K, fetch: Callable[[], Awaitable[V]], *, lasts_s: float | Callable[[V], float], anew: bool = False
    ) -> V:
        """Return the cached value, or the result of `fetch`, which is then cached. Raises the errors of `fetch`.

        `lasts_s` is the lifetime in seconds, or a function that returns it for a value; a value with a lifetime of zero
        or less is returned but not cached. `anew` ignores a cached value, but joins a fetch in progress.
        """
        while True:
            value = None if anew else self.held(key)
            if value is not None:
                return value
            fetching = self._fetches.get(key)
            if fetching is None:
                return await self._fetch(key, fetch, lasts_s)
            await fetching.done.wait()
            if fetching.came:
                return fetching.came[0]

    def keep(self, key: K, value: V, lasts_s: float) -> None:
        """Store a value that was obtained elsewhere."""
        self._values.pop(key, None)
        if lasts_s > 0:
            self._values[key] = _Value(value, self._clock.monotonic() + lasts_s)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def forget(self, key: K, refused: V | None = None) -> None:
        """Drop the value of this key.

        With `refused`, the value that a source refused, drop the key only if that value is still cached, because
        another caller may have fetched a new value since.
        """
        kept = self._values.get(key)
        if kept is not None and (refused is None or kept.value is refused or kept.value == refused):
            del self._values[key]

    async def _fetch(self, key: K, fetch: Callable[[], Awaitable[V]], lasts_s: float | Callable[[V], float]) -> V:
        fetching: _Fetching[V] = _Fetching()
        self._fetches[key] = fetching
        try:
            value = await fetch()
            fetching.came.append(value)
            self.keep(key, value, lasts_s(value) if callable(lasts_s) else lasts_s)
            return value
        finally:
            del self._fetches[key]
            fetching.done.set()
