"""What the pipeline gives to a run, without money and storage: the real door, and work done in place."""

from collections.abc import Mapping
from datetime import timedelta
from pkgutil import resolve_name
from typing import Any

import orjson

from support.clock import ManualClock
from webquarry.declare import PartAnswer
from webquarry.net import Door, Net
from webquarry.net.transport import Transport
from webquarry.parcel import Parcel
from webquarry.settings import Settings
from webquarry.types import Deadline, File, Provider, Subject, Wire


class RunContext:
    """A `declare.Context`. kept: the wires that the run named; fresh: what it shortened its freshness to."""

    def __init__(self, transport: Transport, deadline_s: float = 60.0, file: File | None = None) -> None:
        self.clock = ManualClock()
        self.settings = Settings()
        self.deadline = Deadline.after(deadline_s, self.clock)
        self.door = Door(self.settings, self.clock, transport)
        self.kept: list[Wire] = []
        self.fresh: timedelta | None = None
        self._file = file

    @property
    def file(self) -> File:
        assert self._file is not None
        return self._file

    def net(self, provider: Provider) -> Net:
        return self.door.net(provider, self.deadline)

    async def isolated(
        self,
        function: str,
        body: bytes,
        options: Mapping[str, Any],
        *,
        subject: Subject = "file",
        patient: bool = False,
    ) -> Any:
        given = resolve_name(function)(body, **orjson.loads(orjson.dumps(options)))
        if isinstance(given, Parcel):
            return Parcel(orjson.loads(orjson.dumps(given.told)), given.pieces)
        return orjson.loads(orjson.dumps(given))

    async def part(self, name: str) -> PartAnswer:
        raise LookupError(name)

    def hasten(self, fresh: timedelta) -> None:
        self.fresh = fresh

    def keep_wire(self, wire: Wire) -> None:
        self.kept.append(wire)
