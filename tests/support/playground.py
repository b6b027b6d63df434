"""Visitors of the playground, signed in and not, on a service in this process."""

from dataclasses import dataclass, field
from typing import Any

from support.visits import Browser
from webquarry.accounts import History, PastCall, Visitor
from webquarry.app import Service

CREDITS = 50


@dataclass
class Guest:
    """A visitor with a browser, signed in."""

    browser: Browser
    visitor: Visitor
    service: Service

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.visitor.account_id)

    async def calls(self) -> list[PastCall]:
        """What stands in the history, newest first."""
        return await History(self.service.database).newest(self.visitor.account_id, 100)


@dataclass
class House:
    service: Service
    app: Any
    made: list[str] = field(default_factory=list)

    async def enter(self, credits: int = CREDITS) -> Guest:
        """A new account, signed in."""
        self.made.append(f"guest{len(self.made)}@example.com")
        account, _ = await self.service.accounts.create(self.made[-1], credits)
        cookie = await self.service.people.sessions.open(account.id)
        visitor = await self.service.people.identify_session(cookie)
        assert visitor is not None
        return Guest(Browser(self.app, cookies={"wq_session": cookie}), visitor, self.service)

    def passer_by(self, address: str = "192.0.2.1") -> Browser:
        """Somebody who is not signed in."""
        return Browser(self.app, address=address)
