"""Passkeys: valid signatures, which are accepted once, and the access that they give.

Tested on both databases, with the standard's ceremonies.
"""

import asyncio
from copy import deepcopy
from datetime import timedelta
from functools import partial

import orjson
import pytest
from webauthn.helpers import bytes_to_base64url

from support.authenticator import Authenticator
from support.clock import ManualClock
from support.people import PASSWORD, make_people, run_writes_twice
from webquarry.accounts import Directory, People, VerifiedPasskey, Visitor, ceremonies
from webquarry.accounts.ceremonies import RelyingParty, find_relying_party
from webquarry.accounts.endings import Endings
from webquarry.accounts.passkey_records import CHALLENGE_LASTS, MAX_PASSKEYS
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.logs.audit import CLI, AuditLog, Filter
from webquarry.storage import Database
from webquarry.storage.database import query

from .test_people import EMAIL, Box, sign_up, visit
from .test_second_factors import finish, show_code, turn_on

ORIGIN = "https://quarry.example"
SITE = RelyingParty("quarry.example", ORIGIN)
HERE, THERE = "browser", "another browser"
REFUSED = "his passkey could not be verified"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def people(database: Database, clock: ManualClock) -> People:
    return make_people(database, clock)


async def add(
    people: People, visitor: Visitor, device: Authenticator | None = None, name: str = "laptop"
) -> Authenticator:
    device = device or Authenticator()
    options = await people.passkeys.begin_adding(SITE, HERE, visitor)
    await people.passkeys.add(SITE, HERE, visitor, name, device.make(options, ORIGIN))
    return device


async def sign(people: People, device: Authenticator, *, browser: str = HERE, origin: str = ORIGIN) -> str:
    return device.sign(await people.passkeys.begin_use(SITE, browser), origin)


async def verify(people: People, device: Authenticator) -> VerifiedPasskey:
    return await people.passkeys.verify(SITE, HERE, await sign(people, device))


async def test_a_passkey_signs_in_without_a_password(people: People, clock: ManualClock) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner, name=" Work laptop ")
    assert [(each.name, each.last_used_at) for each in await people.passkeys.list(owner.account_id)] == [
        ("Work laptop", None)
    ]
    clock.advance(60)
    visitor = await visit(people, await people.passkeys.sign_in(await verify(people, device)))
    assert visitor.account_id == owner.account_id
    assert not visitor.times.are_fresh(clock.now()), "no password was given: what matters asks for it"
    assert [each.last_used_at for each in await people.passkeys.list(owner.account_id)] == [clock.now()]
    await people.reauthenticate(visitor, PASSWORD)


async def test_a_passkey_replaces_a_code(people: People, clock: ManualClock) -> None:
    owner, _ = await turn_on(people, clock)
    device = await add(people, owner)
    pending = await people.sessions.find_pending(await people.sign_in(EMAIL, PASSWORD))
    assert pending is not None
    cookie = await people.factors.finish_sign_in(pending, await verify(people, device))
    visitor = await visit(people, cookie)
    clock.advance(timedelta(hours=1).total_seconds())
    await people.reauthenticate(visitor, PASSWORD, await verify(people, device))
    await people.change_email(visitor, PASSWORD, "new@example.com", await verify(people, device))
    alone = await visit(people, await people.passkeys.sign_in(await verify(people, device)))
    assert alone.times.factor_at == clock.now()
    await people.factors.disable(alone)
    assert len(await people.passkeys.list(owner.account_id)) == 1, "it still signs in"


async def test_a_session_from_before_the_second_factor_must_verify_it(people: People, clock: ManualClock) -> None:
    owner = await visit(people, await sign_up(people))
    cookie = await people.passkeys.sign_in(await verify(people, await add(people, owner)))
    await people.factors.begin(owner.account_id)
    await people.factors.enable(owner, await show_code(people, owner.account_id, clock))
    assert await people.identify_session(cookie) is None


async def test_a_passkey_of_another_account_is_not_accepted_as_a_code(people: People, clock: ManualClock) -> None:
    await turn_on(people, clock)
    await people.register("eve@example.com", PASSWORD)
    eve = await add(people, await visit(people, await people.sign_in("eve@example.com", PASSWORD)))
    pending = await people.sessions.find_pending(await people.sign_in(EMAIL, PASSWORD))
    assert pending is not None
    with pytest.raises(Unauthorized, match="doesn't belong to this account"):
        await people.factors.finish_sign_in(pending, await verify(people, eve))


