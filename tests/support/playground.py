"""Visitors of the playground, signed in or not, on an in-process service."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from support.visits import Browser
from webquarry.accounts import History, PastCall, Visitor, sessions
from webquarry.core.types import Deadline
from webquarry.net.player import Player
from webquarry.net.transport import Limits, Request, Response
from webquarry.service import Service

CREDITS = 50


class HeldPlayer(Player):
    """Plays tapes. Requests to one host wait until they may continue."""

    held_host = ""
    may_go_on = asyncio.Event()

    def hold(self, host: str) -> None:
        self.held_host, self.may_go_on = host, asyncio.Event()

    def release(self) -> None:
        self.may_go_on.set()

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        if self.held_host and self.held_host in request.url:
            await self.may_go_on.wait()
        return await super().send(request, deadline, limits)


@dataclass
class Guest:
    """A signed-in visitor with a browser."""

    browser: Browser
    visitor: Visitor
    service: Service

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.visitor.account_id)

    async def calls(self) -> list[PastCall]:
        """Return the history, newest first."""
        return await History(self.service.database).newest(self.visitor.account_id, 100)


@dataclass
class House:
    """The service and its visitors. player: its sources."""

    service: Service
    app: Any
    player: HeldPlayer
    made: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.service.settings.base_url

    async def enter(self, credits: int = CREDITS) -> Guest:
        """Create an account and sign in."""
        self.made.append(f"guest{len(self.made)}@example.com")
        account, _ = await self.service.accounts.create(self.made[-1], credits)
        session = self.service.people.sessions.make(account.id)
        await self.service.database.write(partial(sessions.add, session))
        visitor = await self.service.people.identify_session(session.cookie)
        assert visitor is not None
        browser = Browser(self.app, origin=self.url, cookies={"wq_session": session.cookie})
        return Guest(browser, visitor, self.service)

    def passer_by(self, address: str = "192.0.2.1") -> Browser:
        """Return a visitor who is not signed in."""
        return Browser(self.app, origin=self.url, address=address)
