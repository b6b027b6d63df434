"""The sign-in pages alone: on a store, without the rest of the service."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.apps import RESOURCE, Documents
from support.clock import ManualClock
from support.people import QuickHasher, make_people
from support.visits import ORIGIN, Browser
from webquarry.accounts import People, Post, Visitor
from webquarry.api.addresses import Addresses
from webquarry.core.settings import Settings
from webquarry.limits import InProcessLimiter
from webquarry.oauth import Clients, Grants, Tokens
from webquarry.storage import Database, open_database
from webquarry.web.gate import Gate
from webquarry.web.reauthentication import Reauthentication
from webquarry.web.session import Visitors
from webquarry.web.signin.consent import ConsentPages
from webquarry.web.signin.factor import FactorPages
from webquarry.web.signin.oauth import OAuthRoutes
from webquarry.web.signin.pages import SignInPages
from webquarry.web.signin.passkeys import PasskeyPages
from webquarry.web.signin.recovery import RecoveryPages
from webquarry.web.signin.second_step import SecondStepPages
from webquarry.web.signin.security import SecurityPages
from webquarry.web.signin.throttle import MakeLimiter, Throttle
from webquarry.web.site import Section, Site


@dataclass
class House:
    """A replica with its people and its pages."""

    app: Any
    people: People
    gate: Gate
    clock: ManualClock
    database: Database
    hasher: QuickHasher

    def browser(self, **options: Any) -> Browser:
        return Browser(self.app, **options)

    async def visitor(self, browser: Browser) -> Visitor | None:
        return await self.people.identify_session(browser.cookies.get("wq_session", ""))


@dataclass
class Houses:
    """Creates replicas of one store."""

    database: Database
    clock: ManualClock

    def build(
        self,
        *,
        base_url: str = ORIGIN,
        is_open: bool = True,
        post: Post | None = None,
        trusted: Sequence[str] = (),
        make_limiter: MakeLimiter | None = None,
        make_rooms: Callable[[Gate, Throttle], Sequence[Section]] = lambda _gate, _throttle: (),
    ) -> House:
        hasher = QuickHasher()
        people = make_people(self.database, self.clock, hasher=hasher, is_open=is_open, post=post)
        visitors = Visitors(people, base_url, Addresses(), self.clock)
        site = Site(base_url, sandbox=False, visitor=visitors.find)
        throttle = Throttle(make_limiter or (lambda limit, window_s: InProcessLimiter(limit, self.clock, window_s)))
        gate = Gate(site, visitors, Reauthentication(people, visitors, throttle, self.clock))
        pages = SignInPages(gate, people, throttle, Addresses(trusted), first_credits=10)
        own = (
            gate,
            SecondStepPages(gate, people, throttle, Addresses(trusted)),
            SecurityPages(gate, people, throttle, self.clock),
            FactorPages(gate, people, throttle),
            PasskeyPages(gate, people, throttle, Addresses(trusted)),
            RecoveryPages(gate, people, throttle, Addresses(trusted)),
        )
        return House(
            site.app(pages, *own, *make_rooms(gate, throttle)), people, gate, self.clock, self.database, hasher
        )


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncIterator[Houses]:
    database = await open_database(Settings(data_dir=tmp_path / "data"), migrate=True)
    yield Houses(database, ManualClock())
    await database.close()


@pytest.fixture
def house(houses: Houses) -> House:
    return houses.build()


@dataclass
class Apps:
    """A replica to which apps connect."""

    house: House
    clients: Clients
    grants: Grants
    tokens: Tokens
    documents: Documents


@pytest.fixture
def build_apps(houses: Houses) -> Callable[[], Apps]:
    """Creates replicas of one store to which apps connect."""
    documents = Documents()

    def build() -> Apps:
        tokens = Tokens(houses.database, houses.clock)
        grants = Grants(houses.database, houses.clock, tokens)
        clients = Clients(houses.database, houses.clock, documents.fetch)

        def make_rooms(gate: Gate, throttle: Throttle) -> list[Section]:
            return [
                ConsentPages(gate, clients, grants, throttle, resource=RESOURCE),
                OAuthRoutes(clients, grants, throttle, Addresses(), base_url=ORIGIN, resource_path="/mcp"),
            ]

        return Apps(houses.build(make_rooms=make_rooms), clients, grants, tokens, documents)

    return build


@pytest.fixture
def apps(build_apps: Callable[[], Apps]) -> Apps:
    return build_apps()
