"""Kinds of jobs: what differs between them. Taking, running, charging and ending items is the same for all."""

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
    """What a kind learns from the result of an item.

    `items` are further items of the job, of which those with a known digest are ignored. `details` replaces what is
    stored with the item; None keeps it.
    """

    items: Sequence[NewItem] = ()
    details: Mapping[str, Any] | None = None


NOTHING = Found()


class Kind(Protocol):
    """A kind of jobs. `name` is stored in `jobs.kind`."""

    name: str

    async def prepare(self, item: Taken) -> tuple[Call, Freshness]:
        """Return the request of an item. Raises ServiceError if it has none; the item then fails."""
        ...

    async def find(self, item: Taken, conversion: Conversion, wire: Wire | None) -> Found:
        """Return what follows from the result of an item. `wire` is the response of a result that was not cached.

        It is stored in the transaction that ends the item, so that a crash repeats an item and loses nothing. Called
        before that transaction. Raises ServiceError if the result cannot be used; the item then fails, uncharged.
        """
        ...


class Batch:
    """Jobs whose items are listed in the request: each is a request to the job's endpoint."""

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
    """Return the freshness that a job asks for: `max_age` in seconds, `no_cache`."""
    return Freshness(no_cache=bool(options.get("no_cache")), max_age_s=options.get("max_age"))