async def test_a_passkey_that_names_another_account_is_refused(people: People) -> None:
    device = await add(people, await visit(people, await sign_up(people)))
    await people.register("eve@example.com", PASSWORD)
    eve = await visit(people, await people.sign_in("eve@example.com", PASSWORD))
    for handle in (eve.account_id.encode(), b"", b"nobody"):
        device.user_handle = handle
        with pytest.raises(InvalidParams, match="unknown"):
            await verify(people, device)


async def test_a_challenge_is_valid_once_in_its_browser_for_five_minutes(people: People, clock: ManualClock) -> None:
    device = await add(people, await visit(people, await sign_up(people)))
    answer = await sign(people, device)
    with pytest.raises(InvalidParams, match="has expired"):
        await people.passkeys.verify(SITE, THERE, answer)
    await people.passkeys.verify(SITE, HERE, answer)
    with pytest.raises(InvalidParams, match="already used"):
        await people.passkeys.verify(SITE, HERE, answer)
    await sign(people, device)
    with pytest.raises(InvalidParams, match=REFUSED):
        await people.passkeys.verify(SITE, HERE, answer)  # a captured response to an earlier challenge
    late = await sign(people, device)
    clock.advance(CHALLENGE_LASTS.total_seconds())
    with pytest.raises(InvalidParams, match="has expired"):
        await people.passkeys.verify(SITE, HERE, late)
    assert await people.passkeys.sweep() is False


async def test_expired_challenges_are_dropped(people: People, database: Database, clock: ManualClock) -> None:
    await people.passkeys.begin_use(SITE, HERE)
    clock.advance(CHALLENGE_LASTS.total_seconds() - 1)
    await people.passkeys.begin_use(SITE, THERE)
    clock.advance(1)
    await people.sweep()
    rows = await database.read(partial(query, "SELECT browser FROM passkey_challenges", {}))
    assert [tuple(row) for row in rows] == [(THERE,)]


async def test_a_challenge_for_a_new_passkey_is_not_valid_for_a_signature(people: People) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner)
    made = orjson.loads(await people.passkeys.begin_adding(SITE, HERE, owner))
    with pytest.raises(InvalidParams, match="has expired"):
        await people.passkeys.verify(
            SITE, HERE, device.sign(orjson.dumps({"challenge": made["challenge"], "rpId": SITE.id}).decode(), ORIGIN)
        )


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://quarry.example", "https://quarry.example:8443", "null"]
)
async def test_responses_signed_on_other_origins_are_refused(people: People, origin: str) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner)
    with pytest.raises(InvalidParams, match=REFUSED):
        await people.passkeys.verify(SITE, HERE, await sign(people, device, origin=origin))
    options = await people.passkeys.begin_adding(SITE, HERE, owner)
    with pytest.raises(InvalidParams, match=REFUSED):
        await people.passkeys.add(SITE, HERE, owner, "", Authenticator().make(options, origin))


async def test_a_signature_for_another_site_is_refused(people: People) -> None:
    device = await add(people, await visit(people, await sign_up(people)))
    asked = {**orjson.loads(await people.passkeys.begin_use(SITE, HERE)), "rpId": "evil.example"}
    with pytest.raises(InvalidParams, match=REFUSED):
        await people.passkeys.verify(SITE, HERE, device.sign(orjson.dumps(asked).decode(), ORIGIN))


async def test_a_finger_or_pin_is_required(people: People) -> None:
    owner = await visit(people, await sign_up(people))
    with pytest.raises(InvalidParams, match=REFUSED):
        await add(people, owner, Authenticator(verifies=False))
    device = await add(people, owner)
    device.verifies = False
    with pytest.raises(InvalidParams, match=REFUSED):
        await verify(people, device)


async def test_a_signature_with_another_key_is_refused(people: People) -> None:
    device = await add(people, await visit(people, await sign_up(people)))
    device.key = Authenticator().key
    with pytest.raises(InvalidParams, match=REFUSED):
        await verify(people, device)
    with pytest.raises(InvalidParams, match="unknown"):
        await verify(people, Authenticator(user_handle=device.user_handle))


