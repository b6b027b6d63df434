"""The sandbox of a service. It serves tapes in the same process, for free and without outgoing requests."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar

from webquarry import sandbox as tapes
from webquarry.core.clock import Clock
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.endpoints.reading import Readers
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.run import Runner
from webquarry.ledger import Ledger
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.net.tape import Exchange
from webquarry.pipeline import Pipeline
from webquarry.pipeline.cache import ReadyCache
from webquarry.pipeline.flights import InProcessFlights
from webquarry.storage import Database, Operation, Rows
from webquarry.storage.conversions import Conversion, Conversions, Recorded
from webquarry.storage.database import drive
from webquarry.workers.workers import Workers

CACHE_BYTES: Final = 4 * 1024 * 1024
T = TypeVar("T")


class SandboxedPipeline:
    """A second pipeline for sample data, created on first use.

    Results are replayed from tapes each time. Only images are stored, because results refer to them by URL. The
    sandbox's callers are internal, so nothing is charged. `settings` are the service's settings with the tapes'
    settings added. `workers` and `conversions` are shared with the service; `conversions` stores the images.
    """

    def __init__(
        self, settings: Settings, registry: Registry, workers: Workers, conversions: Conversions, clock: Clock
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._workers = workers
        self._conversions = conversions
        self._clock = clock
        self._making = asyncio.Lock()
        self._made: Pipeline | None = None
        self._parts = AsyncExitStack()

    async def open(self) -> Pipeline:
        """Return the pipeline. The first call takes longer, because it reads the tapes."""
        async with self._making:
            if self._made is None:
                self._made = await self._make()
            return self._made

    async def close(self) -> None:
        """Close the pipeline if it was created."""
        await self._parts.aclose()

    async def _make(self) -> Pipeline:
        overrides, exchanges = await asyncio.to_thread(_read_tapes)
        settings = self._settings.model_copy(update=overrides)
        metrics, database = Metrics(), Forgetful()
        door = Door(settings, self._clock, Player(exchanges), None, Readers(self._workers))
        self._parts.push_async_callback(door.close)
        pipeline = Pipeline(
            self._registry,
            Runner(door, self._workers, self._clock, settings, metrics, tapes.questions),
            Ledger(database, self._clock, "sandbox"),
            PicturesOnly(database, self._conversions),
            InProcessFlights(self._clock),
            ReadyCache(CACHE_BYTES, self._clock),
            self._clock,
            settings,
            metrics,
        )
        self._parts.push_async_callback(pipeline.close)
        return pipeline


class PicturesOnly(Conversions):
    """Conversions that store only images, in `lasting`.

    Each image is stored once, which is feasible because tapes have few images.
    """

    def __init__(self, database: Database, lasting: Conversions) -> None:
        super().__init__(database)
        self._lasting = lasting
        self._kept: set[str] = set()

    async def keep(self, conversion: Conversion, recorded: Recorded | None = None) -> None:
        new = [picture for picture in (recorded.pictures if recorded else ()) if picture.name not in self._kept]
        if recorded and new:
            await self._lasting.keep_pictures(new, recorded.pictures_expire_at or conversion.expires_at)
            self._kept.update(picture.name for picture in new)


class Forgetful:
    """A `Database` that finds and stores nothing."""

    shared = False

    async def submit(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        return drive(operation(), _find_nothing)

    async def write(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        return await self.submit(operation)

    async def read(self, operation: Callable[[], Operation[T]], *, snapshot: bool = False) -> T:
        return drive(operation(), _find_nothing)

    async def close(self) -> None:
        return None


def _find_nothing(_sql: str, _values: Mapping[str, Any]) -> Rows:
    return ()


def _read_tapes() -> tuple[dict[str, Any], tuple[Exchange, ...]]:
    """Return the settings of the tapes, and their exchanges."""
    return tapes.settings(), tapes.world()
