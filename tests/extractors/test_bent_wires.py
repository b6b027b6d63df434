"""Every reader with altered responses, in which one value, element or text is missing or replaced.

A source may change its format at any time. For every response, a reader returns a result that can be rendered, or
reports that the source failed. It never raises an internal error.
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
"""Number of altered positions per part of a response. `make proofs` alters all, in every way, of every tape."""


def answer(reading: Reading, body: bytes) -> None:
    """Parse a body and render the result. Raises an error if it is a fault of this service."""
    try:
        with capture_logs(), counting(), report_changes(reading.extractor.name, reading.source.provider.name):
            result = reading.source.read(replace(reading.wire, body=body), reading.params)
            result.model_dump_json()
            reading.extractor.render(result).encode()
    except ServiceError:
        pass


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_altered_response_is_read_or_refused(endpoint: str) -> None:
    readings = choose_largest(await list_taped(endpoint))
    assert readings
    for reading in readings:
        for body in bend(reading.wire.body, others=1, most=QUICK):
            answer(reading, body)


@pytest.mark.long
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_response_altered_in_every_way_is_read_or_refused(endpoint: str) -> None:
    for reading in await list_taped(endpoint):
        for body in bend(reading.wire.body):
            answer(reading, body)
