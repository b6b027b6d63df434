"""Interface of engines: who works on which key, and when.

An engine runs at most one handler for a kind and key at a time, over all servers. It holds leases, never the truth:
handlers read their work from tables, and a sweep puts what an engine has lost.
"""

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

Handler = Callable[[str, str], Awaitable[float | None]]
"""Works on a kind and key for a while. Returns the seconds until it should be called again, or None if it is done.

A handler may run again after it was interrupted, and in rare cases twice at the same time (a server that stalled for
longer than its lease), so it must tolerate both.
"""


class Engine(Protocol):
    """Calls handlers. See the module."""

    async def put(self, kind: str, *keys: str, after_s: float = 0.0) -> None:
        """Have the handler of `kind` called with each key, at the earliest in `after_s` seconds.

        Changes nothing for a key that waits already. If the key's handler is running, it may be called once more. Never
        fails because of the store: what is lost, the sweep puts again.
        """
        ...

    async def serve(self, kinds: Collection[str], handler: Handler) -> None:
        """Call the handler for these kinds until `stop`. Errors of a handler are logged, and its key is dropped."""
        ...

    async def stop(self) -> None:
        """Call no more handlers, give running ones some seconds, then cancel them."""
        ...
