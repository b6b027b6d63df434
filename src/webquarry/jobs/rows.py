"""The transactions of items: take, end and give back items, and return items that a dead worker left.

Transactions lock rows in the same order as the ledger: account, key, job, items. Only an item's latest attempt can end
it, and its job's counts change in the same transaction, so the counts always match the rows.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from webquarry.core.clock import epoch_ms
from webquarry.jobs import table
from webquarry.jobs.kinds import NOTHING, Found
from webquarry.jobs.records import Ending, Job, NewItem, Taken
from webquarry.ledger import booking
from webquarry.ledger.spending import item_hold_id
from webquarry.storage import Operation

INSERT_BATCH = 100
"""Number of items per statement."""

# running jobs with items to take on the lane, and the number of each job's items that are taken on it
_CANDIDATES = """
    SELECT j.id, j.account_id, j.served_at,
        (SELECT COUNT(*) FROM job_items t WHERE t.job_id = j.id AND t.lane = :lane AND t.state = 'taken')
    FROM jobs j
    WHERE j.state = 'running' AND EXISTS (
        SELECT 1 FROM job_items i
        WHERE i.job_id = j.id AND i.lane = :lane AND i.state = 'ready' AND i.not_before <= :now)"""
_IS_DUE = """
    SELECT 1 FROM jobs j WHERE j.state = 'running' AND EXISTS (
        SELECT 1 FROM job_items i
        WHERE i.job_id = j.id AND i.lane = :lane AND i.state = 'ready' AND i.not_before <= :now)
    LIMIT 1"""
_NEXT = """
    SELECT MIN(i.not_before) FROM job_items i JOIN jobs j ON j.id = i.job_id
    WHERE i.lane = :lane AND i.state = 'ready' AND j.state = 'running'"""
_COUNT_TAKEN = "SELECT COUNT(*) FROM job_items WHERE job_id = :job_id AND state = 'taken'"
# COALESCE prevents SQLite from using indexes with which it would read or sort all ready items
_TAKE = """
    UPDATE job_items SET state = 'taken', attempt = attempt + 1, taken_at = :now
    WHERE job_id = :job_id AND COALESCE(state, '') = 'ready' AND n IN (
        SELECT n FROM job_items
        WHERE job_id = :job_id AND lane = :lane AND state = 'ready' AND COALESCE(not_before, 0) <= :now
        ORDER BY place, n LIMIT :batch)
    RETURNING n, input, attempt, failures, details"""
_IS_LEFT = "SELECT 1 FROM job_items WHERE lane = :lane AND state = 'taken' LIMIT 1"
_LEFT = "SELECT job_id, n, attempt FROM job_items WHERE lane = :lane AND state = 'taken'"
_RETURN = """
    UPDATE job_items SET state = 'ready', not_before = :not_before, failures = failures + :failures
    WHERE job_id = :job_id AND n = :n AND attempt = :attempt AND state = 'taken' RETURNING n"""
_COUNT = """
    UPDATE jobs SET endings = endings + 1, done = done + :done, failed = failed + :failed, stopped = stopped + :stopped,
        charged = charged + :charged, cached = cached + :cached
    WHERE id = :job_id AND state IN ('running', 'paused') AND EXISTS (
        SELECT 1 FROM job_items WHERE job_id = :job_id AND n = :n AND attempt = :attempt AND state = 'taken')
    RETURNING endings, items, done + failed + stopped"""
_END = """
    UPDATE job_items SET state = :state, conversion_id = :conversion_id, code = :code, reason = :reason,
        message = :message, charged = :charged, cached = :cached, ending = :ending, ended_at = :now,
        details = COALESCE(CAST(:details AS TEXT), details)
    WHERE job_id = :job_id AND n = :n"""
_ENDED = """
    SELECT ending FROM job_items
    WHERE job_id = :job_id AND n = :n AND attempt = :attempt AND state = :state
        AND COALESCE(conversion_id, '') = COALESCE(CAST(:conversion_id AS TEXT), '')"""
_KNOWN = "SELECT digest FROM job_items WHERE job_id = :job_id AND digest IN ({names})"
_ROW = "(:job_id, :n_{at}, :digest_{at}, :input_{at}, :lane_{at}, :place_{at}, 'ready', :details_{at})"
_ADD = "INSERT INTO job_items (job_id, n, digest, input, lane, place, state, details) VALUES {rows}"


@dataclass(frozen=True, slots=True)
class Ended:
    """An item that has ended. `is_last` means that it was the last item, so its job has ended too."""

    ending: int
    is_last: bool


def take(lane: str, limit: int, now: datetime) -> Operation[list[Taken]]:
    """Take up to `limit` items of the lane, fairly between accounts and their jobs.

    If the commit's confirmation is lost, this may run twice; the items taken by the first run then wait for
    `return_left`.
    """
    now_ms = epoch_ms(now)
    candidates = yield _CANDIDATES, {"lane": lane, "now": now_ms}
    taken: list[Taken] = []
    for job_id, share in share_out(candidates, limit).items():
        job = yield from table.serve(job_id, now_ms)
        if job is None:  # paused or canceled meanwhile
            continue
        if job.concurrency is not None:
            [(running,)] = yield _COUNT_TAKEN, {"job_id": job_id}
            share = min(share, job.concurrency - running)
        if share > 0:
            rows = yield _TAKE, {"job_id": job_id, "lane": lane, "now": now_ms, "batch": share}
            taken += [_taken(job, row) for row in rows]
    return taken


def share_out(candidates: Sequence[Sequence[Any]], limit: int) -> dict[str, int]:
    """Return the number of items that each job gets, at most `limit` in total.

    `candidates` are rows of (job, account, time when it was last served, items taken). The next item goes to the
    account with the fewest taken items; among equals, to the account that was served longest ago. The same rule applies
    to an account's jobs.
    """
    jobs = {job: (account, served_at) for job, account, served_at, _ in candidates}
    of_job = {job: taken for job, _, _, taken in candidates}
    of_account: Counter[str] = Counter()
    for job, (account, _) in jobs.items():
        of_account[account] += of_job[job]
    last = {account: max(at for other, at in jobs.values() if other == account) for account, _ in jobs.values()}
    shares: Counter[str] = Counter()

    def rank(job: str) -> tuple[int, int, int, int]:
        account, served_at = jobs[job]
        return of_account[account], last[account], of_job[job], served_at

    for _ in range(limit if jobs else 0):
        job = min(jobs, key=rank)
        shares[job] += 1
        of_job[job] += 1
        of_account[jobs[job][0]] += 1
    return dict(shares)


def find_wait(lane: str, now: datetime) -> Operation[float | None]:
    """Return the seconds until the lane's next item may be taken, or None if no item is waiting."""
    now_ms = epoch_ms(now)
    # the usual case; unlike the next query, this one does not read all items
    if (yield _IS_DUE, {"lane": lane, "now": now_ms}):
        return 0.0
    rows = yield _NEXT, {"lane": lane}
    next_ms: int | None = rows[0][0]
    return None if next_ms is None else max(0.0, (next_ms - now_ms) / 1000)


