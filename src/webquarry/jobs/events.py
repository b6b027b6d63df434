"""Events of jobs, which webhooks receive."""

from datetime import datetime
from typing import Any

from webquarry.endpoints.registry import API_PREFIX
from webquarry.jobs.records import Job
from webquarry.storage import Operation
from webquarry.webhooks import EventType, announce


def announce_job(job: Job, now: datetime) -> Operation[None]:
    """Write deliveries about the event that has just happened to a job, in the same transaction."""
    yield from announce(job.account_id, find_type(job), describe(job), now, only=job.webhook)


def find_type(job: Job) -> EventType:
    """Return the event for a job's state. A job that ends without any result has failed."""
    if job.state == "done":
        return "job.done" if job.counts.done else "job.failed"
    return "job.cancelled" if job.state == "cancelled" else "job.paused"


def describe(job: Job) -> dict[str, Any]:
    """Return the data about a job for an event. The data is small and never includes results."""
    counts = job.counts
    path = f"{API_PREFIX}/jobs/{job.id}"
    return {
        "id": job.id,
        "operation": job.endpoint,
        "kind": job.kind,
        "name": job.name,
        "state": job.state,
        "reason": job.reason,
        "items": counts.items,
        "counts": counts.by_state,
        "charged": job.charged,
        "cached": job.cached,
        "created_at": job.created_at.isoformat(),
        "ended_at": None if job.ended_at is None else job.ended_at.isoformat(),
        "links": {"job": path, "items": f"{path}/items", "results": f"{path}/results.ndjson"},
    }
