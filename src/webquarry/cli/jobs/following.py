"""Following a job: writes its results as they arrive, shows progress, and ends with the job."""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import click
import orjson

from webquarry.cli.asking import Failure
from webquarry.cli.exit_codes import UNREACHABLE, Exit, combine
from webquarry.cli.jobs.folder import Entry, ResultFolder
from webquarry.cli.jobs.operations import START, Body, JobsApi, Query
from webquarry.cli.screen import clean, is_terminal
from webquarry.cli.spinner import print_above

MAX_WAITS: Final = 8
"""Requests in a row that may fail because a limit is reached or the server can't be reached."""
MAX_WAIT_S: Final = 60.0
FIRST_POLL_S: Final = 0.3
REPORT_S: Final = 10.0
"""Seconds between two lines about progress, if standard error is not a terminal."""
BAR: Final = 24
"""Characters of the progress bar."""
_PAUSES: Final[Mapping[str, tuple[str, str]]] = {
    "credits": ("The account has too few credits. Add some, then run the command again.", "insufficient_credits"),
    "monthly_cap": ("The key's monthly cap is reached. Raise it, then run the command again.", "insufficient_credits"),
    "key": ("The key was revoked, or the account was disabled. Use another key.", "unauthorized"),
}
"""Sentence and code for the reasons of a paused job."""

Statement = Mapping[str, Any]


@dataclass(slots=True)
class Follower:
    """Follows a job and writes its results to a directory.

    query: parameters of the results. raw: write only the markdown. subject: returns the name of an item's input.
    """

    api: JobsApi
    folder: ResultFolder
    query: Query
    raw: bool
    as_json: bool
    subject: Callable[[Mapping[str, Any]], str]
    job: Statement = field(default_factory=dict)
    _reported_at: float = field(default_factory=time.monotonic)

    async def start(self, path: str, content: bytes, media: str, digest: str) -> str:
        """Start the job of the directory, or find the one that an earlier command has started. Return its ID."""
        about = self.folder.claim(digest)
        if about.job_id is None:
            body = Body(content, media, about.key)
            self.job = await self._be_patient(lambda: self.api.send("POST", path, (), body))
            self.folder.name_job(self.job["id"])
            return str(self.job["id"])
        return about.job_id

    async def follow(self, job_id: str, *, retries: bool = False) -> None:
        """Write results until the job has ended. A paused job is resumed; `retries` runs failed items again.

        Raises Failure if the job pauses, or if the server can't be reached for some minutes.
        """
        await self._look(job_id)
        if retries:
            self.job = await self._be_patient(lambda: self.api.send("POST", f"{START}/{job_id}/retry"))
        if self.job["state"] == "paused":
            self.job = await self._be_patient(lambda: self.api.send("POST", f"{START}/{job_id}/resume"))
        async with self.api.working(job_id):
            wait_s = FIRST_POLL_S
            while True:
                job = await self._look(job_id)  # before its results: none follows if it is over
                before = self.folder.after
                await self._be_patient(lambda: self._read_results(job_id))
                self._report_progress()
                if job["state"] in ("done", "cancelled"):
                    return
                if job["state"] == "paused" and self.folder.after == before and not job["counts"]["running"]:
                    raise self._explain_pause(job)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, self.api.poll_s)

    def describe_progress(self) -> str:
        """Return the progress as a bar with numbers."""
        if not self.job:
            return "Sending the inputs"
        total = max(1, self.job["items"], len(self.folder.entries))
        full = BAR * len(self.folder.entries) // total
        return f"[{'#' * full}{'.' * (BAR - full)}] {self._count()}"

    def summarize(self) -> str:
        """Return a sentence about the whole job, and the credits that it was charged."""
        states = [entry.state if entry.file is None else "written" for entry in self.folder.entries.values()]
        names = {"written": "written", "failed": "failed", "stopped": "stopped", "done": "expired"}
        parts = [f"{states.count(state)} {name}" for state, name in names.items() if states.count(state)]
        if missing := self.job.get("items", 0) - len(states):
            parts.append(f"{missing} not ended")
        charged = self.job.get("charged", 0) if self.api.charges else 0
        price = f" {charged} credit{'' if charged == 1 else 's'} charged." if charged else ""
        return f"{', '.join(parts) or 'nothing written'}.{price}"

    @property
    def exit(self) -> Exit:
        """The exit code of all items. Of a crawl, only the starts count: sites have links to pages that are gone."""
        return combine(entry.exit for entry in self.folder.failures if not entry.fields.get("depth"))

    async def _look(self, job_id: str) -> Statement:
        self.job = await self._be_patient(lambda: self.api.send("GET", f"{START}/{job_id}"))
        return self.job

    async def _read_results(self, job_id: str) -> None:
        """Write the results that are new."""
        query = (*self.query, ("after", str(self.folder.after)))
        async for line in self.api.read_lines(f"{START}/{job_id}/results.ndjson", query):
            fields = orjson.loads(line)
            result = fields.pop("result", None)
            if not self.api.charges:
                fields["credits"] = 0
            try:
                entry = self.folder.add(fields, self.subject(fields["input"]), self._ending, self._choose(result))
            except OSError as error:
                raise Failure(f"Can't write to {self.folder.path}: {error.strerror}.", "write_failed") from error
            if entry.file is None:
                self._report(entry)

    @property
    def _ending(self) -> str:
        return ".md" if self.raw else ".json"

    def _choose(self, result: Mapping[str, Any] | None) -> bytes | None:
        """Return the content of a result's file."""
        if result is None:
            return None
        return str(result["markdown"]).encode() if self.raw else orjson.dumps(result)

    async def _be_patient(self, ask: Callable[[], Any]) -> Any:
        """Return what `ask` returns. Ask again while a limit is reached or the server can't be reached."""
        for waits in range(MAX_WAITS):
            try:
                return await ask()
            except Failure as failure:
                is_first = not self.job and failure.code == UNREACHABLE
                if is_first or (failure.exit is not Exit.BUSY and failure.code != UNREACHABLE):
                    raise
                if not self.as_json:
                    print_above(clean(f"{failure.message} Trying again."))
                await asyncio.sleep(min(failure.retry_after_s or 2.0**waits, MAX_WAIT_S))
        return await ask()

    def _count(self) -> str:
        failed = len(self.folder.failures)
        return f"{len(self.folder.entries)} of {self.job['items']}{f', {failed} failed' if failed else ''}"

    def _report_progress(self) -> None:
        if is_terminal(sys.stderr) or self.as_json or time.monotonic() - self._reported_at < REPORT_S:
            return
        self._reported_at = time.monotonic()
        click.echo(f"{self._count()}.", err=True)

    def _report(self, entry: Entry) -> None:
        error = entry.fields.get("missing") or entry.fields.get("error") or {}
        subject = self.subject(entry.fields["input"])
        message = error.get("error") or f"The item was {entry.state}."
        if self.as_json:
            print_above(orjson.dumps({"subject": subject, "error": message, "code": entry.code}).decode())
            return
        print_above(clean(f"{subject}: {message}{f' ({entry.code})' if entry.code else ''}"))

    def _explain_pause(self, job: Statement) -> Failure:
        unknown = "The job was paused. Run the command again to resume it.", "paused"
        return Failure(*_PAUSES.get(job["reason"] or "", unknown))
