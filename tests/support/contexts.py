"""The context of a run without money and storage: real network access, and jobs executed in this process."""

import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeVar

import orjson

from support.clock import ManualClock
from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, File, Known, Picture, Provider, Subject, Wire
from webquarry.endpoints.chain import missing_settings
from webquarry.endpoints.context import PartAnswer
from webquarry.net import Door, Net
from webquarry.net.transport import Transport
from webquarry.workers.child import do_job
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.reply import read_answer

F = TypeVar("F")


class RunContext:
    """A `context.Context`.

    kept: wires that the run stored; pictures: pictures in its result; fresh: its reduced freshness.
    """

    def __init__(self, transport: Transport, deadline_s: float = 60.0, file: File | None = None) -> None:
        self.clock = ManualClock()
        self.deadline = Deadline.after(deadline_s, self.clock)
        self.door = Door(Settings(), self.clock, transport)
        self.kept: list[Wire] = []
        self.pictures: list[Picture] = []
        self.provider: Provider | None = None
        self.fresh: timedelta | None = None
        self.known: Known | None = None
        self._file = file

    @property
    def file(self) -> File:
        assert self._file is not None
        return self._file

    def net(self, provider: Provider) -> Net:
        return self.door.net(provider, self.deadline)

    def is_configured(self, provider: Provider) -> bool:
        return not missing_settings(provider, self.door.settings)

    async def isolated(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        *,
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
        deadline: Deadline | None = None,
    ) -> Parcel[F]:
        answer, pieces = do_job(orjson.dumps({"run": job.function, "options": options}), body, sys.maxsize)
        outcome = await read_answer(job, orjson.loads(answer), pieces, subject)
        if isinstance(outcome, ServiceError):
            raise outcome
        return outcome

    async def part(self, name: str) -> PartAnswer:
        raise LookupError(name)

    async def further(self) -> tuple[str, ...]:
        return ()

    def shorten_freshness(self, fresh: timedelta) -> None:
        self.fresh = fresh

    def keep_wire(self, wire: Wire, provider: Provider | None = None) -> None:
        self.kept.append(wire)
        self.provider = provider

    def keep_picture(self, picture: Picture) -> str:
        self.pictures.append(picture)
        return f"https://webquarry.example/logos/{picture.name}"
