"""A pool of child processes, forked from one fork server.

    pool = Pool(clock, preload=("webquarry.convert.file_job",))
    parcel = await pool.run(CONVERT, body, {"name": "a.pdf"}, deadline=deadline)
    ...
    await pool.close()

Each job has a separate child, which ends with the job. A hostile file that takes control of a child therefore never
sees the bytes of later jobs. A child is reused only for jobs of the same account and origin, whose content could attack
each other anyway. Nothing starts before the first job; from then on, spare children are kept ready.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from webquarry.core.clock import Clock
from webquarry.core.errors import InternalError, Overloaded, ServiceError
from webquarry.core.log import log
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline, Subject
from webquarry.workers import faults, landlock, system
from webquarry.workers.confine import Isolation
from webquarry.workers.faults import ChildLost
from webquarry.workers.fork_server import ForkServer
from webquarry.workers.job import Job, ReplyError
from webquarry.workers.limits import Limits
from webquarry.workers.parcel import Parcel
from webquarry.workers.process import Child
from webquarry.workers.reply import read_answer

F = TypeVar("F")
_USUAL: Final = Limits()
_NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})
SMALL_BYTES: Final = 1024 * 1024
"""Maximum size of a small body in bytes. Nearly all pages and most files are small."""
_BACK_OFF_S: Final = 0.5
_MAX_BACK_OFF_S: Final = 30.0
_MARGIN: Final = 0.02
"""Share of the time until the deadline that a job may not use.

