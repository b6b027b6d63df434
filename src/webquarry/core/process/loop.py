"""Maximum size of untrusted text that is processed in the event loop. Larger text is processed in a child process."""

import asyncio
import os
import traceback

from webquarry.core.log import log

LOOP_BYTES = 32 * 1024
"""Maximum size in bytes. Readers and renderers need 60 ms for 1 MB, so they need about 2 ms for this size."""
_FRAMES = 8


def watch_parsing(size: int) -> None:
    """Check the size of untrusted text before it is parsed.

    Parsing more than `LOOP_BYTES` in the event loop is a bug, because it delays all other requests. The bug is logged,
    and fails the tests.
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
