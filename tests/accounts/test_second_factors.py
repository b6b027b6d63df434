"""Second factors: valid codes, which are accepted once, and the limits of a session without a second factor.

Tested on both databases.
"""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from conftest import Store
from support.clock import ManualClock
from support.people import PASSWORD, make_people, run_writes_twice
from webquarry.accounts import Directory, People, Visitor, totp
from webquarry.accounts.sessions import CODE_WITHIN, FRESH
from webquarry.core.errors import InvalidParams, NotFound, Overloaded, Unauthorized
from webquarry.logs.audit import CLI, AuditLog, Filter
from webquarry.storage import Database
from webquarry.storage.database import query

from .test_people import EMAIL, Box, sign_up, visit

CODE = r"^code: this code is incorrect"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def people(database: Database, clock: ManualClock) -> People:
    return make_people(database, clock)


async def show_code(people: People, account_id: str, clock: ManualClock, *, steps: int = 0) -> str:
    """Return the authenticator app's code now, or some steps later."""
    factor = await people.factors.find(account_id)
    assert factor is not None
    return totp.make_code(factor.secret, totp.step_of(clock.now()) + steps)


async def turn_on(people: People, clock: ManualClock) -> tuple[Visitor, list[str]]:
    """Sign up and turn on the second factor.

    Return the visitor and the recovery codes, at the start of the next step.
    """
    cookie = await sign_up(people)
    visitor = await visit(people, cookie)
    await people.factors.begin(visitor.account_id)
    codes = await people.factors.enable(visitor, await show_code(people, visitor.account_id, clock))
    clock.advance(totp.STEP_S)
    return await visit(people, cookie), codes


async def finish(people: People, cookie: str, code: str) -> str:
    pending = await people.sessions.find_pending(cookie)
    assert pending is not None
    return await people.factors.finish_sign_in(pending, code)


async def test_the_password_alone_is_not_enough_with_a_second_factor(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    assert await people.identify_session(cookie) is None
    clock.advance(1)  # an unknown session is cached as unknown for this time
    full = await finish(people, cookie, await show_code(people, visitor.account_id, clock))
    assert full != cookie
    assert (await visit(people, full)).account_id == visitor.account_id
    assert await people.sessions.find_pending(cookie) is None
    assert await people.sessions.find_pending(full) is None


async def test_a_code_works_once_across_all_replicas(store: Store, clock: ManualClock) -> None:
    here, there = make_people(await store.open(), clock), make_people(await store.open(), clock)
    visitor, _ = await turn_on(here, clock)
    code = await show_code(here, visitor.account_id, clock)
    cookies = [await people.sign_in(EMAIL, PASSWORD) for people in (here, there, here, there)]
    tries = [finish(people, cookie, code) for people, cookie in zip((here, there) * 2, cookies, strict=True)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(outcome, str) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Unauthorized) for outcome in outcomes) == 3
    again = await here.sign_in(EMAIL, PASSWORD)
    with pytest.raises(Unauthorized, match=CODE):
        await finish(here, again, code)
    assert await finish(here, again, await show_code(here, visitor.account_id, clock, steps=1))


@pytest.mark.parametrize(("steps", "is_taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
async def test_a_clock_may_differ_by_one_step(people: People, clock: ManualClock, steps: int, is_taken: bool) -> None:
    visitor, _ = await turn_on(people, clock)
    clock.advance(10 * totp.STEP_S)
    code = await show_code(people, visitor.account_id, clock, steps=steps)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    if is_taken:
        assert await finish(people, cookie, code)
    else:
        with pytest.raises(Unauthorized, match=CODE):
            await finish(people, cookie, code)


async def test_a_code_older_than_the_last_one_is_refused(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    clock.advance(10 * totp.STEP_S)
    newer, older = [await show_code(people, visitor.account_id, clock, steps=steps) for steps in (1, 0)]
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), newer)
    with pytest.raises(Unauthorized, match=CODE):
        await finish(people, await people.sign_in(EMAIL, PASSWORD), older)


@pytest.mark.parametrize("code", ["", " ", "12345", "1234567", "٠٠٠٠٠٠", "１２３４５６", "a" * 5000, "0x1234", "-1 +2"])
async def test_an_invalid_code_is_refused(people: People, clock: ManualClock, code: str) -> None:
    await turn_on(people, clock)
    with pytest.raises(Unauthorized, match=r"^code: "):
        await finish(people, await people.sign_in(EMAIL, PASSWORD), code)


async def test_a_recovery_code_works_once_however_it_is_typed(people: People, clock: ManualClock) -> None:
    visitor, codes = await turn_on(people, clock)
    assert len(set(codes)) == totp.RECOVERY_CODES
    typed = f" {codes[3].upper().replace('-', ' ')} "
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), typed)
    factor = await people.factors.find(visitor.account_id)
    assert factor is not None
    assert factor.codes_left == totp.RECOVERY_CODES - 1
    with pytest.raises(Unauthorized, match=CODE):
        await finish(people, await people.sign_in(EMAIL, PASSWORD), codes[3])
    new = await people.factors.renew_codes(visitor)
    for code in codes:
        with pytest.raises(Unauthorized, match=CODE):
            await finish(people, await people.sign_in(EMAIL, PASSWORD), code)
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), new[0])


