"""The event loop's measurement of its pauses."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest

from webquarry.core.clock import SystemClock
from webquarry.core.metrics import Longest, Metrics
from webquarry.core.process.loop_lag import EVERY_S, watch_lateness


async def _watched(seconds: float, given: Callable[[float], None], *, pause_s: float = 0.0) -> None:
    task = asyncio.create_task(watch_lateness(SystemClock(), given))
    await asyncio.sleep(seconds)
    time.sleep(pause_s)  # noqa: ASYNC251  # a blocked loop is the subject
    await asyncio.sleep(seconds)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@pytest.mark.flaky(reruns=2, reruns_delay=1)  # real time, on a machine that may be busy
async def test_pause_is_measured_from_the_next_check() -> None:
    found: list[float] = []
    await _watched(3 * EVERY_S, found.append, pause_s=0.3)
    assert 0.3 - EVERY_S <= max(found) < 3
    assert sorted(found)[len(found) // 2] < 0.1  # the other checks were on time


async def test_metrics_show_how_often_and_how_long_the_loop_was_blocked() -> None:
    metrics = Metrics()
    await _watched(3 * EVERY_S, metrics.paused, pause_s=0.3)
    lines = dict(line.rsplit(" ", 1) for line in metrics.text().decode().splitlines() if not line.startswith("#"))
    looks = float(lines["webquarry_loop_pause_seconds_count"])
    assert looks >= 3
    assert float(lines['webquarry_loop_pause_seconds_bucket{le="0.25"}']) <= looks - 1
    assert float(lines["webquarry_loop_longest_pause_seconds"]) >= 0.3 - EVERY_S


class TestLongest:
    @pytest.mark.parametrize(("later_s", "value"), [(0, 2.0), (59, 2.0), (61, 2.0), (121, 0.0), (600, 0.0)])
    def test_is_kept_for_a_minute_or_two(self, later_s: float, value: float) -> None:
        now = [6000.0]
        longest = Longest(lambda: now[0])
        longest.see(2.0)
        longest.see(1.0)
        now[0] += later_s
        assert longest.value == value

    def test_newer_value_remains_after_the_older_one_expired(self) -> None:
        now = [6000.0]
        longest = Longest(lambda: now[0])
        longest.see(2.0)
        now[0] += 60
        longest.see(1.0)
        now[0] += 60
        assert longest.value == 1.0