A late job is thus reported as late before the deadline passes and the source of the bytes is blamed.
"""


class Pool:
    """Runs jobs in child processes.

    `size` is the number of concurrent jobs on small bodies, and separately on large ones, so that a small page does not
    wait for large files; the same number may start in addition for accounts without running jobs. `queue` is the number
    of jobs of each kind that may wait, at most half of them for one account. `spares` is the number of children kept
    ready.

    `preload` lists modules that the fork server imports, or functions that it calls, before any job. `secrets` are
    paths that no child may read. A reused child ends after `recycle_jobs` jobs or `recycle_mb` megabytes. After
    `idle_s` seconds without a job, children that are not spares end, and also the fork server if there are no spares.
    `kept_s` is the same time for reused children, which may hold much memory.
    """

    def __init__(
        self,
        clock: Clock,
        limits: Limits = _USUAL,
        *,
        size: int = 2,
        queue: int = 16,
        spares: int = 1,
        recycle_jobs: int = 200,
        recycle_mb: int = 400,
        idle_s: float = 60.0,
        kept_s: float = 60.0,
        preload: tuple[str, ...] = (),
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._size = size
        self._spares = spares
        self._recycle_jobs = recycle_jobs
        self._recycle_mb = recycle_mb
        self._idle_s = idle_s
        self._kept_s = kept_s
        self._preload = preload
        self._secrets = secrets
        self._small = Shares(size, queue=queue, spare=size)
        self._large = Shares(size, queue=queue, spare=size)
        self._server: ForkServer | None = None
        self._opening = asyncio.Lock()
        self._fresh: list[Child] = []
        self._kept: list[Child] = []
        self._takers: list[asyncio.Future[Child]] = []
        self._busy: set[Child] = set()
        self._coming = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._trimming: asyncio.TimerHandle | None = None
        self._failures = 0
        self._retry_at_s = 0.0
        self._idle_since_s = 0.0
        self.isolation: Isolation | None = None
        """The way in which children are cut off from the network, as verified by the newest child; None before the
        first child.
        """
        self.openings: tuple[str, ...] | None = None
        """Resources of the service that the newest child could still reach because the system cannot prevent it; None
        before the first child.
        """
        self.fault: str | None = None
        """Reason why the last attempt to start a child failed, or None if it succeeded."""
        self._is_closed = False

    def warm(self) -> None:
        """Start the spares now, so that the first caller does not wait and `isolation` is known early."""
        self._fill()

    @property
    def busy(self) -> int:
        """Number of running jobs."""
        return self._small.busy + self._large.busy

    @property
    def waiting(self) -> int:
        """Number of waiting jobs."""
        return self._small.waiting + self._large.waiting

    async def run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any] = _NO_OPTIONS,
        *,
        deadline: Deadline,
        account: str = "",
        origin: str = "",
        subject: Subject = "file",
    ) -> Parcel[F]:
        """Run the job on `body` and the options in a child. Return the validated result.

        `account` is the account for which the job runs. `origin` is the source of the body (a host); "" gives the job a
        child that no other job uses. `subject` is the kind of body, for messages.

        Raises UnsupportedType, EmptyResult and ConversionFailed as the function does. Also raises ConversionFailed if
        the job exceeds its limits ("limits"), runs past the deadline ("timeout") or fails in another way ("corrupt"),
        for example with a result that it does not declare. Raises Overloaded if too many jobs wait, or if no processor
        or child is free in time, and InternalError if no child can be started.
        """
        if self._is_closed:
            raise Overloaded
        deadline = deadline.within(deadline.remaining_s * (1 - _MARGIN))
        shares = self._small if len(body) <= SMALL_BYTES else self._large
        await shares.enter(account, deadline)
        try:
            return await self._run(job, body, options, deadline, subject, f"{account} {origin}" if origin else "")
        finally:
            shares.leave(account)

    async def close(self) -> None:
        """End all children. Running jobs are lost."""
        self._is_closed = True
        if self._trimming is not None:
            self._trimming.cancel()
        for taker in self._takers:
            taker.cancel()
        for child in (*self._fresh, *self._kept, *self._busy):
            self._dismiss(child)
        self._fresh.clear()
        self._kept.clear()
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self._close_server()

    async def _run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        deadline: Deadline,
        subject: Subject,
        trust: str,
    ) -> Parcel[F]:
        child = await self._take(trust, deadline)
        self._fill()
        is_fit = False
        began_s, waited_s = self._clock.monotonic(), child.waited_s
        try:
            async with deadline.bound():
                answer, pieces = await child.ask(job.function, body, options)
            outcome = await read_answer(job, answer, pieces, subject, partial(self._check, deadline, subject))
            is_fit = "limits" not in answer
        except TimeoutError as exc:
            spent_s = self._clock.monotonic() - began_s
            if child.waited_s - waited_s > spent_s / 2:  # the job was ready to run, but no processor was free
                log.warning("worker.starved", function=job.function, seconds=round(spent_s, 1))
                raise Overloaded from exc
            raise faults.make_late_error(spent_s, subject) from exc
        except ChildLost as exc:
            if child.lost_its_server:
                raise Overloaded from exc
            raise faults.make_lost_error(exc, job.function, subject) from exc
        except ReplyError as exc:
            raise faults.make_refused_error(exc, job.function, subject) from exc
        finally:
            self._release(child, trust if is_fit else "")
        if isinstance(outcome, ServiceError):
            raise outcome
        return outcome

    async def _check(
        self, deadline: Deadline, subject: Subject, job: Job[F], body: bytes, options: Mapping[str, Any]
    ) -> Parcel[F]:
        """Run a check of a result's piece, for a job that is already running, in an unused child."""
        return await self._run(job, body, options, deadline, subject, trust="")

    async def _take(self, trust: str, deadline: Deadline) -> Child:
        """Return a child that has only run jobs with this trust, and reserve it until it is released."""
        kept = [child for child in self._kept if trust and child.trust == trust]
        for child in (*reversed(kept), *self._fresh):
            (self._kept if child.trust else self._fresh).remove(child)
            if child.is_alive:
                self._busy.add(child)
                return child
            self._dismiss(child)
        try:
            async with deadline.bound():
                return await self._wait_for_fresh()
        except TimeoutError as exc:
            raise Overloaded from exc

    async def _wait_for_fresh(self) -> Child:
        taker: asyncio.Future[Child] = asyncio.get_running_loop().create_future()
        self._takers.append(taker)
        self._fill()
        try:
            return await taker
        except asyncio.CancelledError:
            if taker.done() and not taker.cancelled() and taker.exception() is None:
                self._welcome(taker.result())  # a child arrived at the same moment
            raise
        finally:
            if taker in self._takers:
                self._takers.remove(taker)

    def _release(self, child: Child, trust: str) -> None:
        """Keep a child for further jobs with the same trust, or end it. `trust` is "" if no other job may use it."""
        self._busy.discard(child)
        self._idle_since_s = child.idle_since_s = self._clock.monotonic()
        self._watch_idle()
        is_worn = child.jobs >= self._recycle_jobs or child.memory_mb > self._recycle_mb
        if self._is_closed or is_worn or not trust:
            self._dismiss(child)
            self._fill()
            return
        child.trust = trust
        self._kept.append(child)
        if len(self._kept) > self._size:
            self._dismiss(self._kept.pop(0))

    def _welcome(self, child: Child) -> None:
        """Give an unused child to the first waiting job, or keep it as a spare."""
        self._busy.discard(child)
        if self._is_closed:
            self._dismiss(child)
            return
        while self._takers:
            if not (taker := self._takers.pop(0)).done():
                self._busy.add(child)
                taker.set_result(child)
                return
        child.idle_since_s = self._clock.monotonic()
        self._fresh.append(child)
        self._watch_idle()

    def _dismiss(self, child: Child) -> None:
        self._busy.discard(child)
        child.kill()
        self._keep(child.end())

    def _fill(self) -> None:
        """Start missing children for waiting jobs and as spares."""
        if self._is_closed:
            return
        free = len(self._fresh) + self._coming
        wanted = len(self._takers) + self._spares - free
        # one child for each job on small and large bodies, for twice as many as usually run, and one check for each
        most = 8 * self._size + self._spares - len(self._busy) - free
        for _ in range(min(wanted, most)):
            self._coming += 1
            self._keep(self._start())

    async def _start(self) -> None:
        child, failure = None, ""
        try:
            child = await self._fork()
        except (ChildLost, OSError) as exc:
            failure = str(exc)
        finally:
            self._coming -= 1
        if child is not None:
            self.fault, self._failures = None, 0
            self._welcome(child)
            return
        self._note_failure(failure)
        while self._takers:
            if not (taker := self._takers.pop(0)).done():
                taker.set_exception(InternalError())
                break
        if self._takers:  # each failure is reported to a waiting job, so this loop ends
            self._fill()

    async def _fork(self) -> Child:
        """Return an unused child. Raises ChildLost or OSError if no child can be started.

        There is a second attempt, because somebody may have killed the child or the fork server during the first.
        """
        try:
            child = await Child.start(await self._find_server(), self.limits)
        except ChildLost:
            child = await Child.start(await self._find_server(), self.limits)
        if child.openings and _can_confine():
            openings = ", ".join(child.openings)
            await child.end()
            raise ChildLost(f"a converter could {openings}")
        self.isolation, self.openings = child.isolation, child.openings
        return child

    async def _find_server(self) -> ForkServer:
        """Return the running fork server, or start a new one. Raises the errors of `_fork`."""
        async with self._opening:
            if self._server is not None and not self._server.is_alive:
                await self._close_server()
            if self._server is None:
                if self._clock.monotonic() < self._retry_at_s:
                    raise ChildLost(self.fault or "it failed a moment ago")
                self._server = await ForkServer.start(self.limits, self._preload, self._secrets)
            return self._server

    def _note_failure(self, failure: str) -> None:
        """Log a failed start and delay the next one. The delay grows with the number of consecutive failures."""
        if failure and self._clock.monotonic() >= self._retry_at_s:
            self.fault = failure
            wait_s = min(_MAX_BACK_OFF_S, _BACK_OFF_S * 2**self._failures)
            self._failures += 1
            self._retry_at_s = self._clock.monotonic() + wait_s
            log.error("worker.unstartable", error=failure, retry_after_s=wait_s)

    async def _close_server(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    def _watch_idle(self) -> None:
        if self._trimming is None and not self._is_closed:
            self._trimming = asyncio.get_running_loop().call_later(min(self._idle_s, self._kept_s), self._trim)

    def _trim(self) -> None:
        """End children that have been idle for a while, and the server if it is not needed."""
        self._trimming = None
        now_s = self._clock.monotonic()
        for children, least, idle_s in ((self._kept, 0, self._kept_s), (self._fresh, self._spares, self._idle_s)):
            while len(children) > least and children[0].idle_since_s <= now_s - idle_s:
                self._dismiss(children.pop(0))
        if self._kept or len(self._fresh) > self._spares:
            self._watch_idle()
        elif not self._spares and self._server is not None:
            if self._idle_since_s <= now_s - self._idle_s:
                self._keep(self._close_idle_server())
            else:
                self._watch_idle()

    async def _close_idle_server(self) -> None:
        async with self._opening:
            if not (self._busy or self._coming):
                await self._close_server()

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _can_confine() -> bool:
    """Return whether this system can confine children completely. If it can, any remaining access is a fault."""
    return system.find_processor() is not None and landlock.find_version() > 0
