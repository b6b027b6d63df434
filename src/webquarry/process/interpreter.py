"""How the interpreter shares its time in a process that serves: the event loop comes first."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TURN_S = 0.0005
"""For which another thread may have the interpreter while the event loop wants it."""
YOUNG_OBJECTS = 5_000
"""New ones that make the cycle collector look, in place of its usual 700: a fresh call in flight holds hundreds."""


@contextmanager
def put_the_loop_first() -> Iterator[None]:
    """All that takes the event loop's time is kept short while it serves."""
    with _spare_the_collector(), _take_short_turns():
        yield


@contextmanager
def _spare_the_collector() -> Iterator[None]:
    """What stands when the server begins stands to its end: the cycle collector looks only at what comes after, since
    a look at everything holds the event loop for 0.1 s; and more seldom, since calls leave little for it to find."""
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
    """For while a server serves: the cycle collector never looks at what is made within, which stands to the end
    too."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _take_short_turns() -> Iterator[None]:
    """Whoever computes in another thread gives the interpreter back sooner: at each turn of a contended loop it would
    wait 5 ms for it, some turns for each answer."""
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before_s)
