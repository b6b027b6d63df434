"""The pipeline: memory, flight, storage, and a leader's run with its charge.

A leader's run belongs to the pipeline, not to its caller. The run finishes, stores and settles even if the caller
disconnects.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import orjson
from structlog.contextvars import bind_contextvars

from webquarry.core.caller import Caller
from webquarry.core.clock import Clock
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import (
    BudgetReached,
    CapReached,
    InsufficientCredits,
    JobHalted,
    NotCached,
    NotFound,
    NotModified,
    Overloaded,
    ProviderError,
    RequestError,
    ServiceError,
)
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline, File, Picture
from webquarry.endpoints.declare import Extractor, Format, Part
from webquarry.endpoints.params import parse
from webquarry.endpoints.portion import WHOLE, split_surface
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.run import Run, Runner
from webquarry.ledger import Ledger
from webquarry.pipeline.answer import Answer, CacheState, Quote
from webquarry.pipeline.bill import Bill
from webquarry.pipeline.cache import Ready, ReadyCache
from webquarry.pipeline.call import ANY_FRESH, Call, Freshness, Order, read_portion
from webquarry.pipeline.charge import Billing, Charge
from webquarry.pipeline.claim import Claim
from webquarry.pipeline.entries import Entries
from webquarry.pipeline.flights import Failed, Flights, Join, Landed, Lead
from webquarry.pipeline.plan import Dossier, Plan, PlannedPart, PlannedParts, Single
from webquarry.pipeline.portions import WITHIN_S, Portions
from webquarry.storage.conversions import Conversions
from webquarry.workers.job import Job, Word

DRAIN_S = 5.0
"""Seconds to wait for running requests at shutdown."""


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
        self.runner = runner
        self._flights = flights
        self._clock = clock
        self._turns = Shares(settings.max_runs, spare=settings.max_runs)
        self._entries = Entries(cache, conversions, clock, settings)
        self._portions = Portions(runner.workers)
        self._till = Billing(ledger, conversions, clock, metrics)
        self._runs: set[asyncio.Task[Answer]] = set()
        self._closing = False

    def prepare(self, extractor: Extractor, query: Sequence[tuple[str, str]], file: File | None = None) -> Call:
        """Validate a query and, if the endpoint takes one, a file. Raises the errors of `Call.of`."""
        return Call.of(extractor, query, file)

    def check_query(self, extractor: Extractor, query: Sequence[tuple[str, str]]) -> None:
        """Raise InvalidParams if the query is invalid, for a request whose file has not arrived yet."""
        given, form, asked = split_surface(query)
        parse(extractor.params, given)
        read_portion(extractor, form, asked)

    async def check_balance(self, caller: Caller, extractor: Extractor) -> None:
        """Raise InsufficientCredits if the account cannot pay for a request that has not arrived yet.

        Reserves nothing.
        """
        await self._till.check(caller, extractor.credits)

    async def answer(
        self,
        caller: Caller,
        call: Call,
        *,
        request_id: str,
        freshness: Freshness = ANY_FRESH,
        bill: Bill | None = None,
        claim: Claim | None = None,
    ) -> Answer:
        """Return the request's result from the cache, a flight or a run. Raises `ServiceError`.

        If the caller is canceled during its run, the run continues to its end. `bill` receives the charge. An
        interface that ends the request with an error after the settle must refund it with `Bill.give_back`. `claim` is
        set for an item of a job, which then ends in the transaction that charges it.
        """
        now = self._clock.now()
        ready = self._entries.recall(call, freshness, now)
        if ready is not None:
            return await self._cut(Answer(ready, "hit", ready.age_s(now), call.format), call, caller)
        if freshness.only_if_cached:
            return await self._recall_stored(caller, call, freshness)
        deadline = Deadline.after(call.extractor.deadline_s, self._clock)
        order = Order(caller, call, freshness, deadline, request_id, bill or Bill(), claim)
        order = replace(order, call=await self._validate_file(order))
        answer = await self._fly(order, self._lead_detached)
        return await (await self._cut(answer, call, caller)).put_together()

    async def _recall_stored(self, caller: Caller, call: Call, freshness: Freshness) -> Answer:
        """Return the result from storage. Raises NotCached if there is none. Nothing is fetched or charged."""
        stored = None if call.file is not None else await self._entries.look_up(call, freshness)
        if stored is None:
            raise NotCached
        return await (await self._cut(self._answer_of(stored, "hit", call.format), call, caller)).put_together()

    async def _cut(self, answer: Answer, call: Call, caller: Caller) -> Answer:
        """Return only the portion of the answer that the caller wants. The whole result stays in the store."""
        if call.portion is not WHOLE and not call.portion.is_whole:
            deadline = Deadline.after(WITHIN_S, self._clock)
            answer.portion = call.portion
            answer.part = await self._portions.choose(
                answer.conversion, call.portion, call.tree, deadline, caller.account_id
            )
            await answer.put_together()
        return answer

    async def quote(self, call: Call, freshness: Freshness = ANY_FRESH) -> Quote:
        """Return the request's current cost. Nothing is run, reserved or counted, so it may change."""
        ready = await self._find(call, freshness)
        if ready is not None:
            return Quote(0, ready.age_s(self._clock.now()))
        if call.extractor.parts is None:
            return Quote(call.extractor.credits)
        return Quote((await self._plan_parts(call, freshness)).price)

    async def is_cached(self, call: Call, freshness: Freshness = ANY_FRESH) -> bool:
        """Return whether a cached result serves the request now. If so, the result is then in memory."""
        return call.file is None and await self._find(call, freshness) is not None

    async def _validate_file(self, order: Order) -> Call:
        """Return the request with the type of its file. Other requests are returned unchanged.

        Raises UnsupportedType or ConversionFailed, before the charge, if the file cannot be read.
        """
        call = order.call
        upload, file = call.extractor.upload, call.file
        if upload is None or file is None:
            return call
        check = Job[str](upload.check, Word)
        found = await self.runner.workers.run(
            check, file.body, {"name": file.name}, deadline=order.deadline, account=order.account
        )
        return replace(call, file=replace(file, kind=found.facts))

    async def conversion(
        self,
        caller: Caller,
        conversion_id: str,
        form: Format,
        asked: Sequence[tuple[str, str]] = (),
        block: int | None = None,
        *,
        edit: Callable[[str], str] | None = None,
    ) -> Answer:
        """Return a stored conversion by id. Raises NotFound if it is unknown, expired or owned by another account.

        `asked` are the parameters of a portion. `block` is the only block to return. `edit` changes the markdown before
        a portion is chosen.
        """
        found = await self._entries.by_id(conversion_id)
        if found is None or found.conversion.owner not in (None, caller.account_id):
            raise NotFound("Conversion not found: it does not exist, has expired, or belongs to another account.")
        if edit is not None:
            found = await Ready.of(
                replace(found.conversion, markdown=edit(found.conversion.markdown.decode()).encode(), page_starts=())
            )
        answer = self._answer_of(found, "hit", form)
        if asked or block is not None:
            await self._cut_stored(answer, asked, block, caller)
        return await answer.put_together()

    async def _cut_stored(
        self, answer: Answer, asked: Sequence[tuple[str, str]], block: int | None, caller: Caller
    ) -> None:
        deadline = Deadline.after(WITHIN_S, self._clock)
        conversion = answer.conversion
        if block is not None:
            answer.part = await self._portions.find_block(conversion, block, deadline, caller.account_id)
            return
        extractor = self.registry.by_name.get(conversion.endpoint)
        if extractor is None:
            raise NotFound("This conversion's endpoint no longer exists. Request the whole conversion.")
        portion, tree = read_portion(extractor, answer.format, asked)
        answer.portion = portion
        answer.part = await self._portions.choose(conversion, portion, tree, deadline, caller.account_id)

    async def picture(self, name: str) -> Picture:
        """Return an image that some result contains. Raises NotFound for any other name."""
        found = await self._entries.picture(name)
        if found is None:
            raise NotFound("Image not found. Use the URL from the response that contains the image.")
        return found

    def _answer_of(self, ready: Ready, cache: CacheState, form: Format, charged: int = 0) -> Answer:
        return Answer(ready, cache, ready.age_s(self._clock.now()), form, charged)

    async def _find(self, call: Call, freshness: Freshness) -> Ready | None:
        """Return the entry in memory or storage that serves this request, or None."""
        recalled = self._entries.recall(call, freshness, self._clock.now())
        return recalled or await self._entries.look_up(call, freshness)

    @property
    def closing(self) -> bool:
        """Whether no further runs are accepted."""
        return self._closing

    @property
    def open_runs(self) -> int:
        return len(self._runs)

    async def close(self) -> None:
        """Accept no further runs, let running ones finish within seconds, then cancel and refund the others."""
        self._closing = True
        if self._runs:
            await asyncio.wait(self._runs, timeout=DRAIN_S)
        for task in self._runs:
            task.cancel()
        if self._runs:
            await asyncio.wait(self._runs, timeout=DRAIN_S)

    # flights: one run for identical requests

    async def _fly(self, order: Order, lead: Callable[[Order, Lead | None], Awaitable[Answer]]) -> Answer:
        """Join this request's flight, or lead it.

        The first joiner to notice that the leader is gone becomes the new leader.
        """
        if order.freshness.no_cache or order.call.file is not None:
            return await lead(order, None)
        while True:
            boarded_at = self._clock.now()
            boarded = await self._flights.board(order.call.key)
            if not isinstance(boarded, Join):
                return await lead(order, boarded)
            try:
                outcome = await boarded.wait(order.deadline)
            except TimeoutError as exc:
                raise ProviderError("The request timed out. Try again.", reason="timeout") from exc
            if isinstance(outcome, Failed):
                raise outcome.error()
            if isinstance(outcome, Landed):
                ready = await self._entries.read_outcome(order.call, outcome.conversion_id)
                # the leader may have accepted an older cached entry; a caller that needs a fresher result starts or
                # joins another run
                if ready is not None and (
                    ready.conversion.created_at >= boarded_at
                    or self._entries.serves(ready, order.freshness, self._clock.now())
                ):
                    return self._answer_of(ready, "joined", order.call.format)

    async def _lead_detached(self, order: Order, flight: Lead | None) -> Answer:
        """Run `_lead` in a task of the pipeline, which outlives the caller."""
        task = asyncio.create_task(self._lead(order, flight, self._plan_and_execute))
        self._runs.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():  # canceled by `close`; if the caller was canceled, the run continues
                raise Overloaded("The service is shutting down. Try again shortly.") from None
            raise

    def _ended(self, task: asyncio.Task[Answer]) -> None:
        self._runs.discard(task)
        if not task.cancelled():
            task.exception()  # retrieve the exception, because a caller that has left does not retrieve it

    async def _lead(self, order: Order, flight: Lead | None, execute: Callable[[Order], Awaitable[Answer]]) -> Answer:
        """Look the request up in storage, execute it if missing, and notify the waiting callers."""
        if flight is None:
            return await execute(order)
        hurried = order.is_hurried
        async with flight:
            stored = await self._entries.look_up(order.call, order.freshness)
            try:
                answer = self._answer_of(stored, "hit", order.call.format) if stored else await execute(order)
            except ServiceError as error:
                if not _concerns_leader_only(error, hurried=hurried):
                    await flight.land(Failed.of(error))
                raise
            await flight.land(Landed(answer.conversion_id))
            return answer

    # execution: a run and its charge

    async def _plan_and_execute(self, order: Order) -> Answer:
        bind_contextvars(request_id=order.request_id, key_id=order.caller.key_id, extractor=order.call.extractor.name)
        if self._closing:
            raise Overloaded
        async with self._turns.slot(order.account, order.deadline):
            return await self._execute(order, await self._plan(order))

    async def _plan(self, order: Order) -> Plan:
        extractor = order.call.extractor
        if extractor.parts is None:
            return Single(extractor.credits)
        planned = await self._plan_parts(order.call, order.freshness)
        return Dossier(order, planned, self._fly_part, partial(self._plan_further, order.call, order.freshness))

    async def _plan_parts(self, dossier: Call, freshness: Freshness) -> PlannedParts:
        """Return a dossier's parts, each with its cached result if there is one.

        Parts that are derived from other parts' results are included if those results are cached; otherwise, their
        maximum price is reserved.
        """
        extractor, params = dossier.extractor, dossier.params
        parts = await self._plan_each(extractor.parts(params) if extractor.parts else (), freshness)
        if extractor.further is None:
            return PlannedParts(parts, {}, 0)
        hits = {name: part.hit for name, part in parts.items() if part.hit}
        if len(hits) < len(parts):
            each = self.registry.by_name[extractor.further.endpoint].credits
            return PlannedParts(parts, None, extractor.further.most(params) * each)
        data = {name: orjson.loads(hit.conversion.data) for name, hit in hits.items()}
        return PlannedParts(parts, await self._plan_further(dossier, freshness, data), 0)

    async def _plan_further(
        self, dossier: Call, freshness: Freshness, data: Mapping[str, Any]
    ) -> dict[str, PlannedPart]:
        further = dossier.extractor.further
        return {} if further is None else await self._plan_each(further.find(dossier.params, data), freshness)

    async def _plan_each(self, parts: Iterable[Part], freshness: Freshness) -> dict[str, PlannedPart]:
        planned = {}
        for part in parts:
            try:
                call = self.prepare(self.registry.by_name[part.endpoint], tuple(part.params.items()))
            except RequestError as error:  # a result may contain an address that must not be fetched
                planned[part.name] = PlannedPart(error)
                continue
            ready = await self._find(call, freshness)
            planned[part.name] = PlannedPart(call, self._answer_of(ready, "hit", call.format) if ready else None)
        return planned

    async def _fly_part(self, order: Order) -> Answer:
        """Run a part through the same steps. The dossier's hold pays for the part, which ends with the dossier."""
        return await self._fly(order, partial(self._lead, execute=partial(self._execute, plan=Single(0))))

    async def _execute(self, order: Order, plan: Plan) -> Answer:
        """Reserve the maximum cost, run, then store and settle, or refund."""
        call, known = order.call, order.freshness.known
        earlier = None if known is None else await self._entries.by_id(known.conversion_id)
        run = Run(
            self.runner,
            call.extractor,
            call.params,
            order.deadline,
            plan.part,
            call.file,
            order.account,
            plan.further,
            known if earlier else None,
        )
        charge = await self._till.hold(order, plan.price)
        try:
            return await self._run_and_settle(order, plan, run, charge, earlier)
        except BaseException as error:
            await charge.refund(error, run.attempts)
            raise

    async def _run_and_settle(
        self, order: Order, plan: Plan, run: Run, charge: Charge, earlier: Ready | None
    ) -> Answer:
        """Return the result of a run, or the earlier one if its source has not changed."""
        call = order.call
        try:
            with ErrorBoundary("run.failed", extractor=call.extractor.name):
                output = await run.go()
        except NotModified:
            if earlier is None:
                raise
            await charge.settle_unchanged(earlier.conversion, self._entries.keep_until())
            return self._answer_of(earlier, "hit", call.format)
        conversion, recorded = self._entries.conversion_of(order, output)
        ready = await Ready.of(conversion)  # nothing slow may happen after the settlement
        charged = await charge.settle(plan.due, conversion, recorded, output.wire)
        self._entries.remember(call, ready)
        return self._answer_of(ready, "hit" if plan.is_cached else "miss", call.format, charged)


def _concerns_leader_only(error: ServiceError, *, hurried: bool) -> bool:
    """Return whether an error only concerns the leader: its balance, the service's load, or its lack of time.

    The flight is then abandoned, and the next caller leads.
    """
    own = InsufficientCredits | CapReached | BudgetReached | JobHalted | Overloaded
    return isinstance(error, own) or (hurried and error.reason == "timeout")
