"""Plans: the maximum cost of a run, decided before the hold.

A dossier's parts run like other requests, under the dossier's single hold: parts that ran and succeeded are charged,
hits and joins are free. Hits are pinned when the plan is made, so that the reserved credits always cover the charge.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import orjson

from webquarry.core.errors import ServiceError
from webquarry.endpoints.context import PartAnswer
from webquarry.pipeline.answer import Answer
from webquarry.pipeline.call import Call, Order


class Plan(Protocol):
    @property
    def price(self) -> int:
        """Credits to reserve."""
        ...

    @property
    def due(self) -> int:
        """Credits to charge when the run has succeeded."""
        ...

    @property
    def is_cached(self) -> bool:
        """Whether the run only assembles cached results."""
        ...

    async def part(self, name: str) -> PartAnswer:
        """Return a part, which is run or taken from the cache.

        Raises LookupError if there is no part with this name.
        """
        ...


@dataclass(frozen=True, slots=True)
class Single:
    """Plan for an endpoint without parts."""

    price: int
    is_cached = False

    @property
    def due(self) -> int:
        return self.price

    async def part(self, name: str) -> PartAnswer:
        raise LookupError(f"{name}: this endpoint declares no parts")


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """A part of a dossier. `hit` is the result that was cached when the dossier was planned, or None."""

    call: Call
    hit: Answer | None

    @property
    def price(self) -> int:
        return 0 if self.hit else self.call.extractor.credits


class Dossier:
    """Plan for the parts of one request.

    `fly` obtains a part that was not cached; each part is requested once.
    """

    def __init__(
        self, order: Order, parts: Mapping[str, PlannedPart], fly: Callable[[Order], Awaitable[Answer]]
    ) -> None:
        self._order = order
        self._parts = parts
        self._fly = fly
        self._spent = 0

    @property
    def price(self) -> int:
        return sum(part.price for part in self._parts.values())

    @property
    def due(self) -> int:
        return min(self.price, self._spent)

    @property
    def is_cached(self) -> bool:
        return bool(self._parts) and all(part.hit for part in self._parts.values())

    async def part(self, name: str) -> PartAnswer:
        planned = self._parts[name]
        try:
            answer = planned.hit or await self._fly(self._order.of_part(planned.call))
        except ServiceError as error:
            return PartAnswer(error=error.message, code=error.code)
        ran = answer.cache == "miss"
        charged = planned.price if ran else 0
        self._spent += charged
        conversion = answer.conversion
        return PartAnswer(
            data=orjson.loads(conversion.data),
            markdown=conversion.markdown.decode(),
            charged=charged,
            cached=not ran,
            age_s=0 if ran else answer.age_s,
            asked_at=conversion.asked_at,
            provider=conversion.provider,
            source_url=conversion.source_url,
        )
