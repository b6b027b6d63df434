"""Passwords: rules for new ones, hashing and verification (argon2id, in separate threads)."""

import asyncio
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webquarry.core.errors import InvalidParams, Overloaded

T = TypeVar("T")
MIN_PASSWORD = 10
MAX_PASSWORD = 200
"""Maximum length of a password, in characters."""
COMMON_PASSWORDS = Path(__file__).with_name("common_passwords.txt")
THREADS = 2
MAX_WAITING = 32
"""Maximum number of passwords waiting for a thread. Beyond it, `Overloaded` is raised, so that a flood does not delay
other requests.
"""
OWASP = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's minimum for argon2id: 19 MiB and two passes, about 30 ms of CPU time."""


class Passwords:
    """Hashes and verifies passwords off the event loop. Tests pass another `hasher`."""

    def __init__(self, hasher: PasswordHasher = OWASP) -> None:
        self._hasher = hasher
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="argon2")
        self._places = threading.BoundedSemaphore(THREADS + MAX_WAITING)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """Return the argon2id hash of a password. Raises InvalidParams if it is too short, too long or common."""
        return await self._run(lambda: self._hasher.hash(_normalise(_accept(password))))

    async def verify(self, kept: str | None, password: str) -> bool:
        """Return whether the password matches the hash `kept`. If `kept` is None, return False after the same time."""
        matches = await self._run(lambda: self._verify(kept or self._hash_of_nobody(), password))
        return matches and kept is not None

    def needs_rehash(self, kept: str) -> bool:
        """Return whether the hash has different cost parameters than new hashes."""
        return self._hasher.check_needs_rehash(kept)

    async def rehash(self, kept: str | None, password: str) -> str | None:
        """Return a new hash for a password that matches `kept`, or None if the parameters of `kept` are current.

        The rules for new passwords do not apply.
        """
        if kept is None or not self.needs_rehash(kept):
            return None
        return await self._run(lambda: self._hasher.hash(_normalise(password)))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, kept: str, password: str) -> bool:
        self._hash_of_nobody()  # computed at the first check, whether or not the account exists
        try:
            # longer input is cut, so that checking it costs no more than a valid password
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
        # release the slot only when the thread ends, because the thread keeps running if the caller is canceled
        running.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(running)


def _accept(password: str) -> str:
    if len(password) < MIN_PASSWORD:
        raise InvalidParams(f"password: must be at least {MIN_PASSWORD} characters.")
    if len(password) > MAX_PASSWORD:
        raise InvalidParams(f"password: must be at most {MAX_PASSWORD} characters.")
    if len(set(password)) < 4:
        raise InvalidParams("password: must contain at least four different characters.")
    if _normalise(password).lower() in load_common_passwords():
        raise InvalidParams("password: must not be one of the most common passwords. Use a phrase of several words.")
    return password


@cache
def load_common_passwords() -> frozenset[str]:
    """Return the common passwords that the other rules would accept, in lower case."""
    lines = COMMON_PASSWORDS.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def _normalise(password: str) -> str:
    """Return the password in its canonical form.

    Keyboards encode some characters in several ways (RFC 8265).
    """
    return unicodedata.normalize("NFC", password)
