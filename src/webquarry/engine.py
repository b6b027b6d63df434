"""The part of the service that answers requests: its settings, database, workers, network access and pipeline."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

from webquarry import sandbox as tapes
from webquarry.convert.file import PRELOADED as READERS
from webquarry.convert.scan import PRELOADED as SCAN_READERS
from webquarry.core.caller import Caller
from webquarry.core.clock import Clock, SystemClock
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.endpoints import registry as endpoints
from webquarry.endpoints.reading import Readers
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.run import Runner
from webquarry.ledger import Ledger
from webquarry.net import Door
from webquarry.net.browser import Browser
from webquarry.net.player import Player
from webquarry.net.proxy import ForwardProxy
from webquarry.net.transport import Transport
from webquarry.pipeline import Pipeline
from webquarry.pipeline.cache import ReadyCache
from webquarry.pipeline.flights import Flights, InProcessFlights
from webquarry.sandbox import world
from webquarry.storage import Database, FolderLock, open_database
from webquarry.storage.backup import remove_unfinished_restores
from webquarry.storage.conversions import Conversions
from webquarry.storage.sqlite import FILE_NAME
from webquarry.workers.workers import Workers

if TYPE_CHECKING:
    from redis.asyncio import Redis

MEGABYTE: Final = 1024 * 1024
PRELOADED: Final = (
    "webquarry.extractors.web.child.page_job:warm",
    "webquarry.extractors.web.child.document_job",
    "webquarry.extractors.brand.child.picture_job",
    "webquarry.mcp.prepared",
    "webquarry.excerpts.job",
    "webquarry.web.playground.answer_job",
    "webquarry.workers.checking",
    *READERS,
)
"""Modules that a child process imports before its first job, so that no caller waits for them."""
DOUBTS: Final = "doubts"
"""Name of a folder in the data folder, for refunds that the database has not confirmed yet."""

INTERNAL: Final = Caller(account_id="", key_id="internal", internal=True)
"""The caller for the operator's command line. It is not charged or limited, and cannot be used over HTTP."""


@dataclass(frozen=True)
class Engine:
    """The parts that answer requests. `redis` is None if the service runs as a single process."""

    settings: Settings
    clock: Clock
    metrics: Metrics
    database: Database
    ledger: Ledger
    conversions: Conversions
    workers: Workers
    door: Door
    redis: "Redis | None"
    pipeline: Pipeline
    sandbox: bool

    @property
    def registry(self) -> Registry:
        return self.pipeline.registry


def make_sandbox_settings(settings: Settings) -> Settings:
    """Return the settings of the sandbox, with a separate store and provider keys that only work on sample data."""
    return settings.in_sandbox().model_copy(update=tapes.settings())


class Given(TypedDict, total=False):
    """Parts that the caller provides. `workers` are shared by successive engines, and closing an engine does not close
    them.
    """

    transport: Transport | None
    registry: Registry | None
    clock: Clock | None
    workers: Workers | None


@asynccontextmanager
async def open_engine(
    settings: Settings, *, sandbox: bool = False, serving: bool = False, **given: Unpack[Given]
) -> AsyncIterator[Engine]:
    """Yield the parts that answer requests, for the duration of the context.

    sandbox: serve sample data instead of making requests, with a separate store. serving: lock the data folder for this
    process, migrate the store, and keep a child process ready.
    """
    settings = make_sandbox_settings(settings) if sandbox else settings
    clock = given.get("clock") or SystemClock()
    transport, workers = given.get("transport"), given.get("workers")
    metrics = Metrics()
    async with AsyncExitStack() as stack:
        database = await _open_database(settings, stack, serving=serving)
        ledger = Ledger(database, clock, f"in_{secrets.token_hex(8)}", unconfirmed_refunds=settings.data_dir / DOUBTS)
        conversions = Conversions(database)
        if workers is None:
            workers = make_workers(settings, clock, spares=int(serving))
            stack.push_async_callback(workers.close)
        show_workers(workers, metrics)
        if transport is None and sandbox:
            transport = Player(world())
        browser = await _open_browser(settings, clock, metrics, stack, serving=serving) if transport is None else None
        door = Door(settings, clock, transport, browser, Readers(workers))
        stack.push_async_callback(door.close)
        show_politeness(door, metrics)
        redis, flights = await _open_flights(settings, clock, stack)
        pipeline = Pipeline(
            given.get("registry") or endpoints.load(),
            Runner(door, workers, clock, settings, metrics, tapes.questions if sandbox else lambda _: ()),
            ledger,
            conversions,
            flights,
            _open_cache(settings, clock, metrics),
            clock,
            settings,
            metrics,
        )
        stack.push_async_callback(pipeline.close)
        metrics.gauge("open_runs", "Runs in progress.", lambda: pipeline.open_runs)
        yield Engine(
            settings=settings,
            clock=clock,
            metrics=metrics,
            database=database,
            ledger=ledger,
            conversions=conversions,
            workers=workers,
            door=door,
            redis=redis,
            pipeline=pipeline,
            sandbox=sandbox,
        )


