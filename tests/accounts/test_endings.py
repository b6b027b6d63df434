"""A new password ends all sessions, and also keys and connected apps if the owner selects this.

Tested on both databases.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from support.apps import REDIRECT, RESOURCE, VERIFIER, make_request
from support.clock import ManualClock
from support.people import PASSWORD, make_people
from webquarry.accounts import Accounts, Endings, Outbox, People, Visitor
from webquarry.accounts.mail import Email
from webquarry.core.errors import Unauthorized
from webquarry.logs.audit import AuditLog
from webquarry.oauth import Client, Clients, Grants, OAuthError, Tokens
from webquarry.storage import Database

from .test_people import EMAIL

NEW = "another good one"


@dataclass
class Flat:
    """An account with a key, a connected app and an app that is about to be connected."""

    people: People
    accounts: Accounts
    grants: Grants
    tokens: Tokens
    client: Client
    outbox: Outbox
    emails: list[Email]
    log: AuditLog
    visitor: Visitor
    cookie: str
    key: str
    token: str
    code: str

    async def lives(self) -> tuple[bool, bool, bool, bool]:
        """Return whether the session, the key, the app and the app's code are still valid."""
        session = await self.people.identify_session(self.cookie) is not None
        key = await counts(self.accounts.identify(self.key))
        app = await counts(self.tokens.identify_token(self.token, RESOURCE))
        code = await counts(self.grants.exchange(self.client, self.code, VERIFIER, REDIRECT))
        return session, key, app, code

    async def reset(self, endings: Endings) -> str:
        self.people.ask_reset(EMAIL)
        await self.outbox.drain()
        code = self.emails[-1].text.partition("?code=")[2].split()[0]
        return await self.people.reset_password(code, NEW, endings=endings)


async def counts(asked: object) -> bool:
    try:
        await asked  # type: ignore[misc]  # any of three results
    except (Unauthorized, OAuthError):
        return False
    return True


@pytest.fixture
async def flat(database: Database) -> AsyncIterator[Flat]:
    clock, emails = ManualClock(), list[Email]()

    async def send(mail: Email) -> None:
        emails.append(mail)

    async def fetch(_url: str) -> bytes:
        raise AssertionError("a registered client has no document")

    outbox = Outbox(database, clock, send, base_url="https://data.example")
    sending = asyncio.create_task(outbox.run())
    accounts, tokens = Accounts(database, clock), Tokens(database, clock)
    people = make_people(database, clock, accounts=accounts, post=outbox, forget=tokens.forget_account)
    account, key = await accounts.create(EMAIL, 0)
    await people.set_password(EMAIL, PASSWORD)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    visitor = await people.identify_session(cookie)
    assert visitor is not None
    grants = Grants(database, clock, tokens)
    client, _ = await Clients(database, clock, fetch).register({"client_name": "App", "redirect_uris": [REDIRECT]})
    codes = [await grants.approve(account.id, make_request(client)) for _ in range(2)]
    token = (await grants.exchange(client, codes[0], VERIFIER, REDIRECT)).access_token
    log = AuditLog(database, clock, keep=timedelta(days=1))
    await accounts.identify(key)
    await tokens.identify_token(token, RESOURCE)  # cached from here on
    yield Flat(people, accounts, grants, tokens, client, outbox, emails, log, visitor, cookie, key, token, codes[1])
    sending.cancel()


@pytest.mark.parametrize("way", ["reset", "change"])
@pytest.mark.parametrize(
    ("endings", "lives", "details"),
    [
        (Endings(), (False, True, True, True), {}),
        (Endings(keys=True), (False, False, True, True), {"also_ended": "keys"}),
        (Endings(apps=True), (False, True, False, False), {"also_ended": "apps"}),
        (Endings(keys=True, apps=True), (False, False, False, False), {"also_ended": "keys and apps"}),
    ],
)
async def test_only_the_selected_access_is_revoked(
    flat: Flat,
    way: str,
    endings: Endings,
    lives: tuple[bool, bool, bool, bool],
    details: dict[str, str],
) -> None:
    bystander, eves = await flat.accounts.create("eve@example.com", 0)
    if way == "reset":
        cookie = await flat.reset(endings)
    else:
        cookie = await flat.people.change_password(flat.visitor, PASSWORD, NEW, endings=endings)
    assert await flat.lives() == lives
    assert await flat.people.identify_session(cookie)
    assert (await flat.accounts.identify(eves)).account_id == bystander.id
    (newest, *_) = [
        entry.event
        for entry in await flat.log.list_of_account(flat.visitor.account_id)
        if entry.event.action.startswith("password.") and entry.event.action != "password.set"
    ]
    assert (newest.action, dict(newest.details)) == (f"password.{'reset' if way == 'reset' else 'changed'}", details)


async def test_a_wrong_password_revokes_nothing(flat: Flat) -> None:
    with pytest.raises(Exception, match="incorrect password"):
        await flat.people.change_password(flat.visitor, "a guess", NEW, endings=Endings(keys=True, apps=True))
    assert await flat.lives() == (True, True, True, True)
