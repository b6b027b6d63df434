"""People: signing up, signing in and out, and changing an account."""

import secrets
from collections.abc import Callable
from functools import partial

from webquarry.accounts import mail_codes, people_records, sessions, unconfirmed
from webquarry.accounts.accounts import Accounts, normalise_email
from webquarry.accounts.balance_alerts import BalanceAlerts
from webquarry.accounts.credentials import digest
from webquarry.accounts.endings import Endings
from webquarry.accounts.factor_records import Code, make_attempt
from webquarry.accounts.mail_codes import MailCode
from webquarry.accounts.passkeys import Passkeys
from webquarry.accounts.passwords import Passwords
from webquarry.accounts.people_records import Person, make_password_error
from webquarry.accounts.post import Post
from webquarry.accounts.seal import PLAIN, Seal
from webquarry.accounts.second_factors import SecondFactors
from webquarry.accounts.session_list import SessionList, note_uses
from webquarry.accounts.sessions import NewSession, Sessions, Visitor
from webquarry.accounts.uses import Uses
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, RequestError, Unauthorized
from webquarry.logs.audit import CLI, Actor, Event, act_as_owner, is_kept, make_event, record_after
from webquarry.storage import Database, Operation

NOTHING_ELSE = Endings()


def _do_nothing(_account_id: str) -> None:
    """Do nothing. Used if no other part caches accounts."""


class RegistrationClosed(RequestError):
    """Raised when registration is closed: only the operator can create accounts."""

    status, code = 400, "invalid_params"

    def __init__(self) -> None:
        super().__init__("Sign-up is closed. Ask your administrator for an account.")


