"""Runs the attempts in real child processes, and checks the service's process afterwards."""

import asyncio
import os
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from webquarry.core.clock import Clock
from webquarry.core.errors import ServiceError
from webquarry.core.types import Deadline
from webquarry.doctor.isolation import attempts
from webquarry.workers.job import Job
from webquarry.workers.limits import Limits
from webquarry.workers.pool import Pool
from webquarry.workers.workers import HEAVY, QUICK

WITHIN_S: Final = 120.0
_GONE_WITHIN_S: Final = 5.0
_SECRET: Final = b"what an upload of another account says"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one attempt. `child` is "quick" or "heavy". `outcome` is the kernel's response."""

    child: str
    name: str
    held: bool
    outcome: str

    def line(self) -> str:
        """Return the finding on one line."""
        return f"{'held' if self.held else 'OPEN':6} {self.child}: {self.name}: {self.outcome}"


async def examine(clock: Clock, secrets: Sequence[str]) -> AsyncIterator[Finding]:
    """Try to escape from a quick and a heavy child process. `secrets` are files and folders of the service."""
    for kind, limits in (("quick", QUICK), ("heavy", HEAVY)):
        pool = Pool(clock, limits, size=1, spares=0, secrets=tuple(secrets))
        try:
            async for finding in _examine(kind, limits, pool, clock, list(secrets)):
                yield finding
        finally:
            await pool.close()


async def _examine(kind: str, limits: Limits, pool: Pool, clock: Clock, secrets: list[str]) -> AsyncIterator[Finding]:
    async def run(function: str, body: bytes = b"", **more: Any) -> Any:
        job, options = Job[Any](function, Any), more.pop("options", {})
        return (await pool.run(job, body, options, deadline=Deadline.after(WITHIN_S, clock), **more)).facts

    before = _describe_self()
    options = {"parent": os.getpid(), "secrets": secrets, "may_start_programs": limits.may_start_programs}
    try:
        tried = await run(attempts.JOB, options=options)
    except ServiceError as exc:
        yield Finding(kind, "start a child", held=False, outcome=pool.fault or exc.message)
        return
    for name, held, outcome in tried:
        yield Finding(kind, name, held, outcome)
    after = _describe_self()
    outcome = "unchanged" if before == after else "changed"
    yield Finding(kind, "change the service's limits or priority", before == after, outcome)
    yield await _leak(kind, run)
    if limits.may_start_programs:
        yield await _outlive(kind, run)
    yield Finding(kind, "reach the network", pool.isolation != "none", f"isolated by {pool.isolation}")


async def _leak(kind: str, run: Callable[..., Awaitable[Any]]) -> Finding:
    """Check that later jobs can't find the bytes of a job of another account."""
    await run(attempts.REMEMBER, _SECRET, account="a")
    await run(attempts.REMEMBER, _SECRET, account="a", origin="https://a.example")
    heard = [
        await run(attempts.RECALL, account=account, origin=origin)
        for account, origin in (("a", ""), ("b", ""), ("b", "https://a.example"), ("a", "https://b.example"))
    ]
    held = not any(heard)
    return Finding(kind, "see the bytes of another job", held, "nothing was found" if held else "they were found")


async def _outlive(kind: str, run: Callable[..., Awaitable[Any]]) -> Finding:
    """Let a child start a program, and check that the program ends together with the child."""
    name = "leave a program behind"
    try:
        program = await run(attempts.OUTLIVE)
    except ServiceError as exc:
        return Finding(kind, name, held=True, outcome=exc.message)
    with suppress(TimeoutError):
        async with asyncio.timeout(_GONE_WITHIN_S):
            while _is_running(program):  # noqa: ASYNC110  # polls, because another process ends
                await asyncio.sleep(0.02)
    gone = not _is_running(program)
    return Finding(kind, name, gone, "it ended with its parent" if gone else "it is still running")


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _describe_self() -> dict[str, Any]:
    """Return properties of this process that another process could change."""
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in names}
    return {
        **limits,
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "scheduler": os.sched_getscheduler(0),
        "processors": sorted(os.sched_getaffinity(0)),
        "group": os.getpgid(0),
    }
