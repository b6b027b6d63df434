"""What readers asked for and did not get, counted by path: the measure of drift of an upstream."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Row = TypeVar("Row")

_current: ContextVar[Counter[str] | None] = ContextVar("losses", default=None)


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Losses of the reads inside, as path → number; an inner count keeps its losses to itself."""
    losses: Counter[str] = Counter()
    token = _current.set(losses)
    try:
        yield losses
    finally:
        _current.reset(token)


def lose(path: str, count: int = 1) -> None:
    """Count a loss at `path`, or so many, when anyone counts."""
    losses = _current.get()
    if losses is not None and count:
        losses[path] += count


def read_rows(items: Iterable[Item], read: Callable[[Item], Row | None], path: str) -> list[Row]:
    """Return what `read` makes of each item. Items of which it makes nothing are left out, and counted at `path`."""
    read_or_none = [read(item) for item in items]
    rows = [row for row in read_or_none if row is not None]
    lose(path, len(read_or_none) - len(rows))
    return rows
