"""Limits on attempts, by network and by account, shared by all replicas that use one Redis."""

import hashlib
import math
from collections.abc import Callable

from webquarry.core.errors import RateLimited, ServiceError
from webquarry.limits import Limiter

QUARTER_S = 900.0
HOUR_S = 3600.0
DAY_S = 86_400.0
MakeLimiter = Callable[[int, float], Limiter]
"""Function that creates a limiter for a number of requests per window in seconds."""
Watch = Callable[[str, str], None]
"""Function that records the network and email of a sign-in attempt."""


def _watch_nothing(_network: str, _email: str) -> None:
    """Do nothing."""


class Throttle:
    """Raises RateLimited after too many attempts.

    A network may try an email address 10 times in 15 minutes, and all networks together 100 times. Many networks
    together therefore cannot guess a password, and no single network can lock somebody out. `watch` is notified of each
    attempt.
    """

    def __init__(self, make_limiter: MakeLimiter, watch: Watch = _watch_nothing) -> None:
        self._watch = watch
        self._sign_ins = _Rule(make_limiter, "login", 30, QUARTER_S)
        self._sign_ins_of_one = _Rule(make_limiter, "login-one", 10, QUARTER_S)
        self._sign_ins_of_all = _Rule(make_limiter, "login-all", 100, QUARTER_S)
        self._factor_codes_of_one = _Rule(make_limiter, "factor-one", 10, QUARTER_S)
        self._factor_codes_of_all = _Rule(make_limiter, "factor-all", 100, DAY_S)
        self._passkeys = _Rule(make_limiter, "passkeys", 100, QUARTER_S)
        self._registrations = _Rule(make_limiter, "signup", 10, HOUR_S)
        self._emails = _Rule(make_limiter, "letters", 10, HOUR_S)
        self._letters_to_one = _Rule(make_limiter, "letters-to", 3, HOUR_S)
        self._codes = _Rule(make_limiter, "codes", 20, QUARTER_S)
        self._changes = _Rule(make_limiter, "changes", 10, QUARTER_S)
        self._clients = _Rule(make_limiter, "clients", 20, HOUR_S)
        self._documents = _Rule(make_limiter, "documents", 60, HOUR_S)
        self._tokens = _Rule(make_limiter, "tokens", 300, QUARTER_S)

    async def sign_in(self, network: str, email: str) -> None:
        self._watch(network, _normalise(email))
        await self._sign_ins.take(network)
        await self._sign_ins_of_one.take(f"{network} {_normalise(email)}")
        await self._sign_ins_of_all.take(_normalise(email))

    async def enter_code(self, network: str, account_id: str) -> None:
        """Count a second-factor code.

        Three of a million codes are valid at any moment. An attacker who knows the password and uses any number of
        networks guesses one in 100 attempts per day with a probability of 0.03 %.
        """
        await self._factor_codes_of_one.take(f"{network} {account_id}")
        await self._factor_codes_of_all.take(account_id)

    async def use_passkey(self, network: str) -> None:
        """Count a challenge or a signature. Each causes a database write."""
        await self._passkeys.take(network)

    async def register(self, network: str) -> None:
        await self._registrations.take(network)

    async def send_email(self, network: str, email: str) -> None:
        await self._emails.take(network)
        await self.send_email_to(email)

    async def send_email_to(self, email: str) -> None:
        """Count an email to an address, for senders that are not identified by network."""
        await self._letters_to_one.take(_normalise(email))

    async def use_code(self, network: str) -> None:
        await self._codes.take(network)

    async def change(self, account_id: str) -> None:
        """Count an action for which a signed-in user must enter the password."""
        await self._changes.take(account_id)

    async def register_client(self, network: str) -> None:
        await self._clients.take(network)

    async def fetch_document(self, network: str) -> None:
        await self._documents.take(network)

    async def ask_tokens(self, network: str) -> None:
        await self._tokens.take(network)


class _Rule:
    def __init__(self, make_limiter: MakeLimiter, name: str, times: int, window_s: float) -> None:
        self._limiter = make_limiter(times, window_s)
        self._name = name
        self._window_s = window_s

    async def take(self, whose: str) -> None:
        # hashed, because untrusted strings of any length would otherwise be kept in memory
        key = hashlib.sha256(whose.encode()).hexdigest()[:32]
        allowance = await self._limiter.take(f"{self._name}:{key}")
        if not allowance.allowed:
            raise TooManyTries(math.ceil(allowance.retry_after_s))


class TooManyTries(RateLimited):
    """Raised after too many attempts by a user without a key."""

    def __init__(self, retry_after_s: int) -> None:
        ServiceError.__init__(self, f"Too many attempts. Try again in {tell_wait(retry_after_s)}.")
        self.retry_after_s = retry_after_s


def tell_wait(seconds: int) -> str:
    count, unit = (seconds, "second") if seconds < 60 else (math.ceil(seconds / 60), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _normalise(email: str) -> str:
    return email.strip().lower()
