"""Maximum size of foreign text processed in the event loop. Larger text goes to a child process."""

import asyncio
import os
import traceback

from webquarry.core.log import log

LOOP_BYTES = 32 * 1024
"""Bytes that take about 2 ms to read or write, for readers and renderers that process 1 MB in 60 ms."""
_FRAMES = 8


def watch_parsing(size: int) -> None:
    """Check the size of foreign text before it is parsed.

    More than `LOOP_BYTES` in the event loop is a bug that delays all other requests. It is logged, and fails the tests.
    """
    if size > LOOP_BYTES and _runs_in_loop():
        report(size)


def report(size: int) -> None:
    places = [f"{os.path.basename(at.filename)}:{at.lineno} {at.name}" for at in traceback.extract_stack(limit=_FRAMES)]
    log.error("loop.parsed", bytes=size, at=" > ".join(places[:-2]))


def _runs_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
