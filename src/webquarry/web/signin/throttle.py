"""How often may be tried: by where it comes from and by whom it is about, over all replicas that share a Redis."""

import hashlib
import math
from collections.abc import Callable

from webquarry.core.errors import RateLimited, ServiceError
from webquarry.limits import Limiter

QUARTER_S = 900.0
HOUR_S = 3600.0
DAY_S = 86_400.0
MakeLimiter = Callable[[int, float], Limiter]
"""A limiter of so many calls in any window of so many seconds."""
Watch = Callable[[str, str], None]
"""Takes note of the network and the address of mail of who tries to sign in."""


def _watch_nothing(_network: str, _email: str) -> None:
    """Nobody wants to know."""


class Throttle:
    """Refuses, with RateLimited, what is tried too often.

    An address may be tried from one network 10 times in a quarter of an hour, and from all of them 100 times: many
    networks together guess no password, and nobody alone locks another one out. watch: is told of each try.
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
        self._letters = _Rule(make_limiter, "letters", 10, HOUR_S)
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
        """Count a code of a second factor. Of a million codes three count at any moment: who knows the password, and
        guesses from any number of networks, finds one in 100 tries a day with a chance of 0.03 %."""
        await self._factor_codes_of_one.take(f"{network} {account_id}")
        await self._factor_codes_of_all.take(account_id)

    async def use_passkey(self, network: str) -> None:
        """Count a challenge or a signature: each costs a write."""
        await self._passkeys.take(network)

    async def register(self, network: str) -> None:
        await self._registrations.take(network)

    async def send_letter(self, network: str, email: str) -> None:
        await self._letters.take(network)
        await self.send_letter_to(email)

    async def send_letter_to(self, email: str) -> None:
        """For who is known otherwise than by where it comes from."""
        await self._letters_to_one.take(_normalise(email))

    async def use_code(self, network: str) -> None:
        await self._codes.take(network)

    async def change(self, account_id: str) -> None:
        """What asks for the password of who is signed in."""
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
        # hashed: texts of strangers, of any length, are kept in memory for a while
        key = hashlib.sha256(whose.encode()).hexdigest()[:32]
        allowance = await self._limiter.take(f"{self._name}:{key}")
        if not allowance.allowed:
            raise TooManyTries(math.ceil(allowance.retry_after_s))


class TooManyTries(RateLimited):
    """Tried too often, with no key that could be counted."""

    def __init__(self, retry_after_s: int) -> None:
        ServiceError.__init__(self, f"Too many attempts. Try again in {tell_wait(retry_after_s)}.")
        self.retry_after_s = retry_after_s


def tell_wait(seconds: int) -> str:
    count, unit = (seconds, "second") if seconds < 60 else (math.ceil(seconds / 60), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _normalise(email: str) -> str:
    return email.strip().lower()
