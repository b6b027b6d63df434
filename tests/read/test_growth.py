"""Every reader's run time grows linearly with its source's response, whatever part of it grows."""

import random
from collections.abc import Callable, Sequence
from functools import cache, partial

import pytest

from convert_support.pumps import judge
from support.wires import Read, WirePump, chosen, reads
from webquarry.endpoints.registry import load

SHORT, LONG = 10, 150
"""Numbers of parts of a response, chosen randomly."""


@cache
def all_reads() -> tuple[Read, ...]:
    return tuple(reads())


READS_NO_WIRE = {"open_pagerank_list"}
"""Sources that read a local file."""
SOURCES = [
    (extractor.name, source.provider.name)
    for extractor in load()
    for source in extractor.sources
    if source.provider.name not in READS_NO_WIRE
]


def reads_of(endpoint: str, provider: str) -> Sequence[Read]:
    """Return all responses of a source that an endpoint reads, the longest first."""
    found = [read for read in all_reads() if (read.extractor.name, read.source.provider.name) == (endpoint, provider)]
    return sorted(found, key=lambda read: len(read.wire.body), reverse=True)


def grows(read: Read, pump: WirePump, size: int, largest: int, longest_s: float) -> str | None:
    """Return a report if the run time for a growing part grows faster than the wire.

    A growth is confirmed by a second measurement, because it also occurs once if parts are refused up to a size only,
    or from a size on.
    """

    def prepare(number: int) -> Callable[[], object]:
        return partial(read.work, pump.sized(number))

    found = judge(prepare, f"{read} {pump.name}", size=size, largest=largest, longest_s=longest_s)
    if found is not None:
        found = judge(prepare, found.pump, size=found.size, largest=8 * found.size, longest_s=8 * longest_s)
    return None if found is None else str(found)


def test_each_source_with_a_tape_is_tested() -> None:
    """Without a readable tape, nothing is tested about a source."""
    assert {name for _, name in SOURCES} == {read.source.provider.name for read in all_reads()}


@pytest.mark.parametrize(("endpoint", "provider"), SOURCES)
def test_time_grows_linearly_with_the_response(endpoint: str, provider: str) -> None:
    """The test runs with the longest response. A source of several endpoints may have no tape for this endpoint."""
    for read in reads_of(endpoint, provider)[:1]:
        pumps = chosen(read.wire.body, random.Random(str(read)), 1, SHORT)
        assert [growth for pump in pumps if (growth := grows(read, pump, 8_000, 64_000, 0.05))] == []


@pytest.mark.long
@pytest.mark.parametrize(("endpoint", "provider"), SOURCES)
def test_time_grows_linearly_with_large_responses(endpoint: str, provider: str) -> None:
    """The test runs with all responses."""
    for read in reads_of(endpoint, provider):
        pumps = chosen(read.wire.body, random.Random(f"long {read}"), 3, LONG)
        assert [growth for pump in pumps if (growth := grows(read, pump, 16_000, 256_000, 0.5))] == []
