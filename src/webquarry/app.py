"""Assembly of the service from its settings. Only this module creates the service's parts."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from datetime import timedelta
from functools import partial

from webquarry import sandbox as tapes
from webquarry.accounts import Accounts, Caller, Directory, Outbox, Passwords, People, Seal
from webquarry.accounts.mail import Mailer
from webquarry.api.account import OPERATIONS
from webquarry.audit import AuditLog
from webquarry.convert.file import PRELOADED as READERS
from webquarry.convert.scan import PRELOADED as SCAN_READERS
from webquarry.core.background import run_background
from webquarry.core.clock import Clock, SystemClock
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.endpoints import registry as endpoints
from webquarry.endpoints.reading import Readers
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.run import Runner
from webquarry.figures import DailyFigures
from webquarry.flights import Flights, InProcessFlights
from webquarry.ledger import Daily, Ledger, Maintenance
from webquarry.limits import WINDOW_S, InProcessLimiter, Limiter, MakeLimiter
from webquarry.mcp.results import JOB as RESULTS
from webquarry.mcp.service import ToolService
from webquarry.net import Door
from webquarry.net.browser import Browser
from webquarry.net.player import Player
from webquarry.net.proxy import ForwardProxy
from webquarry.net.transport import Transport
from webquarry.oauth import Clients, Grants, Tokens
from webquarry.oauth.client_metadata import make_fetcher
from webquarry.pipeline import Pipeline
from webquarry.pipeline.cache import ReadyCache
from webquarry.process.loop_lag import watch_lateness
from webquarry.providers.rank_list.index import remove_unfinished_builds
from webquarry.request_log import RequestLog
from webquarry.sandbox import world
from webquarry.sandbox.pipeline import SandboxedPipeline
from webquarry.service import Service
from webquarry.storage import Database, FolderLock, open_database
from webquarry.storage.backup import remove_unfinished_restores
from webquarry.storage.conversions import Conversions
from webquarry.storage.readiness import Readiness
from webquarry.storage.sqlite import FILE_NAME
from webquarry.workers.workers import Workers

MEGABYTE = 1024 * 1024
PRELOADED = (
    "webquarry.extractors.web.child.page_job:warm",
    "webquarry.extractors.web.child.document_job",
    "webquarry.extractors.brand.child.picture_job",
    RESULTS,
    "webquarry.excerpts.job",
    "webquarry.web.playground.answer_job",
    "webquarry.workers.checking",
    *READERS,
)
"""Modules that a child process imports before its first job, so that no caller waits for them."""
DOUBTS = "doubts"
"""Name of a folder in the data folder, for refunds that the store has not confirmed yet."""

INTERNAL = Caller(account_id="", key_id="internal", internal=True)
"""The caller for the operator's command line. It is not charged or limited, and cannot be used over HTTP."""


def make_sandbox_settings(settings: Settings) -> Settings:
    """Return the settings of the sandbox, with a separate store and provider keys that only work on sample data."""
    return settings.in_sandbox().model_copy(update=tapes.settings())


