"""The playground's history: stored by account, limited, and deleted on request or with the account."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from support.clock import ManualClock
from support.people import make_people
from webquarry.accounts import Accounts, Directory, History, PastCall, history
from webquarry.storage import Database

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
async def owner(database: Database) -> str:
    account, _ = await Accounts(database, ManualClock()).create("owner@example.com", 0)
    return account.id


def call(account: str, number: int, **changes: object) -> PastCall:
    made = PastCall(
        id=f"{number:06}",
        account_id=account,
        endpoint="search",
        question="q=tea",
        file_name=None,
        conversion_id=f"cv_{number}",
        code="ok",
        cache="miss",
        charged=1,
        took_ms=12,
        created_at=NOON + timedelta(seconds=number),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


async def test_past_requests_are_listed_newest_first_in_pages(database: Database, owner: str) -> None:
    kept = History(database)
    calls = [call(owner, number) for number in range(5)]
    for one in calls:
        await kept.add(one)
        await kept.add(one)
    newest = calls[::-1]
    assert await kept.newest(owner, 3) == newest[:3]
    assert await kept.newest(owner, 3, before=newest[2].id) == newest[3:]


async def test_only_the_latest_requests_are_kept(
    database: Database, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "KEPT", 3)
    kept = History(database)
    for number in range(5):
        await kept.add(call(owner, number))
    assert [one.id for one in await kept.newest(owner, 10)] == ["000004", "000003", "000002"]


async def test_an_account_can_only_see_and_delete_its_own_requests(database: Database, owner: str) -> None:
    other, _ = await Accounts(database, ManualClock()).create("other@example.com", 0)
    kept = History(database)
    await kept.add(call(owner, 1))
    await kept.add(call(other.id, 2, conversion_id="cv_1", question="q=coffee"))
    found = await kept.of_conversion(owner, "cv_1")
    assert found is not None
    assert found.question == "q=tea"
    await kept.forget(owner)
    assert await kept.newest(owner, 10) == []
    assert len(await kept.newest(other.id, 10)) == 1


async def test_requests_are_deleted_with_their_account(database: Database, owner: str) -> None:
    clock = ManualClock()
    await History(database).add(call(owner, 1, conversion_id=None, code="provider_error", file_name="a.pdf"))
    await Directory(database, clock, make_people(database, clock)).delete(owner)
    assert await History(database).newest(owner, 10) == []
