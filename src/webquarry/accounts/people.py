"""People: signing up, in and out, and what they change about their accounts."""

import secrets
from collections.abc import Callable
from functools import partial

from webquarry.accounts import mail_codes, people_records, sessions
from webquarry.accounts.accounts import Accounts, normalise_email
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
from webquarry.accounts.sessions import NewSession, Sessions, Visitor
from webquarry.audit import CLI, Actor, Event, act_as_owner, is_kept, make_event, record_after
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, RequestError, Unauthorized
from webquarry.storage import Database, Operation

NOTHING_ELSE = Endings()


def _do_nothing(_account_id: str) -> None:
    """Nobody else remembers anything of accounts."""


class RegistrationClosed(RequestError):
    """The operator makes the accounts."""

    status, code = 400, "invalid_params"

    def __init__(self) -> None:
        super().__init__("Sign-up is closed. Ask your administrator for an account.")


class People:
    """Whoever has an account and a password.

    first_credits: of a new account. is_open: whether people may register. post: sends letters; None where no mail is
    configured, and an address is then nothing but a name. forget: told of each account whose flags have changed. seal:
    of secrets of authenticator apps.
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
        self.factors = SecondFactors(database, clock, self.sessions, post, random_bytes, seal)
        self.passkeys = Passkeys(database, clock, self.sessions, post, random_bytes)

    @property
    def confirms_addresses(self) -> bool:
        """Whether an address has to be confirmed by mail before its account can be used."""
        return self._post is not None

    async def register(self, email: str, password: str) -> str | None:
        """Make an account and sign in: the cookie.

        None where addresses are confirmed first: whether or not there was an account, a letter is on its way.
        InvalidParams for what is no address or no good password, and, where no mail is sent, for an address that is
        taken. RegistrationClosed.
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
        """The cookie of a new session. Unauthorized, in the same words and after the same work, for a wrong password
        and for an address that has no account, one without a password, or a disabled one.

        Where the account has a second factor, the session counts once `factors.finish_sign_in` has taken a code.

        network: from where, as the owner's list of events shows it.
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
        """Who has this cookie, None for nobody; a session that ended elsewhere is believed for 5 s at most."""
        return await self.sessions.identify(cookie)

    async def sign_out(self, cookie: str) -> None:
        await self.sessions.end(cookie)

    async def sign_out_everywhere(self, account_id: str) -> None:
        """End all sessions of the account: here at once, in other processes within 5 s."""
        event = self._note(account_id, "sessions.ended")
        await self._database.write(record_after(partial(sessions.end_all, account_id), event), account=account_id)
        self.sessions.forget(account_id)

    def ask_reset(self, email: str) -> None:
        """Send a way to set a new password, if the address has an account. NotFound where no mail is sent."""
        if self._post is None:
            raise NotFound("This service doesn't send email. Ask your administrator for a new password.")
        self._post.reset(email)

    async def confirm_address(self, code: str, password: str) -> str:
        """Take a code that was sent to an address, which is then the account's; the cookie of a new session.

        The password is asked for, since who reads the mail need not be who signed up. InvalidParams for a wrong one,
        for a code that is unknown, used or late, and for an address that another account has taken meanwhile.
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

    async def find_reset(self, code: str) -> str | None:
        """Return the account whose password a code from a letter resets; None for a code that does not count."""
        found = await self._database.read(partial(mail_codes.find, digest(code), mail_codes.RESET, self._clock.now()))
        return found.account_id if found is not None and found.email == found.current_email else None

    async def reset_password(
        self, code: str, password: str, factor_code: Code = "", endings: Endings = NOTHING_ELSE
    ) -> str:
        """Take a code that was sent to set a new password, and end all sessions; the cookie of a new one. InvalidParams
        for no good password, and for a code that is unknown, used or late.

        factor_code: of the second factor, where the account has one; a wrong one is InvalidParams (`code: …`).
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
        """Drop a batch of sessions, codes and challenges that have expired; whether more may be left."""
        codes = await self._database.write(partial(mail_codes.sweep, self._clock.now()))
        challenges = await self.passkeys.sweep()
        return await self.sessions.sweep() or codes or challenges

    async def reauthenticate(
        self, visitor: Visitor, password: str, code: Code = "", *, with_code: bool = False
    ) -> Person:
        """Take the visitor's password again, and a code of the second factor where the last one is older than `FRESH`;
        return who it is. InvalidParams for a wrong password (`current: …`) or code (`code: …`).

        with_code: whether a code is asked for although one was given just now.
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
        """Set a new password and end all sessions; the cookie of the one that is left. InvalidParams for a wrong
        current password or code, and for no good new password."""
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
        """Change the address. False where mail is sent: the new one counts once it is confirmed. InvalidParams for a
        wrong password or code, for no address, and, where no mail is sent, for one that is taken."""
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
        """Set the password of an account, as its operator may, who vouches for the address too. NotFound without such
        an account."""
        person = await self._find(email)
        if person is None:
            raise NotFound(f"No account has the email address {email}.")
        hashed = await self._passwords.hash(password)
        now = self._clock.now()
        vouch = partial(people_records.vouch, person.id, hashed, now)
        event = make_event(by, person.id, "password.set", now)
        await self._database.write(record_after(vouch, event), account=person.id)
        self.sessions.forget(person.id)

    async def set_disabled(self, account_id: str, flag: bool, *, by: Actor = CLI) -> None:
        """Refuse the account's keys, sessions and tokens, or no longer, everywhere within 5 s. NotFound."""
        now = self._clock.now()
        change = partial(people_records.set_disabled, account_id, now if flag else None)
        event = make_event(by, account_id, "account.disabled" if flag else "account.enabled", now)
        await self._change(account_id, change, event)

    async def set_admin(self, account_id: str, flag: bool, *, by: Actor = CLI) -> None:
        """Let the account administer the service, or no longer. NotFound without such an account."""
        action = "account.made_admin" if flag else "account.ended_admin"
        event = make_event(by, account_id, action, self._clock.now())
        await self._change(account_id, partial(people_records.set_admin, account_id, flag), event)

    async def _change(self, account_id: str, change: Callable[[], Operation[bool]], event: Event) -> None:
        if not await self._database.write(record_after(change, event), account=account_id):
            raise NotFound("Account not found.")
        self.forget(account_id)

    def forget(self, account_id: str) -> None:
        """Ask the store anew for whatever calls for this account: it was just disabled, enabled or deleted."""
        self.sessions.forget(account_id)
        self._accounts.forget_keys(account_id)
        self._forget(account_id)

    def _note(self, account_id: str, action: str, **details: str) -> Event:
        """Return an event of what the account's owner does."""
        return make_event(act_as_owner(account_id), account_id, action, self._clock.now(), **details)

    async def _find_code(self, code: str, purpose: str) -> MailCode:
        found = await self._database.read(partial(mail_codes.find, digest(code), purpose, self._clock.now()))
        if found is None:
            raise _make_code_error()
        return found

    async def _find(self, email: str) -> Person | None:
        return await self._database.read(partial(people_records.find_by_email, email.strip().lower()))

    def _make_refusal(self) -> Unauthorized:
        hint = " If you just signed up, open the confirmation link we sent you first." if self._post else ""
        return Unauthorized(f"Incorrect email address or password.{hint}")


def _make_code_error() -> InvalidParams:
    return InvalidParams("This link has expired or was already used. Request a new one.")


def _add_nothing(_session: NewSession) -> Operation[None]:
    """A session is opened once the address is confirmed."""
    yield from ()
