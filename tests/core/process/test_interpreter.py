"""Priority of threads that compete for the interpreter."""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from threading import Thread

import pytest

from webquarry.core.process.interpreter import TURN_S, put_the_loop_first


@pytest.mark.flaky(reruns=2, reruns_delay=1)  # real time, on a machine that may be busy
async def test_event_loop_runs_before_computations_in_other_threads() -> None:
    with _computing_beside():
        usual_s = await _median_lateness_s()
        with put_the_loop_first():
            first_s = await _median_lateness_s()
    assert first_s < usual_s / 2
    assert sys.getswitchinterval() > TURN_S


@contextmanager
def _computing_beside() -> Iterator[None]:
    """Run another thread that never releases the interpreter voluntarily."""
    ended = False

    def compute() -> None:
        while not ended:
            pass

    thread = Thread(target=compute)
    thread.start()
    try:
        yield
    finally:
        ended = True
        thread.join()


async def _median_lateness_s() -> float:
    late_s = []
    for _ in range(30):
        due_s = time.perf_counter() + 0.001
        await asyncio.sleep(0.001)
        late_s.append(time.perf_counter() - due_s)
    return median(late_s)
