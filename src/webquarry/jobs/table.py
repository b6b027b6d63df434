"""The transactions of jobs: create, begin, pause, resume, cancel, retry and delete jobs, and read jobs and items."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.errors import ANSWERED
from webquarry.jobs.events import announce_job
from webquarry.jobs.records import Counts, Item, ItemState, Job, NewJob, PauseReason
from webquarry.storage import Operation

KEYS_KEPT = timedelta(hours=24)
"""How long an idempotency key refers to the job that it created."""
ROWS_BATCH = 2000
"""Maximum number of rows changed or deleted in one transaction, limited so that other writes do not wait for long."""

_SELECT = """
    SELECT id, account_id, key_id, kind, endpoint, shared, options, state, reason, name, webhook, max_credits,
        concurrency, spent, charged, cached, endings, items, done, failed, stopped, created_at, ended_at, expires_at,
        (SELECT COUNT(*) FROM job_items t WHERE t.job_id = jobs.id AND t.state = 'taken')
    FROM jobs"""
_INSERT = """
    INSERT INTO jobs (id, account_id, key_id, kind, endpoint, shared, options, state, name, webhook, max_credits,
        concurrency, created_at, expires_at)
    VALUES (:id, :account_id, :key_id, :kind, :endpoint, :shared, :options, 'loading', :name, :webhook, :max_credits,
        :concurrency, :created_at, :expires_at)
    ON CONFLICT (id) DO NOTHING"""
_LOCK_ACCOUNT = "UPDATE accounts SET email = email WHERE id = :account_id"
_WITH_KEY = """
    SELECT id, digest FROM jobs
    WHERE account_id = :account_id AND idempotency_key = :idempotency_key AND created_at > :since"""
_FORGET_KEY = """
    UPDATE jobs SET idempotency_key = NULL
    WHERE account_id = :account_id AND idempotency_key = :idempotency_key AND created_at <= :since"""
_LOAD = """
    SELECT COUNT(*), CAST(COALESCE(SUM(items - done - failed - stopped), 0) AS BIGINT) FROM jobs
    WHERE account_id = :account_id AND state IN ('running', 'paused')"""
_IS_LOADING = "SELECT 1 FROM jobs WHERE id = :id AND state = 'loading'"
_BEGIN = """
    UPDATE jobs SET state = 'running', items = :items, idempotency_key = :idempotency_key, digest = :digest
    WHERE id = :id AND state = 'loading' RETURNING id"""
_COUNT_ITEMS = "UPDATE jobs SET items = items + :more, reason = COALESCE(CAST(:reason AS TEXT), reason) WHERE id = :id"
_SERVE = "UPDATE jobs SET served_at = :now WHERE id = :id AND state = 'running' RETURNING id"
_BY_ID = f"{_SELECT} WHERE id = :id"
_FINISH = """
    UPDATE jobs SET state = 'done', ended_at = :now WHERE id = :id AND state IN ('running', 'paused') RETURNING id"""
_FIND = f"{_SELECT} WHERE id = :id AND account_id = :account_id AND state <> 'loading'"
_LIST = f"""{_SELECT}
    WHERE account_id = :account_id AND state <> 'loading' AND id < :before
        AND (CAST(:state AS TEXT) IS NULL OR state = :state)
    ORDER BY id DESC LIMIT :batch"""
_PAUSE = "UPDATE jobs SET state = 'paused', reason = :reason WHERE id = :id AND state = 'running' RETURNING id"
_RESUME = """
    UPDATE jobs SET state = 'running', reason = NULL, key_id = :key_id WHERE id = :id AND state = 'paused'
    RETURNING id"""
_CANCEL = """
    UPDATE jobs SET state = 'cancelled', reason = 'user', ended_at = :now, stopped = items - done - failed
    WHERE id = :id AND state IN ('running', 'paused') RETURNING id"""
_STOP_ROWS = """
    UPDATE job_items SET state = 'stopped', ended_at = :now
    WHERE job_id = :id AND COALESCE(state, '') IN ('ready', 'taken') AND n IN (
        SELECT n FROM job_items WHERE job_id = :id AND state IN ('ready', 'taken') LIMIT :batch)
    RETURNING n"""
_LOCK = "UPDATE jobs SET name = name WHERE id = :id AND state IN ('running', 'paused', 'done') RETURNING state"
_RETRYABLE = ", ".join(sorted({f"'{error.code}'" for error in ANSWERED if error.retryable and not error.passing}))
_PASSING = ", ".join(sorted({f"'{reason}'" for error in ANSWERED for reason in error.passing}))
_RETRY = f"""
    UPDATE job_items SET state = 'ready', failures = 0, not_before = 0, code = NULL, reason = NULL, message = NULL,
        ending = NULL, ended_at = NULL
    WHERE job_id = :id AND state = 'failed' AND (code IN ({_RETRYABLE}) OR reason IN ({_PASSING}))
    RETURNING n"""  # noqa: S608  # codes and reasons are constants of this program
_RETRIED = """
    UPDATE jobs SET failed = failed - :more, ended_at = NULL,
        state = CASE state WHEN 'done' THEN 'running' ELSE state END
    WHERE id = :id"""
_LANES = "SELECT DISTINCT lane FROM job_items WHERE job_id = :id AND state IN ('ready', 'taken')"
_ITEMS = """
    SELECT n, input, CASE WHEN :over = 1 AND state IN ('ready', 'taken') THEN 'stopped' ELSE state END, attempt,
        conversion_id, code, reason, message, details, charged, cached, ending, ended_at
    FROM job_items WHERE job_id = :id"""
_PAGE = f"{_ITEMS} AND n > :after AND (CAST(:state AS TEXT) IS NULL OR state = :state) ORDER BY n LIMIT :batch"
_ENDED_PAGE = f"{_ITEMS} AND ending > :after ORDER BY ending LIMIT :batch"
_EXPIRED = """
    SELECT id FROM jobs WHERE expires_at <= :now OR (state = 'loading' AND created_at <= :stale) LIMIT 1"""
_CLOSE = "UPDATE jobs SET state = 'cancelled' WHERE id = :id AND state IN ('running', 'paused')"
_DROP_ITEMS = """
    DELETE FROM job_items WHERE job_id = :id AND n IN (SELECT n FROM job_items WHERE job_id = :id LIMIT :batch)
    RETURNING n"""
_DROP_JOB = "DELETE FROM jobs WHERE id = :id"


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum numbers of an account's open jobs, and of those jobs' items that have not ended."""

    jobs: int
    items: int


