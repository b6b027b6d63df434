"""Idle timeout of a connection: cuts it if no byte moves for too long."""

import asyncio
from collections.abc import Callable


class Watch:
    """Calls `cut` once, `idle_s` seconds after the last `touch`. Active between `begin` and `end`."""

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
        """Record that data has moved."""
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
