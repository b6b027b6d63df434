"""Answers: a conversion, how a call came by it, and what a surface sends of it."""

import asyncio
from dataclasses import dataclass, field
from typing import Literal, Self

from webquarry.endpoints.declare import Format
from webquarry.pipeline.cache import Ready
from webquarry.storage.conversions import Conversion

CacheState = Literal["hit", "miss", "joined"]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a call would cost now, asked without running it. price: credits that it would hold, 0 for what is there.

    age_s: seconds since the answer that is there was made; None where none is.
    """

    price: int
    age_s: int | None = None

    @property
    def is_cached(self) -> bool:
        return self.age_s is not None


@dataclass(slots=True)  # not frozen: one is made for each hit
class Answer:
    """age_s: seconds since the conversion was made."""

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
        """Itself, when its body is there: megabytes are copied beside the event loop."""
        if self.ready.is_large:
            await asyncio.to_thread(getattr, self, "body")
        return self