class People:
    """People with an account and a password.

    `first_credits` are granted to each new account. `is_open` allows registration. `post` sends emails; it is None if
    no mail server is configured, and addresses are then not confirmed. `forget` is called with the id of each account
    that was disabled, enabled or deleted. `seal` encrypts secrets of authenticator apps.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        accounts: Accounts,
        passwords: Passwords,
        *,
        first_credits: int,
        is_open: bool = True,
        post: Post | None = None,
        forget: Callable[[str], None] = _do_nothing,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        seal: Seal = PLAIN,
    ) -> None:
        self._database = database
        self._clock = clock
        self._accounts = accounts
        self._passwords = passwords
        self._first_credits = first_credits
        self._post = post
        self._forget = forget
        self._random_bytes = random_bytes
        self._seal = seal
        self.is_open = is_open
        self.sessions = Sessions(database, clock, random_bytes=random_bytes)
        self.session_list = SessionList(database, clock, self.sessions)
        self.session_uses = Uses(database, note_uses)
        self.factors = SecondFactors(database, clock, self.sessions, post, random_bytes, seal)
        self.balance_alerts = BalanceAlerts(database, post)
        self.passkeys = Passkeys(database, clock, self.sessions, post, random_bytes)

    @property
    def confirms_addresses(self) -> bool:
        """Whether an address must be confirmed by email before its account can be used."""
        return self._post is not None

    async def register(self, email: str, password: str) -> str | None:
        """Create an account and sign in. Return the session's cookie.

        Returns None if addresses must be confirmed first. An email is then sent whether or not an account existed.
        Raises RegistrationClosed, or InvalidParams for an invalid address or password. If no emails are sent, also
        raises InvalidParams for a taken address.
        """
        if not self.is_open:
            raise RegistrationClosed
        address = normalise_email(email)
        hashed = await self._passwords.hash(password)
        account_id = f"ac_{self._random_bytes(12).hex()}"
        session = self.sessions.make(account_id)
        then = partial(_add_nothing if self._post else sessions.add, session)
        now = self._clock.now()
        make = partial(people_records.register, account_id, address, hashed, self._first_credits, now, then)
        event = make_event(act_as_owner(account_id), account_id, "account.created", now, email=address)
        is_new = await self._database.write(record_after(make, event), account=account_id)
        if self._post is not None:
            (self._post.confirm if is_new else self._post.tell_taken)(address)
            return None
        if not is_new:
            raise InvalidParams("email: an account with this address already exists. Sign in instead.")
        return session.cookie

    async def sign_in(self, email: str, password: str, *, network: str = "") -> str:
        """Return the cookie of a new session.

        Raises Unauthorized for a wrong password, and for an address whose account does not exist, has no password or is
        disabled. The message and the time taken are the same in all these cases. If the account has a second factor,
        the session is valid only after `factors.finish_sign_in` has accepted a code. `network` is the client's network,
        recorded in the owner's events.
        """
        person = await self._find(email)
        matches = await self._passwords.verify(person.password_hash if person else None, password)
        if person is None or not matches or person.is_disabled:
            raise self._make_refusal()
        if self._post is not None and not person.is_verified:
            self._post.confirm(person.email)
            raise self._make_refusal()
        anew = await self._passwords.rehash(person.password_hash, password)
        session = self.sessions.make(person.id)
        event = make_event(act_as_owner(person.id), person.id, "signed_in", session.created_at, network=network)
        sign_in = partial(people_records.sign_in, person, anew, session, event)
        if not await self._database.write(sign_in, account=person.id):
            raise self._make_refusal()
        return session.cookie

    async def identify_session(self, cookie: str) -> Visitor | None:
        """Return the user whose session has this cookie, or None.

        A session that was ended in another process stays valid for at most 5 s.
        """
        return await self.sessions.identify(cookie)

    async def sign_out(self, cookie: str) -> None:
        await self.sessions.end(cookie)

    async def sign_out_everywhere(self, account_id: str) -> None:
        """End all sessions of the account: immediately in this process, within 5 s in others."""
        event = self._note(account_id, "sessions.ended")
        await self._database.write(record_after(partial(sessions.end_all, account_id), event), account=account_id)
        self.sessions.forget(account_id)

    def ask_reset(self, email: str) -> None:
        """Send a password reset email if the address has an account. Raises NotFound if the service sends no email."""
        if self._post is None:
            raise NotFound("This service doesn't send email. Ask your administrator for a new password.")
        self._post.reset(email)

    async def confirm_address(self, code: str, password: str) -> str:
        """Consume a code, set the account's address to the one it was sent to, and return the cookie of a new session.

        The password is required, because the person who reads the email may not be the person who signed up. Raises
        InvalidParams for a wrong password, for a code that is unknown, used or expired, and for an address that another
        account has taken meanwhile.
        """
        found = await self._find_code(code, mail_codes.VERIFY)
        if not await self._passwords.verify(found.password_hash, password):
            raise InvalidParams("password: incorrect password.")
        session = self.sessions.make(found.account_id)
        confirm = partial(mail_codes.confirm, digest(code), found, session)
        event = self._note(found.account_id, "address.changed", email=found.email)
        if not await self._database.write(record_after(confirm, event), account=found.account_id):
            raise _make_code_error()
        self.sessions.forget(found.account_id)
        if self._post is not None and found.email != found.current_email:
            self._post.tell_change(found.current_email, "address")
        return session.cookie

    async def make_sign_in_code(self, email: str, *, by: Actor = CLI) -> str:
        """Return a code that sets the account's password once, within `mail_codes.HANDED_OVER_LASTS`.

        Earlier codes for setting the password become invalid. Raises NotFound if there is no such account,
        InvalidParams if it is disabled.
        """
        person = await self._get(email)
        if person.is_disabled:
            raise InvalidParams(f"The account {person.email} is disabled. Enable the account first.")
        code, now = self._random_bytes(32).hex(), self._clock.now()
        lasts = mail_codes.HANDED_OVER_LASTS
        add = partial(mail_codes.replace_earlier, digest(code), person.id, mail_codes.RESET, person.email, now, lasts)
        event = make_event(by, person.id, "sign_in_link.created", now)
        await self._database.write(record_after(add, event), account=person.id)
        return code

    async def find_reset(self, code: str) -> MailCode | None:
        """Return the data of a code that sets a password, or None if the code is not valid."""
        found = await self._database.read(partial(mail_codes.find, digest(code), mail_codes.RESET, self._clock.now()))
        return found if found is not None and found.email == found.current_email else None

    async def reset_password(
        self, code: str, password: str, factor_code: Code = "", endings: Endings = NOTHING_ELSE
    ) -> str:
        """Consume a code, set a new password and end all sessions. Return the cookie of a new session.

        `factor_code` is the code of the second factor, if the account has one; a wrong code raises InvalidParams
        (`code: …`). Raises InvalidParams for an invalid password and for a code that is unknown, used or expired.
        """
        found = await self._find_code(code, mail_codes.RESET)
        if found.email != found.current_email:
            raise _make_code_error()
        hashed = await self._passwords.hash(password)
        session = self.sessions.make(found.account_id)
        attempt = make_attempt(found.account_id, factor_code, session.created_at, self._seal)
        reset = partial(mail_codes.reset, digest(code), found, hashed, session, attempt, endings)
        event = self._note(found.account_id, "password.reset", **endings.details)
        if not await self._database.write(record_after(reset, event), account=found.account_id):
            raise _make_code_error()
        self.forget(found.account_id)
        if await self._database.read(partial(is_kept, attempt.event)):
            self.factors.tell_use(found.email, "recovery")
        if self._post is not None:
            self._post.tell_change(found.email, "password")
        return session.cookie

    async def sweep(self) -> bool:
        """Delete a batch of expired sessions, codes and challenges. Return whether more may be left."""
        codes = await self._database.write(partial(mail_codes.sweep, self._clock.now()))
        challenges = await self.passkeys.sweep()
        return await self.sessions.sweep() or codes or challenges

    async def sweep_unconfirmed(self) -> bool:
        """Delete a batch of accounts that were never confirmed. Return whether more may be left."""
        if not self.confirms_addresses:
            return False
        return await self._database.write(partial(unconfirmed.sweep, self._clock.now()))

    async def reauthenticate(
        self, visitor: Visitor, password: str, code: Code = "", *, with_code: bool = False
    ) -> Person:
        """Check the user's password again, and a second-factor code if the last one is older than `FRESH`.

        Return the person. `with_code` requires a code even if a recent one is still valid. Raises InvalidParams for a
        wrong password (`current: …`) or code (`code: …`).
        """
        person = await self._database.read(partial(people_records.find_by_id, visitor.account_id))
        matches = await self._passwords.verify(person.password_hash if person else None, password)
        if person is None or not matches:
            raise make_password_error()
        attempt = make_attempt(person.id, code, self._clock.now(), self._seal)
        confirm = partial(people_records.confirm, person, visitor.session_id, attempt, with_code=with_code)
        kind = await self._database.write(confirm, account=person.id)
        self.sessions.forget(person.id)
        self.factors.tell_use(person.email, kind)
        return person

    async def change_password(
        self, visitor: Visitor, current: str, new: str, code: Code = "", endings: Endings = NOTHING_ELSE
    ) -> str:
        """Set a new password and end all sessions. Return the cookie of a new session.

        Raises InvalidParams for a wrong current password or code, and for an invalid new password.
        """
        person = await self.reauthenticate(visitor, current, code)
        hashed = await self._passwords.hash(new)
        session = self.sessions.make(person.id)
        replace = partial(people_records.replace_password, person, hashed, session, visitor.session_id, endings)
        event = self._note(person.id, "password.changed", **endings.details)
        if not await self._database.write(record_after(replace, event), account=person.id):
            raise make_password_error()
        self.forget(person.id)
        if self._post is not None:
            self._post.tell_change(visitor.email, "password")
        return session.cookie

    async def change_email(self, visitor: Visitor, password: str, email: str, code: Code = "") -> bool:
        """Change the address. Return False if the new address must first be confirmed by email.

        Raises InvalidParams for a wrong password or code and for an invalid address. If no emails are sent, also raises
        it for a taken address.
        """
        address = normalise_email(email)
        person = await self.reauthenticate(visitor, password, code)
        if self._post is not None:
            self._post.move(visitor.account_id, address)
            return False
        event = self._note(person.id, "address.changed", email=address)
        change = record_after(partial(people_records.change_email, person, address), event)
        is_changed = await self._database.write(change, account=person.id)
        if is_changed is None:
            raise make_password_error()
        if not is_changed:
            raise InvalidParams("email: an account with this address already exists.")
        self.sessions.forget(visitor.account_id)
        return True

    async def set_password(self, email: str, password: str, *, by: Actor = CLI) -> None:
        """Set an account's password on behalf of the operator, and mark its address as verified. Raises NotFound."""
        person = await self._get(email)
        hashed = await self._passwords.hash(password)
        now = self._clock.now()
        vouch = partial(people_records.vouch, person.id, hashed, now)
        event = make_event(by, person.id, "password.set", now)
        await self._database.write(record_after(vouch, event), account=person.id)
        self.sessions.forget(person.id)

    async def set_disabled(self, account_id: str, flag: bool, *, by: Actor = CLI) -> None:
        """Disable or enable the account's keys, sessions and tokens.

        Takes effect everywhere within 5 s. Raises NotFound.
        """
        now = self._clock.now()
        change = partial(people_records.set_disabled, account_id, now if flag else None)
        event = make_event(by, account_id, "account.disabled" if flag else "account.enabled", now)
        await self._change(account_id, change, event)

    async def set_admin(self, account_id: str, flag: bool, *, by: Actor = CLI) -> None:
        """Grant or revoke administrator rights of the account.

        Raises NotFound if there is no such account, InvalidParams if the account is the last administrator.
        """
        action = "account.made_admin" if flag else "account.ended_admin"
        event = make_event(by, account_id, action, self._clock.now())
        await self._change(account_id, partial(people_records.set_admin, account_id, flag), event)

    async def _change(self, account_id: str, change: Callable[[], Operation[bool]], event: Event) -> None:
        if not await self._database.write(record_after(change, event), account=account_id):
            raise NotFound("Account not found.")
        self.forget(account_id)

    def forget(self, account_id: str) -> None:
        """Drop cached keys, sessions and tokens of this account after it was disabled, enabled or deleted."""
        self.sessions.forget(account_id)
        self._accounts.forget_keys(account_id)
        self._forget(account_id)

    def _note(self, account_id: str, action: str, **details: str) -> Event:
        """Return an event for an action by the account's owner."""
        return make_event(act_as_owner(account_id), account_id, action, self._clock.now(), **details)

    async def _find_code(self, code: str, purpose: str) -> MailCode:
        found = await self._database.read(partial(mail_codes.find, digest(code), purpose, self._clock.now()))
        if found is None:
            raise _make_code_error()
        return found

    async def _find(self, email: str) -> Person | None:
        return await self._database.read(partial(people_records.find_by_email, email.strip().lower()))

    async def _get(self, email: str) -> Person:
        person = await self._find(email)
        if person is None:
            raise NotFound(f"No account has the email address {email}.")
        return person

    def _make_refusal(self) -> Unauthorized:
        hint = " If you just signed up, open the confirmation link we sent you first." if self._post else ""
        return Unauthorized(f"Incorrect email address or password.{hint}")


def _make_code_error() -> InvalidParams:
    return InvalidParams("This link has expired or was already used. Request a new one.")


def _add_nothing(_session: NewSession) -> Operation[None]:
    """Do nothing, because the session is only opened when the address is confirmed."""
    yield from ()
