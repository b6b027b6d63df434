"""Lateness: how long the event loop was kept from its next turn, by its own measure."""

import asyncio
from collections.abc import Callable

from webquarry.core.clock import Clock

EVERY_S = 0.02
"""Between two looks. A pause is seen from the look that was due in it: of one shorter than this, a part at most."""


async def watch_lateness(clock: Clock, report: Callable[[float], None]) -> None:
    """Tell, for each look, by how many seconds it came too late. Runs until it is cancelled."""
    while True:
        due_s = clock.monotonic() + EVERY_S
        await asyncio.sleep(EVERY_S)
        report(max(0.0, clock.monotonic() - due_s))
