"""Storage of clients, which are renewed, limited in number, and deleted."""

import pytest

from support.apps import HOMES, Documents
from support.clock import ManualClock
from webquarry.oauth import OAuthError, client_records, clients

from .conftest import Replica


async def test_a_document_is_fetched_at_most_once_an_hour(
    replica: Replica, documents: Documents, clock: ManualClock
) -> None:
    documents.add()
    client = await replica.clients.introduce(HOMES)
    assert (client.name, client.address, client.is_document, client.refreshes) == ("The App", "app.example", True, True)
    clock.advance(3599)
    assert (await replica.clients.introduce(HOMES)).name == client.name
    assert len(documents.fetched) == 1
    documents.add(client_name="Renamed")
    clock.advance(2)
    assert (await replica.clients.introduce(HOMES)).name == "Renamed"
    documents.documents.clear()
    assert (await replica.clients.find(HOMES)) is not None
    clock.advance(3601)
    with pytest.raises(OAuthError, match="can't be fetched"):
        await replica.clients.introduce(HOMES)


async def test_unused_clients_are_deleted_and_their_number_is_limited(
    replica: Replica, clock: ManualClock, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "MAX_CLIENTS", 2)
    documents.add()
    kept = await replica.register()
    await replica.clients.introduce(HOMES)
    with pytest.raises(OAuthError) as refused:
        await replica.register()
    assert refused.value.status == 503
    clock.advance(3601)
    await replica.clients.introduce(HOMES)  # a known one is renewed nevertheless
    await replica.connect(await replica.account(), kept)
    with pytest.raises(OAuthError):  # one is connected, and the other is in use
        await replica.register()
    clock.advance(client_records.UNUSED.total_seconds() + 1)
    assert not await replica.clients.sweep()
    assert await replica.clients.find(HOMES) is None
    assert await replica.clients.find(kept.id) == kept


async def test_unused_clients_are_replaced_if_there_are_too_many(
    replica: Replica, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "MAX_CLIENTS", 3)
    monkeypatch.setattr(client_records, "SWEEP_BATCH", 1)
    connected = await replica.register()
    await replica.connect(await replica.account(), connected)
    oldest = await replica.register()
    clock.advance(60)
    older = await replica.register()
    clock.advance(client_records.UNUSED_WHEN_FULL.total_seconds())
    await replica.register()
    with pytest.raises(OAuthError):
        await replica.register()
    assert [await replica.clients.find(each.id) for each in (connected, oldest, older)] == [connected, None, older]
