"""Background tasks: a failed round is logged and does not end the task."""

import asyncio

import pytest
import structlog

from support.clock import ManualClock
from support.people import make_people
from webquarry.accounts import Outbox, records
from webquarry.accounts.mail import Email
from webquarry.accounts.uses import Uses
from webquarry.core.background import try_round
from webquarry.core.errors import Overloaded
from webquarry.storage import Database


async def raise_error(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (Overloaded("Not now."), {"event": "mail.skipped", "log_level": "warning", "reason": "Not now."}),
        (RuntimeError("a fault"), {"event": "mail.failed", "log_level": "error"}),
    ],
)
async def test_failed_round_is_logged_with_its_cause(error: Exception, line: dict[str, str]) -> None:
    with structlog.testing.capture_logs() as logged:
        await try_round("mail", raise_error(error))
    assert [{name: each.get(name) for name in line} for each in logged] == [line]


async def test_cancelled_round_stops() -> None:
    with pytest.raises(asyncio.CancelledError):
        await try_round("mail", raise_error(asyncio.CancelledError()))


async def test_failure_of_an_email_does_not_stop_later_emails(database: Database) -> None:
    sent: list[Email] = []

    async def send(letter: Email) -> None:
        sent.append(letter)
        if len(sent) == 1:
            raise RuntimeError("a fault")

    outbox = Outbox(database, ManualClock(), send, base_url="https://data.example")
    sending = asyncio.create_task(outbox.run())
    people = make_people(database, ManualClock(), post=outbox)
    for name in ("ada", "eve"):
        await people.register(f"{name}@example.com", "correct horse battery")
    await outbox.drain()
    sending.cancel()
    assert [letter.to for letter in sent] == ["ada@example.com", "eve@example.com"]


async def test_failure_to_store_uses_does_not_stop_later_rounds(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = 0

    async def sleep(_seconds: float) -> None:
        nonlocal rounds
        rounds += 1
        uses.note("key_1", ManualClock().now())
        if rounds == 3:
            raise asyncio.CancelledError

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    uses = Uses(database, records.note_uses, sleep=sleep)
    monkeypatch.setattr(database, "write", broken)
    with pytest.raises(asyncio.CancelledError):
        await uses.run()
    assert rounds == 3
