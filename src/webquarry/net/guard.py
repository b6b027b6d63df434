"""Guard that connects sockets only to checked addresses.

A name is resolved once. If any of its addresses is not public, the whole name is refused; otherwise exactly the checked
addresses are dialed. Addresses are checked again when the socket is created, a step that no outgoing connection can
bypass.
"""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aiohappyeyeballs import AddrInfoType, start_connection

from webquarry.core.errors import UnsafeTarget
from webquarry.core.urls import is_address
from webquarry.net.names import Resolve

Judge = Callable[[str], bool]
"""Function that decides whether a literal address may be dialed."""

_NEXT_ADDRESS_S = 0.25  # RFC 8305: delay before the next address is tried in parallel


@dataclass(frozen=True, slots=True)
class Guard:
    """Name resolver with a rule for addresses."""

    resolve: Resolve
    judge: Judge

    async def addresses(self, host: str) -> Sequence[str]:
        """Return all addresses of a name, or the literal address itself.

        Raises UnsafeTarget if an address is not allowed, OSError if the name has no address.
        """
        addresses = [host] if is_address(host) else await self.resolve(host)
        if not addresses:
            raise OSError(f"no address for {host}")
        if not all(self.judge(address) for address in addresses):
            raise UnsafeTarget
        return addresses

    def make_socket(self, info: AddrInfoType) -> socket.socket:
        """Return an unconnected socket for an allowed address. Raises UnsafeTarget for any other address."""
        family, kind, proto, _, address = info
        if not self.judge(str(address[0])):
            raise UnsafeTarget
        return socket.socket(family, kind, proto)

    async def connect(self, host: str, port: int) -> socket.socket:
        """Return a connection to one of the checked addresses of `host`. Raises OSError if none accepts it."""
        infos = [_info(address, port) for address in await self.addresses(host)]
        try:
            return await start_connection(
                infos, happy_eyeballs_delay=_NEXT_ADDRESS_S, interleave=1, socket_factory=self.make_socket
            )
        except RuntimeError as exc:  # uvloop reports some failed connections this way
            raise ConnectionError(f"no connection to {host}") from exc


def _info(address: str, port: int) -> AddrInfoType:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)
