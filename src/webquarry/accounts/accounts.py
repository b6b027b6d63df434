"""Accounts and their API keys. Every interface calls `Accounts.identify` to find the caller."""

import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from webquarry.accounts import people_records, records
from webquarry.accounts.credentials import LIVE, SANDBOX, SHOWN, digest, is_key, new_key
from webquarry.accounts.memory import ShortMemory
from webquarry.accounts.records import Account, ApiKey
from webquarry.accounts.uses import Uses
from webquarry.core.caller import Caller
from webquarry.core.clock import Clock, end_of_day
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.ledger import MAX_CREDITS, booking
from webquarry.logs.audit import CLI, Actor, add, make_event, record_after
from webquarry.storage import Database, Operation

_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+")
_FORMULA = ("=", "+", "-", "@")
_SPECIALS = frozenset('"(),:;<>[]\\')
"""Characters with a special meaning in an email header (RFC 5322): they could turn one address into several."""
NO_MAIL = ".invalid"
"""Suffix of the addresses that deleted accounts get. It is reserved, so no one can own such an address (RFC 2606)."""
MAX_EMAIL = 254
MAX_NAME = 100
MAX_KEYS = 100
"""Maximum number of valid (not revoked, not expired) keys per account."""


class Accounts:
    """The accounts of one store, with a short-lived cache of recently used keys.

    If `sandbox` is true, new keys are sandbox keys. `random_bytes(n)` returns n unpredictable bytes.
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
        self.uses = Uses(database, records.note_uses)

    async def create(self, email: str, credits: int, *, is_admin: bool = False, by: Actor = CLI) -> tuple[Account, str]:
        """Create an account with credits and a first key. Return the account and the key's text, which is not stored.

        `is_admin` makes the account an administrator. Raises InvalidParams if the email is invalid or taken, or if
        there are too many credits.
        """
        address = normalise_email(email)
        if not 0 <= credits <= MAX_CREDITS:
            raise InvalidParams(f"credits: must be from 0 to {MAX_CREDITS}.")
        account = Account(f"ac_{self._random_bytes(12).hex()}", address, credits, self._clock.now())
        key, text = self._new_key(account.id, "first key")
        event = make_event(by, account.id, "account.created", account.created_at, email=address, credits=credits)

        promotion = make_event(by, account.id, "account.made_admin", account.created_at)

        def create() -> Operation[bool]:
            if not (yield from records.add_account(account.id, account.email, account.created_at)):
                return False
            if credits:
                given = booking.grant(
                    account.id, credits, request_id=f"new-{account.id}", note="new account", now=account.created_at
                )
                yield from given
            yield from add(event)
            if is_admin:
                yield from people_records.set_admin(account.id, True)
                yield from add(promotion)
            return (yield from records.add_key(key, digest(text)))

        if not await self._database.write(create, account=account.id):
            raise InvalidParams(f"email: an account with the address {address} already exists.")
        return account, text

    async def by_email(self, email: str) -> Account | None:
        return await self._database.read(partial(records.by_email, email.strip().lower()))

    async def by_id(self, account_id: str) -> Account | None:
        return await self._database.read(partial(records.by_id, account_id))

    async def list_all(self) -> list[Account]:
        """Return all accounts except deleted ones, oldest first."""
        return await self._database.read(records.list_all)

    async def exist(self) -> bool:
        """Return whether any account exists."""
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
        """Create a key for the account. Return the key and its text, which is not stored.

        Raises InvalidParams for an invalid name, expiry or cap, and NotFound if there is no such account.
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
        """Return all keys of the account, oldest first, including revoked ones."""
        return await self._database.read(partial(records.keys, account_id))

    async def find_key(self, key_id: str) -> ApiKey | None:
        return await self._database.read(partial(records.find_key, key_id))

    async def find_by_text(self, text: str) -> ApiKey | None:
        """Return the key with this text, active or not, or None."""
        return await self._database.read(partial(records.find_by_digest, digest(text)))

    async def set_key_cap(self, account_id: str, key_id: str, monthly_cap: int | None, *, by: Actor = CLI) -> None:
        """Set the key's monthly spending cap, effective immediately.

        Raises NotFound if the key is not one of the account's keys.
        """
        change = partial(records.set_cap, account_id, key_id, _check_cap(monthly_cap))
        cap = "none" if monthly_cap is None else monthly_cap
        event = make_event(by, account_id, "key.cap_set", self._clock.now(), key=key_id, cap=cap)
        if not await self._database.write(record_after(change, event), account=account_id):
            raise NotFound("Key not found.")

    async def revoke_key(self, account_id: str, key_id: str, *, by: Actor = CLI) -> None:
        """Revoke a key. It stops working immediately in this process and within 5 s in others.

        Raises NotFound if the key is not one of the account's keys.
        """
        now = self._clock.now()
        end = partial(records.revoke, account_id, key_id, now)
        event = make_event(by, account_id, "key.revoked", now, key=key_id)
        revoked = await self._database.write(record_after(end, event), account=account_id)
        if revoked is None:
            raise NotFound("Key not found.")
        self._callers.forget(revoked)

    async def sweep_keys(self, keep: timedelta) -> bool:
        """Delete a batch of keys that expired or were revoked longer ago than `keep`. Return whether more may be left.

        Requests made with a deleted key stay in the ledger under the key's id, without its name.
        """
        return await self._database.write(partial(records.sweep_keys, self._clock.now() - keep))

    async def identify(self, key: str) -> Caller:
        """Return the caller of this key, or raise Unauthorized. Does not suspend if the key was looked up recently."""
        if not is_key(key):
            raise _stranger()
        if key.startswith(self._foreign_start):
            raise make_misplaced_error(self._key_start)
        caller = await self._callers.find(digest(key), self._look_up)
        if caller is None:
            raise _stranger()
        return caller

    def forget_keys(self, account_id: str) -> None:
        """Drop cached keys of this account after it was disabled, enabled or deleted."""
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
    return Unauthorized(f"This service is {where}. Its keys start with {start}.")


def _check_cap(monthly_cap: int | None) -> int | None:
    if monthly_cap is not None and not 0 <= monthly_cap <= MAX_CREDITS:
        raise InvalidParams(f"cap: must be from 0 to {MAX_CREDITS} credits; omit it for no cap.")
    return monthly_cap


def end_last_day(day: date) -> datetime:
    """Return the time when a key expires if `day` is its last valid day.

    Raises InvalidParams if the date is out of range.
    """
    if day.year >= date.max.year:
        raise InvalidParams(
            f"expires: must be a date before {date.max.year}-01-01; omit it for a key that never expires."
        )
    return end_of_day(day)


def normalise_email(text: str) -> str:
    """Return a new account's email address in its stored form.

    Raises InvalidParams if the text is not an address, if a spreadsheet would read it as a formula, or if it contains
    look-alike letters (NFKC) that imitate another address.
    """
    address = text.strip().lower()
    is_plain = address.isprintable() and _SPECIALS.isdisjoint(address) and not address.endswith(NO_MAIL)
    if len(address) > MAX_EMAIL or not is_plain or not _EMAIL.fullmatch(address):
        raise InvalidParams("email: must be an email address such as name@example.com.")
    if address.startswith(_FORMULA):
        raise InvalidParams(f"email: must not start with {address[0]}, which spreadsheets interpret as a formula.")
    if unicodedata.normalize("NFKC", address) != address:
        raise InvalidParams("email: must not contain full-width or styled letters.")
    return address