async def test_a_copied_passkey_is_refused_by_its_counter_and_reported_to_the_owner(
    people: People, database: Database, clock: ManualClock
) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner)
    copy = deepcopy(device.count), device.id, device.key
    await people.passkeys.sign_in(await verify(people, device))
    clone = Authenticator(count=copy[0], id=copy[1], key=copy[2], user_handle=device.user_handle)
    with pytest.raises(InvalidParams, match="may have been copied"):
        await verify(people, clone)
    entries = await AuditLog(database, clock, keep=timedelta(days=1)).list_of_account(owner.account_id)
    assert (entries[0].event.action, entries[0].event.details) == ("passkey.refused", {"name": "laptop"})
    await people.passkeys.sign_in(await verify(people, device))


async def test_concurrent_attempts_use_a_counter_only_once(people: People) -> None:
    device = await add(people, await visit(people, await sign_up(people)))
    first = await verify(people, device)
    device.count = 0
    second = await verify(people, device)  # both were compared with the same stored counter
    assert first.sign_count == second.sign_count
    tries = await asyncio.gather(*(people.passkeys.sign_in(each) for each in (first, second)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in tries) == ["Unauthorized", "str"]


async def test_authenticators_without_a_counter_can_sign_in_repeatedly(people: People) -> None:
    device = await add(people, await visit(people, await sign_up(people)), Authenticator(count=None))
    for _ in range(3):
        await people.passkeys.sign_in(await verify(people, device))


async def test_only_the_owner_can_remove_a_passkey(people: People, clock: ManualClock) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner)
    clock.advance(1)
    other = await add(people, owner, name="phone")
    await people.register("eve@example.com", PASSWORD)
    eve = await visit(people, await people.sign_in("eve@example.com", PASSWORD))
    first, _ = await people.passkeys.list(owner.account_id)
    with pytest.raises(NotFound):
        await people.passkeys.remove(eve, first.id)
    verified = await verify(people, device)
    await people.passkeys.remove(owner, first.id)
    assert [each.name for each in await people.passkeys.list(owner.account_id)] == ["phone"]
    with pytest.raises(Unauthorized):
        await people.passkeys.sign_in(verified)
    with pytest.raises(InvalidParams, match="was removed"):
        await verify(people, device)
    await people.passkeys.sign_in(await verify(people, other))


async def test_a_passkey_is_added_only_once_and_their_number_is_limited(people: People) -> None:
    owner = await visit(people, await sign_up(people))
    device = await add(people, owner)
    known = orjson.loads(await people.passkeys.begin_adding(SITE, HERE, owner))["excludeCredentials"]
    assert [each["id"] for each in known] == [(await people.passkeys.list(owner.account_id))[0].id]
    with pytest.raises(InvalidParams, match="already added"):
        await add(people, owner, device)
    for _ in range(MAX_PASSKEYS - 1):
        await add(people, owner)
    with pytest.raises(InvalidParams, match="Remove one first"):
        await add(people, owner)
    with pytest.raises(InvalidParams, match="name: "):
        await add(people, owner, name="x" * 61)


async def test_passkeys_are_removed_by_a_reset_and_with_their_account(
    people: People, database: Database, clock: ManualClock
) -> None:
    owner, _ = await turn_on(people, clock)
    device = await add(people, owner)
    await people.change_password(owner, PASSWORD, "another good one", endings=Endings(passkeys=True))
    assert await people.passkeys.list(owner.account_id) == []
    owner = await visit(
        people,
        await finish(
            people, await people.sign_in(EMAIL, "another good one"), await show_code(people, owner.account_id, clock)
        ),
    )
    await add(people, owner, device)
    await people.factors.reset(owner.account_id, by=CLI)
    assert await people.passkeys.list(owner.account_id) == []
    owner = await visit(people, await people.sign_in(EMAIL, "another good one"))
    await add(people, owner, device)
    await people.factors.reset(owner.account_id, by=CLI)
    with pytest.raises(NotFound, match="neither two-factor authentication nor passkeys"):
        await people.factors.reset(owner.account_id, by=CLI)
    await add(people, owner, device)
    await people.set_disabled(owner.account_id, True)
    with pytest.raises(InvalidParams, match="unknown"):
        await verify(people, device)
    await Directory(database, clock, people).delete(owner.account_id)
    assert await people.passkeys.list(owner.account_id) == []
    with pytest.raises(InvalidParams, match="already added"):
        await add(people, owner, device)


