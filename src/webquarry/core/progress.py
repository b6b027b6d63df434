"""Progress of the current request, for an interface that shows it while the request runs.

An interface that shows progress calls `watch_progress` before it starts the request. Otherwise reports are dropped.
"""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """The latest report: `done` of `total` units, such as pages. `total` is 0 before the first report."""

    unit: str = ""
    done: int = 0
    total: int = 0

    def __str__(self) -> str:
        return f"{self.done} of {self.total} {self.unit}" if self.total else ""


_watched: ContextVar[Progress | None] = ContextVar("progress", default=None)


def watch_progress() -> Progress:
    """Return an object that reports of this context, and of tasks started in it, update."""
    progress = Progress()
    _watched.set(progress)
    return progress


def report_progress(unit: str, done: int, total: int) -> None:
    """Report that `done` of `total` units are finished."""
    if (progress := _watched.get()) is not None:
        progress.unit, progress.done, progress.total = unit, done, total
