"""The workers of a service: quick ones for what takes milliseconds, heavy ones for what takes a minute."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from webquarry.clock import Clock
from webquarry.types import Deadline, Subject
from webquarry.workers.confine import Isolation
from webquarry.workers.job import Job
from webquarry.workers.limits import Limits
from webquarry.workers.parcel import Parcel
from webquarry.workers.pool import Pool

F = TypeVar("F")
QUICK: Final = Limits()
HEAVY: Final = Limits(memory_mb=2000, address_mb=6000, wall_s=60, cpu_s=90, may_start_programs=True)
"""Of OCR: networks of 700 MB, and tesseract as a program of its own."""


class Workers:
    """preload: modules that a quick worker imports before its first job. size: quick jobs at once; half as many heavy
    ones, and half as many checks of long answers, which have children of their own. spares, nice: see `Pool` and
    `Limits`."""

    def __init__(
        self,
        clock: Clock,
        preload: tuple[str, ...] = (),
        *,
        quick: Limits = QUICK,
        size: int | None = None,
        queue: int = 16,
        spares: int = 1,
        nice: int = QUICK.nice,
    ) -> None:
        size = size or len(os.sched_getaffinity(0))
        half = max(1, size // 2)
        quick, heavy = replace(quick, nice=nice), replace(HEAVY, nice=nice)
        # each running job has one answer at most to be checked, so that none is refused for the length of the queue
        self._checkers = Pool(clock, replace(QUICK, nice=nice), size=half, queue=10 * size, spares=0)
        self._quick = Pool(
            clock, quick, size=size, queue=queue, spares=spares, preload=preload, checkers=self._checkers
        )
        self._heavy = Pool(clock, heavy, size=half, queue=queue, spares=0, checkers=self._checkers)

    @property
    def isolation(self) -> Isolation | None:
        """What keeps them from the network; None before the first was started."""
        return self._quick.isolation or self._heavy.isolation

    @property
    def sees_files(self) -> bool | None:
        """Whether they see files that they do not need; None before the first was started."""
        return self._heavy.sees_files if self._quick.sees_files is None else self._quick.sees_files

    @property
    def busy(self) -> int:
        """Jobs under way."""
        return self._quick.busy + self._heavy.busy

    @property
    def waiting(self) -> int:
        """Jobs that wait for their turn."""
        return self._quick.waiting + self._heavy.waiting

    def warm(self) -> None:
        """As `Pool.warm`, the quick ones."""
        self._quick.warm()

    async def run(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        *,
        deadline: Deadline,
        account: str = "",
        subject: Subject = "file",
        heavy: bool = False,
    ) -> Parcel[F]:
        """As `Pool.run`."""
        pool = self._heavy if heavy else self._quick
        return await pool.run(job, body, options, deadline=deadline, account=account, subject=subject)

    async def close(self) -> None:
        """End all. Jobs that run are lost."""
        await self._quick.close()
        await self._heavy.close()
        await self._checkers.close()
