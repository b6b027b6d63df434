"""The network that the suite runs in: an event loop whose connections all lead to the adversary.

So the installed rule is run as it is, with public addresses that are public and private ones that are private; every
connection that the code makes is seen, whatever made it; and not one leaves this machine.
"""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

Place = tuple[str, int]


class Network(asyncio.SelectorEventLoop):
    """Leads connections as `site` and `lead_all` say; those to `own` places go where they are meant to.

    dialled: every other place that a connection was made to or tried, in turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self.dialled: list[Place] = []
        self.own: set[Place] = set()
        self._sites: Mapping[Place, Place] = {}
        self._else: Place | None = None

    def lead(self, sites: Mapping[Place, Place], otherwise: Place) -> None:
        """From now on connections to `sites` lead to what they map to, and all others to one place."""
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
