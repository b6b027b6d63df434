"""Passwords: which ones are taken, and how they are kept and checked (argon2id, in threads of their own)."""

import asyncio
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webquarry.core.errors import InvalidParams, Overloaded

T = TypeVar("T")
MIN_PASSWORD = 10
MAX_PASSWORD = 200
"""Characters of a password."""
THREADS = 2
MAX_WAITING = 32
"""Passwords that may wait for a thread; above it `Overloaded`: a flood takes no memory and no time of calls."""
OWASP = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's least for argon2id: 19 MiB twice over, about 30 ms of a processor."""


class Passwords:
    """Makes and checks hashes off the event loop. hasher: another one for tests."""

    def __init__(self, hasher: PasswordHasher = OWASP) -> None:
        self._hasher = hasher
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="argon2")
        self._places = threading.BoundedSemaphore(THREADS + MAX_WAITING)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """The argon2id hash of a password. InvalidParams where it is too short or too long."""
        return await self._run(lambda: self._hasher.hash(_normalise(_accept(password))))

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether this is the password of the hash `kept`. None costs the same work and is False."""
        matches = await self._run(lambda: self._verify(kept or self._hash_of_nobody(), password))
        return matches and kept is not None

    def needs_rehash(self, kept: str) -> bool:
        """Whether the hash was made with other costs than are in force."""
        return self._hasher.check_needs_rehash(kept)

    async def rehash(self, kept: str | None, password: str) -> str | None:
        """The hash at the costs in force of a password that matches `kept`, whatever new ones have to be like; None
        where `kept` has them."""
        if kept is None or not self.needs_rehash(kept):
            return None
        return await self._run(lambda: self._hasher.hash(_normalise(password)))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, kept: str, password: str) -> bool:
        self._hash_of_nobody()  # made with the first check of all, whoever it is for
        try:
            # what is longer than any password is cut, so that it costs what others cost
            return self._hasher.verify(kept, _normalise(password[: MAX_PASSWORD + 1]))
        except (VerificationError, InvalidHashError):
            return False

    def _hash_of_nobody(self) -> str:
        if self._nobodys is None:
            self._nobodys = self._hasher.hash("nobody's password")
        return self._nobodys

    async def _run(self, work: Callable[[], T]) -> T:
        if not self._places.acquire(blocking=False):
            raise Overloaded("Too many people are signing in right now. Try again in a few seconds.")
        running = self._threads.submit(work)
        # not when who waits has left: the thread works on
        running.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(running)


def _accept(password: str) -> str:
    if len(password) < MIN_PASSWORD:
        raise InvalidParams(f"password: must be at least {MIN_PASSWORD} characters.")
    if len(password) > MAX_PASSWORD:
        raise InvalidParams(f"password: must be at most {MAX_PASSWORD} characters.")
    if len(set(password)) < 4:
        raise InvalidParams("password: must contain at least four different characters.")
    return password


def _normalise(password: str) -> str:
    """One form for what keyboards write in several (RFC 8265)."""
    return unicodedata.normalize("NFC", password)
