"""Measures the CPU time for an input: whether it grows linearly, and how long it blocks an event loop."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

TIMES = 5
"""Ratio of the larger to the smaller input size. Quadratic work grows 25-fold."""
SLACK = 3
FIXED_S = 0.1
ATTEMPTS = 3


def effort(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the work in this process.

    The garbage collector is off, because it would scan the objects of the whole test run.
    """
    gc.disable()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.enable()


def assert_linear(prepared: Callable[[int], Callable[[], object]], size: int) -> None:
    """Assert that work grows linearly with the size of its input. A busy machine gets three attempts.

    prepared: a function that prepares the work for an input of a given size; only the work is timed.
    """
    prepared(size // 50)()  # warms up imports and caches
    small = min(effort(prepared(size)) for _ in range(2))
    large = 0.0
    for _ in range(ATTEMPTS):
        large = effort(prepared(TIMES * size))
        if large < SLACK * TIMES * small + FIXED_S:
            return
    raise AssertionError(f"{small:.3f} s for {size}, {large:.3f} s for {TIMES} times as much")


@dataclass(slots=True)
class Pause:
    """The longest pause.

    longest_s: CPU seconds of this thread between two turns of the loop, which do not depend on other load.
    """

    longest_s: float = 0.0


@asynccontextmanager
async def longest_pause() -> AsyncIterator[Pause]:
    """Measure the pauses of the running loop."""
    pause = Pause()

    async def watch() -> None:
        while True:
            began_s = time.thread_time()
            await asyncio.sleep(0)
            pause.longest_s = max(pause.longest_s, time.thread_time() - began_s)

    watching = asyncio.create_task(watch())
    try:
        yield pause
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
