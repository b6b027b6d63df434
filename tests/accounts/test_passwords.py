"""Passwords: which are accepted, their stored hash, and the cost of a check."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from webquarry.accounts.passwords import MAX_WAITING, MIN_PASSWORD, OWASP, THREADS, Passwords, load_common_passwords
from webquarry.core.errors import InvalidParams, Overloaded

GOOD = "correct horse battery"


class CountingHasher(PasswordHasher):
    """A cheap hasher that counts the hashes it computes."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.checked = 0
        self.gate = threading.Event()
        self.gate.set()

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]
        self.checked += 1
        self.gate.wait(10)
        return super().verify(hash, password)


@pytest.fixture
def hasher() -> CountingHasher:
    return CountingHasher()


@pytest.fixture
def passwords(hasher: CountingHasher) -> Iterator[Passwords]:
    passwords = Passwords(hasher)
    yield passwords
    hasher.gate.set()
    passwords.close()


async def test_a_password_is_verified_by_its_hash(passwords: Passwords) -> None:
    kept = await passwords.hash(GOOD)
    assert kept.startswith("$argon2id$")
    assert GOOD not in kept
    assert await passwords.hash(GOOD) != kept
    assert await passwords.verify(kept, GOOD)
    assert not await passwords.verify(kept, GOOD + ".")
    assert not await passwords.verify(kept, "")
    assert not await passwords.verify("no hash at all", GOOD)


async def test_two_encodings_of_a_letter_are_the_same_password(passwords: Passwords) -> None:
    assert await passwords.verify(await passwords.hash("caf\u00e9 au lait"), "cafe\u0301 au lait")


@pytest.mark.parametrize("password", ["", "short", "x" * 201, "aaaaaaaaaaaa", "abababababababab"])
async def test_a_weak_password_is_refused(passwords: Passwords, password: str) -> None:
    with pytest.raises(InvalidParams, match="password: must"):
        await passwords.hash(password)


@pytest.mark.parametrize("password", ["password123", "Password123", "QWERTYUIOP", "1q2w3e4r5t", "iloveyou123"])
async def test_common_password_is_refused_whatever_its_case(passwords: Passwords, password: str) -> None:
    with pytest.raises(InvalidParams, match="most common passwords"):
        await passwords.hash(password)


def test_list_of_common_passwords_holds_only_what_the_other_rules_allow() -> None:
    common = load_common_passwords()
    assert len(common) > 2000
    assert all(len(each) >= MIN_PASSWORD and len(set(each)) >= 4 and each == each.lower() for each in common)


async def test_checking_takes_the_same_time_without_an_account(passwords: Passwords, hasher: CountingHasher) -> None:
    kept = await passwords.hash(GOOD)
    for known in (kept, None):
        hasher.checked = 0
        assert not await passwords.verify(known, "another password")
        assert hasher.checked == 1
    assert not await passwords.verify(None, "nobody's password")


async def test_checks_do_not_block_the_event_loop_and_are_limited(passwords: Passwords, hasher: CountingHasher) -> None:
    kept = await passwords.hash(GOOD)
    hasher.gate.clear()
    waiting = [asyncio.create_task(passwords.verify(kept, GOOD)) for _ in range(THREADS + MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await passwords.verify(kept, GOOD)
    waiting[0].cancel()  # its thread continues, so its slot stays in use
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await passwords.verify(kept, GOOD)
    hasher.gate.set()
    assert all(await asyncio.gather(*waiting[1:]))
    assert await passwords.verify(kept, GOOD)


def test_hashing_costs_meet_the_owasp_minimum() -> None:
    assert OWASP.memory_cost >= 19 * 1024
    assert OWASP.time_cost >= 2
    assert OWASP.type.name == "ID"


def test_a_hash_with_other_costs_is_replaced(hasher: CountingHasher, passwords: Passwords) -> None:
    assert not passwords.needs_rehash(hasher.hash(GOOD))
    assert passwords.needs_rehash(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(GOOD))
