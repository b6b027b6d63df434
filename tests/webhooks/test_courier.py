"""Deliveries, which are signed, sent at least once, retried, and finally abandoned."""

import asyncio
from datetime import timedelta

import pytest

from support.origin import Asked, answer
from support.people import run_writes_twice
from webhooks.conftest import BASE_URL, Office, verify
from webquarry.core.errors import InvalidParams, NotFound, Overloaded, UnsafeTarget
from webquarry.net import Door
from webquarry.net.dial import Dialler
from webquarry.storage.database import query
from webquarry.webhooks import courier
from webquarry.webhooks.table import MAX_FAILURES, MAX_WEBHOOKS


async def test_a_delivery_is_signed_and_has_absolute_links(office: Office) -> None:
    webhook, secret = await office.open()
    await office.announce(id="job_1", links={"job": "/api/v1/jobs/job_1"})
    assert await office.work(webhook) is None
    [asked] = office.received
    event = verify(secret, asked)
    assert (asked.method, asked.headers["content-type"]) == ("POST", "application/json")
    assert event == {
        "type": "job.done",
        "timestamp": office.clock.now().isoformat(),
        "data": {"id": "job_1", "links": {"job": f"{BASE_URL}/api/v1/jobs/job_1"}},
    }
    [delivery] = await office.deliveries(webhook)
    assert (delivery.id, delivery.state, delivery.status) == (asked.headers["webhook-id"], "delivered", 204)


async def test_only_events_that_a_webhook_receives_are_sent(office: Office) -> None:
    webhook, _ = await office.open(events=("job.failed",))
    other, _ = await office.open("/other", events=("job.done",))
    await office.announce("job.done")
    await office.announce("job.failed", only=webhook.url)
    await office.announce("job.done", only=webhook.id)
    assert [each.type for each in await office.deliveries(webhook)] == ["job.failed"]
    assert [each.type for each in await office.deliveries(other)] == ["job.done"]


async def test_six_attempts_in_about_a_day_have_the_same_id(office: Office) -> None:
    office.origin.on("/hook", answer(500))
    webhook, secret = await office.open()
    await office.announce()
    began = office.clock.now()
    waits = await office.work_until_idle(webhook)
    assert len(office.received) == courier.TRIES == 6
    assert len({asked.headers["webhook-id"] for asked in office.received}) == 1
    for asked in office.received:
        verify(secret, asked)
    assert waits == sorted(waits)
    assert timedelta(hours=20) < office.clock.now() - began < timedelta(hours=26)
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.attempts, delivery.error) == ("failed", 6, "The response had status 500.")


async def test_a_failed_delivery_is_sent_again_with_its_id_on_request(office: Office) -> None:
    office.origin.on("/hook", answer(500))
    webhook, _ = await office.open()
    await office.announce()
    await office.work_until_idle(webhook)
    office.origin.on("/hook", answer(200))
    [failed] = await office.deliveries(webhook)
    again = await office.webhooks.redeliver(office.account_id, failed.id)
    assert (again.id, again.state) == (failed.id, "waiting")
    assert office.queue == [webhook.id]
    await office.work_until_idle(webhook)
    assert len({asked.headers["webhook-id"] for asked in office.received}) == 1
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.attempts, delivery.error) == ("delivered", 7, None)
    assert (await office.webhooks.find(office.account_id, webhook.id)).failures == 0


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_respected(office: Office, status: int) -> None:
    office.origin.on("/hook", answer(status, headers={"Retry-After": "7200"}))
    webhook, _ = await office.open()
    await office.announce()
    wait_s = await office.work(webhook)
    assert wait_s == pytest.approx(7200, abs=1)
    await office.announce()
    assert await office.work(webhook) == wait_s  # further events wait, too
    assert len(office.received) == 1


