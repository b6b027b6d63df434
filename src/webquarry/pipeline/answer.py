"""Answers: a conversion, how a call came by it, and what a surface sends of it."""

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from webquarry.cache import Ready
from webquarry.declare import Format
from webquarry.storage.conversions import Conversion

CacheState = Literal["hit", "miss", "joined"]


@dataclass(frozen=True)
class Answer:
    """age_s: seconds since the conversion was made."""

    ready: Ready
    cache: CacheState
    age_s: int
    format: Format
    charged: int = 0

    @property
    def conversion(self) -> Conversion:
        return self.ready.conversion

    @property
    def conversion_id(self) -> str:
        return self.conversion.id

    @cached_property
    def body(self) -> bytes:
        is_fresh = self.cache == "miss"
        return self.ready.fresh(self.format, self.charged) if is_fresh else self.ready.hit(self.format)

    async def put_together(self) -> Self:
        """Itself, when its body is there: megabytes are copied beside the event loop."""
        if self.ready.is_large:
            await asyncio.to_thread(getattr, self, "body")
        return self
