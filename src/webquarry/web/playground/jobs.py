"""Pages that start jobs and crawls.

    GET  /playground/jobs?operation=<endpoint>     the form of a job
    POST /playground/jobs                          `do`: check (what it can cost), run (start it)
    GET  /playground/crawl;  POST                  the same for a crawl
    GET  /playground/jobs/<job id>                 the progress of a job

A form that is sent twice starts one job: its hidden nonce and its content are the idempotency key.
"""

import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Caller, Visitor
from webquarry.core.clock import Clock
from webquarry.core.errors import FileTooLarge, InvalidParams, NotFound, ServiceError
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.jobs import inputs
from webquarry.jobs.crawl import CRAWL, ENDPOINT
from webquarry.jobs.crawl_request import CrawlRequest, make_crawl
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.jobs import Jobs
from webquarry.jobs.records import Job, NewItem
from webquarry.ledger import Ledger
from webquarry.limits import Limiter
from webquarry.web.account.job_words import view_job
from webquarry.web.gate import LOGIN, Gate, go_to
from webquarry.web.playground.fields import CODES
from webquarry.web.playground.form_request import ROOT
from webquarry.web.playground.job_form import OWN, SHOWN_INPUTS, BatchForm, CrawlForm, read_batch
from webquarry.web.playground.job_inputs import Judged, find_main, judge_lines, read_lines
from webquarry.web.playground.job_snippets import write_body_snippets
from webquarry.web.playground.labels import write_label
from webquarry.web.session import MAX_FORM_BYTES, Fields

JOBS: Final = f"{ROOT}/jobs"
CRAWLS: Final = f"{ROOT}/crawl"
MAX_BYTES: Final = 1024 * 1024
"""Bytes of a form of a signed-in user."""
NONCE: Final = f"{OWN}nonce"
EARLIER: Final = 20
"""Crawls among which a new one can choose the earlier one."""


_NOTHING: Final = Judged((), (), ())


@dataclass(frozen=True, slots=True)
class Checked:
    """What is known of a form before it is sent. `error` refers to the whole form or to one field."""

    judged: Judged = _NOTHING
    error: ServiceError | None = None
    crawl: CrawlRequest | None = None

    @property
    def wrong(self) -> str:
        """Return the field that the error belongs to, or ""."""
        name = self.error.parameter if isinstance(self.error, InvalidParams) else None
        return (name or "").partition(".")[0]

    @property
    def message(self) -> str:
        return self.error.message if self.error else ""


