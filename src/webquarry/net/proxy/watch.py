"""A watch over a connection: one on which nothing moves for too long is cut."""

import asyncio
from collections.abc import Callable


class Watch:
    """idle_s: after which `cut` is called, once, counted from the last `touch`; from `begin` until `end`."""

    def __init__(self, idle_s: float, cut: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle_s = idle_s
        self._cut = cut
        self._moved_at = self._loop.time()
        self._alarm: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        self.touch()
        self._look()

    def touch(self) -> None:
        """Something has moved."""
        self._moved_at = self._loop.time()

    def end(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _look(self) -> None:
        left_s = self._moved_at + self._idle_s - self._loop.time()
        if left_s > 0:
            self._alarm = self._loop.call_later(left_s, self._look)
        else:
            self._cut()
