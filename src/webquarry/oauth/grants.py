"""Grants: codes issued to apps, exchanged for tokens, renewed and revoked."""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from webquarry.accounts.credentials import digest
from webquarry.core.clock import Clock
from webquarry.core.errors import NotFound
from webquarry.logs.audit import CLI, Actor, act_as_owner, make_event, record_after
from webquarry.oauth import records
from webquarry.oauth.clients import Client
from webquarry.oauth.errors import OAuthError
from webquarry.oauth.records import Code, Grant, NewToken
from webquarry.oauth.requests import SCOPE, AuthorizationRequest
from webquarry.oauth.tokens import ACCESS, CODE, REFRESH, Tokens, is_token, new_token
from webquarry.storage import Database

CODE_LASTS = timedelta(minutes=2)
ACCESS_LASTS = timedelta(hours=1)
REFRESH_LASTS = timedelta(days=60)
"""Lifetime of an unused refresh token."""
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


@dataclass(frozen=True, slots=True)
class Issued:
    """Tokens issued to an app.

    `expires_in_s` is the access token's lifetime. `refresh_token` is None for apps that cannot renew.
    """

    access_token: str
    refresh_token: str | None
    expires_in_s: int
    scope: str


class Grants:
    """The grants of one store."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        tokens: Tokens,
        *,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._tokens = tokens
        self._random_bytes = random_bytes

    async def approve(self, account_id: str, request: AuthorizationRequest) -> str:
        """Return the code for a request that the account approved. It can be exchanged once, within two minutes."""
        code = new_token(CODE, self._random_bytes)
        now = self._clock.now()
        kept = Code(
            account_id,
            request.client.id,
            request.redirect_uri,
            request.challenge,
            request.resource,
            SCOPE,
            now + CODE_LASTS,
            None,
        )
        told = {"name": request.client.name, "address": request.client.address}
        event = make_event(act_as_owner(account_id), account_id, "app.connected", now, **told)
        add_code = record_after(partial(records.add_code, digest(code), kept, now), event)
        await self._database.write(add_code, account=account_id)
        return code

    async def exchange(self, client: Client, code: str, verifier: str, redirect_uri: str | None) -> Issued:
        """Exchange a code for tokens.

        `redirect_uri` is None if the app sends none, as in OAuth 2.1. Raises OAuthError if the code belongs to another
        client, has expired, or was exchanged before. In the last case, the code's grant is revoked.
        """
        kept = await self._find_code(client, code)
        if redirect_uri is not None and redirect_uri != kept.redirect_uri:
            raise _make_grant_error("redirect_uri: must be the one the code was issued for.")
        if not _VERIFIER.fullmatch(verifier) or not hmac.compare_digest(challenge_of(verifier), kept.challenge):
            raise _make_grant_error("code_verifier: does not match the code_challenge.")
        now = self._clock.now()
        grant = Grant(
            f"gr_{self._random_bytes(12).hex()}",
            kept.account_id,
            client.id,
            client.name,
            client.address,
            kept.resource,
            kept.scope,
            now,
            now,
        )
        issued, tokens = self._make_tokens(kept.scope, refreshes=client.refreshes)
        make = partial(records.exchange_code, digest(code), grant, tokens)
        if not await self._database.write(make, account=kept.account_id):
            raise _make_grant_error("This code was already used. The access it granted has been revoked.")
        return issued

    async def _find_code(self, client: Client, code: str) -> records.Code:
        """Return a code of this client that can be exchanged. Raises OAuthError as `exchange` does."""
        kept = await self._database.read(partial(records.find_code, digest(code))) if is_token(code) else None
        if kept is None or kept.client_id != client.id:
            raise _make_grant_error("Unknown authorization code.")
        if kept.grant_id is not None:
            await self._end(kept.grant_id)
            raise _make_grant_error("This code was already used. The access it granted has been revoked.")
        if kept.expires_at <= self._clock.now():
            raise _make_grant_error("This authorization code has expired.")
        return kept

    async def refresh(self, client: Client, refresh_token: str, resource: str | None) -> Issued:
        """Exchange a refresh token for new tokens. The old refresh token becomes invalid.

        `resource` is the requested resource, or None for the grant's resource. Raises OAuthError if the token belongs
        to another client, is expired, or was used before. In the last case the grant is revoked, because somebody else
        also has the token.
        """
        known = None
        if is_token(refresh_token):
            known = await self._database.read(partial(records.find_token, digest(refresh_token)))
        if known is None or known.kind != "refresh" or known.grant.client_id != client.id:
            raise _make_grant_error("This refresh token is invalid, or its access was revoked.")
        if known.replaced_by is not None:
            await self._end(known.grant.id)
            raise _make_grant_error("This refresh token was already used. The access it granted has been revoked.")
        if known.expires_at <= self._clock.now():
            raise _make_grant_error("This refresh token has expired.")
        if resource is not None and resource != known.grant.resource:
            raise OAuthError("invalid_target", "resource: must be the one the user approved.")
        issued, tokens = self._make_tokens(known.grant.scope, refreshes=True)
        replace = partial(records.replace_token, known.grant.id, digest(refresh_token), tokens, self._clock.now())
        if not await self._database.write(replace, account=known.grant.account_id):
            self._tokens.forget(known.grant.id)
            raise _make_grant_error("This refresh token was already used. The access it granted has been revoked.")
        return issued

    async def revoke_token(self, client: Client | None, token: str) -> None:
        """Revoke the whole grant of an access or refresh token. Ignores unknown tokens and other clients' tokens.

        `client` is None if the client does not identify itself.
        """
        known = await self._database.read(partial(records.find_token, digest(token))) if is_token(token) else None
        if known is not None and (client is None or known.grant.client_id == client.id):
            await self._end(known.grant.id)

    async def list_grants(self, account_id: str) -> list[Grant]:
        """Return the apps connected to the account, most recently used first."""
        return await self._database.read(partial(records.list_grants, account_id, self._clock.now()))

    async def revoke_grant(self, account_id: str, grant_id: str, *, by: Actor = CLI) -> None:
        """Disconnect an app: immediately in this process, within 5 s in others.

        Raises NotFound if there is no such grant.
        """
        now = self._clock.now()
        end = partial(records.end_own, account_id, grant_id, now)
        event = make_event(by, account_id, "app.disconnected", now, app=grant_id)
        if not await self._database.write(record_after(end, event), account=account_id):
            raise NotFound("This app is not connected to your account.")
        self._tokens.forget(grant_id)

    async def sweep(self) -> bool:
        """Delete a batch of expired codes, tokens and grants. Return whether more may be left."""
        return await self._database.write(partial(records.sweep, self._clock.now()))

    async def _end(self, grant_id: str) -> None:
        await self._database.write(partial(records.end, grant_id, self._clock.now()))
        self._tokens.forget(grant_id)

    def _make_tokens(self, scope: str, *, refreshes: bool) -> tuple[Issued, list[NewToken]]:
        """Return the tokens for the app, and the tokens to store, the refresh token last."""
        now = self._clock.now()
        access = new_token(ACCESS, self._random_bytes)
        kept = [NewToken(digest(access), "access", now + ACCESS_LASTS)]
        refresh = new_token(REFRESH, self._random_bytes) if refreshes else None
        if refresh is not None:
            kept.append(NewToken(digest(refresh), "refresh", now + REFRESH_LASTS))
        return Issued(access, refresh, int(ACCESS_LASTS.total_seconds()), scope), kept


def challenge_of(verifier: str) -> str:
    """Return the S256 challenge of a verifier (RFC 7636)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _make_grant_error(description: str) -> OAuthError:
    return OAuthError("invalid_grant", description)