async def test_recovery_codes_of_another_account_are_refused(people: People, clock: ManualClock) -> None:
    _, codes = await turn_on(people, clock)
    await people.register("eve@example.com", PASSWORD)
    eve = await visit(people, await people.sign_in("eve@example.com", PASSWORD))
    await people.factors.begin(eve.account_id)
    own = await people.factors.enable(eve, await show_code(people, eve.account_id, clock))
    with pytest.raises(Unauthorized):
        await finish(people, await people.sign_in("eve@example.com", PASSWORD), codes[0])
    assert not await people.factors.own_codes(eve.account_id, codes)
    assert not await people.factors.own_codes(eve.account_id, [])
    assert await people.factors.own_codes(eve.account_id, own)


async def test_recovery_codes_are_stored_as_digests(people: People, database: Database, clock: ManualClock) -> None:
    _, codes = await turn_on(people, clock)
    rows = str([await database.read(partial(query, f"SELECT * FROM {table}", {})) for table in TABLES])
    assert not any(code in rows or totp.read_code(code) in rows for code in codes)


TABLES = ("recovery_codes", "second_factors", "audit_events", "sessions")


async def test_other_sessions_must_verify_a_code_after_setup(people: People, clock: ManualClock) -> None:
    await sign_up(people)
    other = await people.sign_in(EMAIL, PASSWORD)
    visitor = await visit(people, await people.sign_in(EMAIL, PASSWORD))
    await visit(people, other)
    await people.factors.begin(visitor.account_id)
    await people.factors.enable(visitor, await show_code(people, visitor.account_id, clock))
    assert await people.identify_session(other) is None
    clock.advance(totp.STEP_S)
    assert await finish(people, other, await show_code(people, visitor.account_id, clock))


async def test_a_sign_in_waits_ten_minutes_for_its_code(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    pending = await people.sessions.find_pending(cookie)
    clock.advance(CODE_WITHIN.total_seconds())
    assert await people.sessions.find_pending(cookie) is None
    assert await people.sessions.sweep() is False
    assert pending is not None
    code = await show_code(people, visitor.account_id, clock)
    with pytest.raises(Unauthorized, match="has expired"):
        await people.factors.finish_sign_in(pending, code)
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), code), "the code was not used up"


