"""Descriptions of jobs and items in responses."""

from datetime import datetime
from typing import Any, Literal

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.endpoints.registry import API_PREFIX
from webquarry.jobs.records import Item, ItemState, Job, JobState

Change = Literal["new", "changed", "same", "gone"]


class JobsParams(Params):
    state: JobState | None = param("Return only jobs in this state.", default=None)
    limit: int = param("Jobs per page.", default=50, min_value=1, max_value=100)
    cursor: str | None = param("`next_cursor` of the previous page.", default=None, max_length=64)


class ItemsParams(Params):
    state: ItemState | None = param("Return only items in this state.", default=None)
    limit: int = param("Items per page.", default=100, min_value=1, max_value=1000)
    after: int = param("Return items with higher numbers; `next_after` of the previous page.", default=-1, min_value=-1)


class ResultsParams(Params):
    after: int = param(
        "Return only results after this one. Pass the `ending` of the last line that you have read.",
        default=0,
        min_value=0,
    )
    follow: bool = param("Whether to wait for further results until the job ends.", default=False)


class JobCounts(Result):
    ready: int = field("Items that are waiting.")
    running: int = field("Items that are running.")
    done: int = field("Items with a result.")
    failed: int = field("Items that ended with an error.")
    stopped: int = field("Items that did not run: `max_credits` was used up, or the job was canceled.")


class JobLinks(Result):
    self: str = field("This job.")
    items: str = field("Its items.")
    results: str = field("Its results, as JSON lines.")
    archive: str = field("The job's results, as a zip file.")
    events: str = field("The job's progress, as server-sent events.")


class JobStatement(Result):
    id: str = field("ID of the job.")
    operation: str = field("Name of the endpoint.")
    kind: str = field("`batch`, or another kind of job.")
    name: str | None = field("The name that you gave the job.")
    state: JobState = field("`running`, `paused`, `done` or `cancelled`.")
    reason: str | None = field(
        "Why it is paused (`user`, `credits`, `monthly_cap`, `key`: the key was revoked), or why it ended early."
    )
    items: int = field("Number of items.")
    counts: JobCounts = field("Items by state.")
    charged: int = field("Credits charged.")
    cached: int = field("Items that were free because their result was cached.")
    max_credits: int | None = field("Maximum number of credits; null for no limit.")
    worst_case_credits: int = field("Maximum number of credits that the remaining items can cost.")
    rate: float = field("Items that ended per second, on average.")
    eta_s: int | None = field("Estimated time until the job ends; null if unknown.", unit="s")
    created_at: datetime = field("Time of the request.")
    ended_at: datetime | None = field("Time of the end.")
    expires_at: datetime = field("Time at which the job and its items are deleted.")
    links: JobLinks = field("Paths for the job.")


class StartedJob(JobStatement):
    balance: int = field("Your balance. No credits are reserved for items that have not started.")


class JobsStatement(Result):
    jobs: list[JobStatement] = field("Jobs, newest first.")
    next_cursor: str | None = field("Cursor for the next page; null on the last page.")


class ItemStatement(Result):
    n: int = field("Number of the item, from 0.")
    input: dict[str, str] = field("Its parameters.")
    state: ItemState = field("`ready` (waits), `taken` (runs), `done`, `failed` or `stopped`.")
    id: str | None = field("ID of the conversion, for `/conversions/{id}`.")
    code: str | None = field("Code of the error.")
    reason: str | None = field("The error's reason, if there is one.")
    message: str | None = field("Error message.")
    credits: int = field("Credits charged.")
    cached: bool = field("Whether the result was cached.")
    request_id: str = field("Request ID, for `/account/receipts/{request_id}`.")
    ending: int | None = field("Position in the order in which items ended.")
    depth: int | None = field("For a crawl: number of links between a start page and this page.")
    parent: int | None = field("For a crawl: number of the first item that linked to this page.")
    copy_of: int | None = field(
        "For a crawl: number of the item with the same content. Links on copies are not followed."
    )
    change: Change | None = field("For a crawl with `since`: `new`, `changed`, `same` or `gone`.")
    skipped: dict[str, int] | None = field("For a crawl: number of links on this page that are not visited, by reason.")
    left_out: int | None = field(
        "Pages of a crawl: characters of the markdown that results leave out, because they repeat on other pages."
    )
    ended_at: datetime | None = field("Time of the end.")


