"""Passkeys: adding and removing them, and using them instead of a code or a password."""

import secrets
from collections.abc import Callable
from functools import partial

from webquarry.accounts import ceremonies, factor_records, passkey_records
from webquarry.accounts.ceremonies import BadCeremony, RelyingParty
from webquarry.accounts.passkey_records import Passkey, Purpose, VerifiedPasskey
from webquarry.accounts.post import Post
from webquarry.accounts.seal import PLAIN
from webquarry.accounts.sessions import Sessions, Visitor
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.logs.audit import act_as_owner, add, make_event
from webquarry.storage import Database

MAX_NAME = 60


class Passkeys:
    """The passkeys of one store.

    The parameter `browser` is a digest of the user's cookie. A challenge is valid only in the browser that received
    it.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        sessions: Sessions,
        post: Post | None,
        random_bytes: Callable[[int], bytes],
    ) -> None:
        self._database = database
        self._clock = clock
        self._sessions = sessions
        self._post = post
        self._random_bytes = random_bytes

    async def list(self, account_id: str) -> list[Passkey]:
        """Return the account's passkeys, oldest first."""
        return await self._database.read(partial(passkey_records.list_passkeys, account_id))

    async def begin_adding(self, site: RelyingParty, browser: str, visitor: Visitor) -> str:
        """Return the JSON options for creating a passkey in the user's browser."""
        challenge = await self._begin(browser, "create")
        known = [each.id for each in await self.list(visitor.account_id)]
        return ceremonies.write_creation_options(site, challenge, visitor.account_id, visitor.email, known)

    async def add(self, site: RelyingParty, browser: str, visitor: Visitor, name: str, answer: str) -> None:
        """Store the passkey that the user's browser has created.

        Raises InvalidParams if the name is too long, the response is invalid, the passkey is already known, or the
        account has `MAX_PASSKEYS`.
        """
        name = name.strip() or "Passkey"
        if len(name) > MAX_NAME or not name.isprintable():
            raise InvalidParams(f"name: must have at most {MAX_NAME} printable characters.")
        challenge = await self._claim(browser, "create")
        try:
            made = ceremonies.check_new_credential(site, challenge, answer)
        except BadCeremony as exc:
            raise InvalidParams("This passkey could not be verified. Try again.") from exc
        owner = act_as_owner(visitor.account_id)
        event = make_event(owner, visitor.account_id, "passkey.added", self._clock.now(), name=name)
        keep = partial(passkey_records.add_passkey, visitor.account_id, made, name, event)
        if not await self._database.write(keep, account=visitor.account_id):
            raise InvalidParams(
                f"This passkey was already added, or you have {passkey_records.MAX_PASSKEYS} passkeys. Remove "
                "one first."
            )
        self._tell(visitor.email, "passkey added")

    async def begin_use(self, site: RelyingParty, browser: str) -> str:
        """Return the JSON options for signing with a passkey in a browser."""
        return ceremonies.write_request_options(site, await self._begin(browser, "get"))

    async def verify(self, site: RelyingParty, browser: str, answer: str) -> VerifiedPasskey:
        """Return the passkey that a browser has signed with.

        Raises InvalidParams (`code: …`) if the response is invalid, if the passkey is unknown, or if its counter has
        not increased. An unchanged counter suggests that the passkey was copied and is recorded in the owner's events.
        """
        challenge = await self._claim(browser, "get")
        try:
            assertion = ceremonies.read_assertion(answer)
            kept = await self._database.read(partial(passkey_records.find_key, assertion.credential_id))
            if kept is None or assertion.user_handle != kept.account_id.encode():
                raise InvalidParams("code: this passkey is unknown or was removed. Sign in with your password.")
            count = ceremonies.check_assertion(site, challenge, assertion, kept.public_key)
        except BadCeremony as exc:
            raise InvalidParams("code: this passkey could not be verified. Try again.") from exc
        if max(count, kept.sign_count) > 0 and count <= kept.sign_count:
            owner = act_as_owner(kept.account_id)
            refused = make_event(owner, kept.account_id, "passkey.refused", self._clock.now(), name=kept.name)
            await self._database.write(partial(add, refused), account=kept.account_id)
            raise InvalidParams(
                "code: this passkey may have been copied because its counter has not increased. Remove it."
            )
        return VerifiedPasskey(assertion.credential_id, kept.account_id, count)

    async def sign_in(self, passkey: VerifiedPasskey, *, network: str = "") -> str:
        """Open a session without a password and return its cookie.

        `network` is the client's network, recorded in the owner's events. Raises Unauthorized if the passkey was
        meanwhile removed or used elsewhere.
        """
        now = self._clock.now()
        session = self._sessions.make(passkey.account_id, with_password=False)
        attempt = factor_records.make_attempt(passkey.account_id, passkey, now, PLAIN)
        owner = act_as_owner(passkey.account_id)
        event = make_event(owner, passkey.account_id, "signed_in", now, network=network, by="passkey")
        sign_in = partial(factor_records.sign_in_by_passkey, attempt, session, event)
        try:
            await self._database.write(sign_in, account=passkey.account_id)
        except InvalidParams as error:
            raise Unauthorized(error.message) from error
        return session.cookie

    async def remove(self, visitor: Visitor, id: str) -> None:
        """Remove one of the user's passkeys. Raises NotFound for any other id."""
        found = next((each for each in await self.list(visitor.account_id) if each.id == id), None)
        if found is None:
            raise NotFound("Passkey not found.")
        owner = act_as_owner(visitor.account_id)
        event = make_event(owner, visitor.account_id, "passkey.removed", self._clock.now(), name=found.name)
        remove = partial(passkey_records.remove, id, visitor.account_id, event)
        if await self._database.write(remove, account=visitor.account_id):
            self._tell(visitor.email, "passkey removed")

    async def sweep(self) -> bool:
        """Delete a batch of expired challenges. Return whether more may be left."""
        return await self._database.write(partial(passkey_records.sweep, self._clock.now()))

    async def _begin(self, browser: str, purpose: Purpose) -> bytes:
        challenge = self._random_bytes(ceremonies.CHALLENGE_BYTES)
        await self._database.write(partial(passkey_records.begin, browser, purpose, challenge, self._clock.now()))
        return challenge

    async def _claim(self, browser: str, purpose: Purpose) -> bytes:
        claim = partial(passkey_records.claim, browser, purpose, secrets.token_hex(12), self._clock.now())
        challenge = await self._database.write(claim)
        if challenge is None:
            raise InvalidParams("code: this attempt has expired or was already used. Try again.")
        return challenge

    def _tell(self, email: str, what: str) -> None:
        if self._post is not None:
            self._post.tell_change(email, what)
