"""The connections that a server holds: how many, whose they are, and which one makes room for the next.

A connection is silent while the server waits for its visitor: for a request, for the rest of a body, or for an answer
to be read. When there are too many, of one network or in all, a newcomer takes the place of the one that was silent
longest. So a flood of silent connections displaces itself, and whoever talks is served. When none is silent, the
newcomer gets one of few spare places, at which only health and metrics are answered.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webquarry.api.addresses import Addresses
from webquarry.core.log import log

MAX_CONNECTIONS: Final = 10_000
"""However many files may be open: each silent connection costs some 20 KB of memory."""
SPARE: Final = 32
"""Places beyond these, at which only `ALWAYS_ANSWERED` is answered."""
ALWAYS_ANSWERED: Final = frozenset({b"/healthz", b"/readyz", b"/metrics"})
WARN_EVERY_S: Final = 60.0
"""Seconds between two lines of the log about connections that had to go."""


@dataclass(slots=True)
class _Network:
    """A network that visitors come from. held: its connections; silent: those of them that wait for their visitor, the
    longest silent first."""

    name: str
    held: int = 0
    silent: "OrderedDict[Place, None]" = field(default_factory=OrderedDict)


@dataclass(slots=True, eq=False)
class Place:
    """What a connection holds. drop: ends the connection. peer: the network that it comes from, None for a trusted
    proxy; network: the one for which it counts now."""

    drop: Callable[[], None]
    peer: _Network | None
    network: _Network | None = None
    is_spare: bool = False
    is_held: bool = True


class Connections:
    """Counts the connections of one server. most: at once, beside spare ones; most_of_one: of them, of one network.

    A trusted proxy's connections are not bounded as those of one network. While a body comes through it, the connection
    counts for the network of the visitor who sends it.
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
        """Silent connections that made room for others."""
        self.refused = 0
        """Requests that found no room."""
        self._told = 0
        self._told_at = -WARN_EVERY_S

    @classmethod
    def within(cls, descriptors: int, addresses: Addresses) -> "Connections":
        """Return a count that leaves at least half of the descriptors to what answers need: sources, store, children.

        descriptors: files and connections that the process may have open.
        """
        return cls(addresses, most=max(1, min(MAX_CONNECTIONS, descriptors // 2)))

    @property
    def held(self) -> int:
        """Connections that are open, spare ones included."""
        return self._held + len(self._spare)

    @property
    def silent(self) -> int:
        """Connections that wait for their visitor."""
        return len(self._silent)

    def admit(self, host: str | None, drop: Callable[[], None]) -> Place:
        """Return a place for a new connection, silent as yet. host: the address of its peer."""
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
        """Count a proxy's connection for the visitor whose request it brings, until `release`; False when the network
        of that visitor has no room. Nothing changes for any other connection."""
        if place.peer is not None or place.is_spare:
            return True
        name = self._addresses.network_of(scope)
        network = self._networks.get(name) or _Network(name)
        if network.held >= self._most_of_one and not self._displace(network.silent):
            return False
        self._move(place, network)
        return True

    def release(self, place: Place) -> None:
        """Count a connection for its peer again."""
        if place.network is not place.peer:
            self._move(place, place.peer)

    def wait(self, place: Place) -> None:
        """Take note that the connection is silent from now on: the server waits for its visitor."""
        if not place.is_held or place.is_spare:
            return
        self._silent[place] = None
        self._silent.move_to_end(place)
        if place.network is not None:
            place.network.silent[place] = None
            place.network.silent.move_to_end(place)

    def work(self, place: Place) -> None:
        """Take note that the visitor waits for the server."""
        self._silent.pop(place, None)
        if place.network is not None:
            place.network.silent.pop(place, None)

    def leave(self, place: Place) -> None:
        """Give the place back. Of one that was given back, nothing changes."""
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
        """Count a request that found no room."""
        self.refused += 1
        self._warn()

    def _make_room(self, network: _Network | None) -> bool:
        """Have the connection make way that has been silent longest, where one has to; False when none is silent."""
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
        """End the first of these connections, and say whether there was one."""
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
        """Tell the log that there are too many connections, once in a while."""
        now = time.monotonic()
        if now - self._told_at < WARN_EVERY_S:
            return
        gone = self.displaced + self.refused
        log.warning("connections.full", held=self.held, silent=self.silent, gone=gone - self._told)
        self._told, self._told_at = gone, now
