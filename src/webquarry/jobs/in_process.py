"""The queue of one process: a dictionary of keys, and as many tasks as may run at the same time.

It is used if one process owns the store (SQLite). Keys are lost when the process ends; at the next start, the sweep
puts the remaining keys again.
"""

import asyncio
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from webquarry.core.background import try_round
from webquarry.jobs.port import Handler

AT_ONCE: Final = 512
"""Maximum number of keys that are handled at the same time."""
DRAIN_S: Final = 5.0
"""Seconds that `stop` gives running handlers to finish."""
_Key = tuple[str, str]


@dataclass(slots=True)
class _Entry:
    """A key that waits for its time (`timer`), is queued, or is being handled.

    `again` means that the key was put while it was handled.
    """

    timer: asyncio.TimerHandle | None = None
    running: bool = False
    again: bool = False


class InProcessQueue:
    """A `Queue` for the keys of this process."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._free = at_once
        self._entries: dict[_Key, _Entry] = {}
        self._line: deque[_Key] = deque()
        self._kinds: frozenset[str] = frozenset()
        self._handler: Handler | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Number of keys, whether waiting or being handled."""
        return len(self._entries)

    async def put(self, kind: str, *keys: str, after_s: float = 0.0) -> int:
        if self._stopped.is_set():
            return 0
        known = len(self._entries)
        for key in keys:
            entry = self._entries.get((kind, key))
            if entry is None:
                self._entries[kind, key] = _Entry()
                self._wait((kind, key), after_s)
            elif entry.running:
                entry.again = True
            elif entry.timer is not None and after_s <= 0:
                entry.timer.cancel()
                self._wait((kind, key), 0)
        added = len(self._entries) - known
        self._advance()
        return added

    async def serve(self, kinds: Collection[str], handler: Handler) -> None:
        self._kinds, self._handler = frozenset(kinds), handler
        self._advance()
        await self._stopped.wait()

    async def stop(self) -> None:
        self._stopped.set()
        for entry in self._entries.values():
            if entry.timer is not None:
                entry.timer.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=DRAIN_S)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=DRAIN_S)

    def _wait(self, key: _Key, after_s: float) -> None:
        if after_s > 0:
            self._entries[key].timer = asyncio.get_running_loop().call_later(after_s, self._come, key)
        else:
            self._entries[key].timer = None
            self._line.append(key)

    def _come(self, key: _Key) -> None:
        self._wait(key, 0)
        self._advance()

    def _advance(self) -> None:
        handler = self._handler
        while self._line and self._free and handler is not None and not self._stopped.is_set():
            key = self._line.popleft()
            if key[0] not in self._kinds:
                del self._entries[key]
                continue
            self._free -= 1
            self._entries[key].running = True
            task = asyncio.create_task(self._run(key, handler))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, key: _Key, handler: Handler) -> None:
        after_s: float | None = None
        try:
            after_s = await try_round("jobs.handler", handler(*key))
        finally:
            self._free += 1
            entry = self._entries[key]
            if entry.again:
                after_s = 0.0
            if after_s is None or self._stopped.is_set():
                del self._entries[key]
            else:
                entry.running = entry.again = False
                self._wait(key, after_s)
            self._advance()