@asynccontextmanager
async def assemble(
    settings: Settings,
    *,
    sandbox: bool = False,
    serving: bool = False,
    transport: Transport | None = None,
    registry: Registry | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
) -> AsyncIterator[Service]:
    """Yield the assembled service for the duration of the context.

    sandbox: serve sample data instead of making requests, with a separate store. serving: lock the data folder for this
    process, migrate the store, refund holds that earlier instances left open, and run maintenance until the end.
    transport, registry, clock: replacements for tests. workers: shared by successive services, and not closed here.
    """
    settings = make_sandbox_settings(settings) if sandbox else settings
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        if serving and settings.database_url is None:
            stack.enter_context(FolderLock(settings.data_dir))
            remove_unfinished_restores(settings.data_dir)
        database = await open_database(settings, migrate=serving)
        stack.push_async_callback(database.close)
        metrics = Metrics()
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
        known_questions = tapes.questions if sandbox else lambda _: ()
        runner = Runner(door, workers, clock, settings, metrics, known_questions)
        make_limiter, flights, shared = await _open_limits_and_flights(settings, clock, stack)
        cache = ReadyCache(settings.cache_mb * MEGABYTE, clock)
        pipeline = Pipeline(
            registry or endpoints.load(),
            runner,
            ledger,
            conversions,
            flights,
            cache,
            clock,
            settings,
            metrics,
        )
        stack.push_async_callback(pipeline.close)
        sandboxed = SandboxedPipeline(settings, pipeline.registry, workers, conversions, clock)
        stack.push_async_callback(sandboxed.close)
        accounts = Accounts(database, clock, sandbox=sandbox)
        tokens = Tokens(database, clock)
        grants = Grants(database, clock, tokens)
        clients = Clients(database, clock, make_fetcher(door, clock))
        people = await _open_people(settings, database, clock, accounts, tokens, stack, serving=serving)
        limiter = make_limiter(settings.rate_limit_per_minute, WINDOW_S, account_limit=settings.requests_per_account)
        requests = _open_request_log(settings, database, clock, pipeline.registry)
        tools = ToolService(
            pipeline,
            ledger,
            accounts,
            limiter,
            workers.run,
            clock,
            metrics,
            requests,
            base_url=settings.base_url,
            origins=settings.cors_origins,
            cache_mb=max(1, settings.cache_mb // 2),
            sandbox=sandbox,
            tokens=tokens,
        )
        stack.push_async_callback(tools.close)
        metrics.gauge("requests_not_logged", "Requests that did not fit into the log.", lambda: requests.missed)
        metrics.gauge("open_runs", "Runs in progress.", lambda: pipeline.open_runs)
        metrics.gauge("cache_bytes", "Size of the cached responses in memory, in bytes.", lambda: cache.held_bytes)
        service = Service(
            settings=settings,
            registry=pipeline.registry,
            clock=clock,
            metrics=metrics,
            database=database,
            ledger=ledger,
            accounts=accounts,
            people=people,
            directory=Directory(database, clock, people),
            audit=AuditLog(database, clock, keep=timedelta(days=settings.audit_days)),
            requests=requests,
            figures=DailyFigures(database, clock, metrics.totals),
            clients=clients,
            grants=grants,
            tokens=tokens,
            conversions=conversions,
            limiter=limiter,
            make_limiter=make_limiter,
            pipeline=pipeline,
            sandboxed=sandboxed,
            door=door,
            workers=workers,
            readiness=Readiness(clock, settings.data_dir, conversions.probe, shared),
            tools=tools,
            sandbox=sandbox,
        )
        if serving:
            await _keep_house(service, stack)
        yield service


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
    """Return the browser behind its proxy. Both start with the first page that needs them.

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


async def _open_people(
    settings: Settings,
    database: Database,
    clock: Clock,
    accounts: Accounts,
    tokens: Tokens,
    stack: AsyncExitStack,
    *,
    serving: bool,
) -> People:
    """Create the sign-in service. Only a server sends emails, and only if a mail server is configured."""
    outbox = None
    if serving and settings.smtp_host is not None:
        outbox = Outbox(database, clock, Mailer(settings).send, base_url=settings.base_url)
        await stack.enter_async_context(run_background(outbox.run()))
    passwords = Passwords()
    stack.callback(passwords.close)
    return People(
        database,
        clock,
        accounts,
        passwords,
        first_credits=settings.new_account_credits,
        is_open=settings.registration == "open",
        forget=tokens.forget_account,
        post=outbox,
        seal=Seal(settings.secret),
    )


def make_maintenance(service: Service) -> Maintenance:
    """Create the maintenance of a service. It includes a sweep for every table whose rows expire."""
    clock, settings = service.clock, service.settings
    return Maintenance(
        service.ledger,
        service.conversions,
        clock,
        keep_receipts=timedelta(days=settings.keep_days),
        sweeps=[
            service.people.sweep,
            service.grants.sweep,
            service.clients.sweep,
            service.audit.sweep,
            service.requests.sweep,
            service.figures.sweep,
            Daily(service.people.sweep_unconfirmed, clock),
            Daily(service.ledger.sweep_spending, clock),
            Daily(partial(service.accounts.sweep_keys, timedelta(days=settings.audit_days)), clock),
        ],
    )


async def _keep_house(service: Service, stack: AsyncExitStack) -> None:
    """Refund holds that earlier instances left open, then run maintenance until the end.

    The maintenance tasks record when keys were used, delete expired data, and watch for blocked event loops.
    """
    clock, metrics = service.clock, service.metrics
    maintenance = make_maintenance(service)
    remove_unfinished_builds(service.settings.data_dir)
    await maintenance.begin()
    show_maintenance(maintenance, service.ledger, clock, metrics)
    works = (
        service.accounts.uses.run(),
        service.people.session_uses.run(),
        service.people.balance_alerts.run(),
        service.requests.run(),
        service.figures.run(),
        maintenance.run(),
        watch_lateness(clock, metrics.paused),
    )
    for work in works:
        await stack.enter_async_context(run_background(work))


def _open_request_log(settings: Settings, database: Database, clock: Clock, registry: Registry) -> RequestLog:
    params = {each.name: list(each.params.model_fields) for each in (*registry, *OPERATIONS)}
    days = settings.request_log_days
    return RequestLog(database, clock, keep=timedelta(days=days) if days else None, params=params)


def show_workers(workers: Workers, metrics: Metrics) -> None:
    metrics.gauge(
        "worker_jobs", "Pages, files and responses that child processes are working on.", lambda: workers.busy
    )
    metrics.gauge(
        "worker_queue", "Pages, files and responses that are waiting for a child process.", lambda: workers.waiting
    )


def show_maintenance(maintenance: Maintenance, ledger: Ledger, clock: Clock, metrics: Metrics) -> None:
    metrics.gauge(
        "refunds_in_doubt", "Refunds that the database has not confirmed yet.", lambda: ledger.unconfirmed_refunds
    )
    metrics.gauge(
        "maintenance_seconds_since_round",
        "Seconds since the last successful maintenance. It runs every 30 seconds.",
        lambda: clock.monotonic() - maintenance.last_round_at,
    )


def show_politeness(door: Door, metrics: Metrics) -> None:
    """Register metrics about requests to providers.

    They have no host names, because callers choose the hosts of some providers.
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


async def _open_limits_and_flights(
    settings: Settings, clock: Clock, stack: AsyncExitStack
) -> tuple[MakeLimiter, Flights, Callable[[], Awaitable[object]] | None]:
    """Create limits and flights, which all instances share through Redis if it is configured.

    The third value checks that Redis responds. It is None without Redis.
    """
    if settings.redis_url is None:

        def make_limiter(limit: int, window_s: float, *, account_limit: int | None = None) -> Limiter:
            return InProcessLimiter(limit, clock, window_s, account_limit=account_limit)

        return make_limiter, InProcessFlights(clock), None
    # imported only if needed, because most installations have no Redis, and the import takes a tenth of the start time
    from webquarry.flights.redis import redis_flights
    from webquarry.limits.redis import RedisLimiter
    from webquarry.storage.redis import connect_redis

    redis = connect_redis(settings.redis_url)
    stack.push_async_callback(redis.aclose)
    flights = await stack.enter_async_context(redis_flights(redis, clock))
    return partial(RedisLimiter, redis), flights, RedisLimiter(redis, settings.rate_limit_per_minute).ping