def has_left(lane: str) -> Operation[bool]:
    """Return whether an earlier worker left items for `return_left`."""
    return bool((yield _IS_LEFT, {"lane": lane}))


def return_left(lane: str, now: datetime) -> Operation[int]:
    """Give back items that an earlier worker of the lane had taken, and refund their holds. Return their number.

    If that worker is still running, its attempts can no longer settle or end an item.
    """
    left = yield _LEFT, {"lane": lane}
    for job_id, n, attempt in left:
        yield from booking.release(item_hold_id(job_id, n, attempt), now, note="abandoned")
    for job_id, n, attempt in left:
        yield _RETURN, {"job_id": job_id, "n": n, "attempt": attempt, "not_before": 0, "failures": 0}
    return len(left)


def give_back(item: Taken, *, not_before_ms: int = 0, failures: int = 0) -> Operation[bool]:
    """Return an item to the waiting items. Return False if the item no longer belongs to this attempt."""
    key = {"job_id": item.job.id, "n": item.n, "attempt": item.attempt}
    rows = yield _RETURN, {**key, "not_before": not_before_ms, "failures": failures}
    return bool(rows)


def end(item: Taken, ending: Ending, charged: int, now: datetime, found: Found = NOTHING) -> Operation[Ended | None]:
    """End an item and add the items that were found.

    Return None if the item no longer belongs to this attempt or its job has ended.
    """
    key = {"job_id": item.job.id, "n": item.n, "attempt": item.attempt}
    counted = {state: int(ending.state == state) for state in ("done", "failed", "stopped")}
    rows = yield _COUNT, {**key, **counted, "charged": charged, "cached": int(ending.cached)}
    if not rows:
        known = yield _ENDED, {**key, "state": ending.state, "conversion_id": ending.conversion_id}
        return Ended(known[0][0], is_last=False) if known and known[0][0] is not None else None
    number, items, ended = rows[0]
    values = {
        "job_id": item.job.id,
        "n": item.n,
        "state": ending.state,
        "conversion_id": ending.conversion_id,
        "code": ending.code,
        "reason": ending.reason,
        "message": _make_storable(ending.message),
        "charged": charged,
        "cached": int(ending.cached),
        "ending": number,
        "now": epoch_ms(now),
        "details": None if found.details is None else json.dumps(found.details),
    }
    yield _END, values
    if found.items:
        items = yield from add_found(item.job, items, found.items)
    if ended == items:
        yield from table.finish(item.job.id, now)
    return Ended(number, is_last=ended == items)


