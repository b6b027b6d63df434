"""Concurrent requests, whose results are written to separate files."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from webquarry.cli.asking import Asker, Failure, Question, Reply
from webquarry.cli.exit_codes import Exit, combine
from webquarry.cli.result_files import write_new
from webquarry.cli.screen import clean
from webquarry.cli.spinner import print_above

MAX_WAITS = 5
"""Number of times that a request waits for a rate limit or a busy server before it fails."""
MAX_WAIT_S = 60.0
"""Maximum length of such a wait in seconds. Rate limits are per minute."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A request, and the file that its result is written to."""

    question: Question
    target: Path


@dataclass(slots=True)
class Batch:
    """Errands and their outcome.

    `raw` writes only the markdown, `force` replaces files, and `as_json` reports as JSON.
    """

    errands: tuple[Errand, ...]
    jobs: int
    raw: bool
    force: bool
    as_json: bool
    written: int = 0
    kept: int = 0
    credits: int = 0
    codes: list[Exit] = field(default_factory=list)

    async def run(self, asker: Asker) -> None:
        """Send all requests, at most `jobs` at the same time.

        A failure is reported and does not affect other requests.
        """
        waiting = iter(self.errands)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(self.jobs, len(self.errands))):
                tasks.create_task(self._work(asker, waiting))

    @property
    def exit(self) -> Exit:
        return combine(self.codes)

    @property
    def done(self) -> int:
        return self.written + self.kept + len(self.codes)

    def describe_progress(self) -> str:
        return f"{self.done} of {len(self.errands)}"

    def summary(self) -> str:
        parts = [f"{self.written} written"]
        if self.kept:
            parts.append(f"{self.kept} kept (--force replaces existing files)")
        if self.codes:
            parts.append(f"{len(self.codes)} failed")
        if missing := len(self.errands) - self.done:
            parts.append(f"{missing} not started")
        price = f" {self.credits} credit{'' if self.credits == 1 else 's'} charged." if self.credits else ""
        return f"{', '.join(parts)}.{price}"

    async def _work(self, asker: Asker, waiting: Iterator[Errand]) -> None:
        for errand in waiting:
            if errand.target.exists() and not self.force:
                self.kept += 1
                continue
            try:
                reply = await _ask_patiently(asker, errand.question)
                self.credits += reply.credits
                write_new(errand.target, choose_text(reply, raw=self.raw), force=self.force)
            except Failure as failure:
                self._report(errand, failure)
            except OSError as error:
                self._report(errand, Failure(f"Can't write {errand.target}: {error.strerror}.", "write_failed"))
            else:
                self.written += 1

    def _report(self, errand: Errand, failure: Failure) -> None:
        self.codes.append(failure.exit)
        subject = errand.question.subject
        if self.as_json:
            told = {"subject": subject, "error": failure.message, "code": failure.code}
            print_above(orjson.dumps(told).decode())
            return
        print_above(clean(f"{subject}: {failure.message} ({failure.code})"))


def choose_text(reply: Reply, *, raw: bool) -> bytes:
    """Return the content of the result file: the whole response or, with `raw`, only its markdown."""
    if not raw:
        return reply.body
    markdown: str = orjson.loads(reply.body)["markdown"]
    return markdown.encode()


def list_errands(questions: Iterable[Question], targets: Iterable[Path]) -> tuple[Errand, ...]:
    return tuple(Errand(question, target) for question, target in zip(questions, targets, strict=True))


async def _ask_patiently(asker: Asker, question: Question) -> Reply:
    """Return the reply, after waiting for a rate limit or a busy server if needed. Raises Failure."""
    for _ in range(MAX_WAITS):
        try:
            return await asker.ask(question)
        except Failure as failure:
            if failure.exit is not Exit.BUSY:
                raise
            await asyncio.sleep(min(failure.retry_after_s or 1.0, MAX_WAIT_S))
    return await asker.ask(question)
