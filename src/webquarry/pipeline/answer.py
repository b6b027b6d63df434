"""Results of requests: a conversion, how it was obtained, and the response's body."""

import asyncio
from dataclasses import dataclass, field
from typing import Literal, Self

from webquarry.endpoints.declare import Format
from webquarry.pipeline.cache import Ready
from webquarry.storage.conversions import Conversion

CacheState = Literal["hit", "miss", "joined"]


@dataclass(frozen=True, slots=True)
class Quote:
    """The current cost of a request, computed without running it.

    `price` is the number of credits it would reserve; 0 if it is cached. `age_s` is the age of the cached result in
    seconds, or None.
    """

    price: int
    age_s: int | None = None

    @property
    def is_cached(self) -> bool:
        return self.age_s is not None


@dataclass(slots=True)  # not frozen, because one is created for each hit
class Answer:
    """The result of a request. `age_s` is the age of the conversion in seconds."""

    ready: Ready
    cache: CacheState
    age_s: int
    format: Format
    charged: int = 0
    _body: bytes | None = field(default=None, init=False, repr=False)

    @property
    def conversion(self) -> Conversion:
        return self.ready.conversion

    @property
    def conversion_id(self) -> str:
        return self.conversion.id

    @property
    def body(self) -> bytes:
        if self.cache != "miss":
            return self.ready.hit(self.format)
        if self._body is None:
            self._body = self.ready.fresh(self.format, self.charged)
        return self._body

    async def put_together(self) -> Self:
        """Build the body and return self. Megabytes are copied in a thread."""
        if self.ready.is_large:
            await asyncio.to_thread(getattr, self, "body")
        return self
