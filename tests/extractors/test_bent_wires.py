"""Every reader on wires that are bent: a value, an element, a text is gone or is something else, one place at a time.

A source may change its form at any time. Whatever it sends, a reader gives a result that can be written, or says that
the source failed: never a fault of ours.
"""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from support.bends import bend
from support.readings import Reading, choose_largest, list_taped
from webquarry.core.errors import ServiceError
from webquarry.endpoints.registry import load
from webquarry.endpoints.run import report_changes
from webquarry.read import counting

ENDPOINTS = [extractor.name for extractor in load() if extractor.sources]
QUICK = 120
"""Places of each part of a wire that are bent; `make proofs` bends all, in every way, of every tape."""


def answer(reading: Reading, body: bytes) -> None:
    """Read a body and write the answer. Raises what is a fault of ours."""
    try:
        with capture_logs(), counting(), report_changes(reading.extractor.name, reading.source.provider.name):
            result = reading.source.read(replace(reading.wire, body=body), reading.params)
            result.model_dump_json()
            reading.extractor.render(result).encode()
    except ServiceError:
        pass


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_bent_wire_is_read_or_refused(endpoint: str) -> None:
    readings = choose_largest(await list_taped(endpoint))
    assert readings
    for reading in readings:
        for body in bend(reading.wire.body, others=1, most=QUICK):
            answer(reading, body)


@pytest.mark.long
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_wire_bent_in_every_way_is_read_or_refused(endpoint: str) -> None:
    for reading in await list_taped(endpoint):
        for body in bend(reading.wire.body):
            answer(reading, body)
