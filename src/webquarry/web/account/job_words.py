"""Jobs and their items in words, as pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from webquarry.core.errors import ANSWERED, JOB_BUDGET
from webquarry.endpoints.registry import Registry
from webquarry.jobs.crawl import CRAWL
from webquarry.jobs.records import Item, Job
from webquarry.jobs.statements import Action, tell_job
from webquarry.web.docs.advice import DO, explain

KINDS: Final = {"running": "accent", "paused": "warn", "done": "good", "cancelled": ""}
"""Style of the badge of a job's state."""
ITEM_WORDS: Final = {"ready": "waiting", "taken": "running", "done": "done", "failed": "failed", "stopped": "stopped"}
"""States of items as pages name them."""
ITEM_KINDS: Final = {"ready": "", "taken": "accent", "done": "good", "failed": "bad", "stopped": "warn"}
SKIPPED: Final = {
    "site": "on other sites",
    "depth": "too deep",
    "not_included": "not included",
    "excluded": "excluded",
    "robots": "disallowed by robots.txt",
    "file": "files",
    "links": "too many links on the page",
    "calendar": "endless calendars",
    "repeats": "repeating paths",
    "deep": "very long paths",
    "parameters": "too many queries of one path",
    "prefix": "too many pages of one section",
}
"""Why links are not visited, by the reason that a crawl records."""
PAUSED: Final = {
    "user": "You paused this job. Resume it to run the items that wait.",
    "credits": "Your credits are used up. Add credits, then resume the job.",
    "monthly_cap": "The key that started this job has reached its monthly cap. If you resume the job here, it runs "
    "without the key.",
    "key": "The key that started this job was revoked or has expired. If you resume the job here, it runs without the "
    "key.",
}
"""What to do about a paused job, by the reason."""
_HERE: Final = {
    "invalid_params": "Correct this input and send it in a new job.",
    "not_found": "Check the address or ID. The same request would fail again.",
    "empty_result": "Nothing was found. A later request may find something.",
    "internal_error": "Retry it once. If it fails again, report the request ID.",
    "overloaded": "Retry it later.",
}
_WHY_HERE: Final = {
    ("provider_error", "timeout"): "Retry it later. Slow sites may respond the next time.",
    ("provider_error", "blocked"): "Don't retry it soon. The site shows a block page to programs.",
    ("provider_error", "changed"): "Don't retry it. Report the request ID: the endpoint needs an update.",
    ("provider_error", "refused"): "Retry it later. The site limits how often it can be asked.",
    ("provider_error", "down"): "Retry it later. The site could not be reached.",
    ("provider_error", "unavailable"): "",  # the message names what is missing
    ("insufficient_credits", JOB_BUDGET): "Start a new job with a higher maximum to run it.",
}
"""Advice that names what can be done on the page, where the advice of the documents is for programs."""
MAX_SHOWN: Final = 240
"""Characters of an input that a list shows."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a progress bar, in percent of its length."""

    kind: str
    begin: float
    length: float


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as pages show it. `worst` are the credits that the remaining items can cost, `price` those of one item."""

    job: Job
    title: str
    price: int
    worst: int
    eta: str

    @property
    def is_crawl(self) -> bool:
        return self.job.kind == CRAWL

    @property
    def kind(self) -> str:
        return KINDS[self.job.state]

    @property
    def ended_percent(self) -> int:
        """Return the share of ended items, rounded down, so that it is 100 only at the end."""
        counts = self.job.counts
        return 100 * counts.ended // counts.items if counts.items else 0

    @property
    def segments(self) -> Sequence[Segment]:
        counts, found, begin = self.job.counts, [], 0.0
        for kind in ("done", "failed", "stopped"):
            length = 100 * float(getattr(counts, kind)) / max(1, counts.items)
            if length:
                found.append(Segment(kind, round(begin, 3), round(length, 3)))
            begin += length
        return found

    @property
    def notice(self) -> str:
        """Return what the user should know about the state, or "" if nothing."""
        job = self.job
        if job.state == "paused":
            return PAUSED.get(job.reason or "", PAUSED["user"])
        if job.state == "cancelled":
            return "You cancelled this job. Items that had not ended were not charged."
        if job.state == "done" and job.counts.stopped:
            return "The maximum of credits was reached, so some items did not run."
        if job.state == "done" and job.reason == "limit":
            return "The crawl reached its limit of pages, so it did not visit all that it found."
        return ""

    @property
    def actions(self) -> Sequence[Action]:
        """Return what can be done with the job now."""
        state, failed = self.job.state, self.job.counts.failed
        first: Sequence[Action] = {"running": ("pause",), "paused": ("resume",)}.get(state, ())  # type: ignore[assignment]
        retry: Sequence[Action] = ("retry",) if failed and state != "cancelled" else ()
        return (*first, *retry, *(() if self.job.is_over else ("cancel",)))

    @property
    def retry_cost(self) -> int:
        """Return the credits that all failed items can cost if they run again."""
        return self.job.counts.failed * self.price


def view_job(job: Job, registry: Registry, now: datetime) -> JobView:
    """Return what pages show of a job."""
    extractor = registry.by_name.get(job.endpoint)
    price = extractor.credits if extractor else 0
    told = tell_job(job, price, now)
    eta = "" if told.eta_s is None else f"about {tell_duration(told.eta_s)} left"
    return JobView(
        job, _title(job, extractor.title if extractor else job.endpoint), price, told.worst_case_credits, eta
    )


def _title(job: Job, endpoint: str) -> str:
    if job.name:
        return job.name
    if job.kind == CRAWL:
        hosts = job.options.get("scope", {}).get("hosts", ())
        more = f" and {len(hosts) - 1} more" if len(hosts) > 1 else ""
        return f"Crawl of {hosts[0]}{more}" if hosts else "Crawl"
    return endpoint


def tell_duration(seconds: int) -> str:
    """Return a duration in its largest unit, such as `3 min`."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{round(seconds / length)} {unit}"
    return f"{max(1, seconds)} s"


def shorten(given: Mapping[str, str]) -> str:
    """Return an input as one line: its value, or names and values if there are several."""
    texts = list(given.values()) if len(given) == 1 else [f"{name} = {text}" for name, text in given.items()]
    line = " ".join("; ".join(text[: MAX_SHOWN + 1] for text in texts[:20]).split())
    return f"{line[:MAX_SHOWN]}…" if len(line) > MAX_SHOWN else line


def advise(item: Item) -> str:
    """Return what to do about an item that has no result, or "" if there is nothing to say."""
    if item.state == "stopped" and item.code is None:
        return "The job was cancelled before this item ended. It was not charged."
    if item.code is None or item.state in ("ready", "taken", "done"):
        return ""
    here = _WHY_HERE.get((item.code, item.reason or ""), _HERE.get(item.code))
    if here is not None:
        return here
    return explain(item.code, item.reason or "")[1] if item.code in DO else ""


def may_retry(item: Item) -> bool:
    """Return whether "Retry failed items" would run an item again."""
    return item.state == "failed" and any(
        (item.reason in error.passing) if error.passing else error.retryable
        for error in ANSWERED
        if error.code == item.code
    )


def tell_skipped(skipped: Mapping[str, int] | None) -> str:
    """Return the links of a page that a crawl does not visit, such as `3 on other sites, 1 excluded`."""
    return ", ".join(f"{count:,} {SKIPPED.get(why, why)}" for why, count in (skipped or {}).items() if count)
