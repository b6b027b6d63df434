"""The one path every call takes, from every surface.

    ready in memory ─▶ hit
    else board the flight of this question:
        join  ─▶ wait for its outcome (free; its error is ours)
        lead  ─▶ stored and fresh ─▶ hit
                 else hold ─▶ run under one deadline ─▶ store + settle in one transaction
                              └─ any error: refund + receipt

A leader's run belongs to the pipeline, not to its caller: it ends, stores and settles when the caller has left.
A dossier's parts take the same path below one hold: what ran and succeeded is charged, hits and joins are free.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Literal, NamedTuple

import orjson
from structlog.contextvars import bind_contextvars

from webquarry.accounts import Caller
from webquarry.cache import Ready, ReadyCache
from webquarry.clock import Clock
from webquarry.declare import Extractor, Format, Params, Part, PartAnswer
from webquarry.errors import (
    InsufficientCredits,
    InternalError,
    NotFound,
    Overloaded,
    ProviderError,
    ServiceError,
)
from webquarry.flights import Failed, Flights, Join, Landed, Lead
from webquarry.ledger import Hold, Ledger, Receipt
from webquarry.log import log
from webquarry.metrics import Metrics
from webquarry.params import parse, split_format
from webquarry.registry import Registry
from webquarry.run import Output, Run, Runner
from webquarry.settings import Settings
from webquarry.storage.conversions import Conversion, Conversions, Recorded
from webquarry.types import Deadline

CacheState = Literal["hit", "miss", "joined"]
_DRAIN_S = 5.0


@dataclass(frozen=True, slots=True)
class Call:
    """A checked question. key: what tells it apart from others, in cache and flight; `format` is no part of it."""

    extractor: Extractor
    params: Params
    format: Format
    key: str


@dataclass(frozen=True, slots=True)
class Freshness:
    """What the caller asks of a cached answer: none at all, or one of at most this age (None: as declared)."""

    no_cache: bool = False
    max_age_s: float | None = None


ANY_FRESH = Freshness()


class Answer(NamedTuple):
    """What a surface sends. age_s: seconds since the conversion was made."""

    body: bytes
    conversion_id: str
    charged: int
    cache: CacheState
    age_s: int


@dataclass(frozen=True, slots=True)
class _Made:
    """A conversion and how this call came by it."""

    ready: Ready
    cache: CacheState
    charged: int = 0


@dataclass(frozen=True, slots=True)
class _PlannedPart:
    call: Call
    ready: Ready | None


@dataclass(slots=True)
class _Plan:
    """What a run may cost, decided before the hold. charged: what the parts that succeeded cost, so far."""

    price: int
    parts: dict[str, _PlannedPart] = field(default_factory=dict)
    charged: int = 0

    @property
    def due(self) -> int:
        return min(self.price, self.charged) if self.parts else self.price

    @property
    def all_cached(self) -> bool:
        return bool(self.parts) and all(part.ready for part in self.parts.values())


class Pipeline:
    def __init__(
        self,
        registry: Registry,
        runner: Runner,
        ledger: Ledger,
        conversions: Conversions,
        flights: Flights,
        cache: ReadyCache,
        clock: Clock,
        settings: Settings,
        metrics: Metrics,
    ) -> None:
        self.registry = registry
        self._runner = runner
        self._ledger = ledger
        self._conversions = conversions
        self._flights = flights
        self._cache = cache
        self._clock = clock
        self._settings = settings
        self._metrics = metrics
        self._runs: set[asyncio.Task[_Made]] = set()
        self._closing = False

    def prepare(self, extractor: Extractor, query: Sequence[tuple[str, str]]) -> Call:
        """The checked call of a query; InvalidParams says what is wrong with it."""
        given, form = split_format(query)
        params = parse(extractor.params, given)
        return Call(extractor, params, form, _key(extractor, params))

    def ready(self, call: Call, freshness: Freshness = ANY_FRESH) -> Answer | None:
        """The answer if it lies ready in memory. Never waits, writes nothing."""
        found = self._cache.get(call.key)
        if found is None or not self._serves(found.conversion, freshness):
            return None
        return self._hit(found, call.format)

    async def answer(self, caller: Caller, call: Call, *, request_id: str, freshness: Freshness = ANY_FRESH) -> Answer:
        """Answer the call, from cache, flight or a run of its own. Raises `ServiceError`.

        When the caller is cancelled while its run is in flight, the run goes on to its end.
        """
        ready = self.ready(call, freshness)
        if ready is not None:
            return ready
        deadline = Deadline.after(call.extractor.deadline_s, self._clock)
        lead = partial(self._paid, caller, call, freshness, deadline, request_id)
        made = await self._once(call, freshness, deadline, lead)
        return self._answer(call, made)

    async def conversion(self, caller: Caller, conversion_id: str, form: Format) -> Answer:
        """A stored conversion by its id; NotFound when it is unknown, expired or another account's."""
        stored = await self._conversions.by_id(conversion_id, self._clock.now())
        if stored is None or stored.owner not in (None, caller.account_id):
            raise NotFound("No such conversion: it does not exist, has expired, or belongs to another account.")
        return self._hit(Ready(stored), form)

    @property
    def closing(self) -> bool:
        """Whether no more runs are taken."""
        return self._closing

    @property
    def open_runs(self) -> int:
        return len(self._runs)

    async def close(self) -> None:
        """Take no more runs, let those in flight end within a few seconds, and stop (and so refund) the others."""
        self._closing = True
        if self._runs:
            await asyncio.wait(self._runs, timeout=_DRAIN_S)
        for task in self._runs:
            task.cancel()
        if self._runs:
            await asyncio.wait(self._runs, timeout=_DRAIN_S)

    # one flight for one question

    async def _once(
        self, call: Call, freshness: Freshness, deadline: Deadline, lead: Callable[[Lead | None], Awaitable[_Made]]
    ) -> _Made:
        """Join the flight of this question, or lead it. A leader that is gone is replaced by the first to notice."""
        if freshness.no_cache:
            return await lead(None)
        while True:
            boarded_at = self._clock.now()
            boarded = await self._flights.board(call.key)
            if not isinstance(boarded, Join):
                return await lead(boarded)
            try:
                outcome = await boarded.wait(deadline)
            except TimeoutError as exc:
                raise ProviderError("The answer did not arrive in time: try again.", reason="timeout") from exc
            if isinstance(outcome, Failed):
                raise outcome.error()
            if isinstance(outcome, Landed):
                ready = await self._load(call, outcome.conversion_id)
                # a leader content with an older entry lands that; who asked for a fresher one boards again
                if ready is not None and (
                    ready.conversion.created_at >= boarded_at or self._serves(ready.conversion, freshness)
                ):
                    return _Made(ready, "joined")

    async def _led(
        self, call: Call, freshness: Freshness, lead: Lead | None, make: Callable[[], Awaitable[_Made]]
    ) -> _Made:
        """Look into storage, make what is not there, and tell those who wait. What concerns only the leader (its own
        balance, our load) is not told: the flight is abandoned and the next one leads."""
        if lead is None:
            return await make()
        async with lead:
            stored = await self._stored(call, freshness)
            try:
                made = _Made(stored, "hit") if stored is not None else await make()
            except (InsufficientCredits, Overloaded):
                raise
            except ServiceError as error:
                await lead.land(Failed.of(error))
                raise
            await lead.land(Landed(made.ready.conversion.id))
            return made

    # a run and its money

    async def _paid(
        self,
        caller: Caller,
        call: Call,
        freshness: Freshness,
        deadline: Deadline,
        request_id: str,
        lead: Lead | None,
    ) -> _Made:
        make = partial(self._charged_run, caller, call, freshness, deadline, request_id)
        task = asyncio.create_task(self._led(call, freshness, lead, make))
        self._runs.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():  # by `close`; otherwise it is the caller who leaves, and the run goes on
                raise Overloaded("The service is being stopped: try again shortly.") from None
            raise

    def _ended(self, task: asyncio.Task[_Made]) -> None:
        self._runs.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that has left does not fetch it

    async def _charged_run(
        self, caller: Caller, call: Call, freshness: Freshness, deadline: Deadline, request_id: str
    ) -> _Made:
        bind_contextvars(request_id=request_id, key_id=caller.key_id, extractor=call.extractor.name)
        if self._closing or len(self._runs) > self._settings.max_runs:
            raise Overloaded
        plan = await self._plan(call, freshness)
        price = 0 if caller.internal else plan.price
        hold = await self._hold(caller, call, price, request_id)
        run = Run(self._runner, call.extractor, call.params, deadline, partial(self._part, plan, freshness, deadline))
        try:
            output = await self._go(call.extractor, run)
            conversion = self._conversion(call, output)
            charged = await self._settle(hold, plan.due, conversion, self._recorded(conversion, output))
        except BaseException as error:
            await self._refund(caller, call, hold, run, error, request_id)
            raise
        return _Made(self._remember(call, conversion), "hit" if plan.all_cached else "miss", charged)

    async def _settle(self, hold: Hold | None, due: int, conversion: Conversion, recorded: Recorded | None) -> int:
        """Store the conversion and close the hold, in one transaction. Returns what was charged."""
        if hold is None:
            await self._conversions.keep(conversion, recorded)
            return 0
        settled = await asyncio.shield(self._ledger.settle(hold, due, conversion, recorded))
        self._metrics.credits.labels(conversion.endpoint).inc(settled.charged)
        if settled.late:
            self._metrics.late_settles.inc()
        return settled.charged

    async def _hold(self, caller: Caller, call: Call, price: int, request_id: str) -> Hold | None:
        if price == 0:
            return None
        return await self._ledger.hold(caller.account_id, price, request_id=request_id, endpoint=call.extractor.name)

    async def _refund(
        self, caller: Caller, call: Call, hold: Hold | None, run: Run, error: BaseException, request_id: str
    ) -> None:
        if hold is None:
            return
        told = error if isinstance(error, ServiceError) else InternalError()
        receipt = Receipt(
            request_id=request_id,
            account_id=caller.account_id,
            endpoint=call.extractor.name,
            code=told.code,
            reason=told.reason or ("stopped" if isinstance(error, asyncio.CancelledError) else None),
            message=told.message,
            attempts=tuple(run.attempts),
            created_at=self._clock.now(),
        )
        await asyncio.shield(self._ledger.refund(hold, receipt))

    async def _go(self, extractor: Extractor, run: Run) -> Output:
        """The run's output. The one place that catches all: a fault of ours is logged and told as InternalError."""
        try:
            return await run.go()
        except ServiceError:
            raise
        except Exception as exc:
            log.exception("run.failed", extractor=extractor.name)
            raise InternalError from exc

    # the parts of a dossier

    async def _plan(self, call: Call, freshness: Freshness) -> _Plan:
        """Price of the run: the declared one, or the sum of those parts that no cache answers now.

        The hits are pinned here, so that what is held is what can be charged.
        """
        if call.extractor.parts is None:
            return _Plan(call.extractor.credits)
        plan = _Plan(0)
        for part in call.extractor.parts(call.params):
            planned = await self._planned(part, freshness)
            plan.parts[part.name] = planned
            plan.price += 0 if planned.ready else planned.call.extractor.credits
        return plan

    async def _planned(self, part: Part, freshness: Freshness) -> _PlannedPart:
        call = self.prepare(self.registry.by_name[part.endpoint], tuple(part.params.items()))
        return _PlannedPart(call, None if freshness.no_cache else await self._stored(call, freshness))

    async def _part(self, plan: _Plan, freshness: Freshness, deadline: Deadline, name: str) -> PartAnswer:
        planned = plan.parts[name]
        call, extractor = planned.call, planned.call.extractor
        try:
            if planned.ready is not None:
                ready = planned.ready
            else:
                within = deadline.within(extractor.deadline_s)
                lead = partial(self._part_lead, call, freshness, within)
                made = await self._once(call, freshness, within, lead)
                ready = made.ready
                plan.charged += extractor.credits if made.cache == "miss" else 0
        except ServiceError as error:
            return PartAnswer(error=error.message, code=error.code)
        return PartAnswer(data=orjson.loads(ready.conversion.data), markdown=ready.conversion.markdown)

    async def _part_lead(self, call: Call, freshness: Freshness, deadline: Deadline, lead: Lead | None) -> _Made:
        async def make() -> _Made:
            run = Run(self._runner, call.extractor, call.params, deadline, _no_parts)
            output = await self._go(call.extractor, run)
            conversion = self._conversion(call, output)
            await self._conversions.keep(conversion, self._recorded(conversion, output))
            return _Made(self._remember(call, conversion), "miss")

        return await self._led(call, freshness, lead, make)

    # memory and storage

    def _remember(self, call: Call, conversion: Conversion) -> Ready:
        ready = Ready(conversion)
        if conversion.cache_key is not None:
            self._cache.put(call.key, ready)
        return ready

    async def _stored(self, call: Call, freshness: Freshness) -> Ready | None:
        """The entry that serves this call, from memory or from storage."""
        ready = self._cache.get(call.key)
        if ready is not None and self._serves(ready.conversion, freshness):
            return ready
        if call.extractor.fresh is None:
            return None
        stored = await self._conversions.fresh(call.key, self._clock.now())
        if stored is None or not self._serves(stored, freshness):
            return None
        return self._remember(call, stored)

    async def _load(self, call: Call, conversion_id: str) -> Ready | None:
        ready = self._cache.get(call.key)
        if ready is not None and ready.conversion.id == conversion_id:
            return ready
        stored = await self._conversions.by_id(conversion_id, self._clock.now())
        return None if stored is None else Ready(stored)

    def _serves(self, conversion: Conversion, freshness: Freshness) -> bool:
        now = self._clock.now()
        if freshness.no_cache or conversion.fresh_until is None or conversion.fresh_until <= now:
            return False
        if freshness.max_age_s is None:
            return True
        return (now - conversion.created_at).total_seconds() <= freshness.max_age_s

    def _conversion(self, call: Call, output: Output) -> Conversion:
        now, fresh = self._clock.now(), call.extractor.fresh
        keep = timedelta(days=self._settings.keep_days)
        return Conversion(
            id=new_conversion_id(),
            endpoint=call.extractor.name,
            version=call.extractor.version,
            cache_key=None if fresh is None else call.key,
            owner=None,
            created_at=now,
            fresh_until=None if fresh is None else now + fresh,
            expires_at=now + max(keep, fresh or keep),
            provider=output.provider,
            source_url=output.wire.url if output.wire else None,
            data=output.data,
            markdown=output.markdown,
        )

    def _recorded(self, conversion: Conversion, output: Output) -> Recorded | None:
        """The wire as it is stored beside its conversion, and nowhere kept in memory."""
        if output.wire is None or not self._settings.keep_wire_hours:
            return None
        return Recorded(output.wire, conversion.created_at + timedelta(hours=self._settings.keep_wire_hours))

    def _answer(self, call: Call, made: _Made) -> Answer:
        ready = made.ready
        body = ready.fresh(call.format, made.charged) if made.cache == "miss" else ready.hit(call.format)
        return Answer(body, ready.conversion.id, made.charged, made.cache, self._age_s(ready.conversion))

    def _hit(self, ready: Ready, form: Format) -> Answer:
        return Answer(ready.hit(form), ready.conversion.id, 0, "hit", self._age_s(ready.conversion))

    def _age_s(self, conversion: Conversion) -> int:
        return max(0, int((self._clock.now() - conversion.created_at).total_seconds()))


def new_conversion_id() -> str:
    return f"cv_{secrets.token_hex(16)}"


def _key(extractor: Extractor, params: Params) -> str:
    told = extractor.identity(params) if extractor.identity else params.model_dump(mode="json")
    text = orjson.dumps([extractor.name, extractor.version, told], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()


async def _no_parts(name: str) -> PartAnswer:
    raise LookupError(f"{name}: this endpoint declares no parts")
