"""The parts of OAuth on a store, one view of it per replica."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from conftest import Store
from support.apps import REDIRECT, Documents, make_request
from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.oauth import Client, Clients, Grants, Tokens
from webquarry.oauth.grants import Issued
from webquarry.storage import Database


@dataclass
class Replica:
    database: Database
    clients: Clients
    grants: Grants
    tokens: Tokens
    accounts: Accounts

    async def account(self, email: str = "ada@example.com") -> str:
        return (await self.accounts.create(email, 0))[0].id

    async def register(self) -> Client:
        return (await self.clients.register({"client_name": "The App", "redirect_uris": [REDIRECT]}))[0]

    async def connect(self, account_id: str, client: Client) -> Issued:
        code = await self.grants.approve(account_id, make_request(client))
        return await self.grants.exchange(client, code, "a" * 43, REDIRECT)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def documents() -> Documents:
    return Documents()


@pytest.fixture
def open_replica(store: Store, clock: ManualClock, documents: Documents) -> Callable[[], Awaitable[Replica]]:
    async def make() -> Replica:
        database = await store.open()
        tokens = Tokens(database, clock)
        clients = Clients(database, clock, documents.fetch)
        return Replica(database, clients, Grants(database, clock, tokens), tokens, Accounts(database, clock))

    return make


@pytest.fixture
async def replica(open_replica: Callable[[], Awaitable[Replica]]) -> Replica:
    return await open_replica()
