"""Plans: the maximum cost of a run, decided before the hold.

A dossier's parts run like other requests, under the dossier's single hold: parts that ran and succeeded are charged,
hits and joins are free. Hits are pinned when the plan is made, so that the reserved credits always cover the charge.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

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

    async def further(self) -> tuple[str, ...]:
        """Return the names of the parts that are derived from the other parts' results."""
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

    async def further(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """A part of a dossier: its request, or the error if the request is invalid.

    `hit` is the result that was cached when the part was planned, or None.
    """

    call: Call | ServiceError
    hit: Answer | None = None

    @property
    def price(self) -> int:
        return 0 if self.hit or isinstance(self.call, ServiceError) else self.call.extractor.credits


@dataclass(frozen=True, slots=True)
class PlannedParts:
    """The parts of a dossier by name.

    `further` are the parts that are derived from the other parts' results; None if they are not yet known. They cost at
    most `reserve`.
    """

    parts: dict[str, PlannedPart]
    further: dict[str, PlannedPart] | None
    reserve: int

    @property
    def price(self) -> int:
        found = self.further or {}
        known = sum(part.price for part in (*self.parts.values(), *found.values()))
        return known + (self.reserve if self.further is None else 0)


class Dossier:
    """Plan for the parts of one request.

    `fly` obtains a part that was not cached; each part is requested once. `plan_further` plans the parts that are
    derived from the other parts' `data`.
    """

    def __init__(
        self,
        order: Order,
        planned: PlannedParts,
        fly: Callable[[Order], Awaitable[Answer]],
        plan_further: Callable[[Mapping[str, Any]], Awaitable[dict[str, PlannedPart]]],
    ) -> None:
        self.price = planned.price
        self._order = order
        self._parts = dict(planned.parts)
        self._further = planned.further
        self._fly = fly
        self._plan_further = plan_further
        self._data: dict[str, Any] = {}
        self._spent = 0

    @property
    def due(self) -> int:
        return min(self.price, self._spent)

    @property
    def is_cached(self) -> bool:
        parts = [*self._parts.values(), *(self._further or {}).values()]
        return bool(parts) and all(part.hit for part in parts)

    async def part(self, name: str) -> PartAnswer:
        planned = self._parts.get(name) or (self._further or {})[name]
        try:
            if isinstance(planned.call, ServiceError):
                raise planned.call
            answer = planned.hit or await self._fly(self._order.of_part(planned.call))
        except ServiceError as error:
            return PartAnswer(error=error.message, code=error.code, failure=error)
        ran = answer.cache == "miss"
        charged = planned.price if ran else 0
        self._spent += charged
        conversion = answer.conversion
        if self._further is None:
            self._data[name] = orjson.loads(conversion.data)
        return PartAnswer(
            id=conversion.id,
            data_json=conversion.data,
            markdown_text=conversion.markdown,
            page_starts=conversion.page_starts,
            charged=charged,
            cached=not ran,
            age_s=0 if ran else answer.age_s,
            asked_at=conversion.asked_at,
            provider=conversion.provider,
            source_url=conversion.source_url,
        )

    async def further(self) -> tuple[str, ...]:
        if self._further is None:
            self._further = await self._plan_further(self._data)
        return tuple(self._further)
