"""Assembly of the service from its settings: an engine that answers requests, with accounts, tools and pages on top."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Unpack

from webquarry.accounts import Accounts, Directory, Outbox, Passwords, People, Seal
from webquarry.accounts.mail import Mailer
from webquarry.api.free_operations import OPERATIONS
from webquarry.core.background import run_background
from webquarry.core.clock import Clock
from webquarry.core.metrics import Metrics
from webquarry.core.process.loop_lag import watch_lateness
from webquarry.core.settings import Settings
from webquarry.engine import Engine, Given, open_engine
from webquarry.jobs.workshop import Workshop, make_queue
from webquarry.ledger import Daily, Ledger, Maintenance
from webquarry.limits import WINDOW_S, InProcessLimiter, Limiter, MakeLimiter
from webquarry.logs.audit import AuditLog
from webquarry.logs.figures import DailyFigures
from webquarry.logs.requests import RequestLog
from webquarry.mcp.service import ToolService
from webquarry.oauth import Clients, Grants, Tokens
from webquarry.oauth.client_metadata import make_fetcher
from webquarry.providers.rank_list.index import remove_unfinished_builds
from webquarry.sandbox.pipeline import SandboxedPipeline
from webquarry.service import Service
from webquarry.storage.readiness import Readiness
from webquarry.webhooks import WEBHOOK, Webhooks


@asynccontextmanager
async def assemble(
    settings: Settings, *, sandbox: bool = False, serving: bool = False, **given: Unpack[Given]
) -> AsyncIterator[Service]:
    """Yield the assembled service for the duration of the context. The arguments are the same as for `open_engine`.

    serving: also send emails, refund holds that earlier instances left open, and run maintenance until the end.
    """
    async with (
        open_engine(settings, sandbox=sandbox, serving=serving, **given) as engine,
        AsyncExitStack() as stack,
    ):
        service = await _add_front(engine, stack, serving=serving)
        if serving:
            await _keep_house(service, stack)
        yield service


async def _add_front(engine: Engine, stack: AsyncExitStack, *, serving: bool) -> Service:
    """Return the service: the engine with accounts, sign-in, OAuth, limits, logs and the tool server."""
    settings, clock, metrics, database = engine.settings, engine.clock, engine.metrics, engine.database
    outbox = await _open_outbox(engine, stack, serving=serving)
    webhooks, workshop = _open_jobs(engine, outbox)
    sandboxed = SandboxedPipeline(settings, engine.registry, engine.workers, engine.conversions, clock)
    stack.push_async_callback(sandboxed.close)
    accounts = Accounts(database, clock, sandbox=engine.sandbox)
    tokens = Tokens(database, clock)
    grants = Grants(database, clock, tokens)
    people = _open_people(engine, accounts, tokens, outbox, stack)
    make_limiter, check_redis = _open_limits(engine)
    limiter = make_limiter(settings.rate_limit_per_minute, WINDOW_S, account_limit=settings.requests_per_account)
    requests = _open_request_log(engine)
    tools = ToolService(
        engine.pipeline,
        engine.ledger,
        accounts,
        limiter,
        engine.workers.run,
        clock,
        metrics,
        requests,
        workshop.jobs,
        workshop.crawls,
        base_url=settings.base_url,
        origins=settings.cors_origins,
        cache_mb=max(1, settings.cache_mb // 2),
        sandbox=engine.sandbox,
        tokens=tokens,
    )
    stack.push_async_callback(tools.close)
    return Service(
        settings=settings,
        registry=engine.registry,
        clock=clock,
        metrics=metrics,
        database=database,
        ledger=engine.ledger,
        accounts=accounts,
        people=people,
        directory=Directory(database, clock, people),
        audit=AuditLog(database, clock, keep=timedelta(days=settings.audit_days)),
        requests=requests,
        figures=DailyFigures(database, clock, metrics.totals),
        clients=Clients(database, clock, make_fetcher(engine.door, clock)),
        grants=grants,
        tokens=tokens,
        conversions=engine.conversions,
        limiter=limiter,
        make_limiter=make_limiter,
        pipeline=engine.pipeline,
        workshop=workshop,
        webhooks=webhooks,
        sandboxed=sandboxed,
        door=engine.door,
        workers=engine.workers,
        readiness=Readiness(clock, settings.data_dir, engine.conversions.probe, check_redis),
        tools=tools,
        sandbox=engine.sandbox,
    )


async def _open_outbox(engine: Engine, stack: AsyncExitStack, *, serving: bool) -> Outbox | None:
    """Return the outbox. Only a server sends emails, and only if a mail server is configured."""
    settings = engine.settings
    if not serving or settings.smtp_host is None:
        return None
    outbox = Outbox(engine.database, engine.clock, Mailer(settings).send, base_url=settings.base_url)
    await stack.enter_async_context(run_background(outbox.run()))
    return outbox


def _open_jobs(engine: Engine, outbox: Outbox | None) -> tuple[Webhooks, Workshop]:
    """Create webhooks and jobs, which share one queue: the courier delivers the events of jobs."""
    settings, database, clock, metrics = engine.settings, engine.database, engine.clock, engine.metrics
    queue = make_queue(settings)
    webhooks = Webhooks(
        database,
        engine.door,
        clock,
        lambda ids: queue.put(WEBHOOK, *ids),
        seal=Seal(settings.secret),
        post=outbox,
        keep=timedelta(days=settings.webhook_days),
        base_url=settings.base_url,
    )
    courier = webhooks.courier
    workshop = Workshop(
        database,
        engine.pipeline,
        clock,
        settings,
        queue=queue,
        handlers={WEBHOOK: courier.work},
        ended=courier.look,
    )
    show_jobs(workshop, metrics)
    metrics.tally(
        "webhook_attempts",
        "Attempts to deliver events to webhooks: delivered, refused (no status from 200 to 299) or unreachable (no "
        "response).",
        "outcome",
        lambda: courier.counts,
    )
    return webhooks, workshop


def _open_people(
    engine: Engine, accounts: Accounts, tokens: Tokens, outbox: Outbox | None, stack: AsyncExitStack
) -> People:
    """Create the sign-in service."""
    settings, database, clock = engine.settings, engine.database, engine.clock
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


def _open_limits(engine: Engine) -> tuple[MakeLimiter, Callable[[], Awaitable[object]] | None]:
    """Return the function that creates rate limiters, which count in Redis if it is configured, otherwise in this
    process.

    The second function checks that Redis responds; it is None without Redis.
    """
    if engine.redis is None:

        def make_limiter(limit: int, window_s: float, *, account_limit: int | None = None) -> Limiter:
            return InProcessLimiter(limit, engine.clock, window_s, account_limit=account_limit)

        return make_limiter, None
    from webquarry.limits.redis import RedisLimiter  # most installations have no Redis

    return partial(RedisLimiter, engine.redis), RedisLimiter(engine.redis, engine.settings.rate_limit_per_minute).ping


def _open_request_log(engine: Engine) -> RequestLog:
    params = {each.name: list(each.params.model_fields) for each in (*engine.registry, *OPERATIONS)}
    days = engine.settings.request_log_days
    keep = timedelta(days=days) if days else None
    requests = RequestLog(engine.database, engine.clock, keep=keep, params=params)
    engine.metrics.gauge("requests_not_logged", "Requests that did not fit into the log.", lambda: requests.missed)
    return requests


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
            service.workshop.repairs.drop_expired,
            service.webhooks.sweep,
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
        service.webhooks.courier.run(),
        maintenance.run(),
        watch_lateness(clock, metrics.paused),
    )
    for work in works:
        await stack.enter_async_context(run_background(work))
    if service.settings.jobs:
        await stack.enter_async_context(service.workshop.working())


def show_jobs(workshop: Workshop, metrics: Metrics) -> None:
    metrics.gauge("job_items_running", "Job items that this server is running.", lambda: workshop.slots.busy)
    metrics.gauge(
        "job_items_queued", "Job items that are waiting for a slot on this server.", lambda: workshop.slots.waiting
    )
    metrics.tally(
        "job_items_ended",
        "Items of jobs that this server ended: done, failed, or stopped (beyond the job's budget).",
        "state",
        lambda: workshop.lanes.endings,
    )
    metrics.tally(
        "job_repairs",
        "Repairs of jobs by this server: lanes that no worker knew, cancelled jobs with open items, and jobs paused "
        "because their key or account was disabled.",
        "kind",
        lambda: workshop.repairs.counts,
    )
    metrics.levels(
        "jobs",
        "Open jobs of all servers, up to 30 seconds ago.",
        ("state",),
        lambda: _by_state(workshop.repairs.load.jobs),
    )
    metrics.levels(
        "job_items_open",
        "Items of open jobs of all servers that have not ended, up to 30 seconds ago.",
        ("state",),
        lambda: _by_state(workshop.repairs.load.items),
    )
    metrics.gauge(
        "job_lanes_resting",
        "Hosts and providers that jobs do not visit for now, because they refused requests. Up to 30 seconds ago.",
        lambda: workshop.repairs.load.resting,
    )


def _by_state(counts: Mapping[str, int]) -> Mapping[tuple[str, ...], float]:
    """Return counts of open jobs by state, with zeros, so that a metric does not vanish."""
    return {(state,): counts.get(state, 0) for state in ("running", "paused")}


def show_maintenance(maintenance: Maintenance, ledger: Ledger, clock: Clock, metrics: Metrics) -> None:
    metrics.gauge(
        "refunds_in_doubt", "Refunds that the database has not confirmed yet.", lambda: ledger.unconfirmed_refunds
    )
    metrics.gauge(
        "maintenance_seconds_since_round",
        "Seconds since the last successful maintenance. It runs every 30 seconds.",
        lambda: clock.monotonic() - maintenance.last_round_at,
    )