class ItemsStatement(Result):
    items: list[ItemStatement] = field("Items, by number.")
    next_after: int | None = field("`after` for the next page; null on the last page.")


Action = Literal["cancel", "pause", "resume", "retry"]
ACTIONS: dict[Action, tuple[str, str]] = {
    "cancel": (
        "Cancel a job",
        "Ends a job. From then on, no item is charged, and running items are refunded. A job that has ended does not "
        "change.",
    ),
    "pause": (
        "Pause a job",
        "Running items continue, but no further items start. A job that is not running does not change.",
    ),
    "resume": ("Resume a job", "Resumes a paused job with this request's key."),
    "retry": (
        "Retry a job",
        "Runs items again that failed with a temporary error, such as a timeout. A canceled job does not change.",
    ),
}
"""Titles and descriptions of the actions on a job."""


def tell_job(job: Job, price: int, now: datetime) -> JobStatement:
    """Return the description of a job whose items cost at most `price` credits each."""
    return JobStatement(**_fields(job, price, now))


def tell_started(job: Job, price: int, now: datetime, balance: int) -> StartedJob:
    return StartedJob(**_fields(job, price, now), balance=balance)


def _fields(job: Job, price: int, now: datetime) -> dict[str, object]:
    counts = job.counts
    left = 0 if job.is_over else counts.items - counts.ended
    worst = 0 if job.is_over else price * (job.options.get("limit", counts.items) - counts.ended)
    if job.max_credits is not None:
        worst = min(worst, job.max_credits - job.charged)
    took_s = max(0.001, ((job.ended_at or now) - job.created_at).total_seconds())
    rate = counts.ended / took_s
    path = f"{API_PREFIX}/jobs/{job.id}"
    return {
        "id": job.id,
        "operation": job.endpoint,
        "kind": job.kind,
        "name": job.name,
        "state": job.state,
        "reason": job.reason,
        "items": counts.items,
        "counts": JobCounts(**counts.by_state),
        "charged": job.charged,
        "cached": job.cached,
        "max_credits": job.max_credits,
        "worst_case_credits": worst,
        "rate": round(rate, 2),
        "eta_s": round(left / rate) if job.state == "running" and rate > 0 else None,
        "created_at": job.created_at,
        "ended_at": job.ended_at,
        "expires_at": job.expires_at,
        "links": JobLinks(
            self=path,
            items=f"{path}/items",
            results=f"{path}/results.ndjson",
            archive=f"{path}/results.zip",
            events=f"{path}/events",
        ),
    }


def tell_item(job: Job, item: Item) -> ItemStatement:
    return ItemStatement(
        n=item.n,
        input=dict(item.input),
        state=item.state,
        id=item.conversion_id,
        code=item.code,
        reason=item.reason,
        message=item.message,
        credits=item.charged,
        cached=item.cached,
        request_id=f"{job.id}-{item.n}",
        ending=item.ending,
        ended_at=item.ended_at,
        **tell_page(job, item),
    )


def tell_page(job: Job, item: Item) -> dict[str, Any]:
    """Return what a crawl knows about a page: `depth`, `parent`, `copy_of`, `change` and so on, or None for each."""
    details = item.details or {}
    page = {name: details.get(name) for name in ("depth", "parent", "copy_of", "change", "skipped")}
    if "since" in job.options and item.code == "not_found" and page["parent"] is None:  # a page of the earlier crawl
        page["change"] = "gone"
    page["left_out"] = sum(end - start for start, end in details.get("furniture", ())) or None
    return page
