"""A pool of warm child processes.

    pool = Pool(clock, preload=("webquarry.convert.file",))
    parcel = await pool.run(CONVERT, body, {"name": "a.pdf"}, deadline=deadline)
    ...
    await pool.close()

No child is started before the first job; from then on some more than are busy are kept warm, so that a child which has
to be killed is replaced at once.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from webquarry.clock import Clock
from webquarry.errors import InternalError, Overloaded, ServiceError
from webquarry.log import log
from webquarry.shares import Shares
from webquarry.types import Deadline, Subject
from webquarry.workers import faults
from webquarry.workers.confine import Isolation
from webquarry.workers.faults import ChildLost, StartedLate
from webquarry.workers.job import Apart, Job, ReplyError
from webquarry.workers.limits import Limits
from webquarry.workers.parcel import Parcel
from webquarry.workers.process import Child
from webquarry.workers.reply import read_answer

F = TypeVar("F")
_USUAL: Final = Limits()
_NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})


class Pool:
    """size: jobs at once; as many again begin at once for accounts that have none under way. queue: jobs that may wait
    beside them, of one account half of them. spares: children kept warm beside the busy ones.

    recycle_jobs, recycle_mb: what a child may have done, or may hold after a job, before it makes way for a new one.
    idle_s: after which children beyond the spares end. preload: modules that a child imports ahead. checkers: a pool
    that checks the long pieces of answers, and never runs any other job; without it they are checked in the event loop.
    """

    def __init__(
        self,
        clock: Clock,
        limits: Limits = _USUAL,
        *,
        size: int = 2,
        queue: int = 16,
        spares: int = 1,
        recycle_jobs: int = 2000,
        recycle_mb: int = 400,
        idle_s: float = 60.0,
        preload: tuple[str, ...] = (),
        checkers: "Pool | None" = None,
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._size = size
        self._spares = spares
        self._recycle_jobs = recycle_jobs
        self._recycle_mb = recycle_mb
        self._idle_s = idle_s
        self._preload = preload
        self._checkers = checkers
        self._shares = Shares(size, queue=queue, spare=size)
        self._idle: list[Child] = []
        self._takers: deque[asyncio.Future[Child]] = deque()
        self._busy: set[Child] = set()
        self._coming = 0
        self._starting: set[asyncio.Task[None]] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._trimming: asyncio.TimerHandle | None = None
        self._isolation: Isolation | None = None
        self.sees_files: bool | None = None
        """Whether the children see files that they do not need, as the newest one told it; None before there was
        one."""
        self._is_closed = False

    @property
    def isolation(self) -> Isolation | None:
        """What keeps the children from the network, as the newest one proved it; None before there was one."""
        return self._isolation

    def warm(self) -> None:
        """Start the spares now: the first caller waits for none, and `isolation` is soon known."""
        self._fill()

    @property
    def busy(self) -> int:
        """Jobs under way."""
        return self._shares.busy

    @property
    def waiting(self) -> int:
        """Jobs that wait for their turn."""
        return self._shares.waiting

    async def run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any] = _NO_OPTIONS,
        *,
        deadline: Deadline,
        account: str = "",
        subject: Subject = "file",
    ) -> Parcel[F]:
        """Return the job's answer to `body` and the options, made in a child and checked here. account: for whom;
        subject: what `body` is.

        Raises what the function raises of `UnsupportedType`, `EmptyResult` and `ConversionFailed`. `ConversionFailed`
        as well when it breaks the limits ("limits"), the time ("timeout"), or breaks otherwise ("corrupt"), which
        includes an answer that is not as the job declares it. Overloaded
        when too many wait already, or no child is free or up in time. InternalError when none can be started.
        """
        if self._is_closed:
            raise Overloaded
        await self._shares.enter(account, deadline)
        try:
            return await self._run(job, body, options, deadline, account, subject)
        finally:
            self._shares.leave(account)

    async def close(self) -> None:
        """End all children. Jobs that run are lost."""
        self._is_closed = True
        if self._trimming is not None:
            self._trimming.cancel()
        for task in self._starting:
            task.cancel()
        for taker in self._takers:
            taker.cancel()
        for child in (*self._idle, *self._busy):
            self._dismiss(child)
        self._idle.clear()
        while pending := self._starting | self._leaving:
            await asyncio.wait(pending)

    async def _run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        deadline: Deadline,
        account: str,
        subject: Subject,
    ) -> Parcel[F]:
        child = self._idle_one()
        if child is None:
            try:
                async with deadline.bound():
                    child = await self._next_one()
            except TimeoutError as exc:
                raise Overloaded from exc
        self._fill()
        is_fit = False
        limit_s = min(deadline.remaining_s, self.limits.wall_s)
        try:
            async with asyncio.timeout(limit_s):
                answer, pieces = await child.ask(job.function, body, options)
            apart = None if self._checkers is None else self._checkers.make_apart(deadline, account, subject)
            outcome = await read_answer(job, answer, pieces, subject, apart)
            is_fit = "limits" not in answer
        except TimeoutError as exc:
            raise faults.make_late_error(limit_s, subject) from exc
        except ChildLost as exc:
            raise faults.make_lost_error(exc, job.function, subject) from exc
        except ReplyError as exc:
            raise faults.make_refused_error(exc, job.function, subject) from exc
        finally:
            if is_fit:
                self._put(child)
            else:
                self._dismiss(child)
                self._fill()
        if isinstance(outcome, ServiceError):
            raise outcome
        return outcome

    def make_apart(self, deadline: Deadline, account: str, subject: Subject) -> Apart:
        """Return what runs checks of pieces in this pool, by the deadline of the call that they belong to."""
        return partial(self.run, deadline=deadline, account=account, subject=subject)

    def _idle_one(self) -> Child | None:
        """A child that has nothing to do. It is nobody else's until it is put back or dismissed."""
        while self._idle:
            if (child := self._idle.pop()).is_alive:
                self._busy.add(child)
                return child
            self._dismiss(child)
        return None

    async def _next_one(self) -> Child:
        """The next child that comes or is put back; as `_idle_one`."""
        taker: asyncio.Future[Child] = asyncio.get_running_loop().create_future()
        self._takers.append(taker)
        self._fill()
        try:
            return await taker
        except asyncio.CancelledError:
            if taker.done() and not taker.cancelled() and taker.exception() is None:
                self._put(taker.result())  # it came at the same moment
            raise
        finally:
            if taker in self._takers:
                self._takers.remove(taker)

    def _put(self, child: Child) -> None:
        """To one who waits for it, to the idle ones, or away when it has done enough."""
        self._busy.discard(child)
        is_worn = child.jobs >= self._recycle_jobs or child.memory_mb > self._recycle_mb
        # who waits gets a living one; whether an idle one lives is looked at when it is taken
        if self._is_closed or is_worn or (self._takers and not child.is_alive):
            self._dismiss(child)
            self._fill()
            return
        while self._takers:
            if not (taker := self._takers.popleft()).done():
                self._busy.add(child)
                taker.set_result(child)
                return
        child.idle_since_s = self._clock.monotonic()
        self._idle.append(child)
        if self._trimming is None:
            self._trimming = asyncio.get_running_loop().call_later(self._idle_s, self._trim)

    def _dismiss(self, child: Child) -> None:
        self._busy.discard(child)
        child.kill()
        self._keep(self._leaving, child.end())

    def _fill(self) -> None:
        """Start what is missing: for those who wait, and the spares."""
        if self._is_closed:
            return
        free = len(self._idle) + self._coming
        wanted = len(self._takers) + self._spares - free
        most = 2 * self._size + self._spares - len(self._busy) - free
        for _ in range(min(wanted, most)):
            self._coming += 1
            self._keep(self._starting, self._start())

    async def _start(self) -> None:
        child = None
        failure: ServiceError = InternalError()
        try:
            child = await Child.start(self.limits, self._preload)
        except (ChildLost, OSError) as exc:
            log.error("worker.unstartable", error=str(exc))
            if isinstance(exc, StartedLate):
                failure = Overloaded()
        finally:
            self._coming -= 1
        if child is not None:
            self._isolation = child.isolation
            self.sees_files = child.sees_files
            self._put(child)
            return
        while self._takers:
            if not (taker := self._takers.popleft()).done():
                taker.set_exception(failure)
                break
        if self._takers:  # each failure is told to one of them, so this ends
            self._fill()

    def _trim(self) -> None:
        """End children that had nothing to do for a while, the longest idle first."""
        self._trimming = None
        now_s = self._clock.monotonic()
        kept = max(1, self._spares)
        while len(self._idle) > kept and self._idle[0].idle_since_s + self._idle_s <= now_s:
            self._dismiss(self._idle.pop(0))
        if len(self._idle) > kept:
            wait_s = max(0.01, self._idle[0].idle_since_s + self._idle_s - now_s)
            self._trimming = asyncio.get_running_loop().call_later(wait_s, self._trim)

    def _keep(self, tasks: set[asyncio.Task[None]], work: Any) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)
