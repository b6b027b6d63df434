"""The guard: sockets are made to judged addresses only.

A name is resolved once; if any of its addresses is not public the whole name is refused, and exactly the judged
addresses are dialled. They are judged again where the socket is made, which no way to the outside can leave out.
"""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aiohappyeyeballs import AddrInfoType, start_connection

from webquarry.core.errors import UnsafeTarget
from webquarry.core.urls import is_address
from webquarry.net.names import Resolve

Judge = Callable[[str], bool]
"""Whether a literal address may be dialled."""

_NEXT_ADDRESS_S = 0.25  # RFC 8305: how long one address is tried before the next is tried beside it


@dataclass(frozen=True, slots=True)
class Guard:
    """resolve: how names become addresses; judge: the rule on addresses."""

    resolve: Resolve
    judge: Judge

    async def addresses(self, host: str) -> Sequence[str]:
        """All addresses of a name, or the literal itself. UnsafeTarget when one is bad, OSError when there is none."""
        addresses = [host] if is_address(host) else await self.resolve(host)
        if not addresses:
            raise OSError(f"no address for {host}")
        if not all(self.judge(address) for address in addresses):
            raise UnsafeTarget
        return addresses

    def make_socket(self, info: AddrInfoType) -> socket.socket:
        """An unconnected socket for an address that passes. UnsafeTarget for another."""
        family, kind, proto, _, address = info
        if not self.judge(str(address[0])):
            raise UnsafeTarget
        return socket.socket(family, kind, proto)

    async def connect(self, host: str, port: int) -> socket.socket:
        """A connection to one of the judged addresses of `host`. OSError when none takes it."""
        infos = [_info(address, port) for address in await self.addresses(host)]
        try:
            return await start_connection(
                infos, happy_eyeballs_delay=_NEXT_ADDRESS_S, interleave=1, socket_factory=self.make_socket
            )
        except RuntimeError as exc:  # how uvloop reports some failed connections
            raise ConnectionError(f"no connection to {host}") from exc


def _info(address: str, port: int) -> AddrInfoType:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)
