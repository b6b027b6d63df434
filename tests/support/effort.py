"""How much work the processor has with an input, and whether that grows with its size and no faster."""

import gc
import time
from collections.abc import Callable

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
