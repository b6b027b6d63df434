"""What reading a wire costs, for each source of each endpoint: milliseconds of CPU and megabytes a second.

Wires are those of the tapes, and whole recorded bodies of the sample folder where it is present. Asked: at most 30 ms
for a megabyte. Of a small wire the fixed cost counts (making the result's model); a row below 50 KB says nothing of
megabytes.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bench.table import show
from webquarry.clock import SystemClock
from webquarry.declare import Params, Source
from webquarry.errors import ServiceError
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.params import parse
from webquarry.registry import load
from webquarry.sandbox import cases, settings
from webquarry.settings import Settings
from webquarry.types import Deadline, Wire

SAMPLES = Path(__file__).parents[1] / "../shared/upstreams/samples"
RECORDED: tuple[tuple[str, str, str, Mapping[str, str]], ...] = (
    ("search", "brave_html", "search/brave-web-javascript-tutorial.html", {"q": "javascript tutorial"}),
    ("search", "startpage", "search/startpage-web-javascript-tutorial.html", {"q": "javascript tutorial"}),
    ("search", "mojeek", "search/mojeek-web-javascript-tutorial.html", {"q": "javascript tutorial"}),
    ("maps", "maps_rpc", "maps/tbm-map-search-coffee-2024-12.json", {"q": "coffee"}),
    ("trends_interest", "trends_api", "trends/multiline-2kw-5y-week-partial.txt", {"q": "pizza,bagel"}),
    ("trends_geo", "trends_api", "trends/comparedgeo-2kw-country.txt", {"q": "pizza", "geo": ""}),
    ("trends_related", "trends_api", "trends/relatedsearches-queries-pizza.txt", {"q": "pizza"}),
    ("videoplatform_search", "innertube", "video-platform/search_all_p1.response.json", {"q": "test", "type": "all"}),
)
"""Endpoint, provider, file and question of whole recorded bodies."""
LEAST_S = 0.3
MEGABYTE = 1_000_000
TELLING_BYTES = 50_000


class Reading(NamedTuple):
    """One wire with who reads it. origin: where the wire is from."""

    endpoint: str
    source: Source
    params: Params
    wire: Wire
    origin: str


def measure() -> None:
    rows = []
    for reading in _largest([*asyncio.run(_taped()), *_recorded()]):
        size, ms = len(reading.wire.body), 1000 * _cost_s(reading)
        rows.append(
            (
                reading.endpoint,
                reading.source.provider.name,
                reading.origin,
                size / 1000,
                ms,
                size / 1000 / ms,
                ms * MEGABYTE / size if size >= TELLING_BYTES else "-",
            )
        )
    show("Reading wires", ("endpoint", "provider", "wire", "KB", "ms", "MB/s", "ms for a MB"), rows)


async def _taped() -> list[Reading]:
    """The wires that answers on tapes were read from, of endpoints with a chain of sources."""
    found = []
    clock, extractors = SystemClock(), load().by_name
    for case in cases():
        extractor = extractors[case.endpoint]
        door = Door(Settings(**settings()), clock, Player(case.exchanges))
        params = parse(extractor.params, tuple(case.params.items())) if extractor.sources else None
        for source in extractor.sources:
            if params is None or case.data is None or source.why_skipped(params):
                continue
            with suppress(ServiceError):  # most tapes are of one source
                _, wire = await source.answer(params, door.net(source.provider, Deadline.after(10, clock)))
                found.append(Reading(case.endpoint, source, params, wire, f"tape {case.folder.name}"))
    return found


def _recorded() -> Iterator[Reading]:
    extractors = load().by_name
    for endpoint, provider, name, question in RECORDED:
        if (file := SAMPLES / name).exists():
            extractor = extractors[endpoint]
            [source] = [source for source in extractor.sources if source.provider.name == provider]
            wire = Wire(file.read_bytes(), "https://recorded.example/", "", 200, {}, SystemClock().now())
            yield Reading(endpoint, source, parse(extractor.params, tuple(question.items())), wire, file.name)


def _largest(readings: Iterable[Reading]) -> list[Reading]:
    """The largest wire of each source of each endpoint."""
    best: dict[tuple[str, str], Reading] = {}
    for reading in readings:
        key = reading.endpoint, reading.source.provider.name
        if key not in best or len(reading.wire.body) > len(best[key].wire.body):
            best[key] = reading
    return [best[key] for key in sorted(best)]


def _cost_s(reading: Reading) -> float:
    """Seconds of CPU for one reading: the mean over a while, after a first one that is not counted."""
    reading.source.read(reading.wire, reading.params)
    times, began = 0, time.process_time()
    while time.process_time() - began < LEAST_S:
        reading.source.read(reading.wire, reading.params)
        times += 1
    return (time.process_time() - began) / times


if __name__ == "__main__":
    measure()
