"""Workers for synchronous callers. They run on an event loop in a separate thread."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from webquarry.core.clock import SystemClock
from webquarry.core.types import Deadline
from webquarry.workers.isolated import Isolated
from webquarry.workers.limits import Limits
from webquarry.workers.workers import QUICK, Workers

T = TypeVar("T")


class BlockingWorkers:
    """Runs one job at a time in children that end with this process.

    See `Workers` for `preload` and `preload_heavy`.
    """

    def __init__(
        self, preload: tuple[str, ...] = (), quick: Limits = QUICK, *, preload_heavy: tuple[str, ...] = ()
    ) -> None:
        self._clock = SystemClock()
        self._loop = asyncio.new_event_loop()
        # The only caller waits for these children, so lowering their priority gains nothing.
        self._workers = Workers(
            self._clock, preload, preload_heavy=preload_heavy, quick=quick, size=1, queue=1000, spares=0, nice=0
        )
        threading.Thread(target=self._loop.run_forever, name="workers", daemon=True).start()

    def do(self, work: Callable[[Isolated, Deadline], Coroutine[Any, Any, T]], within_s: float) -> T:
        """Return the result of `work`, which is called with a function that runs jobs and the deadline.

        Raises the errors of `work` and `Pool.run`.
        """
        deadline = Deadline.after(within_s, self._clock)
        isolated = partial(self._workers.run, deadline=deadline)
        return asyncio.run_coroutine_threadsafe(work(isolated, deadline), self._loop).result()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._workers.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
