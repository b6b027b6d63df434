"""Interface of queues, which decide which server works on which key, and when.

Across all servers, a queue runs at most one handler at a time for a kind and key. A queue only stores leases:
handlers read their work from tables, and a sweep puts keys that a queue has lost.
"""

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

Handler = Callable[[str, str], Awaitable[float | None]]
"""Function that works on a kind and key for a while. It returns the seconds until it should be called again, or None if
it is done.

A handler may run again after it was interrupted, and in rare cases twice at the same time (a server that stalled for
longer than its lease), so it must tolerate both.
"""


class Queue(Protocol):
    """Calls handlers. See the module's docstring."""

    async def put(self, kind: str, *keys: str, after_s: float = 0.0) -> int:
        """Have the handler of `kind` called with each key, at the earliest in `after_s` seconds.

        Return the number of keys that were not known. Changes nothing for a key that waits already. If its handler is
        running, it may be called once more. Never fails because of the store: what is lost, the sweep puts again.
        """
        ...

    async def serve(self, kinds: Collection[str], handler: Handler) -> None:
        """Call the handler for these kinds until `stop`. Errors of a handler are logged, and the key is dropped."""
        ...

    async def stop(self) -> None:
        """Stop calling handlers. Give running handlers some seconds to finish, then cancel them."""
        ...
