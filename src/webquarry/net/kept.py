"""Values that a provider fetches once and keeps: sessions, tokens, tables.

    SESSION = "session"
    kept: Kept[str, Session] = Kept.of(net, SESSION)
    session = await kept.get(country, partial(begin, net), lasts_s=1800.0)
    ...
    kept.forget(country, session)    # the source has refused it

It stands with `net` because it lives in a provider's memo, waits and asks the clock; what is fetched is fetched by the
attempt of whoever comes first, with its deadline, and counts as its exchange.
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
    """A fetch under way. came: the one value, [] when there is none."""

    done: asyncio.Event = field(default_factory=asyncio.Event)
    came: list[V] = field(default_factory=list)


class Kept(Generic[K, V]):
    """Values by key, each for its time; of more than `most` the one used longest ago is forgotten.

    Callers who want one key at the same time share one fetch. Its failure is told to who fetched and to nobody else and
    is not kept: the next of those who wait fetches in its place, by its own deadline, as when the first is cancelled.
    """

    def __init__(self, clock: Clock, most: int = MAX_KEPT) -> None:
        self._clock = clock
        self._most = most
        self._values: OrderedDict[K, _Value[V]] = OrderedDict()
        self._fetches: dict[K, _Fetching[V]] = {}

    @classmethod
    def of(cls, net: Net, name: str, most: int = MAX_KEPT) -> "Kept[K, V]":
        """This process's, by its name among those of the provider."""
        kept: Kept[K, V] = net.memo.setdefault(name, cls(net.deadline.clock, most))
        return kept

    def __len__(self) -> int:
        return len(self._values)

    def held(self, key: K) -> V | None:
        """The value that is kept and still holds; None when there is none."""
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
        """The value that is kept, else what `fetch` gives, which is then kept for so long. Raises what `fetch` raises.

        lasts_s: seconds, or how to tell them of a value; at zero and below it is given and not kept. anew: as if none
        were kept; one that is being fetched is new.
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
        """Keep what was come by otherwise."""
        self._values.pop(key, None)
        if lasts_s > 0:
            self._values[key] = _Value(value, self._clock.monotonic() + lasts_s)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def forget(self, key: K, refused: V | None = None) -> None:
        """Keep no value of this key. refused: only where it is still this one, which a source has refused: another
        caller may have fetched a new one since."""
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
