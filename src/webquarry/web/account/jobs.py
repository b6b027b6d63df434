"""Pages of jobs: the list, a job with its items and live progress, what can be done with it, and its results."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.core.clock import Clock
from webquarry.core.errors import NotFound
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.jobs.jobs import LAST, Jobs
from webquarry.jobs.records import ITEM_STATES, Item, Job, JobState
from webquarry.jobs.results import Results
from webquarry.jobs.statements import Action, tell_page
from webquarry.web.account.events import link
from webquarry.web.account.job_words import (
    ITEM_KINDS,
    ITEM_WORDS,
    JobView,
    advise,
    may_retry,
    shorten,
    tell_skipped,
    view_job,
)
from webquarry.web.gate import Gate, go_to
from webquarry.web.playground.form_request import FormRequest
from webquarry.web.session import Fields
from webquarry.web.streams import send_stream

JOBS: Final = "/account/jobs"
PAGE: Final = 50
STATES: Final[tuple[JobState, ...]] = get_args(JobState)
MAX_LINK: Final = 2000
"""Maximum length of a link to a result. Longer ones leave out the parameters."""
ASKED: Final[Mapping[Action, str]] = {
    "resume": "Resume this job?",
    "retry": "Retry failed items?",
    "cancel": "Cancel this job?",
}
"""Headings of the pages that ask before an action. Pausing costs nothing and can be undone, so it is not asked for."""


class JobPages:
    """Routes of `/account/jobs`."""

    def __init__(self, gate: Gate, jobs: Jobs, results: Results, registry: Registry, clock: Clock) -> None:
        self._gate = gate
        self._jobs = jobs
        self._results = results
        self._registry = registry
        self._clock = clock
        self._acts = {"pause": jobs.pause, "resume": jobs.resume, "retry": jobs.retry, "cancel": jobs.cancel}

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(JOBS, gate.page(self.show), methods=["GET"]),
            Route(f"{JOBS}/{{id}}", gate.page(self.show_job), methods=["GET"]),
            Route(f"{JOBS}/{{id}}/events", gate.page(self.events), methods=["GET"]),
            Route(f"{JOBS}/{{id}}/results.ndjson", gate.page(self.lines), methods=["GET"]),
            Route(f"{JOBS}/{{id}}/results.zip", gate.page(self.archive), methods=["GET"]),
            Route(f"{JOBS}/{{id}}/{{action}}", gate.page(self.ask), methods=["GET"]),
            Route(f"{JOBS}/{{id}}/{{action}}", gate.form(self.act), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """Show the account's jobs, newest first."""
        asked = request.query_params.get("state", "")
        state = next((each for each in STATES if each == asked), None)
        before = request.query_params.get("before", LAST)
        found = await self._jobs.list_jobs(visitor.caller, state=state, before=before[:64], batch=PAGE + 1)
        given = {"state": state} if state else {}
        older = link(JOBS, {**given, "before": found[PAGE - 1].id}) if len(found) > PAGE else ""
        return await self._gate.show(
            request,
            "account/jobs.html",
            section="jobs",
            jobs=[self._view(job) for job in found[:PAGE]],
            state=state or "",
            states=STATES,
            newer=link(JOBS, given) if before != LAST else "",
            older=older,
        )

    async def show_job(self, request: Request, visitor: Visitor) -> Response:
        """Show a job with a page of its items."""
        job = await self._find(request, visitor)
        asked = request.query_params.get("items", "")
        state = next((each for each in ITEM_STATES if each == asked), None)
        after = _read_number(request.query_params.get("after", ""))
        items = await self._jobs.list_items(job, after=after, state=state, batch=PAGE + 1)
        path, given = f"{JOBS}/{job.id}", {"items": state} if state else {}
        further = link(path, {**given, "after": str(items[PAGE - 1].n)}) if len(items) > PAGE else ""
        return await self._gate.show(
            request,
            "account/job.html",
            section="jobs",
            view=self._view(job),
            rows=[self._show_item(job, item) for item in items[:PAGE]],
            state=state or "",
            words=ITEM_WORDS,
            asked=ASKED,
            said=request.query_params.get("done", ""),
            has_changes="since" in job.options,
            api=f"{API_PREFIX}/jobs/{job.id}",
            first=link(path, given) if after >= 0 else "",
            further=further,
        )

    async def events(self, request: Request, visitor: Visitor) -> Response:
        """Stream the progress of a job as HTML, in server-sent events."""
        job = await self._find(request, visitor)
        return await self._stream(visitor, self._results.events(visitor.caller, job, self._draw), "text/event-stream")

    async def lines(self, request: Request, visitor: Visitor) -> Response:
        """Return the results so far as JSON lines."""
        job = await self._find(request, visitor)
        form = job.options.get("format", "both")
        stream = self._results.lines(visitor.caller, job, after=0, follow=False, form=form, asked=())
        return await self._stream(visitor, stream, "application/x-ndjson", f"{job.id}.ndjson")

    async def archive(self, request: Request, visitor: Visitor) -> Response:
        """Return the results so far as a zip file."""
        job = await self._find(request, visitor)
        stream = self._results.archive(visitor.caller, job, form=job.options.get("format", "both"))
        return await self._stream(visitor, stream, "application/zip", f"{job.id}.zip")

    async def ask(self, request: Request, visitor: Visitor) -> Response:
        """Show the page that asks before an action, for browsers without scripts."""
        job, action = await self._find(request, visitor), request.path_params["action"]
        if action not in ASKED:
            raise NotFound("Page not found.")
        return await self._gate.show(
            request,
            "account/change.html",
            section="jobs",
            change=f"job-{action}",
            heading=ASKED[action],
            subject=self._view(job),
        )

    async def act(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        """Pause, resume, cancel or retry a job."""
        action = request.path_params["action"]
        if action not in self._acts:
            raise NotFound("Page not found.")
        before = await self._find(request, visitor)
        job = await self._acts[action](visitor.caller, before.id)
        done = "none" if action == "retry" and job.counts.failed >= before.counts.failed else action
        return go_to(f"{JOBS}/{job.id}?done={done}")

    async def _find(self, request: Request, visitor: Visitor) -> Job:
        return await self._jobs.find(visitor.caller, request.path_params["id"])

    def _view(self, job: Job) -> JobView:
        return view_job(job, self._registry, self._clock.now())

    def _draw(self, job: Job) -> bytes:
        """Return the progress as HTML on one line, as events need it."""
        return " ".join(self._gate.site.render("account/job_progress.html", view=self._view(job)).split()).encode()

    def _show_item(self, job: Job, item: Item) -> dict[str, Any]:
        """Return a row of the table of items."""
        page = tell_page(job, item)
        return {
            "item": item,
            "state": ITEM_WORDS[item.state],
            "kind": ITEM_KINDS[item.state],
            "input": shorten(item.input),
            "result": self._find_result(job, item),
            "advice": advise(item),
            "may_retry": may_retry(item),
            "request_id": f"{job.id}-{item.n}",
            "skipped": tell_skipped(page.pop("skipped")),
            **page,
        }

    def _find_result(self, job: Job, item: Item) -> str:
        """Return the URL that shows an item's result in the playground, or ""."""
        extractor = self._registry.by_name.get(job.endpoint)
        if item.conversion_id is None or extractor is None:
            return ""
        whole = FormRequest(extractor, tuple({**job.shared, **item.input}.items())).answer_address(item.conversion_id)
        return whole if len(whole) <= MAX_LINK else FormRequest(extractor).answer_address(item.conversion_id)

    async def _stream(
        self, visitor: Visitor, stream: AsyncGenerator[bytes, None], media_type: str, name: str = ""
    ) -> Response:
        """Return a stream, as a download if it has a file name."""
        headers = {"content-disposition": f'attachment; filename="{name}"'} if name else None
        return await send_stream(self._results.bound(visitor.caller, stream), media_type, headers)


def _read_number(text: str) -> int:
    """Return the number of the last item of the previous page, or -1."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
