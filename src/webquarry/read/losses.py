"""Losses: values that readers expected and did not find, counted by path.

Losses show how much a provider's responses have changed.
"""

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
    """Count the losses of reads inside the context, by path. Losses in an inner context are counted separately."""
    losses: Counter[str] = Counter()
    token = _current.set(losses)
    try:
        yield losses
    finally:
        _current.reset(token)


def lose(path: str, count: int = 1) -> None:
    """Count `count` losses at `path`, if a `counting` context is active."""
    losses = _current.get()
    if losses is not None and count:
        losses[path] += count


def read_rows(items: Iterable[Item], read: Callable[[Item], Row | None], path: str) -> list[Row]:
    """Return the result of `read` for each item. Items whose result is None are dropped and counted at `path`."""
    read_or_none = [read(item) for item in items]
    rows = [row for row in read_or_none if row is not None]
    lose(path, len(read_or_none) - len(rows))
    return rows