async def test_no_receiver_can_delay_a_delivery_for_longer_than_a_day(office: Office) -> None:
    office.origin.on("/hook", answer(503, headers={"Retry-After": "999999999"}))
    webhook, _ = await office.open()
    await office.announce()
    assert await office.work(webhook) == pytest.approx(86400, abs=1)


async def test_redirects_are_not_followed(office: Office) -> None:
    office.origin.on("/hook", answer(307, headers={"Location": office.origin.url("/else")}))
    webhook, _ = await office.open()
    await office.announce()
    await office.work(webhook)
    assert [asked.target for asked in office.received] == ["/hook"]
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.status) == ("waiting", 307)
    assert "Redirects are not followed." in delivery.error


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://localhost/", "https://example.com:22/"],
)
async def test_a_target_that_is_not_public_is_refused(office: Office, url: str) -> None:
    with pytest.raises(UnsafeTarget):
        await office.webhooks.create(office.account_id, url, ["job.done"])


@pytest.mark.parametrize(
    "url", ["http://example.com/", "ftp://example.com/", "example.com", "https://a:b@example.com/"]
)
async def test_an_address_must_be_https_without_credentials(office: Office, url: str) -> None:
    with pytest.raises(InvalidParams, match="url: "):
        await office.webhooks.create(office.account_id, url, ["job.done"])


async def test_a_name_with_a_private_address_gets_nothing(office: Office) -> None:
    async def resolve(_host: str) -> list[str]:
        return ["127.0.0.1"]

    door = Door(office.settings, office.clock, Dialler(office.settings, office.clock, resolve=resolve))
    office.webhooks = office.make(door)
    webhook, _ = await office.webhooks.create(office.account_id, "https://rebound.example/", ["job.done"])
    await office.announce()
    assert await office.work(webhook) is None
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.attempts, office.origin.connections) == ("failed", 1, 0)
    assert "not public" in delivery.error
    await door.close()


