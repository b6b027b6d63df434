"""Whatever a source sends, a request ends in time with a result or a documented error, which costs and stores nothing.

Each endpoint is called through the whole pipeline with the responses of its tapes broken.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from http import HTTPStatus

import pytest
import pytest_asyncio

from support.broken import NEVER, QUICK_WAYS, SHAPES, WAYS, BrokenPlayer, is_good
from webquarry.accounts import Accounts, Caller
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.core.types import File
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.reading import Readers
from webquarry.endpoints.registry import Registry, load
from webquarry.endpoints.run import Runner
from webquarry.engine import make_workers
from webquarry.ledger import Ledger
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.pipeline import Answer, Pipeline
from webquarry.pipeline.cache import ReadyCache
from webquarry.pipeline.flights import InProcessFlights
from webquarry.sandbox import Case, cases, settings
from webquarry.storage import Database, open_database
from webquarry.storage.conversions import Conversions
from webquarry.storage.database import query
from webquarry.workers.workers import Workers

pytestmark = pytest.mark.asyncio(loop_scope="module")
CLOCK = SystemClock()
CREDITS = 10_000_000
SHORT_S = 3.0
"""Deadline in seconds of a request whose source never responds."""
LONGEST_S = 20.0
"""Seconds that a request may take on a busy machine."""
CODES = {"provider_error", "conversion_failed", "empty_result", "not_found", "unsupported_type"}
LEGIBLE: Mapping[str, Collection[str]] = {
    # a page, a file or a site's missing files, whatever they contain
    "agent_ready": WAYS,
    "brand": SHAPES,
    "map": SHAPES,
    "markdown_file": WAYS,
    "markdown_url": SHAPES,
    # the source's ways to report that there is nothing
    "ads_searchengine": {"empty", "an object"},
    "ads_searchengine_advertiser": {"empty", "an object"},
    "ads_searchengine_creative": {"empty", "an object"},
    "maps": {"an object"},
    "maps_place": {"a list of nulls"},
    "social_microblog_tweet": {"an object"},
    "storefront_catalog": {"a list"},
    "videoplatform_transcript": {"an object"},
    "videoplatform_video": {"an object"},
}
"""Broken responses that an endpoint may read: it has a result, or nothing is found."""
PARTIAL = {"truncated", "other types"}
"""Ways to fail that leave a part of the response."""
ENDPOINTS = [extractor.name for extractor in load()]


@dataclass
class Bench:
    """An account and a store. Each request gets a new pipeline, whose sources have no history."""

    settings: Settings
    database: Database
    workers: Workers
    caller: Caller

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.database, CLOCK, "in_test")
        self.conversions = Conversions(self.database)

    async def ask(self, extractor: Extractor, case: Case, player: Player, file: File | None) -> Answer | ServiceError:
        """Return what the caller receives."""
        metrics, registry = Metrics(), load()
        if extractor is not registry.by_name[extractor.name]:
            registry = Registry(tuple(extractor if each.name == extractor.name else each for each in registry))
        door = Door(self.settings, CLOCK, player, None, Readers(self.workers))
        pipeline = Pipeline(
            registry,
            Runner(door, self.workers, CLOCK, self.settings, metrics),
            self.ledger,
            self.conversions,
            InProcessFlights(CLOCK),
            ReadyCache(0, CLOCK),
            CLOCK,
            self.settings,
            metrics,
        )
        async with AsyncExitStack() as stack:
            stack.push_async_callback(door.close)
            stack.push_async_callback(pipeline.close)
            try:
                call = pipeline.prepare(extractor, tuple(case.params.items()), file)
                return await pipeline.answer(self.caller, call, request_id="req_1")
            except ServiceError as error:
                return error

    async def count(self) -> int:
        rows = await self.database.read(lambda: query("SELECT COUNT(*) FROM conversions", {}))
        return int(rows[0][0])

    async def clear(self) -> None:
        await self.database.write(lambda: query("DELETE FROM conversions", {}))

    async def balance(self) -> int:
        return await self.ledger.balance(self.caller.account_id)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    chosen = Settings(data_dir=tmp_path_factory.mktemp("broken"), **settings())
    database = await open_database(chosen, migrate=True)
    workers = make_workers(chosen, CLOCK)
    account, _ = await Accounts(database, CLOCK).create("owner@example.com", CREDITS)
    made = Bench(chosen, database, workers, Caller(account.id, "key_test"))
    case = choose("markdown_url")
    await made.ask(load().by_name["markdown_url"], case, Player(case.exchanges), None)  # starts the converters
    await made.clear()
    yield made
    await workers.close()
    await database.close()


def choose(endpoint: str) -> Case:
    """Return the endpoint's case with the longest responses, among the cases that have a result."""
    return max(list_answered(endpoint), key=measure)


