"""Cost of parsing a provider's response (wire), for each source of each endpoint, in CPU milliseconds and MB/s.

The wires come from the tapes, and from complete recorded bodies in the sample folder if available. Goal: at most 30 ms
for a megabyte. For small wires, the fixed cost of building the result's model dominates, so MB/s is meaningless for
rows below 50 KB.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.table import show
from support.readings import Reading, choose_largest, list_taped
from webquarry.core.clock import SystemClock
from webquarry.core.types import Wire
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load

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
"""Endpoint, provider, file and request of whole recorded bodies."""
LEAST_S = 0.3
MEGABYTE = 1_000_000
TELLING_BYTES = 50_000


def measure() -> None:
    rows = []
    for reading in choose_largest([*asyncio.run(list_taped()), *_recorded()]):
        size, ms = len(reading.wire.body), 1000 * _cost_s(reading)
        rows.append(
            (
                reading.extractor.name,
                reading.source.provider.name,
                reading.origin,
                size / 1000,
                ms,
                size / 1000 / ms,
                ms * MEGABYTE / size if size >= TELLING_BYTES else "-",
            )
        )
    show("Reading wires", ("endpoint", "provider", "wire", "KB", "ms", "MB/s", "ms for a MB"), rows)


def _recorded() -> Iterator[Reading]:
    extractors = load().by_name
    for endpoint, provider, name, question in RECORDED:
        if (file := SAMPLES / name).exists():
            extractor = extractors[endpoint]
            [source] = [source for source in extractor.sources if source.provider.name == provider]
            wire = Wire(file.read_bytes(), "https://recorded.example/", "", 200, {}, SystemClock().now())
            yield Reading(extractor, source, parse(extractor.params, tuple(question.items())), wire, file.name)


def _cost_s(reading: Reading) -> float:
    """Return the CPU seconds of one parse: the mean over a period, without the first parse."""
    reading.source.read(reading.wire, reading.params)
    times, began = 0, time.process_time()
    while time.process_time() - began < LEAST_S:
        reading.source.read(reading.wire, reading.params)
        times += 1
    return (time.process_time() - began) / times


if __name__ == "__main__":
    measure()
