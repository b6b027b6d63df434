"""How far a long piece of work has come, told to whoever runs it and listens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int | None], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def tell(what: str, done: int, of: int | None = None) -> None:
    """So many of these (`pages`) are done; of: how many there are, where that is known."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, of)


@contextmanager
def report_to(listener: Listener) -> Iterator[None]:
    """What is told inside goes to this listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
