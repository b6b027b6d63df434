"""How much foreign text is read and written in the event loop. What is larger goes to a child, which can be killed."""

import asyncio
import os
import traceback

from webquarry.core.log import log

LOOP_BYTES = 32 * 1024
"""Read or written in about 2 ms, by what readers and renderers take for a megabyte."""
_FRAMES = 8


def watch_parsing(size: int) -> None:
    """Called by what parses foreign text, with its bytes. More than `LOOP_BYTES` in the event loop is a fault of ours
    that holds up all other callers: it is told in the log, and ends the tests."""
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