class JobForms:
    """Routes of the playground for jobs."""

    def __init__(
        self, gate: Gate, registry: Registry, jobs: Jobs, crawls: Crawls, ledger: Ledger, limiter: Limiter, clock: Clock
    ) -> None:
        self._gate = gate
        self._registry = registry
        self._jobs = jobs
        self._crawls = crawls
        self._ledger = ledger
        self._limiter = limiter
        self._clock = clock
        self._endpoints = [each for each in registry if each.upload is None]

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(JOBS, gate.open_page(self.show_batch), methods=["GET"]),
            Route(JOBS, gate.open_page(self.submit_batch), methods=["POST"]),
            Route(f"{JOBS}/{{id}}", gate.page(self.show_started), methods=["GET"]),
            Route(CRAWLS, gate.open_page(self.show_crawl), methods=["GET"]),
            Route(CRAWLS, gate.open_page(self.submit_crawl), methods=["POST"]),
        )

    async def show_batch(self, request: Request) -> Response:
        operation = request.query_params.get("operation")
        form = BatchForm(self._find(ENDPOINT if operation is None else operation))
        return await self._show_batch(request, form, Checked())

    async def submit_batch(self, request: Request) -> Response:
        """Check a form, and start its job if it is valid and the user wants it."""
        visitor = await self._gate.visitors.find(request)
        try:
            fields = await self._read(request, visitor)
        except FileTooLarge as error:
            return await self._show_batch(request, BatchForm(self._find(ENDPOINT)), Checked(error=_explain(error)))
        form = read_batch(self._find(fields.get("operation", ENDPOINT)), fields)
        checked = await self._check_batch(form)
        if checked.error or checked.judged.faults or fields.get("do") != "run":
            return await self._show_batch(request, form, checked)
        if visitor is None:
            return go_to(sign_in_address(f"{JOBS}?{urlencode({'operation': form.extractor.name})}"))
        try:
            if not checked.judged.items:
                raise InvalidParams("A job needs at least one input.", parameter="inputs")
            job = await self._start_batch(visitor.caller, form, checked.judged, fields.get(NONCE, ""))
        except ServiceError as error:
            return await self._show_batch(request, form, Checked(checked.judged, error))
        return go_to(f"{JOBS}/{job.id}")

    async def show_crawl(self, request: Request) -> Response:
        form = CrawlForm({"limit": "100", "url": request.query_params.get("url", "")})
        return await self._show_crawl(request, form, Checked())

    async def submit_crawl(self, request: Request) -> Response:
        """Check a form, and start its crawl if it is valid and the user wants it."""
        visitor = await self._gate.visitors.find(request)
        fields = await self._read(request, visitor)
        form = CrawlForm(fields)
        checked = self._check_crawl(form)
        if checked.crawl is None or fields.get("do") != "run":
            return await self._show_crawl(request, form, checked)
        if visitor is None:
            return go_to(sign_in_address(CRAWLS))
        try:
            await self._take(visitor.caller)
            digest = inputs.digest_of(checked.crawl.model_dump_json().encode())
            key = _make_key(fields.get(NONCE, ""), digest)
            job = await self._crawls.start(visitor.caller, checked.crawl, digest, idempotency_key=key)
        except ServiceError as error:
            return await self._show_crawl(request, form, Checked(error=error, crawl=checked.crawl))
        return go_to(f"{JOBS}/{job.id}")

    async def show_started(self, request: Request, visitor: Visitor) -> Response:
        """Show the progress of a job that was started here or elsewhere."""
        job = await self._jobs.find(visitor.caller, request.path_params["id"])
        again = CRAWLS if job.kind == CRAWL else f"{JOBS}?{urlencode({'operation': job.endpoint})}"
        view = view_job(job, self._registry, self._clock.now())
        return await self._gate.show(request, "playground/started.html", view=view, again=again, root=ROOT)

    def _find(self, name: str) -> Extractor:
        """Return an endpoint for which jobs can run. Raises NotFound."""
        found = [each for each in self._endpoints if each.name == name]
        if not found and name == ENDPOINT:  # a service without it
            found = self._endpoints[:1]
        if not found:
            raise NotFound(f"No job can run this endpoint. All endpoints are listed at {ROOT}.")
        return found[0]

    async def _read(self, request: Request, visitor: Visitor | None) -> Fields:
        return await self._gate.visitors.read_form(request, MAX_FORM_BYTES if visitor is None else MAX_BYTES)

    async def _check_batch(self, form: BatchForm) -> Checked:
        try:
            judge = inputs.make_judge(self._registry, form.head)
            lines = read_lines(form.inputs, form.layout, form.extractor)
            return Checked(await judge_lines(judge, lines))
        except InvalidParams as error:
            return Checked(error=error)

    def _check_crawl(self, form: CrawlForm) -> Checked:
        if not form.values.get("url", "").strip() and form.values.get("do") != "run":
            return Checked()
        try:
            asked = form.request
            make_crawl(asked, Caller("", ""), self._clock)  # raises InvalidParams for addresses and globs
        except InvalidParams as error:
            return Checked(error=error)
        return Checked(crawl=asked)

    async def _start_batch(self, caller: Caller, form: BatchForm, judged: Judged, nonce: str) -> Job:
        await self._take(caller)
        head = form.head
        new = inputs.make_job(head, inputs.make_judge(self._registry, head), caller, self._clock)
        digest = inputs.digest_of(f"{head.model_dump_json()}\n{form.layout}\n{form.inputs}".encode())

        async def batches() -> AsyncIterator[Sequence[NewItem]]:
            for at in range(0, len(judged.items), inputs.BATCH_SIZE):
                yield judged.items[at : at + inputs.BATCH_SIZE]

        key = _make_key(nonce, digest)
        return await self._jobs.start(new, batches(), idempotency_key=key, digest=lambda: digest)

    async def _take(self, caller: Caller) -> None:
        """Count a request. Raises RateLimited."""
        (await self._limiter.take(caller.key_id, caller.account_id)).check()

    async def _show_batch(self, request: Request, form: BatchForm, checked: Checked) -> Response:
        extractor, judged = form.extractor, checked.judged
        count = len(judged.items)
        shown = [dict(each) for each in judged.inputs[:SHOWN_INPUTS]] or [dict(extractor.example)]
        body = {**form.body, "inputs": shown}
        return await self._show(
            request,
            "playground/job.html",
            checked,
            body,
            "/jobs",
            form=form,
            extractor=extractor,
            main=write_label(find_main(extractor)),
            example=extractor.example.get(find_main(extractor).name, ""),
            fields=form.list_fields(checked.wrong, checked.message),
            endpoints=self._endpoints,
            count=count,
            shown_inputs=len(shown) if count > SHOWN_INPUTS else 0,
            worst=_limit(count * extractor.credits, checked.error is None, form.head if count else None),
            price=extractor.credits,
            own=OWN,
            codes=CODES,
        )

    async def _show_crawl(self, request: Request, form: CrawlForm, checked: Checked) -> Response:
        visitor = await self._gate.visitors.find(request)
        price, asked = self._find(ENDPOINT).credits, checked.crawl
        found = await self._jobs.list_jobs(visitor.caller, batch=100) if visitor else []
        now = self._clock.now()
        crawls = [view_job(job, self._registry, now) for job in found if job.kind == CRAWL][:EARLIER]
        return await self._show(
            request,
            "playground/crawl.html",
            checked,
            form.body,
            "/crawl",
            values=form.values,
            earlier=[(view.job.id, f"{view.title}, {view.job.created_at:%Y-%m-%d %H:%M}") for view in crawls],
            count=asked.limit if asked else 0,
            worst=_limit(asked.limit * price, True, asked) if asked else 0,
            price=price,
        )

    async def _show(
        self, request: Request, template: str, checked: Checked, body: dict[str, Any], path: str, **values: Any
    ) -> Response:
        visitor = await self._gate.visitors.find(request)
        balance = await self._ledger.balance(visitor.account_id) if visitor else None
        error = checked.error if request.method == "POST" else None
        response = await self._gate.show(
            request,
            template,
            status=error.status if error else 400 if checked.judged.faults else 200,
            checked=checked,
            balance=balance,
            nonce=secrets.token_hex(8),
            nonce_field=NONCE,
            snippets=write_body_snippets(f"{self._gate.site.base_url}{API_PREFIX}{path}", body),
            sign_in=sign_in_address(request.scope["path"]),
            root=ROOT,
            **values,
        )
        response.headers.update(error.headers() if error else {})
        return response


def sign_in_address(then: str) -> str:
    """Return the URL for signing in and then continuing at a path."""
    return f"{LOGIN}?{urlencode({'next': then})}"


def _limit(credits: int, is_valid: bool, asked: inputs.JobHead | CrawlRequest | None) -> int:
    """Return the credits that a job can cost, at most its maximum."""
    if not is_valid or asked is None or asked.max_credits is None:
        return credits
    return min(credits, asked.max_credits)


def _make_key(nonce: str, digest: str) -> str:
    """Return the idempotency key of a form: its content, so that a changed form is another job, and its nonce."""
    clean = "".join(sign for sign in nonce[:32] if sign.isascii() and sign.isalnum())
    return f"playground-{clean}-{digest[:40]}"


def _explain(error: FileTooLarge) -> InvalidParams:
    return InvalidParams(f"{error.message} Send larger jobs with POST /jobs as JSON lines.", parameter="inputs")
