"""Measurement of event loop lag."""

import asyncio
from collections.abc import Callable

from webquarry.core.clock import Clock

EVERY_S = 0.02
"""Seconds between checks.

A pause is measured from the first check that it delays, so short pauses are measured only in part or not at all.
"""


async def watch_lateness(clock: Clock, report: Callable[[float], None]) -> None:
    """Report by how many seconds each check was late. Run until canceled."""
    while True:
        due_s = clock.monotonic() + EVERY_S
        await asyncio.sleep(EVERY_S)
        report(max(0.0, clock.monotonic() - due_s))
