"""How much work the processor has with an input, whether that grows with its size and no faster, and for how long it
keeps an event loop from everything else."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

TIMES = 5
"""How much larger the larger input is: what grows with the square takes 25 times the work."""
SLACK = 3
FIXED_S = 0.1
ATTEMPTS = 3


def effort(work: Callable[[], object]) -> float:
    """CPU seconds of this process, without those of the cycle collector, which looks through the whole test run."""
    gc.disable()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.enable()


def assert_linear(prepared: Callable[[int], Callable[[], object]], size: int) -> None:
    """`prepared` makes the work for an input of a size; only the work is timed. A busy machine gets three attempts."""
    prepared(size // 50)()  # imports and caches
    small = min(effort(prepared(size)) for _ in range(2))
    large = 0.0
    for _ in range(ATTEMPTS):
        large = effort(prepared(TIMES * size))
        if large < SLACK * TIMES * small + FIXED_S:
            return
    raise AssertionError(f"{small:.3f} s for {size}, {large:.3f} s for {TIMES} times as much")


@dataclass(slots=True)
class Pause:
    """longest_s: CPU seconds of this thread between two turns of the loop, so that a busy machine lengthens nothing."""

    longest_s: float = 0.0


@asynccontextmanager
async def longest_pause() -> AsyncIterator[Pause]:
    """Watch the running loop."""
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
