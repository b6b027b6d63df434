"""Accounts: who may call, with which keys. `Accounts.identify` is the one question every surface asks."""

import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from functools import partial

from webquarry.accounts import records
from webquarry.accounts.callers import Caller
from webquarry.accounts.credentials import LIVE, SANDBOX, SHOWN, digest, is_key, new_key
from webquarry.accounts.memory import ShortMemory
from webquarry.accounts.records import Account, ApiKey
from webquarry.accounts.uses import KeyUses
from webquarry.audit import CLI, Actor, add, make_event, record_after
from webquarry.core.clock import Clock, end_of_day
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.ledger import MAX_CREDITS, booking
from webquarry.storage import Database, Operation

_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+")
_FORMULA = ("=", "+", "-", "@")
_SPECIALS = frozenset('"(),:;<>[]\\')
"""What would make several addresses of the one in a letter's head, or a name and an address (RFC 5322)."""
NO_MAIL = ".invalid"
"""How no address of anybody ends (RFC 2606): those of deleted accounts do."""
MAX_EMAIL = 254
MAX_NAME = 100
MAX_KEYS = 100
"""Keys of an account that are neither revoked nor expired."""


class Accounts:
    """The accounts of one store, with a short memory of the keys that were used last.

    sandbox: its keys are those of a sandbox. random_bytes(n): n bytes that nobody can guess.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        sandbox: bool = False,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._key_start, self._foreign_start = (SANDBOX, LIVE) if sandbox else (LIVE, SANDBOX)
        self._random_bytes = random_bytes
        self._callers: ShortMemory[Caller] = ShortMemory(clock)
        self.uses = KeyUses(database)

    async def create(self, email: str, credits: int, *, by: Actor = CLI) -> tuple[Account, str]:
        """A new account with its credits and first key, the text of which is known only now.

        InvalidParams when the email is none, or is taken, or when the credits are too many.
        """
        address = normalise_email(email)
        if not 0 <= credits <= MAX_CREDITS:
            raise InvalidParams(f"credits: must be from 0 to {MAX_CREDITS}.")
        account = Account(f"ac_{self._random_bytes(12).hex()}", address, credits, self._clock.now())
        key, text = self._new_key(account.id, "first key")
        event = make_event(by, account.id, "account.created", account.created_at, email=address, credits=credits)

        def create() -> Operation[bool]:
            if not (yield from records.add_account(account.id, account.email, account.created_at)):
                return False
            if credits:
                given = booking.grant(
                    account.id, credits, request_id=f"new-{account.id}", note="new account", now=account.created_at
                )
                yield from given
            yield from add(event)
            return (yield from records.add_key(key, digest(text)))

        if not await self._database.write(create, account=account.id):
            raise InvalidParams(f"email: an account with the address {address} already exists.")
        return account, text

    async def by_email(self, email: str) -> Account | None:
        return await self._database.read(partial(records.by_email, email.strip().lower()))

    async def by_id(self, account_id: str) -> Account | None:
        return await self._database.read(partial(records.by_id, account_id))

    async def list_all(self) -> list[Account]:
        """All accounts that were not deleted, oldest first."""
        return await self._database.read(records.list_all)

    async def exist(self) -> bool:
        """Whether there is any account."""
        return await self._database.read(records.exist)

    async def create_key(
        self,
        account_id: str,
        name: str,
        *,
        expires_at: datetime | None = None,
        monthly_cap: int | None = None,
        by: Actor = CLI,
    ) -> tuple[ApiKey, str]:
        """A new key of the account; its text is known only now.

        InvalidParams for a name, expiry or cap that cannot be; NotFound without such an account.
        """
        name = name.strip()
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
            raise InvalidParams(f"name: must be 1 to {MAX_NAME} printable characters.")
        if expires_at is not None and expires_at <= self._clock.now():
            raise InvalidParams("expires: must be in the future; omit it for a key that never expires.")
        key, text = self._new_key(account_id, name)
        key = replace(key, expires_at=expires_at, monthly_cap=_check_cap(monthly_cap))
        if sum(each.is_active(key.created_at) for each in await self.list_keys(account_id)) >= MAX_KEYS:
            raise InvalidParams(f"name: an account can have at most {MAX_KEYS} keys. Revoke one you no longer need.")
        event = make_event(by, account_id, "key.created", key.created_at, key=key.id, name=name)
        add_key = record_after(partial(records.add_key, key, digest(text)), event)
        if not await self._database.write(add_key, account=account_id):
            raise NotFound("Account not found.")
        return key, text

    async def list_keys(self, account_id: str) -> list[ApiKey]:
        """All keys of the account, oldest first, revoked ones too."""
        return await self._database.read(partial(records.keys, account_id))

    async def find_key(self, key_id: str) -> ApiKey | None:
        return await self._database.read(partial(records.find_key, key_id))

    async def find_by_text(self, text: str) -> ApiKey | None:
        """The key that this is, active or not; None for none."""
        return await self._database.read(partial(records.find_by_digest, digest(text)))

    async def set_key_cap(self, account_id: str, key_id: str, monthly_cap: int | None, *, by: Actor = CLI) -> None:
        """Let the key spend so much in a month, from now on. NotFound when the account has no such key."""
        change = partial(records.set_cap, account_id, key_id, _check_cap(monthly_cap))
        cap = "none" if monthly_cap is None else monthly_cap
        event = make_event(by, account_id, "key.cap_set", self._clock.now(), key=key_id, cap=cap)
        if not await self._database.write(record_after(change, event), account=account_id):
            raise NotFound("Key not found.")

    async def revoke_key(self, account_id: str, key_id: str, *, by: Actor = CLI) -> None:
        """End a key: here at once, in other processes within 5 s. NotFound when the account has no such key."""
        now = self._clock.now()
        end = partial(records.revoke, account_id, key_id, now)
        event = make_event(by, account_id, "key.revoked", now, key=key_id)
        revoked = await self._database.write(record_after(end, event), account=account_id)
        if revoked is None:
            raise NotFound("Key not found.")
        self._callers.forget(revoked)

    async def identify(self, key: str) -> Caller:
        """Who calls with this key; does not suspend when it was looked up just now. Unauthorized for nobody."""
        if not is_key(key):
            raise _stranger()
        if key.startswith(self._foreign_start):
            raise make_misplaced_error(self._key_start)
        caller = await self._callers.find(digest(key), self._look_up)
        if caller is None:
            raise _stranger()
        return caller

    def forget_keys(self, account_id: str) -> None:
        """Ask the store anew for the keys of this account: it was just disabled, enabled or deleted."""
        self._callers.forget_all(lambda caller: caller.account_id == account_id)

    async def _look_up(self, digest: str) -> Caller | None:
        found = await self._database.read(partial(records.identify, digest, self._clock.now()))
        if found is None:
            return None
        key_id, account_id = found
        self.uses.note(key_id, self._clock.now())
        return Caller(account_id, key_id)

    def _new_key(self, account_id: str, name: str) -> tuple[ApiKey, str]:
        text = new_key(self._random_bytes, self._key_start)
        key = ApiKey(f"key_{self._random_bytes(12).hex()}", account_id, text[:SHOWN], name, self._clock.now(), None)
        return key, text


def _stranger() -> Unauthorized:
    return Unauthorized("This API key is invalid, revoked or expired. Use another key.")


def make_misplaced_error(start: str) -> Unauthorized:
    where = "a sandbox" if start == SANDBOX else "not a sandbox"
    return Unauthorized(f"This service is {where}: its keys begin with {start}.")


def _check_cap(monthly_cap: int | None) -> int | None:
    if monthly_cap is not None and not 0 <= monthly_cap <= MAX_CREDITS:
        raise InvalidParams(f"cap: must be from 0 to {MAX_CREDITS} credits; omit it for no cap.")
    return monthly_cap


def end_last_day(day: date) -> datetime:
    """When a key ends that is taken on this day for the last time. InvalidParams where that cannot be told."""
    if day.year >= date.max.year:
        raise InvalidParams(
            f"expires: must be a date before {date.max.year}-01-01; omit it for a key that never expires."
        )
    return end_of_day(day)


def normalise_email(text: str) -> str:
    """Return a new account's address as it is stored. InvalidParams when it is none, when a spreadsheet would take it
    for a formula, or when it holds letters that look like others (NFKC), with which one address passes for another."""
    address = text.strip().lower()
    is_plain = address.isprintable() and _SPECIALS.isdisjoint(address) and not address.endswith(NO_MAIL)
    if len(address) > MAX_EMAIL or not is_plain or not _EMAIL.fullmatch(address):
        raise InvalidParams("email: must be an email address such as name@example.com.")
    if address.startswith(_FORMULA):
        raise InvalidParams(f"email: must not start with {address[0]}, which spreadsheets interpret as a formula.")
    if unicodedata.normalize("NFKC", address) != address:
        raise InvalidParams("email: must not contain full-width or styled letters.")
    return address