async def _open_database(settings: Settings, stack: AsyncExitStack, *, serving: bool) -> Database:
    if serving and settings.database_url is None:
        stack.enter_context(FolderLock(settings.data_dir))
        remove_unfinished_restores(settings.data_dir)
    database = await open_database(settings, migrate=serving)
    stack.push_async_callback(database.close)
    return database


def _open_cache(settings: Settings, clock: Clock, metrics: Metrics) -> ReadyCache:
    cache = ReadyCache(settings.cache_mb * MEGABYTE, clock)
    metrics.gauge("cache_bytes", "Size of the cached responses in memory, in bytes.", lambda: cache.held_bytes)
    return cache


async def _open_flights(settings: Settings, clock: Clock, stack: AsyncExitStack) -> "tuple[Redis | None, Flights]":
    """Return the client of Redis, if it is configured, and the flights that all processes then share."""
    if settings.redis_url is None:
        return None, InProcessFlights(clock)
    # imported only if needed, because most installations have no Redis, and the import takes a tenth of the startup
    # time
    from webquarry.pipeline.flights.redis import redis_flights
    from webquarry.storage.redis import connect_redis

    redis = connect_redis(settings.redis_url)
    stack.push_async_callback(redis.aclose)
    return redis, await stack.enter_async_context(redis_flights(redis, clock))


def make_workers(settings: Settings, clock: Clock, *, spares: int = 0) -> Workers:
    """Create the workers of a service. spares: idle child processes to keep; a command needs zero."""
    return Workers(
        clock,
        PRELOADED,
        preload_heavy=SCAN_READERS,
        secrets=list_secrets(settings),
        size=settings.workers or None,
        queue=2 * settings.max_runs,
        spares=spares,
    )


def list_secrets(settings: Settings) -> tuple[str, ...]:
    """Return the paths that no converter may read: the data folder and the database in it."""
    folder = settings.data_dir.resolve()
    return (str(folder), str(folder / FILE_NAME))


async def _open_browser(
    settings: Settings, clock: Clock, metrics: Metrics, stack: AsyncExitStack, *, serving: bool
) -> Browser:
    """Return the browser behind its proxy. Both start when a page first needs them.

    A server reserves the proxy's address immediately, and ends processes left by a crashed server. Other commands do
    not, because they may run next to a server.
    """
    proxy = ForwardProxy(settings)
    stack.push_async_callback(proxy.close)
    browser = Browser(settings, clock, proxy)
    stack.push_async_callback(browser.close)
    if serving:
        await proxy.listen()
        await browser.reap()
        if remedy := browser.remedy:
            log.warning("browser.missing", remedy=remedy)
    metrics.tally(
        "browser_proxy",
        "Connections and requests to the browser's proxy, and requests that were refused (target not allowed), "
        "unauthorized, malformed, limited (page quota exceeded) or failed (no response).",
        "event",
        lambda: asdict(proxy.counts),
    )
    metrics.gauge("browser_processes", "Browser processes.", lambda: len(browser.processes))
    return browser


def show_workers(workers: Workers, metrics: Metrics) -> None:
    metrics.gauge(
        "worker_jobs", "Pages, files and responses that child processes are working on.", lambda: workers.busy
    )
    metrics.gauge(
        "worker_queue", "Pages, files and responses that are waiting for a child process.", lambda: workers.waiting
    )


def show_politeness(door: Door, metrics: Metrics) -> None:
    """Register metrics about requests to providers.

    The metrics contain no host names, because callers choose the hosts of some providers.
    """
    metrics.tally("visits", "Requests to providers.", "provider", lambda: door.admission.visits)
    metrics.tally(
        "turn_wait_seconds",
        "Seconds that requests to providers waited because of rate limits.",
        "provider",
        lambda: door.admission.waited_s,
    )
    metrics.levels("cookies", "Cookies stored for a provider.", ("provider",), lambda: _by_provider(door.cookies()))
    metrics.levels(
        "circuits",
        "Circuit breakers of hosts with failures: closed (requests are sent), open (blocked), half-open (one trial).",
        ("provider", "state"),
        lambda: Counter((circuit.provider, circuit.state) for circuit in door.admission.breakers.states()),
    )


def _by_provider(figures: Mapping[str, int]) -> dict[tuple[str, ...], float]:
    return {(name,): figure for name, figure in figures.items()}
