"""Runs the playground's requests through the pipeline or the sandbox, and records them in the history."""

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from webquarry.accounts import Caller, History, PastCall, Share, Shares
from webquarry.core.clock import Clock, epoch_ms
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import ServiceError
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.types import File
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT
from webquarry.ledger import Ledger
from webquarry.limits import Limiter
from webquarry.logs.requests import RequestLog
from webquarry.pipeline import Answer, Bill, Call, Freshness, Pipeline, Quote

Question = Sequence[tuple[str, str]]
GUEST_CALLS: Final = 30
"""Maximum number of sandbox requests per minute from one address, for users who are not signed in."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a request: a result or an error, with the request id, the duration and the credits charged."""

    request_id: str
    took_ms: int
    answer: Answer | None = None
    error: ServiceError | None = None
    charged: int = 0


class RequestRunner:
    """Runs requests for users.

    `pipeline` is the service's pipeline. `sandbox` returns the sandbox's pipeline; it is None if the service is a
    sandbox. `limiter` limits all requests by key; `guests` limits users who are not signed in by address.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        sandbox: Callable[[], Awaitable[Pipeline]] | None,
        ledger: Ledger,
        history: History,
        shares: Shares,
        limiter: Limiter,
        guests: Limiter,
        clock: Clock,
        metrics: Metrics,
        requests: RequestLog,
    ) -> None:
        self._pipeline = pipeline
        self._sandbox = sandbox
        self._ledger = ledger
        self._shares = shares
        self._limiter = limiter
        self._guests = guests
        self._clock = clock
        self._metrics = metrics
        self._requests = requests
        self.history = history

    @property
    def has_sandbox(self) -> bool:
        return self._sandbox is not None

    async def take(self, caller: Caller) -> None:
        """Count a request. Raises RateLimited beyond the session's limit, which is separate from the limit of keys."""
        (await self._limiter.take(caller.key_id, caller.account_id)).check()

    async def take_guest(self, address: str) -> None:
        (await self._guests.take(f"guest:{address}")).check()

    async def balance(self, caller: Caller) -> int:
        recent = self._ledger.recent_balance(caller.account_id)
        return recent if recent is not None else await self._ledger.balance(caller.account_id)

    async def quote(self, extractor: Extractor, question: Question) -> Quote | None:
        """Return the price and cache state of a validated request, or None for uploads, which need the file first."""
        if extractor.upload is not None:
            return None
        return await self._pipeline.quote(self._pipeline.prepare(extractor, question))

    async def run(
        self, caller: Caller, extractor: Extractor, question: Question, file: File | None = None, *, anew: bool = False
    ) -> Outcome:
        """Run the request as the API does. The request is recorded in the history even if the user has left."""
        began, request_id, bill = time.perf_counter(), f"req_{secrets.token_hex(10)}", Bill()
        try:
            with ErrorBoundary("request.failed", extractor=extractor.name, request_id=request_id):
                call = self._prepare(self._pipeline, extractor, question, file)
                answer = await self._pipeline.answer(
                    caller, call, request_id=request_id, freshness=Freshness(no_cache=anew), bill=bill
                )
            outcome = Outcome(request_id, _ms_since(began), answer, charged=bill.credits)
        except ServiceError as error:
            await bill.give_back(error)
            outcome = Outcome(request_id, _ms_since(began), error=error, charged=bill.credits)
        await self._note(caller, extractor, question, file, outcome)
        return outcome

    async def run_sandboxed(self, caller: Caller | None, extractor: Extractor, question: Question) -> Outcome:
        """Run the request in the sandbox: free, and not recorded.

        An uploaded file is replaced with the declared example.
        """
        if self._sandbox is None:
            raise LookupError("this service is already a sandbox")
        began, request_id = time.perf_counter(), f"req_{secrets.token_hex(10)}"
        unpaid = Caller(caller.account_id if caller else "", "playground", internal=True)
        file = extractor.upload.example if extractor.upload else None
        try:
            with ErrorBoundary("request.failed", extractor=extractor.name, request_id=request_id):
                pipeline = await self._sandbox()
                call = self._prepare(pipeline, extractor, question, file)
                answer = await pipeline.answer(unpaid, call, request_id=request_id)
        except ServiceError as error:
            return Outcome(request_id, _ms_since(began), error=error)
        return Outcome(request_id, _ms_since(began), answer)

    async def reopen(self, caller: Caller, conversion_id: str) -> Answer:
        """Return an earlier result, free of charge. Raises NotFound if this account has no access to it."""
        return await self._pipeline.conversion(caller, conversion_id, "both")

    async def find_share(self, caller: Caller, conversion_id: str) -> Share | None:
        """Return the account's link to a response, or None."""
        return await self._shares.of_conversion(caller.account_id, conversion_id, self._clock.now())

    def _prepare(self, pipeline: Pipeline, extractor: Extractor, question: Question, file: File | None) -> Call:
        """Return the validated request, in the format that includes both artifacts, because the page shows both."""
        form_request = [pair for pair in question if pair[0] != FORMAT.name]
        return pipeline.prepare(extractor, [*form_request, (FORMAT.name, "both")], file)

    async def _note(
        self, caller: Caller, extractor: Extractor, question: Question, file: File | None, outcome: Outcome
    ) -> None:
        answer, error = outcome.answer, outcome.error
        code, cache = error.code if error else "ok", answer.cache if answer else "none"
        self._metrics.called(extractor.name, cache, code)
        self._requests.note(
            caller.account_id,
            caller.key_id,
            extractor.name,
            tuple(question),
            status=error.status if error else 200,
            code=code,
            cache=cache,
            credits=outcome.charged,
            took_s=outcome.took_ms / 1000,
            request_id=outcome.request_id,
        )
        log.info(
            "request",
            extractor=extractor.name,
            code=code,
            cache=cache,
            ms=outcome.took_ms,
            request_id=outcome.request_id,
            surface="playground",
        )
        now = self._clock.now()
        past = PastCall(
            id=f"{epoch_ms(now):012x}{outcome.request_id}",
            account_id=caller.account_id,
            endpoint=extractor.name,
            question=urlencode(question),
            file_name=file.name if file else None,
            conversion_id=answer.conversion_id if answer else None,
            code=code,
            cache=cache,
            charged=outcome.charged,
            took_ms=outcome.took_ms,
            created_at=now,
        )
        try:
            await self.history.add(past)
        except ServiceError as fault:  # the result was charged, so show it even if it cannot be listed
            log.warning("history.lost", request_id=outcome.request_id, code=fault.code)


def _ms_since(began: float) -> int:
    return round(1000 * (time.perf_counter() - began))
