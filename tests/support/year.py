"""Activity of every kind in one month, through the parts of a service."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from support.apps import REDIRECT, VERIFIER, make_request
from support.authenticator import Authenticator
from support.clock import ManualClock
from support.made import PROVIDER, MadeParams, MadeResult, query
from webquarry.accounts import History, Outbox, Shares, Visitor, totp
from webquarry.accounts.ceremonies import RelyingParty
from webquarry.accounts.history import KEPT, PastCall
from webquarry.core.background import run_background
from webquarry.core.errors import ProviderError, ServiceError
from webquarry.core.types import Picture, Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.endpoints.registry import Registry
from webquarry.engine import DOUBTS
from webquarry.jobs import pace
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.records import NewItem, NewJob, new_job_id
from webquarry.ledger import Ledger, Receipt
from webquarry.ledger.unconfirmed_refunds import UnconfirmedRefund, UnconfirmedRefunds
from webquarry.logs.figures import DailyFigures
from webquarry.logs.requests.log import MAX_WAITING_OF_ACCOUNT
from webquarry.net import Net
from webquarry.pipeline.entries import PICTURES_KEPT
from webquarry.service import Service
from webquarry.storage.conversions import Conversion

EMAIL, PASSWORD = "owner@example.com", "correct horse battery"
ORIGIN, BROWSER = "https://webquarry.example", "browser"
SITE = RelyingParty("webquarry.example", ORIGIN)
URL = "https://example.com/"
FAILING = "down"
CALLS_A_MONTH = KEPT // 5


async def _fetch(params: MadeParams, _net: Net) -> Wire:
    if params.key == FAILING:
        raise ProviderError("The source is down.", reason="down")
    return Wire(b"{}", URL, URL, 200, {}, datetime(2026, 1, 1, tzinfo=UTC))


def make_registry() -> Registry:
    """Return one endpoint, whose source fails for the key FAILING."""
    made = Extractor(
        name="made",
        path="/made",
        version=1,
        group="web",
        title="A made endpoint",
        description="Answers with its key.",
        params=MadeParams,
        result=MadeResult,
        credits=1,
        fresh=hours(1),
        render=lambda result: f"# {result.key}\n",
        example={"key": "a"},
        sources=(Source(PROVIDER, _fetch, lambda _wire, params: MadeResult(key=params.key)),),
    )
    return Registry((made,))


@dataclass
class Life:
    """The users of a service."""

    service: Service
    clock: ManualClock

    async def live_a_month(self, month: int) -> None:
        """Do once everything that stores data. `month` counts from 0."""
        visitor = await self._sign_in(month)
        await self._manage_keys(visitor, month)
        await self._change_second_factor(visitor)
        await self._change_passkey(visitor)
        await self._connect_an_app(visitor)
        await self._forget_the_password()
        await self._make_requests(visitor, month)
        await self._use_the_playground(visitor, month)
        await self._run_a_job(visitor, month)
        await self._log_requests(visitor)
        await self._receive_an_event(visitor, month)
        await self._crash(visitor, month)
        await self._close_an_account(month)

    async def _sign_in(self, month: int) -> Visitor:
        people = self.service.people
        enter = people.register if month == 0 else people.sign_in
        cookie = await enter(EMAIL, PASSWORD)
        assert cookie is not None
        pending = await people.sessions.find_pending(cookie)
        if pending is not None:
            cookie = await people.factors.finish_sign_in(pending, await self._show_code(pending.account_id))
        visitor = await people.identify_session(cookie)
        assert visitor is not None
        return visitor

    async def _manage_keys(self, visitor: Visitor, month: int) -> None:
        accounts = self.service.accounts
        revoked, _ = await accounts.create_key(visitor.account_id, f"key {month}")
        await accounts.revoke_key(visitor.account_id, revoked.id)
        soon = self.clock.now() + timedelta(hours=1)
        await accounts.create_key(visitor.account_id, f"brief {month}", expires_at=soon)

    async def _change_second_factor(self, visitor: Visitor) -> None:
        """Turn the second factor off, if it is on, and on again."""
        factors = self.service.people.factors
        if await factors.find(visitor.account_id) is not None:
            await factors.disable(visitor)
        await factors.begin(visitor.account_id)
        await factors.enable(visitor, await self._show_code(visitor.account_id))

    async def _show_code(self, account_id: str) -> str:
        """Return the code that the owner's authenticator app shows."""
        factor = await self.service.people.factors.find(account_id)
        assert factor is not None
        return totp.make_code(factor.secret, totp.step_of(self.clock.now()))

    async def _change_passkey(self, visitor: Visitor) -> None:
        passkeys = self.service.people.passkeys
        for old in await passkeys.list(visitor.account_id):
            await passkeys.remove(visitor, old.id)
        options = await passkeys.begin_adding(SITE, BROWSER, visitor)
        await passkeys.add(SITE, BROWSER, visitor, "laptop", Authenticator().make(options, ORIGIN))

    async def _connect_an_app(self, visitor: Visitor) -> None:
        clients, grants = self.service.clients, self.service.grants
        client, _ = await clients.register({"client_name": "The App", "redirect_uris": [REDIRECT]})
        code = await grants.approve(visitor.account_id, make_request(client))
        await grants.exchange(client, code, VERIFIER, REDIRECT)

    async def _forget_the_password(self) -> None:
        async def send(_email: object) -> None:
            """Discard the email."""

        outbox = Outbox(self.service.database, self.clock, send, base_url=ORIGIN)
        async with run_background(outbox.run()):
            outbox.reset(EMAIL)
            await outbox.drain()

    async def _make_requests(self, visitor: Visitor, month: int) -> None:
        pipeline = self.service.pipeline
        for key in (f"key-{month}", FAILING):
            call = pipeline.prepare(self.service.registry.by_name["made"], query({"key": key}), None)
            try:
                await pipeline.answer(visitor.caller, call, request_id=f"req_{month}")
            except ServiceError:
                assert key == FAILING
        picture = Picture("image/png", f"picture {month}".encode())
        await self.service.conversions.keep_pictures([picture], self.clock.now() + PICTURES_KEPT)

    async def _run_a_job(self, visitor: Visitor, month: int) -> None:
        """Run a job whose item is cached, and let a lane rest."""
        jobs, now = self.service.workshop.jobs, self.clock.now()
        until = now + timedelta(days=1)
        caller = visitor.caller
        new = NewJob(new_job_id(now), caller.account_id, caller.key_id, BATCH, "made", {}, now, until)

        async def list_inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": f"key-{month}"}, "made")]

        job = await jobs.start(new, list_inputs())
        async with asyncio.timeout(30):
            while not (await jobs.find(caller, job.id)).is_over:  # noqa: ASYNC110  # rows have no event
                await asyncio.sleep(0.01)
        await self.service.database.write(partial(pace.rest, "made", now + timedelta(hours=1), 1))

    async def _log_requests(self, visitor: Visitor) -> None:
        """Log more requests of an account than fit, and count one for the figures of the day."""
        for number in range(MAX_WAITING_OF_ACCOUNT + 1):
            self.service.requests.note(
                visitor.account_id,
                "key",
                "made",
                [("key", "a")],
                status=200,
                code="ok",
                cache="miss",
                credits=1,
                took_s=0.001,
                request_id=f"req_{number}",
            )
        await self.service.requests.store()
        await DailyFigures(self.service.database, self.clock, lambda: {("made", "ok"): 1}).store()

    async def _use_the_playground(self, visitor: Visitor, month: int) -> None:
        database, now = self.service.database, self.clock.now()
        history, until = History(database), now + timedelta(days=self.service.settings.keep_days)
        stored = Conversion(f"cv_{month}", "made", 1, None, None, now, None, until, None, None, b"{}", b"")
        await self.service.conversions.keep(stored)
        for number in range(CALLS_A_MONTH):
            call = PastCall(
                id=f"{month:04}{number:04}",
                account_id=visitor.account_id,
                endpoint="made",
                question="key=a",
                file_name=None,
                conversion_id=stored.id,
                code="ok",
                cache="miss",
                charged=1,
                took_ms=1,
                created_at=self.clock.now(),
            )
            await history.add(call)
        assert await Shares(database).share(visitor.account_id, stored.id, now)

    async def _receive_an_event(self, visitor: Visitor, month: int) -> None:
        webhooks, account_id = self.service.webhooks, visitor.account_id
        if month == 0:
            await webhooks.create(account_id, URL, ["job.done"])
        [webhook] = await webhooks.list_webhooks(account_id)
        if webhook.disabled_at is not None:
            await webhooks.enable(account_id, webhook.id)
        await webhooks.test(account_id, webhook.id)

    async def _crash(self, visitor: Visitor, month: int) -> None:
        """Leave the data of a server that dies: its heartbeat, an open hold and an unconfirmed refund."""
        dead = Ledger(self.service.database, self.clock, f"in_{month}")
        await dead.heartbeat()
        hold = await dead.hold(visitor.account_id, 1, request_id="r", endpoint="made", key_id="key_x")
        await dead.hold(visitor.account_id, 1, request_id="r", endpoint="made", key_id="key_x")
        receipt = Receipt("r", visitor.account_id, "made", "overloaded", None, "Busy.", (), self.clock.now())
        doubts = UnconfirmedRefunds(self.service.settings.data_dir / DOUBTS)
        await asyncio.to_thread(doubts.keep, UnconfirmedRefund(hold, receipt))

    async def _close_an_account(self, month: int) -> None:
        account, key = await self.service.accounts.create(f"guest{month}@example.com", 10)
        await self.service.accounts.identify(key)
        await self.service.directory.delete(account.id)
