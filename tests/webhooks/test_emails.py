"""The email about a webhook that was switched off."""

from conftest import Store
from support.clock import ManualClock
from support.people import make_people
from webquarry.accounts import Outbox
from webquarry.accounts.mail import Email
from webquarry.core.background import run_background
from webquarry.storage.database import query


async def test_the_owner_gets_an_email_unless_the_address_is_unconfirmed_or_the_account_gone(store: Store) -> None:
    database, clock, sent = await store.open(), ManualClock(), list[Email]()

    async def send(email: Email) -> None:
        sent.append(email)

    people = make_people(database, clock)
    cookie = await people.register("ada@example.com", "correct horse battery")
    assert cookie is not None
    visitor = await people.identify_session(cookie)
    assert visitor is not None
    outbox = Outbox(database, clock, send, base_url="https://data.example")
    async with run_background(outbox.run()):
        outbox.tell_webhook_off(visitor.account_id, "hooks.example", "50 attempts in a row failed.")
        outbox.tell_webhook_off("ac_other", "hooks.example", "50 attempts in a row failed.")
        await outbox.drain()
        assert sent == []
        await database.write(lambda: query("UPDATE accounts SET verified_at = 1", {}))
        outbox.tell_webhook_off(visitor.account_id, "hooks.example", "50 attempts in a row failed.")
        await outbox.drain()
    [email] = sent
    assert (email.to, email.subject) == ("ada@example.com", "Your webhook for hooks.example was switched off")
    assert "50 attempts in a row failed." in email.text
    assert "https://data.example/docs/webhooks" in email.text
