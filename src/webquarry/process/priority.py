"""Processes beside the service give way to it: what they compute may wait, what it answers may not."""

import os
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_LEAST = 19


def give_way(pid: int, by: int) -> None:
    """Let a process that leads a session of its own, or belongs to one, count for less by so much (`nice`), with all
    that it starts from now on.

    Where the kernel shares out the processors by session before it looks at processes (autogroup), the session is told
    the same: else the number of a process says something to its own session only.
    """
    for thread in _threads(pid):
        with suppress(OSError):  # it has ended meanwhile
            os.setpriority(os.PRIO_PROCESS, thread, min(_LEAST, os.getpriority(os.PRIO_PROCESS, thread) + by))
    with suppress(OSError):  # a system that shares out otherwise
        (_PROC / str(pid) / "autogroup").write_text(str(by))


def _threads(pid: int) -> list[int]:
    """Linux has a priority for each; elsewhere the process has one."""
    try:
        return [int(name) for name in os.listdir(_PROC / str(pid) / "task")]
    except OSError:
        return [pid]
