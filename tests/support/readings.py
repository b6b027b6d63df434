"""Known responses of sources: the wires of the tapes, each with the source that reads it."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Wire
from webquarry.endpoints.declare import Extractor, Params, Source
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.sandbox import cases, settings


class Reading(NamedTuple):
    """A wire with its reader. origin: the wire's tape."""

    extractor: Extractor
    source: Source
    params: Params
    wire: Wire
    origin: str

    @property
    def name(self) -> str:
        return f"{self.extractor.name}/{self.source.provider.name}"


async def list_taped(endpoint: str | None = None) -> list[Reading]:
    """Return the wires of successful taped responses, of all endpoints with a chain of sources, or of one endpoint."""
    found = []
    clock, extractors = SystemClock(), load().by_name
    for case in cases():
        if endpoint not in (None, case.endpoint):
            continue
        extractor = extractors[case.endpoint]
        door = Door(Settings(**settings()), clock, Player(case.exchanges))
        params = parse(extractor.params, tuple(case.params.items())) if extractor.sources else None
        for source in extractor.sources:
            if params is None or case.data is None or source.why_skipped(params):
                continue
            with suppress(ServiceError):  # most tapes belong to one source
                _, wire = await source.answer(params, door.net(source.provider, Deadline.after(10, clock)))
                found.append(Reading(extractor, source, params, wire, f"tape {case.folder.name}"))
    return found


def choose_largest(readings: Iterable[Reading]) -> list[Reading]:
    """Return the largest wire of each source of each endpoint, ordered by name."""
    largest = {reading.name: reading for reading in sorted(readings, key=lambda reading: len(reading.wire.body))}
    return [largest[name] for name in sorted(largest)]
