"""Every reader with a response in which one row is invalid. A row that the result lacks must be counted as dropped."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel
from structlog.testing import capture_logs

from support.readings import Reading, choose_largest, list_taped
from support.rubbish import Spoiled, list_selectors, spoil_elements, spoil_json, spoil_xml
from webquarry.core.errors import ServiceError
from webquarry.endpoints.registry import load
from webquarry.endpoints.run import report_changes
from webquarry.read import counting

ENDPOINTS = [extractor.name for extractor in load() if extractor.sources]
QUICK, LONG = 150, 5000
"""Number of positions per part of a response that get an invalid row."""


def read(reading: Reading, body: bytes) -> tuple[Counter[str], Counter[str]] | None:
    """Return the number of rows of a result by the path of their list, and the dropped rows. None for an error."""
    try:
        with capture_logs(), counting() as losses, report_changes(reading.extractor.name, reading.source.provider.name):
            result = reading.source.read(replace(reading.wire, body=body), reading.params)
    except ServiceError:
        return None
    return Counter(list_rows(result, "")), losses


def list_rows(value: Any, path: str) -> Iterator[str]:
    """Yield the path of its list for every row of a result. Objects in their source's own format have no rows."""
    if isinstance(value, BaseModel):
        for name, member in value:
            if name != "warnings":
                yield from list_rows(member, f"{path}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield f"{path}[]"
            yield from list_rows(item, f"{path}[]")


def spoil(reading: Reading, most: int) -> Iterator[Spoiled]:
    body = reading.wire.body
    if body.startswith(b"<?xml"):
        yield from spoil_xml(body)
        return
    with list_selectors() as selectors:
        read(reading, body)
    yield from spoil_json(body, most)
    yield from spoil_elements(body, selectors)


def find_silent(reading: Reading, most: int) -> list[str]:
    """Return the positions at which an invalid row disappears without being counted."""
    whole = read(reading, reading.wire.body)
    if whole is None:  # the first of several responses may contain no result
        return []
    rows, losses = whole
    silent = []
    for place, body in spoil(reading, most):
        spoiled = read(reading, body)
        if spoiled is not None and (gone := rows - spoiled[0]) and not spoiled[1] - losses:
            silent.append(f"{reading.name}: {place}: without {dict(gone)}")
    return silent


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_dropped_row_is_counted(endpoint: str) -> None:
    readings = choose_largest(await list_taped(endpoint))
    assert readings
    assert all(read(reading, reading.wire.body) for reading in readings)
    assert [silent for reading in readings for silent in find_silent(reading, QUICK)] == []


@pytest.mark.long
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_dropped_row_of_every_tape_is_counted(endpoint: str) -> None:
    readings = await list_taped(endpoint)
    assert [silent for reading in readings for silent in find_silent(reading, LONG)] == []
