"""Second factors: setting up authenticator apps and recovery codes, verifying codes at sign-in, and turning second
factors off.
"""

from collections.abc import Callable
from functools import partial

from webquarry.accounts import factor_records, records, totp
from webquarry.accounts.factor_records import Code, Factor
from webquarry.accounts.post import Post
from webquarry.accounts.seal import Seal
from webquarry.accounts.sessions import PendingSignIn, Sessions, Visitor
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.logs.audit import Actor, act_as_owner, add, make_event, record_after
from webquarry.storage import Database


class SecondFactors:
    """The second factors of one store. After a change, cached `sessions` of the account are dropped."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        sessions: Sessions,
        post: Post | None,
        random_bytes: Callable[[int], bytes],
        seal: Seal,
    ) -> None:
        self._database = database
        self._clock = clock
        self._sessions = sessions
        self._post = post
        self._random_bytes = random_bytes
        self._seal = seal

    async def find(self, account_id: str) -> Factor | None:
        """Return the account's second factor, even if it is still being set up, or None."""
        return await self._database.read(partial(factor_records.find, account_id))

    def open_secret(self, factor: Factor) -> str:
        """Return the secret for an authenticator app. Raises Overloaded if the encryption key is missing."""
        return self._seal.open(factor.secret)

    async def begin(self, account_id: str) -> None:
        """Create a secret for an authenticator app, replacing an earlier unconfirmed secret."""
        secret = self._seal.close(totp.make_secret(self._random_bytes))
        await self._database.write(
            partial(factor_records.begin, account_id, secret, self._clock.now()), account=account_id
        )

    async def enable(self, visitor: Visitor, code: str) -> list[str]:
        """Turn on the second factor with a code from the app. Return ten recovery codes, stored only as digests.

        Other sessions of the account must verify a code before they continue. Raises InvalidParams for a wrong code.
        """
        codes, now = totp.make_recovery_codes(self._random_bytes), self._clock.now()
        attempt = factor_records.make_attempt(visitor.account_id, code, now, self._seal)
        event = make_event(act_as_owner(visitor.account_id), visitor.account_id, "second_factor.enabled", now)
        enable = partial(factor_records.enable, attempt, visitor.session_id, codes, event)
        await self._database.write(enable, account=visitor.account_id)
        self._sessions.forget(visitor.account_id)
        self._tell(visitor.email, "two-factor on")
        return codes

    async def disable(self, visitor: Visitor) -> None:
        """Turn off the second factor.

        Callers must verify the password and a code first. Raises InvalidParams if the second factor is already off.
        """
        now = self._clock.now()
        event = make_event(act_as_owner(visitor.account_id), visitor.account_id, "second_factor.disabled", now)
        drop = partial(factor_records.drop, visitor.account_id, event)
        if not await self._database.write(drop, account=visitor.account_id):
            raise InvalidParams("Two-factor authentication is already off.")
        self._sessions.forget(visitor.account_id)
        self._tell(visitor.email, "two-factor off")

    async def renew_codes(self, visitor: Visitor) -> list[str]:
        """Return ten new recovery codes, which are stored only as digests. Earlier codes stop working."""
        codes, now = totp.make_recovery_codes(self._random_bytes), self._clock.now()
        event = make_event(act_as_owner(visitor.account_id), visitor.account_id, "recovery_codes.renewed", now)
        renew = record_after(partial(factor_records.replace_codes, visitor.account_id, codes), event)
        await self._database.write(renew, account=visitor.account_id)
        self._tell(visitor.email, "recovery codes")
        return codes

    async def own_codes(self, account_id: str, codes: list[str]) -> bool:
        """Return whether all these codes are recovery codes of the account, used or not."""
        return await self._database.read(partial(factor_records.own_codes, account_id, codes))

    async def finish_sign_in(self, pending: PendingSignIn, code: Code, *, network: str = "") -> str:
        """Return the cookie of a session for a sign-in whose password has been verified.

        `code` is a code from the app, a recovery code, or a passkey. `network` is the client's network, recorded in the
        owner's events. Raises Unauthorized for a wrong code, or if the sign-in took too long.
        """
        account_id, now = pending.account_id, self._clock.now()
        session = self._sessions.make(account_id, password_at=pending.password_at, factor_at=now)
        attempt = factor_records.make_attempt(account_id, code, now, self._seal)
        owner = act_as_owner(account_id)
        event = make_event(owner, account_id, "signed_in", now, network=network)
        finish = partial(factor_records.finish_sign_in, pending, attempt, session, event)
        try:
            kind = await self._database.write(finish, account=account_id)
        except InvalidParams as error:
            refused = make_event(owner, account_id, "second_factor.refused", now, network=network)
            await self._database.write(partial(add, refused), account=account_id)
            raise Unauthorized(error.message) from error
        self.tell_use(pending.email, kind)
        return session.cookie

    async def reset(self, account_id: str, *, by: Actor) -> None:
        """Turn off an account's second factor, remove its passkeys and end its sessions, on behalf of the operator.

        This helps owners who have lost both their phone and their recovery codes. Raises NotFound if the account has no
        second factor and no passkeys.
        """
        event = make_event(by, account_id, "second_factor.reset", self._clock.now())
        reset = partial(factor_records.reset, account_id, event)
        if not await self._database.write(reset, account=account_id):
            raise NotFound("This account has neither two-factor authentication nor passkeys.")
        self._sessions.forget(account_id)
        account = await self._database.read(partial(records.by_id, account_id))
        if account is not None:
            self._tell(account.email, "two-factor off")

    def tell_use(self, email: str, kind: factor_records.Kind | None) -> None:
        """Email the owner if a recovery code was used."""
        if kind == "recovery":
            self._tell(email, "recovery code")

    def _tell(self, email: str, what: str) -> None:
        if self._post is not None:
            self._post.tell_change(email, what)
