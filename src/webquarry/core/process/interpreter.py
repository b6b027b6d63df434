"""Interpreter settings for a serving process, which give the event loop priority."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TURN_S = 0.0005
"""Seconds for which another thread may hold the interpreter while the event loop waits for it."""
YOUNG_OBJECTS = 5_000
"""Number of new objects that triggers the cycle collector, instead of the usual 700, because an uncached request
creates hundreds.
"""


@contextmanager
def put_the_loop_first() -> Iterator[None]:
    """Reduce the event loop's delays while it serves."""
    with _spare_the_collector(), _take_short_turns():
        yield


@contextmanager
def _spare_the_collector() -> Iterator[None]:
    """Exclude existing objects from garbage collection, and collect less often.

    These objects live until the server ends, and a full collection blocks the event loop for 0.1 s. Requests leave
    little garbage.
    """
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@contextmanager
def keep_what_comes() -> Iterator[None]:
    """Exclude objects created within the context from garbage collection while a server runs.

    These objects live until the server ends.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _take_short_turns() -> Iterator[None]:
    """Make other threads release the interpreter sooner.

    By default, the event loop may wait for a busy thread for 5 ms, several times per response.
    """
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before_s)
