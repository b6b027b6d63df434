"""The room of signing in, alone: its pages on a store, without the rest of the service."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.clock import ManualClock
from support.people import QuickHasher, make_people
from support.visits import ORIGIN, Browser
from webquarry.accounts import People, Post, Visitor
from webquarry.api.addresses import Addresses
from webquarry.limits import InProcessLimiter
from webquarry.settings import Settings
from webquarry.storage import Database, open_database
from webquarry.web.gate import Gate
from webquarry.web.session import Visitors
from webquarry.web.signin.pages import SignInPages
from webquarry.web.signin.throttle import MakeLimiter, Throttle
from webquarry.web.site import Room, Site


@dataclass
class House:
    """One replica: its people and its pages."""

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
    """Makes replicas of one store."""

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
        rooms: Sequence[Room] = (),
    ) -> House:
        hasher = QuickHasher()
        people = make_people(self.database, self.clock, hasher=hasher, is_open=is_open, post=post)
        visitors = Visitors(people, base_url)
        site = Site(base_url, sandbox=False, visitor=visitors.find)
        gate = Gate(site, visitors)
        throttle = Throttle(make_limiter or (lambda limit, window_s: InProcessLimiter(limit, self.clock, window_s)))
        pages = SignInPages(gate, people, throttle, Addresses(trusted), first_credits=10)
        return House(site.app(pages, *rooms), people, gate, self.clock, self.database, hasher)


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncIterator[Houses]:
    database = await open_database(Settings(data_dir=tmp_path / "data"), migrate=True)
    yield Houses(database, ManualClock())
    await database.close()


@pytest.fixture
def house(houses: Houses) -> House:
    return houses.build()
