"""Kinds of jobs, which define what differs between jobs.

Taking, running, charging and ending items works the same for all kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from webquarry.core.types import Wire
from webquarry.endpoints.registry import Registry
from webquarry.jobs.records import NewItem, Taken
from webquarry.pipeline import Call, Freshness
from webquarry.storage.conversions import Conversion

BATCH = "batch"


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of a kind in an item's result.

    `items` are further items of the job; items with a known digest are ignored. `details` replaces the details that are
    stored with the item; None keeps them.
    """

    items: Sequence[NewItem] = ()
    details: Mapping[str, Any] | None = None


NOTHING = Found()


class Kind(Protocol):
    """A kind of jobs. `name` is stored in `jobs.kind`."""

    name: str

    async def prepare(self, item: Taken) -> tuple[Call, Freshness]:
        """Return an item's request. Raises ServiceError if the item can't be requested; it then fails."""
        ...

    async def find(self, item: Taken, conversion: Conversion, wire: Wire | None) -> Found:
        """Return the findings in an item's result. `wire` is the provider's response, if the result was not cached.

        The findings are stored in the transaction that ends the item, so that a crash may repeat an item but loses no
        findings. This is called before that transaction. Raises ServiceError if the result cannot be used; the item
        then fails, uncharged.
        """
        ...


class Batch:
    """Jobs whose items are listed in the request. Each item is a request to the job's endpoint."""

    name = BATCH

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def prepare(self, item: Taken) -> tuple[Call, Freshness]:
        extractor = self._registry.by_name[item.job.endpoint]
        call = Call.of(extractor, tuple({**item.job.shared, **item.input}.items()))
        return call, freshness_of(item.job.options)

    async def find(self, item: Taken, conversion: Conversion, wire: Wire | None) -> Found:
        return NOTHING


def freshness_of(options: Mapping[str, Any]) -> Freshness:
    """Return the freshness that a job requires, from its options `max_age` (in seconds) and `no_cache`."""
    return Freshness(no_cache=bool(options.get("no_cache")), max_age_s=options.get("max_age"))
