"""A line on standard error that shows that a request is running. It only appears on a terminal."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from webquarry.cli.screen import clean, is_terminal

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PLAIN_FRAMES = "|/-\\"
_EVERY_S = 0.1
_QUIET_S = 0.3
"""Seconds before the line appears. Cached responses arrive sooner."""
_ERASE = "\r\x1b[K"
_MAX_CHARS = 60


@contextmanager
def spin(describe: Callable[[], str]) -> Iterator[None]:
    """Show `describe()` with the elapsed time until the context ends.

    Do nothing if standard error is not a terminal or if the terminal can't erase a line.
    """
    if not _can_draw():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_draw, args=(describe, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def print_above(line: str) -> None:
    """Print a line on standard error, above a spinner if one is shown."""
    erase = _ERASE if _can_draw() else ""
    sys.stderr.write(f"{erase}{line}\n")
    sys.stderr.flush()


def _can_draw() -> bool:
    return is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"


def _draw(describe: Callable[[], str], done: threading.Event) -> None:
    frames = _FRAMES if (sys.stderr.encoding or "").lower().startswith("utf") else _PLAIN_FRAMES
    began = time.monotonic()
    drawn = 0
    if done.wait(_QUIET_S):
        return
    while True:
        elapsed_s = time.monotonic() - began
        label = clean(describe())[:_MAX_CHARS]
        sys.stderr.write(f"{_ERASE}{frames[drawn % len(frames)]} {label} {elapsed_s:.1f} s")
        sys.stderr.flush()
        drawn += 1
        if done.wait(_EVERY_S):
            break
    sys.stderr.write(_ERASE)
    sys.stderr.flush()
