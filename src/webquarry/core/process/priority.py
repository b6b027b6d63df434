"""Lower priority for processes that run next to the service, because responses are more urgent than their work."""

import os
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_LEAST = 19


def give_way(pid: int, by: int) -> None:
    """Increase the niceness of a process, and of processes that it starts later, by `by`.

    The process must belong to a session other than the service's. If the kernel distributes CPU time by session first
    (autogroup), the session's niceness is set too, because a process's niceness then only matters within its session.
    """
    for thread in _threads(pid):
        with suppress(OSError):  # the process has ended
            os.setpriority(os.PRIO_PROCESS, thread, min(_LEAST, os.getpriority(os.PRIO_PROCESS, thread) + by))
    with suppress(OSError):  # the system may have no autogroup
        (_PROC / str(pid) / "autogroup").write_text(str(by))


def _threads(pid: int) -> list[int]:
    """Return the ids whose priority must be set: the process's threads on Linux, the process itself elsewhere."""
    try:
        return [int(name) for name in os.listdir(_PROC / str(pid) / "task")]
    except OSError:
        return [pid]