async def test_lost_confirmations_neither_refuse_nor_repeat_an_action(
    people: People, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    owner, _ = await turn_on(people, clock)
    device = await add(people, owner)
    await people.passkeys.sign_in(await verify(people, device))
    pending = await people.sessions.find_pending(await people.sign_in(EMAIL, PASSWORD))
    assert pending is not None
    await people.factors.finish_sign_in(pending, await verify(people, device))
    await people.reauthenticate(owner, PASSWORD, await verify(people, device), with_code=True)
    await people.passkeys.remove(owner, (await people.passkeys.list(owner.account_id))[0].id)
    log = AuditLog(database, clock, keep=timedelta(days=1))
    events = [entry.event for entry in await log.list_all(Filter(owners=True))][::-1]
    assert [event.action for event in events][2:] == ["passkey.added", "signed_in", "signed_in", "passkey.removed"]
    assert [events[3].details["by"], events[4].details["second_factor"]] == ["passkey", "passkey"]


async def test_the_owner_gets_an_email(database: Database, clock: ManualClock) -> None:
    await sign_up(make_people(database, clock))
    box = Box()
    people = make_people(database, clock, post=box)
    await people.set_password(EMAIL, PASSWORD)
    owner = await visit(people, await people.sign_in(EMAIL, PASSWORD))
    await add(people, owner)
    await people.passkeys.remove(owner, (await people.passkeys.list(owner.account_id))[0].id)
    assert box.asked == [("changed", EMAIL, "passkey added"), ("changed", EMAIL, "passkey removed")]


def break_each_part(answer: str) -> list[str]:
    """Return the response with each value replaced by others, and truncated or changed."""
    whole = orjson.loads(answer)

    def replace(name: str, value: object) -> str:
        if name in whole:
            return orjson.dumps({**whole, name: value}).decode()
        return orjson.dumps({**whole, "response": {**whole["response"], name: value}}).decode()

    values: tuple[object, ...] = (
        None,
        1,
        "",
        "é",
        "AA",
        "A" * 30_000,
        bytes_to_base64url(b"\x81" * 20_000),
        [],
        {},
        [[]],
    )
    broken = ["", "{", "[]", "{}", "null", "1", '{"id":1}', "[" * 60_000, "\ud800"]
    broken.extend(replace(name, value) for name in (*whole, *whole["response"]) for value in values)
    for name, text in whole["response"].items():
        for at in range(0, len(text), 7):
            changed = text[:at] + ("B" if text[at] != "B" else "C") + text[at + 1 :]
            broken.extend((replace(name, changed), replace(name, text[:at])))
    return broken


def test_every_broken_signature_is_refused_with_the_documented_error() -> None:
    device, challenge = Authenticator(), bytes(32)
    made = ceremonies.check_new_credential(
        SITE, challenge, device.make(ceremonies.write_creation_options(SITE, challenge, "ac_1", EMAIL, []), ORIGIN)
    )
    answer = device.sign(ceremonies.write_request_options(SITE, challenge), ORIGIN)
    assert ceremonies.check_assertion(SITE, challenge, ceremonies.read_assertion(answer), made.public_key) == 1
    for text in break_each_part(answer):
        try:
            assertion = ceremonies.read_assertion(text)
            ceremonies.check_assertion(SITE, challenge, assertion, made.public_key)
        except ceremonies.BadCeremony:
            continue
        assert (assertion.credential_id, assertion.user_handle) != (made.id, device.user_handle), text[:300]


def test_every_broken_new_passkey_is_refused_with_the_documented_error() -> None:
    challenge = bytes(32)
    options = ceremonies.write_creation_options(SITE, challenge, "ac_1", EMAIL, [])
    refused = 0
    broken = break_each_part(Authenticator().make(options, ORIGIN))
    for text in broken:
        try:
            ceremonies.check_new_credential(SITE, challenge, text)
        except ceremonies.BadCeremony:
            refused += 1
    assert refused > len(broken) / 2, "changed ids and keys are those of another passkey"


@pytest.mark.parametrize(
    ("base_url", "site"),
    [
        ("https://Quarry.example", SITE),
        ("https://quarry.example:8443", RelyingParty("quarry.example", "https://quarry.example:8443")),
        ("http://localhost:8080", RelyingParty("localhost", "http://localhost:8080")),
        ("http://quarry.example", None),
        ("http://127.0.0.1:8080", None),
        ("https://192.0.2.1", None),
        ("https://[2001:db8::1]", None),
    ],
)
def test_passkeys_require_a_host_name_and_https(base_url: str, site: RelyingParty | None) -> None:
    assert find_relying_party(base_url) == site