@dataclass(frozen=True, slots=True)
class Begun:
    """A job that has begun, or the earlier job with the same idempotency key.

    `refusal` states why the job did not begin.
    """

    job_id: str
    refusal: "Refusal | None" = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a job did not begin: another request used its key, or the account has too many jobs or items."""

    reason: str
    used: int = 0


def create(job: NewJob) -> Operation[None]:
    """Store a job without items, invisible until `begin`."""
    yield (
        _INSERT,
        {
            "id": job.id,
            "account_id": job.account_id,
            "key_id": job.key_id,
            "kind": job.kind,
            "endpoint": job.endpoint,
            "shared": json.dumps(dict(job.shared)),
            "options": json.dumps(dict(job.options)),
            "name": job.name,
            "webhook": job.webhook,
            "max_credits": job.max_credits,
            "concurrency": job.concurrency,
            "created_at": epoch_ms(job.created_at),
            "expires_at": epoch_ms(job.expires_at),
        },
    )


def begin(
    job: NewJob, items: int, limits: Limits, now: datetime, idempotency_key: str | None, digest: str
) -> Operation[Begun]:
    """Begin a job whose `items` are stored.

    If its idempotency key belongs to an earlier job, return that job, or a refusal if its request was different.
    """
    yield _LOCK_ACCOUNT, {"account_id": job.account_id}
    if not (yield _IS_LOADING, {"id": job.id}):  # the operation already ran
        return Begun(job.id)
    if idempotency_key is not None:
        values = {"account_id": job.account_id, "idempotency_key": idempotency_key, "since": epoch_ms(now - KEYS_KEPT)}
        rows = yield _WITH_KEY, values
        if rows:
            return Begun(rows[0][0], None if rows[0][1] == digest else Refusal("key"))
        yield _FORGET_KEY, values
    [(jobs, open_items)] = yield _LOAD, {"account_id": job.account_id}
    if jobs >= limits.jobs:
        return Begun(job.id, Refusal("jobs", jobs))
    if open_items + items > limits.items:
        return Begun(job.id, Refusal("items", open_items))
    values = {"id": job.id, "items": items, "idempotency_key": idempotency_key, "digest": digest}
    yield _BEGIN, values
    return Begun(job.id)


def read_load(account_id: str) -> Operation[tuple[int, int]]:
    """Return the number of the account's open jobs, and the number of those jobs' items that have not ended."""
    [(jobs, items)] = yield _LOAD, {"account_id": account_id}
    return jobs, items


def serve(job_id: str, now_ms: int) -> Operation[Job | None]:
    """Lock a running job and record when it was served. Return None if it is not running."""
    if not (yield _SERVE, {"id": job_id, "now": now_ms}):
        return None
    [row] = yield _BY_ID, {"id": job_id}
    return read_row(row)


def count_items(job_id: str, more: int, *, reason: str | None = None) -> Operation[None]:
    """Add to a job's count of items. `reason` states why other items were not added."""
    yield _COUNT_ITEMS, {"id": job_id, "more": more, "reason": reason}


def finish(job_id: str, now: datetime) -> Operation[None]:
    """Mark a job as done, because all its items have ended."""
    if (yield _FINISH, {"id": job_id, "now": epoch_ms(now)}):
        yield from announce_state(job_id, now)


def announce_state(job_id: str, now: datetime) -> Operation[None]:
    """Notify the account's webhooks of a job's new state."""
    [row] = yield _BY_ID, {"id": job_id}
    yield from announce_job(read_row(row), now)


def find(job_id: str, account_id: str) -> Operation[Job | None]:
    """Return the account's job with this id."""
    rows = yield _FIND, {"id": job_id, "account_id": account_id}
    return read_row(rows[0]) if rows else None


