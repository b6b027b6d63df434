"""Measurement of pauses of the running event loop, which delay all other requests.

async with pauses() as paused:
    ...
print(paused.longest_ms, paused.percentile_ms(0.999))
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

TICK_S = 0.001


class Pauses:
    """Delays of a timer with the interval `TICK_S`, and CPU time of the loop's thread in the same period.

    On a machine with other load, only the CPU time is caused by the program.
    """

    def __init__(self) -> None:
        self.late_s: list[float] = []
        self.busy_s: list[float] = []

    @property
    def longest_busy_ms(self) -> float:
        return 1000 * max(self.busy_s, default=0.0)

    @property
    def longest_ms(self) -> float:
        return 1000 * max(self.late_s, default=0.0)

    def percentile_ms(self, share: float) -> float:
        """Return a percentile of the delays.

        A tick counts as often as it would have occurred during its delay. A long pause among many quick ticks then has
        its proper weight.
        """
        weighed = sorted((late_s, 1 + late_s / TICK_S) for late_s in self.late_s)
        rest = share * sum(weight for _, weight in weighed)
        for late_s, weight in weighed:
            rest -= weight
            if rest <= 0:
                return 1000 * late_s
        return 0.0


@asynccontextmanager
async def pauses() -> AsyncIterator[Pauses]:
    """Measure the pauses of the running event loop while the context is active."""
    paused = Pauses()
    task = asyncio.create_task(_watch(paused))
    try:
        yield paused
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _watch(paused: Pauses) -> None:
    while True:
        began_s, began_cpu_s = time.perf_counter(), time.thread_time()
        await asyncio.sleep(TICK_S)
        paused.busy_s.append(time.thread_time() - began_cpu_s)
        paused.late_s.append(max(0.0, time.perf_counter() - began_s - TICK_S))