def list_answered(endpoint: str) -> list[Case]:
    """Return the endpoint's cases that have a result."""
    return [case for case in cases(endpoint) if case.data is not None]


def is_breakable(case: Case) -> bool:
    """Return whether the case depends on a response that `BrokenPlayer` breaks, rather than on refusals alone."""
    return any(map(is_good, case.exchanges))


def measure(case: Case) -> int:
    return sum(len(getattr(exchange.response, "body", b"")) for exchange in case.exchanges)


async def check(bench: Bench, case: Case, way: str, *, first: bool = False) -> None:
    """Call the endpoint with broken responses, and assert that it ends as documented.

    first: only the first response is broken, and the endpoint may do without it.
    """
    name = f"{case.name}, {way}, {first=}"
    extractor, file = load().by_name[case.endpoint], case.file
    if file is not None and extractor.upload is not None and way in SHAPES:
        file = File(file.name, SHAPES[way](file.body)[: extractor.upload.max_bytes])
    legible = first or way in PARTIAL or way in LEGIBLE.get(case.endpoint, ()) or not is_breakable(case)
    balance, stored, began = await bench.balance(), await bench.count(), time.monotonic()
    result = await bench.ask(extractor, case, BrokenPlayer(case.exchanges, way, first=first), file)
    if isinstance(result, ServiceError):
        assert result.code in CODES, name
        assert legible or result.code != "not_found", name
        assert HTTPStatus.BAD_REQUEST <= result.status < HTTPStatus.INTERNAL_SERVER_ERROR, name
        assert (await bench.balance(), await bench.count()) == (balance, stored), name
    else:
        assert legible, name
        assert result.conversion.data, name
        assert await bench.balance() == balance - result.charged, name
        await bench.clear()
    assert time.monotonic() - began < LONGEST_S, name


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_broken_responses_end_as_documented(bench: Bench, endpoint: str) -> None:
    case = choose(endpoint)
    for way in QUICK_WAYS:
        await check(bench, case, way)
    assert await bench.ledger.verify() == []


async def test_source_that_never_responds_ends_with_the_deadline(bench: Bench) -> None:
    async def ask(case: Case) -> Answer | ServiceError:
        extractor = replace(load().by_name[case.endpoint], deadline_s=SHORT_S)
        return await bench.ask(extractor, case, BrokenPlayer(case.exchanges, NEVER, first=False), None)

    asked = [choose(endpoint) for endpoint in ENDPOINTS if endpoint != "markdown_file"]
    balance, began = await bench.balance(), time.monotonic()
    results = await asyncio.gather(*map(ask, asked))
    assert time.monotonic() - began < LONGEST_S
    codes = {case.name: getattr(result, "code", None) for case, result in zip(asked, results, strict=True)}
    assert {name: code for name, code in codes.items() if code not in CODES} == {}
    assert (await bench.balance(), await bench.count()) == (balance, 0)
    assert await bench.ledger.verify() == []


@pytest.mark.long
@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_broken_responses_of_every_tape_end_as_documented(bench: Bench, endpoint: str) -> None:
    for case in list_answered(endpoint):
        for way in WAYS:
            await check(bench, case, way)
            await check(bench, case, way, first=True)
    assert await bench.ledger.verify() == []
