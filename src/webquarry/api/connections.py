"""Open connections of a server: limits per network and in total, and the choice of the connection that a new one
replaces.

A connection is idle while the server waits for its client: for a request, for the rest of a body, or for a response to
be read. When there are too many connections, from one network or in total, a new connection replaces the one that has
been idle longest. A flood of idle connections therefore displaces itself, and active clients are served. If no
connection is idle, the new one gets one of a few spare slots, which serve only health checks and metrics.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webquarry.api.addresses import Addresses
from webquarry.core.log import log

MAX_CONNECTIONS: Final = 10_000
"""Maximum number of connections, whatever the limit on open files, because each idle connection uses about 20 KB of
memory.
"""
SPARE: Final = 32
"""Slots beyond the maximum, where only `ALWAYS_ANSWERED` is served."""
ALWAYS_ANSWERED: Final = frozenset({b"/healthz", b"/readyz", b"/metrics"})
WARN_EVERY_S: Final = 60.0
"""Minimum number of seconds between log lines about closed or refused connections."""


@dataclass(slots=True)
class _Network:
    """A client network.

    `held` counts its connections. `silent` contains the idle connections, those idle longest first.
    """

    name: str
    held: int = 0
    silent: "OrderedDict[Place, None]" = field(default_factory=OrderedDict)


@dataclass(slots=True, eq=False)
class Place:
    """The slot that a connection occupies.

    `drop` closes the connection. `peer` is the network it comes from, or None for a trusted proxy. `network` is the
    network that it currently counts for.
    """

    drop: Callable[[], None]
    peer: _Network | None
    network: _Network | None = None
    is_spare: bool = False
    is_held: bool = True


class Connections:
    """Counts and limits the connections of one server.

    `most` is the maximum in total, excluding spare ones; `most_of_one` is the maximum per network. Connections from a
    trusted proxy are exempt from the limit per network. While such a connection transfers a request body, it counts for
    the network of the client who sends it.
    """

    def __init__(self, addresses: Addresses, *, most: int = MAX_CONNECTIONS, most_of_one: int | None = None) -> None:
        self._addresses = addresses
        self.most = most
        self._most_of_one = most_of_one or max(1, most // 4)
        self._networks: dict[str, _Network] = {}
        self._silent: OrderedDict[Place, None] = OrderedDict()
        self._spare: OrderedDict[Place, None] = OrderedDict()
        self._held = 0
        self.displaced = 0
        """Number of idle connections closed to make room for others."""
        self.refused = 0
        """Number of requests refused because there was no slot."""
        self._told = 0
        self._told_at = -WARN_EVERY_S

    @classmethod
    def within(cls, descriptors: int, addresses: Addresses) -> "Connections":
        """Return a counter that leaves at least half of the descriptors for sources, stores and child processes.

        `descriptors` is the number of files and connections that the process may open.
        """
        return cls(addresses, most=max(1, min(MAX_CONNECTIONS, descriptors // 2)))

    @property
    def held(self) -> int:
        """Number of open connections, including spare ones."""
        return self._held + len(self._spare)

    @property
    def silent(self) -> int:
        """Number of idle connections."""
        return len(self._silent)

    def admit(self, host: str | None, drop: Callable[[], None]) -> Place:
        """Return a slot for a new connection. The connection starts idle. `host` is the peer's address."""
        name = self._addresses.name_peer(host)
        network = None if name is None else self._networks.get(name) or _Network(name)
        if not self._make_room(network):
            return self._admit_spare(drop)
        place = Place(drop, network)
        self._held += 1
        self._count(place, network)
        self.wait(place)
        return place

    def attribute(self, place: Place, scope: Mapping[str, Any]) -> bool:
        """Count a proxy's connection for the client whose request it carries, until `release`.

        Return False if that client's network has no room. Other connections are not affected.
        """
        if place.peer is not None or place.is_spare:
            return True
        name = self._addresses.network_of(scope)
        network = self._networks.get(name) or _Network(name)
        if network.held >= self._most_of_one and not self._displace(network.silent):
            return False
        self._move(place, network)
        return True

    def release(self, place: Place) -> None:
        """Undo `attribute`: count the connection for its peer again."""
        if place.network is not place.peer:
            self._move(place, place.peer)

    def wait(self, place: Place) -> None:
        """Mark the connection as idle: the server waits for its client."""
        if not place.is_held or place.is_spare:
            return
        self._silent[place] = None
        self._silent.move_to_end(place)
        if place.network is not None:
            place.network.silent[place] = None
            place.network.silent.move_to_end(place)

    def work(self, place: Place) -> None:
        """Mark the connection as active: the client waits for the server."""
        self._silent.pop(place, None)
        if place.network is not None:
            place.network.silent.pop(place, None)

    def leave(self, place: Place) -> None:
        """Release the slot. Does nothing if it was already released."""
        if not place.is_held:
            return
        place.is_held = False
        if place.is_spare:
            del self._spare[place]
            return
        self.work(place)
        self._held -= 1
        if place.network is not None:
            place.network.held -= 1
            self._forget_empty(place.network)

    def refuse(self) -> None:
        """Count a request that was refused because there was no slot."""
        self.refused += 1
        self._warn()

    def _make_room(self, network: _Network | None) -> bool:
        """If the limit is reached, close the connection that has been idle longest. Return False if none is idle."""
        if network is not None and network.held >= self._most_of_one:
            return self._displace(network.silent)
        return self._held < self.most or self._displace(self._silent)

    def _admit_spare(self, drop: Callable[[], None]) -> Place:
        if len(self._spare) >= SPARE:
            self._displace(self._spare)
        place = Place(drop, None, is_spare=True)
        self._spare[place] = None
        return place

    def _displace(self, silent: "OrderedDict[Place, None]") -> bool:
        """Close the first of these connections. Return whether there was one."""
        place = next(iter(silent), None)
        if place is None:
            return False
        self.leave(place)
        self.displaced += 1
        self._warn()
        place.drop()
        return True

    def _move(self, place: Place, network: _Network | None) -> None:
        is_silent = place in self._silent
        self.work(place)
        before = place.network
        if before is not None:
            before.held -= 1
            self._forget_empty(before)
        self._count(place, network)
        if is_silent:
            self.wait(place)

    def _count(self, place: Place, network: _Network | None) -> None:
        place.network = network
        if network is not None:
            self._networks[network.name] = network
            network.held += 1

    def _forget_empty(self, network: _Network) -> None:
        if not network.held:
            self._networks.pop(network.name, None)

    def _warn(self) -> None:
        """Log that there are too many connections, at most once per interval."""
        now = time.monotonic()
        if now - self._told_at < WARN_EVERY_S:
            return
        gone = self.displaced + self.refused
        log.warning("connections.full", held=self.held, silent=self.silent, gone=gone - self._told)
        self._told, self._told_at = gone, now