def list_jobs(account_id: str, *, state: str | None, before: str, batch: int) -> Operation[list[Job]]:
    """Return the account's jobs with ids before `before`, newest first."""
    rows = yield _LIST, {"account_id": account_id, "state": state, "before": before, "batch": batch}
    return [read_row(row) for row in rows]


def pause(job_id: str, reason: PauseReason, now: datetime) -> Operation[bool]:
    """Pause a running job, so that no further item reserves credits. Return whether it was running."""
    if not (yield _PAUSE, {"id": job_id, "reason": reason}):
        return False
    if reason != "user":
        yield from announce_state(job_id, now)
    return True


def resume(job_id: str, key_id: str) -> Operation[bool]:
    """Resume a paused job with this key. Return whether it was paused."""
    return bool((yield _RESUME, {"id": job_id, "key_id": key_id}))


def cancel(job_id: str, now: datetime) -> Operation[bool]:
    """Cancel a job that has not ended, so that its items can no longer end or be charged. Return whether it was open.

    The rows of its items are stopped later (`stop_rows`), but are shown as stopped immediately.
    """
    if not (yield _CANCEL, {"id": job_id, "now": epoch_ms(now)}):
        return False
    yield from announce_state(job_id, now)
    return True


def stop_rows(job_id: str, now: datetime) -> Operation[bool]:
    """Stop a batch of a canceled job's items. Return whether more may be left."""
    rows = yield _STOP_ROWS, {"id": job_id, "now": epoch_ms(now), "batch": ROWS_BATCH}
    return len(rows) == ROWS_BATCH


def retry(job_id: str) -> Operation[int]:
    """Let failed items wait for another attempt if a retry may help. Return their number."""
    if not (yield _LOCK, {"id": job_id}):
        return 0
    rows = yield _RETRY, {"id": job_id}
    if rows:
        yield _RETRIED, {"id": job_id, "more": len(rows)}
    return len(rows)


def list_lanes(job_id: str) -> Operation[list[str]]:
    """Return the lanes of the job's items that have not ended."""
    rows = yield _LANES, {"id": job_id}
    return [lane for (lane,) in rows]


def list_items(job: Job, *, after: int, state: ItemState | None, batch: int) -> Operation[list[Item]]:
    """Return items with numbers above `after`, in order."""
    values = {"id": job.id, "after": after, "state": state, "batch": batch, "over": int(job.state == "cancelled")}
    rows = yield _PAGE, values
    return [read_item(row) for row in rows]


def list_ended(job: Job, *, after: int, batch: int) -> Operation[list[Item]]:
    """Return ended items in the order in which they ended, starting after ending number `after`."""
    values = {"id": job.id, "after": after, "batch": batch, "over": int(job.state == "cancelled")}
    rows = yield _ENDED_PAGE, values
    return [read_item(row) for row in rows]


def find_expired(now: datetime, stale: datetime) -> Operation[str | None]:
    """Return the id of a job to delete: an expired job, or a job created before `stale` whose items were never
    completely stored.
    """
    rows = yield _EXPIRED, {"now": epoch_ms(now), "stale": epoch_ms(stale)}
    return rows[0][0] if rows else None


def drop(job_id: str) -> Operation[bool]:
    """Delete a batch of a job's rows, and finally the job itself. Return whether more may be left."""
    yield _CLOSE, {"id": job_id}
    if len((yield _DROP_ITEMS, {"id": job_id, "batch": ROWS_BATCH})) == ROWS_BATCH:
        return True
    yield _DROP_JOB, {"id": job_id}
    return False


def read_row(row: Sequence[Any]) -> Job:
    """Return the job in a row of `_SELECT`."""
    id, account_id, key_id, kind, endpoint, shared, options, state, reason, name, webhook = row[:11]
    max_credits, concurrency, spent, charged, cached, endings, items, done, failed, stopped = row[11:21]
    created_at, ended_at, expires_at, running = row[21:]
    return Job(
        id=id,
        account_id=account_id,
        key_id=key_id,
        kind=kind,
        endpoint=endpoint,
        shared=json.loads(shared),
        options=json.loads(options),
        state=state,
        reason=reason,
        name=name,
        webhook=webhook,
        max_credits=max_credits,
        concurrency=concurrency,
        spent=spent,
        charged=charged,
        cached=cached,
        endings=endings,
        counts=Counts(items, done, failed, stopped, 0 if state == "cancelled" else running),
        created_at=from_epoch_ms(created_at),
        ended_at=None if ended_at is None else from_epoch_ms(ended_at),
        expires_at=from_epoch_ms(expires_at),
    )


def read_item(row: Sequence[Any]) -> Item:
    n, text, state, attempt, conversion_id, code, reason, message, details, charged, cached, ending, ended_at = row
    return Item(
        n=n,
        input=json.loads(text),
        state=state,
        attempt=attempt,
        conversion_id=conversion_id,
        code=code,
        reason=reason,
        message=message,
        details=None if details is None else json.loads(details),
        charged=charged,
        cached=bool(cached),
        ending=ending,
        ended_at=None if ended_at is None else from_epoch_ms(ended_at),
    )
