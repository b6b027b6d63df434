"""Host name resolution."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Function that returns the addresses of a name as literals, or raises OSError."""

_THREADS = 32


class SystemResolver:
    """Calls `getaddrinfo` in separate threads, so that slow name servers do not delay other work of the process."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="resolve")

    async def addresses(self, host: str) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, _look_up, host)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str) -> list[tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int]]]:
    try:
        return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)  # type: ignore[return-value]  # typeshed includes builds without IPv6
    except UnicodeError as exc:
        raise OSError(f"{host} cannot be looked up") from exc
