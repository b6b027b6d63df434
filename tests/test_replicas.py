"""Two instances on one PostgreSQL and one Redis behave as one service."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from support.clock import ManualClock
from support.made import Board, query
from support.postgres import Postgres
from support.redis import redis_server
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.errors import CapReached, InvalidParams, Unauthorized
from webquarry.core.settings import Settings
from webquarry.pipeline import Answer, Freshness
from webquarry.pipeline.flights import Join, Lead
from webquarry.service import Service


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def replicas(
    postgres: Postgres, redis_url: str, board: Board, clock: ManualClock
) -> AsyncIterator[tuple[Service, Service]]:
    settings = Settings(database_url=await postgres.database(), redis_url=redis_url, rate_limit_per_minute=3)
    async with AsyncExitStack() as stack:
        one, two = [
            await stack.enter_async_context(assemble(settings, serving=True, registry=board.registry(), clock=clock))
            for _ in range(2)
        ]
        yield one, two


async def ask(service: Service, caller: Caller, freshness: Freshness | None = None, **params: str) -> Answer:
    call = service.pipeline.prepare(service.registry.by_name["made"], query(params))
    return await service.pipeline.answer(caller, call, request_id="r", freshness=freshness or Freshness())


async def test_identical_calls_on_two_instances_share_one_run(
    replicas: tuple[Service, Service], board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = replicas
    boarded, flights = asyncio.Event(), two.pipeline._flights
    get_aboard = flights.board

    async def tell(key: str) -> Lead | Join:
        found = await get_aboard(key)
        boarded.set()
        return found

    monkeypatch.setattr(flights, "board", tell)
    account, _ = await one.accounts.create("a@example.com", 10)
    caller = Caller(account.id, "key_1")
    released = board.hold_until("shared")
    first = asyncio.create_task(ask(one, caller, key="shared"))
    while not board.runs["shared"]:  # noqa: ASYNC110  # the run has no event
        await asyncio.sleep(0.001)
    second = asyncio.create_task(ask(two, caller, key="shared"))
    await boarded.wait()
    released.set()
    assert [(await first).cache, (await second).cache] == ["miss", "joined"]
    assert (board.runs["shared"], await two.ledger.balance(account.id)) == (1, 9)


async def test_answer_of_one_instance_is_a_hit_on_the_other(replicas: tuple[Service, Service], board: Board) -> None:
    one, two = replicas
    account, _ = await one.accounts.create("a@example.com", 10)
    await ask(one, Caller(account.id, "key_1"), key="hit")
    assert (await ask(two, Caller(account.id, "key_1"), key="hit")).cache == "hit"


async def test_replaced_entry_reaches_the_other_instance_within_five_seconds(
    replicas: tuple[Service, Service], clock: ManualClock
) -> None:
    one, two = replicas
    account, _ = await one.accounts.create("a@example.com", 10)
    caller = Caller(account.id, "key_1")
    old = await ask(two, caller, key="replaced")
    new = await ask(one, caller, Freshness(no_cache=True), key="replaced")
    assert (await ask(two, caller, key="replaced")).conversion_id == old.conversion_id
    clock.advance(5)
    assert (await ask(two, caller, key="replaced")).conversion_id == new.conversion_id


async def test_limit_counts_calls_of_both_instances(replicas: tuple[Service, Service]) -> None:
    one, two = replicas
    taken = [(await service.limiter.take("key_limit")).allowed for service in (one, two, one, two)]
    assert taken == [True, True, True, False]


async def test_account_limit_counts_requests_of_both_instances(replicas: tuple[Service, Service]) -> None:
    one, two = replicas
    taken = [await service.limiter.take(f"key_{n}", "ac_limit") for n, service in enumerate((one, two, one, two))]
    assert [allowance.allowed for allowance in taken] == [True, True, True, False]
    assert taken[-1].counted == "account"


async def test_revoked_key_is_refused_on_the_other_instance_within_five_seconds(
    replicas: tuple[Service, Service], clock: ManualClock
) -> None:
    one, two = replicas
    account, text = await one.accounts.create("a@example.com", 10)
    key_id = (await two.accounts.identify(text)).key_id
    await one.accounts.revoke_key(account.id, key_id)
    clock.advance(5)
    with pytest.raises(Unauthorized):
        await two.accounts.identify(text)


async def test_monthly_cap_is_shared_by_both_instances(replicas: tuple[Service, Service]) -> None:
    one, two = replicas
    account, _ = await one.accounts.create("a@example.com", 100)
    key, _ = await two.accounts.create_key(account.id, "batch", monthly_cap=5)
    caller = Caller(account.id, key.id)
    asked = [ask(replicas[n % 2], caller, key=f"cap {n}") for n in range(20)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(outcome, Answer) for outcome in outcomes) == 5
    assert sum(isinstance(outcome, CapReached) for outcome in outcomes) == 15
    assert (await one.ledger.spending(account.id), await two.ledger.balance(account.id)) == ({key.id: 5}, 95)
    assert await two.ledger.verify() == []


async def test_deleted_account_is_refused_on_the_other_instance_within_five_seconds(
    replicas: tuple[Service, Service], clock: ManualClock
) -> None:
    one, two = replicas
    account, text = await one.accounts.create("a@example.com", 10)
    await two.accounts.identify(text)
    await one.directory.delete(account.id)
    clock.advance(5)
    with pytest.raises(Unauthorized):
        await two.accounts.identify(text)


async def test_holds_of_a_silent_instance_are_refunded_by_the_other(
    replicas: tuple[Service, Service], board: Board, clock: ManualClock
) -> None:
    one, two = replicas
    account, _ = await one.accounts.create("a@example.com", 10)
    released = board.hold_until("silent")
    call = asyncio.create_task(ask(one, Caller(account.id, "key_1"), key="silent"))
    while not board.runs["silent"]:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    assert await two.ledger.balance(account.id) == 9
    clock.advance(149)
    await two.ledger.heartbeat()
    assert await two.ledger.sweep() == 0
    clock.advance(2)
    assert await two.ledger.sweep() == 1
    assert await two.ledger.balance(account.id) == 10
    released.set()
    assert (await call).charged == 0
    assert await two.ledger.verify() == []


async def test_error_passes_through_shared_flights_unchanged(redis_url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParams):
        async with assemble(Settings(data_dir=tmp_path, redis_url=redis_url)):
            raise InvalidParams("No such thing.")