async def test_a_receiver_that_does_not_respond_is_abandoned(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "WITHIN_S", 0.1)

    async def hang(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await office.origin.left(writer)

    office.origin.on("/hook", hang)
    webhook, _ = await office.open()
    await office.announce()
    async with asyncio.timeout(5):
        await office.work(webhook)
    [delivery] = await office.deliveries(webhook)
    assert (delivery.status, delivery.error) == (None, "127.0.0.1 did not respond in time.")


async def test_the_body_of_the_response_is_not_read(office: Office) -> None:
    async def flood(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    office.origin.on("/hook", flood)
    webhook, _ = await office.open()
    await office.announce()
    async with asyncio.timeout(5):
        assert await office.work(webhook) is None
    [delivery] = await office.deliveries(webhook)
    assert delivery.state == "delivered"


async def test_a_receiver_that_is_down_gets_one_attempt_at_a_time(office: Office) -> None:
    office.origin.on("/hook", answer(500))
    webhook, _ = await office.open()
    for _ in range(20):
        await office.announce()
    assert await office.work(webhook) == pytest.approx(5)
    assert len(office.received) == 1
    office.clock.advance(5)
    assert await office.work(webhook) == pytest.approx(10)
    office.origin.on("/hook", answer(200))
    office.clock.advance(10)
    await office.work_until_idle(webhook)
    assert {each.state for each in await office.deliveries(webhook)} == {"delivered"}


async def test_fifty_consecutive_failures_switch_a_webhook_off_and_notify_the_owner(office: Office) -> None:
    office.origin.on("/hook", answer(500))
    webhook, _ = await office.open()
    for _ in range(MAX_FAILURES):
        await office.announce()
    began = office.clock.now()
    await office.work_until_idle(webhook)
    assert len(office.received) == MAX_FAILURES == 50
    assert office.clock.now() - began > timedelta(hours=6)
    assert office.box.asked == [("webhook off", office.account_id, "127.0.0.1", "50 attempts in a row failed.")]
    off = await office.webhooks.find(office.account_id, webhook.id)
    assert (off.disabled_reason, off.failures) == ("failures", 50)
    assert {each.state for each in await office.deliveries(webhook)} == {"failed"}
    before = len(await office.deliveries(webhook))
    await office.announce()
    assert len(await office.deliveries(webhook)) == before
    with pytest.raises(InvalidParams, match="switched off"):
        await office.webhooks.test(office.account_id, webhook.id)
    with pytest.raises(InvalidParams, match="switched off"):
        await office.webhooks.redeliver(office.account_id, (await office.deliveries(webhook))[0].id)
    on = await office.webhooks.enable(office.account_id, webhook.id)
    assert (on.disabled_at, on.failures) == (None, 0)


async def test_a_success_resets_the_failures(office: Office) -> None:
    webhook, _ = await office.open()
    office.origin.on("/hook", answer(500))
    await office.announce()
    await office.work(webhook)
    office.origin.on("/hook", answer(200))
    await office.work_until_idle(webhook)
    office.origin.on("/hook", answer(500))
    await office.announce()
    await office.work(webhook)
    assert (await office.webhooks.find(office.account_id, webhook.id)).failures == 1


async def test_status_410_switches_a_webhook_off(office: Office) -> None:
    office.origin.on("/hook", answer(410))
    webhook, _ = await office.open()
    await office.announce()
    assert await office.work(webhook) is None
    assert (await office.webhooks.find(office.account_id, webhook.id)).disabled_reason == "gone"
    assert office.box.asked[0][-1] == "It responded with status 410 (Gone)."


async def test_two_secrets_are_valid_for_a_day_after_a_rotation(office: Office) -> None:
    webhook, old = await office.open()
    _, new = await office.webhooks.rotate(office.account_id, webhook.id)
    await office.announce()
    await office.work(webhook)
    verify(old, office.received[0])
    verify(new, office.received[0])
    office.clock.advance(86_401)
    await office.announce()
    await office.work(webhook)
    verify(new, office.received[1])
    with pytest.raises(AssertionError):
        verify(old, office.received[1])


async def test_secrets_are_encrypted_in_the_store(office: Office) -> None:
    webhook, secret = await office.open()
    await office.webhooks.rotate(office.account_id, webhook.id)
    [row] = await office.database.read(lambda: query("SELECT secret, old_secret FROM webhooks", {}))
    assert all(str(value).startswith("sealed:") and secret not in str(value) for value in row)


async def test_an_attempt_that_was_not_recorded_is_made_again_with_the_same_id(office: Office) -> None:
    """Two workers at the same time, as after a stall: the receiver gets two requests, and one is recorded."""
    webhook, _ = await office.open()
    arrived, release = asyncio.Semaphore(0), asyncio.Event()

    async def wait(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        arrived.release()
        await release.wait()
        writer.write(answer(200))

    office.origin.on("/hook", wait)
    await office.announce()
    work = [asyncio.create_task(office.work(webhook)) for _ in range(2)]
    for _ in work:
        await arrived.acquire()
    release.set()
    assert await asyncio.gather(*work) == [None, None]
    assert len({asked.headers["webhook-id"] for asked in office.received}) == 1
    assert len(office.received) == 2
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.attempts) == ("delivered", 1)


async def test_a_shortage_of_this_server_is_not_a_failure(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Overloaded(retry_after_s=3)

    monkeypatch.setattr(office.door, "notify", refuse)
    webhook, _ = await office.open()
    await office.announce()
    assert await office.work(webhook) == 3.0
    [delivery] = await office.deliveries(webhook)
    assert (delivery.state, delivery.attempts) == ("waiting", 0)


async def test_the_round_puts_webhooks_with_due_deliveries(office: Office) -> None:
    webhook, _ = await office.open()
    await office.open("/other", events=("job.failed",))
    await office.webhooks.courier.round()
    assert office.queue == []
    await office.announce()
    await office.webhooks.courier.round()
    assert office.queue == [webhook.id]
    office.origin.on("/hook", answer(500))
    await office.work(webhook)
    office.queue.clear()
    await office.webhooks.courier.round()
    assert office.queue == []
    office.clock.advance(60)
    await office.webhooks.courier.round()
    assert office.queue == [webhook.id]


async def test_a_test_event_reaches_every_webhook(office: Office) -> None:
    webhook, secret = await office.open(events=("job.failed",))
    delivery = await office.webhooks.test(office.account_id, webhook.id)
    assert (delivery.type, delivery.state, office.queue) == ("webhook.test", "waiting", [webhook.id])
    await office.work(webhook)
    assert verify(secret, office.received[0])["data"] == {"webhook_id": webhook.id}


async def test_webhooks_of_other_accounts_are_not_found(office: Office) -> None:
    webhook, _ = await office.open()
    await office.announce()
    [delivery] = await office.deliveries(webhook)
    for refused in (
        office.webhooks.find("ac_other", webhook.id),
        office.webhooks.delete("ac_other", webhook.id),
        office.webhooks.rotate("ac_other", webhook.id),
        office.webhooks.enable("ac_other", webhook.id),
        office.webhooks.test("ac_other", webhook.id),
        office.webhooks.list_deliveries("ac_other", webhook.id),
        office.webhooks.redeliver("ac_other", delivery.id),
        office.webhooks.create("ac_other", webhook.url, ["job.done"]),
    ):
        with pytest.raises(NotFound):
            await refused
    assert await office.webhooks.list_webhooks("ac_other") == []
    assert [each.id for each in await office.webhooks.list_webhooks(office.account_id)] == [webhook.id]


async def test_the_number_of_webhooks_per_account_is_limited(office: Office) -> None:
    for number in range(MAX_WEBHOOKS):
        await office.open(f"/{number}")
    with pytest.raises(InvalidParams, match="at most"):
        await office.open()
    [first, *_] = await office.webhooks.list_webhooks(office.account_id)
    await office.webhooks.delete(office.account_id, first.id)
    await office.open()


async def test_deliveries_are_deleted_with_their_webhook_even_during_an_attempt(office: Office) -> None:
    webhook, _ = await office.open()

    async def delete(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await office.webhooks.delete(office.account_id, webhook.id)
        writer.write(answer(200))

    office.origin.on("/hook", delete)
    await office.announce()
    assert await office.work(webhook) is None
    [[count]] = await office.database.read(lambda: query("SELECT COUNT(*) FROM webhook_deliveries", {}))
    assert count == 0


async def test_deliveries_expire(office: Office) -> None:
    webhook, _ = await office.open()
    await office.announce()
    office.clock.advance(timedelta(days=20).total_seconds())
    await office.announce()
    office.clock.advance(timedelta(days=11).total_seconds())
    assert await office.webhooks.sweep() is False
    assert len(await office.deliveries(webhook)) == 1


async def test_nothing_is_sent_for_a_disabled_account(office: Office) -> None:
    webhook, _ = await office.open()
    await office.announce()
    disable = "UPDATE accounts SET disabled_at = 1"
    await office.database.write(lambda: query(disable, {}))
    await office.webhooks.courier.round()
    assert (await office.work(webhook), office.queue, office.received) == (None, [], [])


async def test_a_write_repeated_after_a_lost_confirmation_changes_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(office.database, monkeypatch)
    webhook, old = await office.open()
    _, new = await office.webhooks.rotate(office.account_id, webhook.id)
    await office.webhooks.test(office.account_id, webhook.id)
    office.origin.on("/hook", answer(500))
    await office.work(webhook)
    for secret in (old, new):
        verify(secret, office.received[0])
    [delivery] = await office.deliveries(webhook)
    assert (delivery.attempts, (await office.webhooks.find(office.account_id, webhook.id)).failures) == (1, 1)
    await office.webhooks.redeliver(office.account_id, delivery.id)
    await office.webhooks.delete(office.account_id, webhook.id)
    assert await office.webhooks.list_webhooks(office.account_id) == []
