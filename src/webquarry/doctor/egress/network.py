"""The network of the suite: an event loop that redirects all connections to the adversary.

The installed rules therefore work unchanged, with real public and private addresses. Every connection is observed,
whichever code opens it, and no connection leaves this machine.
"""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

Place = tuple[str, int]


class Network(asyncio.SelectorEventLoop):
    """Redirects connections as `lead` specifies, except connections to `own` addresses.

    `dialled` lists all other addresses that were dialed, in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.dialled: list[Place] = []
        self.own: set[Place] = set()
        self._sites: Mapping[Place, Place] = {}
        self._else: Place | None = None

    def lead(self, sites: Mapping[Place, Place], otherwise: Place) -> None:
        """Redirect connections to `sites` to the addresses they map to, and all others to `otherwise`."""
        self._sites, self._else = sites, otherwise

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        if sock.family not in (socket.AF_INET, socket.AF_INET6) or self._else is None:
            return await super().sock_connect(sock, address)
        place = (str(address[0]), int(address[1]))
        if place in self.own:
            return await super().sock_connect(sock, address)
        self.dialled.append(place)
        host, port = self._sites.get(place, self._else)
        if sock.family == socket.AF_INET6:
            return await super().sock_connect(sock, (f"::ffff:{host}", port, 0, 0))
        return await super().sock_connect(sock, (host, port))
