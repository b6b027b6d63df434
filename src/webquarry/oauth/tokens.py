"""Tokens: their format, and the lookup of their holders."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from webquarry.accounts.credentials import digest, new_key
from webquarry.accounts.memory import ShortMemory
from webquarry.core.caller import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import Unauthorized
from webquarry.oauth import records
from webquarry.storage import Database

ACCESS = "wqat_"
REFRESH = "wqrt_"
CODE = "wqac_"
"""Prefixes of issued codes and tokens. API keys never begin with them."""
_TOKEN = re.compile(rf"(?:{ACCESS}|{REFRESH}|{CODE})[0-9A-Za-z]{{32}}")


@dataclass(frozen=True, slots=True)
class Use:
    """Access granted by an access token."""

    caller: Caller
    grant_id: str
    resource: str
    expires_at: datetime


class Tokens:
    """The access tokens of one store, with a short-lived cache."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._uses: ShortMemory[Use] = ShortMemory(clock)

    async def identify_token(self, token: str, resource: str) -> Caller:
        """Return the caller with this access token. Does not suspend if the token was looked up recently.

        `resource` identifies the requested resource, for which the token must have been issued. Raises Unauthorized if
        the token is unknown, expired, revoked (by another process: at least 5 s ago), or for another resource, or if
        the account is disabled.
        """
        if not is_access_token(token):
            raise _make_stranger_error()
        use = await self._uses.find(digest(token), self._look_up)
        if use is None or use.expires_at <= self._clock.now() or use.resource != resource:
            raise _make_stranger_error()
        return use.caller

    def forget(self, grant_id: str) -> None:
        """Drop cached tokens of this grant after it was revoked."""
        self._uses.forget_all(lambda use: use.grant_id == grant_id)

    def forget_account(self, account_id: str) -> None:
        """Drop cached tokens of this account after it was disabled, enabled or deleted."""
        self._uses.forget_all(lambda use: use.caller.account_id == account_id)

    async def _look_up(self, digest: str) -> Use | None:
        known = await self._database.read(partial(records.find_token, digest))
        if known is None or known.kind != "access" or known.expires_at <= self._clock.now():
            return None
        grant = known.grant
        return Use(Caller(grant.account_id, f"grant:{grant.id}"), grant.id, grant.resource, known.expires_at)


def is_access_token(text: str) -> bool:
    """Return whether the text has the form of an access token, which no API key has."""
    return text.startswith(ACCESS) and is_token(text)


def is_token(text: str) -> bool:
    """Return whether the text has the form of an issued code or token."""
    return _TOKEN.fullmatch(text) is not None


def new_token(start: str, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """Return a new code or token with 190 random bits. `start` is ACCESS, REFRESH or CODE."""
    return new_key(random_bytes, start)


def _make_stranger_error() -> Unauthorized:
    return Unauthorized("This access token is invalid, revoked, expired or issued for another service.")