async def test_a_pending_sign_in_ends_with_the_password_that_began_it(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    await people.set_password(EMAIL, "the owner's new one")
    assert await people.sessions.find_pending(cookie) is None
    cookie = await people.sign_in(EMAIL, "the owner's new one")
    await people.set_disabled(visitor.account_id, True)
    assert await people.sessions.find_pending(cookie) is None


async def test_enabling_requires_a_code_from_the_displayed_secret(people: People, clock: ManualClock) -> None:
    visitor = await visit(people, await sign_up(people))
    with pytest.raises(InvalidParams, match="not in progress"):
        await people.factors.enable(visitor, "123456")
    await people.factors.begin(visitor.account_id)
    first = await show_code(people, visitor.account_id, clock)
    await people.factors.begin(visitor.account_id)
    for wrong in (first, "", "nonsense"):
        with pytest.raises(InvalidParams, match=r"^code: "):
            await people.factors.enable(visitor, wrong)
    assert await people.identify_session(await people.sign_in(EMAIL, PASSWORD)), "it is not on yet"
    code = await show_code(people, visitor.account_id, clock)
    await people.factors.enable(visitor, code)
    with pytest.raises(Unauthorized, match=CODE):
        await finish(people, await people.sign_in(EMAIL, PASSWORD), code)
    before = await people.factors.find(visitor.account_id)
    await people.factors.begin(visitor.account_id)
    assert await people.factors.find(visitor.account_id) == before, "setting up again changes no secret that is on"
    with pytest.raises(InvalidParams, match="not in progress"):
        await people.factors.enable(visitor, await show_code(people, visitor.account_id, clock, steps=1))


async def test_disabling_keeps_the_password_and_ends_pending_sign_ins(people: People, clock: ManualClock) -> None:
    visitor, codes = await turn_on(people, clock)
    pending = await people.sign_in(EMAIL, PASSWORD)
    await people.factors.disable(visitor)
    assert await people.identify_session(pending) is None
    assert not (await visit(people, await people.sign_in(EMAIL, PASSWORD))).times.has_factor
    assert await people.factors.find(visitor.account_id) is None
    with pytest.raises(InvalidParams, match="already off"):
        await people.factors.disable(visitor)
    # a code of the old factor does not count for the next factor
    await people.factors.begin(visitor.account_id)
    again = await visit(people, await people.sign_in(EMAIL, PASSWORD))
    await people.factors.enable(again, await show_code(people, visitor.account_id, clock))
    with pytest.raises(Unauthorized, match=CODE):
        await finish(people, await people.sign_in(EMAIL, PASSWORD), codes[0])


async def test_an_operator_resets_it_and_all_sessions_end(
    people: People, database: Database, clock: ManualClock
) -> None:
    visitor, _ = await turn_on(people, clock)
    full, pending = visitor.session_id, await people.sign_in(EMAIL, PASSWORD)
    await people.factors.reset(visitor.account_id, by=CLI)
    assert await people.identify_session(pending) is None
    assert full not in str(await database.read(partial(query, "SELECT id FROM sessions", {})))
    assert (await visit(people, await people.sign_in(EMAIL, PASSWORD))).account_id == visitor.account_id
    with pytest.raises(NotFound, match="neither two-factor authentication nor passkeys"):
        await people.factors.reset(visitor.account_id, by=CLI)


async def test_old_passwords_and_codes_must_be_entered_again(people: People, clock: ManualClock) -> None:
    visitor, codes = await turn_on(people, clock)
    assert visitor.times.are_fresh(clock.now())
    clock.advance(FRESH.total_seconds())
    assert not visitor.times.are_fresh(clock.now())
    for password, code, fault in (
        ("a wrong one", await show_code(people, visitor.account_id, clock), "current: incorrect password"),
        (PASSWORD, "", "code: enter the 6-digit code"),
        (PASSWORD, "000000", CODE),
    ):
        with pytest.raises(InvalidParams, match=fault):
            await people.reauthenticate(visitor, password, code)
    await people.reauthenticate(visitor, PASSWORD, await show_code(people, visitor.account_id, clock))
    clock.advance(FRESH.total_seconds() - 1)
    await people.reauthenticate(visitor, PASSWORD)  # the code is still recent
    with pytest.raises(InvalidParams, match="code: enter"):
        await people.reauthenticate(visitor, PASSWORD, with_code=True)
    await people.reauthenticate(visitor, PASSWORD, codes[0], with_code=True)


async def test_a_wrong_code_at_sign_in_is_refused(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    cookie = await finish(
        people, await people.sign_in(EMAIL, PASSWORD), await show_code(people, visitor.account_id, clock)
    )
    fresh = await visit(people, cookie)
    with pytest.raises(InvalidParams, match=CODE):  # the clock has not moved since
        await people.reauthenticate(fresh, PASSWORD, "000000", with_code=True)


async def test_the_password_and_address_change_only_with_a_code(people: People, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    clock.advance(FRESH.total_seconds())
    for change in (
        people.change_password(visitor, PASSWORD, "the thief's new one"),
        people.change_email(visitor, PASSWORD, "thief@example.com"),
    ):
        with pytest.raises(InvalidParams, match="code: enter"):
            await change
    code = await show_code(people, visitor.account_id, clock)
    cookie = await people.change_password(visitor, PASSWORD, "another good one", code)
    assert (await visit(people, cookie)).times.factor_at == clock.now()


async def test_a_new_password_does_not_count_as_a_second_factor(people: People, clock: ManualClock) -> None:
    visitor = await visit(people, await sign_up(people))
    cookie = await people.change_password(visitor, PASSWORD, "another good one")
    other = await visit(people, await people.sign_in(EMAIL, "another good one"))
    await people.factors.begin(other.account_id)
    await people.factors.enable(other, await show_code(people, other.account_id, clock))
    assert await people.identify_session(cookie) is None


async def test_lost_confirmations_neither_refuse_nor_repeat_an_action(
    people: People, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    visitor, codes = await turn_on(people, clock)
    assert await people.factors.own_codes(visitor.account_id, codes)
    code = await show_code(people, visitor.account_id, clock)
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), code)
    assert await finish(people, await people.sign_in(EMAIL, PASSWORD), codes[0])
    clock.advance(FRESH.total_seconds())
    await people.reauthenticate(visitor, PASSWORD, await show_code(people, visitor.account_id, clock))
    await people.reauthenticate(visitor, PASSWORD, codes[1], with_code=True)
    await people.factors.renew_codes(visitor)
    await people.factors.disable(visitor)
    await people.factors.begin(visitor.account_id)
    await people.factors.enable(visitor, await show_code(people, visitor.account_id, clock))
    await people.factors.reset(visitor.account_id, by=CLI)
    log = AuditLog(database, clock, keep=timedelta(days=1))
    actions = [entry.event.action for entry in await log.list_all(Filter(owners=True))]
    assert actions[::-1] == [
        *("account.created", "second_factor.enabled", "signed_in", "recovery_code.used", "signed_in"),
        *("recovery_code.used", "recovery_codes.renewed", "second_factor.disabled", "second_factor.enabled"),
        "second_factor.reset",
    ]


async def test_changes_are_recorded_and_reported_by_email(database: Database, clock: ManualClock) -> None:
    await sign_up(make_people(database, clock))
    box = Box()
    people = make_people(database, clock, post=box)
    await people.set_password(EMAIL, PASSWORD)
    visitor = await visit(people, await people.sign_in(EMAIL, PASSWORD))
    await people.factors.begin(visitor.account_id)
    codes = await people.factors.enable(visitor, await show_code(people, visitor.account_id, clock))
    cookie = await people.sign_in(EMAIL, PASSWORD)
    with pytest.raises(Unauthorized):
        await finish(people, cookie, "000000")
    await finish(people, cookie, codes[0])
    await people.reauthenticate(visitor, PASSWORD, codes[1], with_code=True)
    await people.factors.renew_codes(visitor)
    await people.factors.disable(visitor)
    assert [asked[2] for asked in box.asked if asked[0] == "changed"] == [
        *("two-factor on", "recovery code", "recovery code", "recovery codes", "two-factor off")
    ]
    log = AuditLog(database, clock, keep=timedelta(days=1))
    entries = (await log.list_of_account(visitor.account_id))[::-1]
    assert [entry.event.action for entry in entries][2:] == [
        *("signed_in", "second_factor.enabled", "second_factor.refused", "recovery_code.used", "signed_in"),
        *("recovery_code.used", "recovery_codes.renewed", "second_factor.disabled"),
    ]
    assert entries[6].event.details["second_factor"] == "recovery"
    assert not any(code in str(entries) for code in codes)


async def test_the_secret_is_deleted_with_its_account(people: People, database: Database, clock: ManualClock) -> None:
    visitor, _ = await turn_on(people, clock)
    await Directory(database, clock, people).delete(visitor.account_id)
    for table in ("second_factors", "recovery_codes"):
        assert await database.read(partial(query, f"SELECT * FROM {table}", {})) == []
    await people.factors.begin(visitor.account_id)
    assert await people.factors.find(visitor.account_id) is None


def test_codes_match_the_vectors_of_the_standard() -> None:
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    known = {59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 20000000000: "353130"}
    assert {at: totp.make_code(secret, at // totp.STEP_S) for at in known} == known  # RFC 6238, appendix B


KEY = "k" * 32


async def test_a_key_encrypts_secrets_and_recovery_codes_work_without_it(
    database: Database, clock: ManualClock
) -> None:
    plain, sealed = make_people(database, clock), make_people(database, clock, secret=KEY)
    cookie = await sign_up(sealed)
    visitor = await visit(sealed, cookie)
    await sealed.factors.begin(visitor.account_id)
    factor = await sealed.factors.find(visitor.account_id)
    assert factor is not None
    secret = sealed.factors.open_secret(factor)
    assert secret not in str(await database.read(partial(query, "SELECT secret FROM second_factors", {})))

    def show() -> str:
        clock.advance(totp.STEP_S)
        return totp.make_code(secret, totp.step_of(clock.now()))

    codes = await sealed.factors.enable(visitor, show())
    assert await finish(sealed, await sealed.sign_in(EMAIL, PASSWORD), show())
    for other in (plain, make_people(database, clock, secret="o" * 32)):
        with pytest.raises(Overloaded, match="WEBQUARRY_SECRET"):
            await finish(other, await other.sign_in(EMAIL, PASSWORD), show())
    assert await finish(plain, await plain.sign_in(EMAIL, PASSWORD), codes[0])


async def test_secrets_stored_before_the_key_was_set_can_be_read(database: Database, clock: ManualClock) -> None:
    plain, sealed = make_people(database, clock), make_people(database, clock, secret=KEY)
    visitor, _ = await turn_on(plain, clock)
    code = await show_code(plain, visitor.account_id, clock)
    assert await finish(sealed, await sealed.sign_in(EMAIL, PASSWORD), code)