def add_found(job: Job, items: int, found: Sequence[NewItem]) -> Operation[int]:
    """Add items that the job does not have, up to its `limit`. `items` is the number of its items so far. Return the
    new number.

    The job's row must be locked by the same transaction.
    """
    new = {item.digest or f"#{at}": item for at, item in enumerate(found)}
    digests = [item.digest for item in new.values() if item.digest is not None]
    for begin in range(0, len(digests), INSERT_BATCH):
        batch = {f"d_{at}": digest for at, digest in enumerate(digests[begin : begin + INSERT_BATCH])}
        rows = yield _KNOWN.format(names=", ".join(f":{name}" for name in batch)), {**batch, "job_id": job.id}
        for (digest,) in rows:
            del new[digest]
    room = max(0, job.options.get("limit", items + len(new)) - items)
    chosen = [*new.values()][:room]
    yield from add(job.id, items, chosen)
    yield from table.count_items(job.id, len(chosen), reason="limit" if len(chosen) < len(new) else None)
    return items + len(chosen)


def add(job_id: str, first: int, items: Sequence[NewItem]) -> Operation[None]:
    """Add items, numbered from `first`. The caller updates the counts."""
    for begin in range(0, len(items), INSERT_BATCH):
        batch = items[begin : begin + INSERT_BATCH]
        rows, values = [], {"job_id": job_id}
        for at, item in enumerate(batch):
            rows.append(_ROW.format(at=at))
            values |= _columns(at, first + begin + at, item)
        yield _ADD.format(rows=", ".join(rows)), values


def _columns(at: int, n: int, item: NewItem) -> dict[str, Any]:
    return {
        f"n_{at}": n,
        f"digest_{at}": item.digest,
        f"input_{at}": json.dumps(dict(item.input), separators=(",", ":")),
        f"lane_{at}": item.lane,
        f"place_{at}": item.place,
        f"details_{at}": None if item.details is None else json.dumps(dict(item.details)),
    }


def _taken(job: Job, row: Sequence[Any]) -> Taken:
    n, text, attempt, failures, details = row
    return Taken(job, n, json.loads(text), attempt, failures, _read(details))


def _read(details: str | None) -> Mapping[str, Any] | None:
    return None if details is None else json.loads(details)


def _make_storable(message: str | None) -> str | None:
    """Replace U+0000 and lone surrogates, which databases reject."""
    return None if message is None else message.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
