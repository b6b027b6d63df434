"""The service's worker pools: a quick pool for jobs that take milliseconds, and a heavy pool for jobs that take up to a
minute.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from webquarry.core.clock import Clock
from webquarry.core.tracing import span
from webquarry.core.types import Deadline, Subject
from webquarry.workers.confine import Isolation
from webquarry.workers.job import Job
from webquarry.workers.limits import Limits
from webquarry.workers.parcel import Parcel
from webquarry.workers.pool import Pool

F = TypeVar("F")
QUICK: Final = Limits()
HEAVY: Final = Limits(memory_mb=2000, address_mb=6000, cpu_s=90, may_start_programs=True)
"""Limits for OCR, which needs models of 700 MB and starts tesseract as a separate program."""
_HEAVY_MB: Final = 1200
_HEAVY_KEPT_S: Final = 3.0
"""Limits for keeping a heavy worker: its memory in megabytes, and the time in seconds. A file's next page usually
follows immediately.
"""


class Workers:
    """The worker pools of a service: one for quick jobs and one for heavy jobs.

    `preload` and `preload_heavy` list modules that quick and heavy workers share, imported before the first job.
    `secrets` are paths that no worker may read. `size` is the number of concurrent quick jobs; half as many heavy jobs
    run. For `spares` and `nice` see `Pool` and `Limits`.
    """

    def __init__(
        self,
        clock: Clock,
        preload: tuple[str, ...] = (),
        *,
        preload_heavy: tuple[str, ...] = (),
        secrets: tuple[str, ...] = (),
        quick: Limits = QUICK,
        size: int | None = None,
        queue: int = 16,
        spares: int = 1,
        nice: int = QUICK.nice,
    ) -> None:
        size = size or len(os.sched_getaffinity(0))
        self._quick = Pool(
            clock, replace(quick, nice=nice), size=size, queue=queue, spares=spares, preload=preload, secrets=secrets
        )
        self._heavy = Pool(
            clock,
            replace(HEAVY, nice=nice),
            size=max(1, size // 2),
            queue=queue,
            spares=0,
            recycle_mb=_HEAVY_MB,
            kept_s=_HEAVY_KEPT_S,
            preload=preload_heavy,
            secrets=secrets,
        )

    @property
    def isolation(self) -> Isolation | None:
        """The way in which workers are cut off from the network; None before the first worker is started."""
        return self._quick.isolation or self._heavy.isolation

    @property
    def openings(self) -> tuple[str, ...] | None:
        """Resources of the service that workers can still reach because the system cannot prevent it; None at first."""
        return self._heavy.openings if self._quick.openings is None else self._quick.openings

    @property
    def fault(self) -> str | None:
        """Reason why the last attempt to start a worker failed, or None if it succeeded."""
        return self._quick.fault or self._heavy.fault

    @property
    def busy(self) -> int:
        """Number of running jobs."""
        return self._quick.busy + self._heavy.busy

    @property
    def waiting(self) -> int:
        """Number of waiting jobs."""
        return self._quick.waiting + self._heavy.waiting

    def warm(self) -> None:
        """Start the quick pool's spares now."""
        self._quick.warm()

    async def run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        *,
        deadline: Deadline,
        account: str = "",
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
    ) -> Parcel[F]:
        """Run a job in the suitable pool. See `Pool.run`."""
        pool = self._heavy if heavy else self._quick
        with span("child", job=job.function, bytes=len(body)):
            return await pool.run(
                job, body, options, deadline=deadline, account=account, origin=origin, subject=subject
            )

    async def close(self) -> None:
        """End all workers. Running jobs are lost."""
        await self._quick.close()
        await self._heavy.close()
