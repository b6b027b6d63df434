"""Outbox: looks up accounts, and writes and sends emails, after the response was sent.

A response therefore takes the same time whether or not an address has an account. Emails that are still queued when the
service stops are lost; users can request them again.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from webquarry.accounts import emails, mail_codes, people_records
from webquarry.accounts.credentials import digest
from webquarry.accounts.mail import Email, MailError
from webquarry.core.background import try_round
from webquarry.core.clock import Clock
from webquarry.core.log import log
from webquarry.storage import Database

MAX_WAITING = 1000
PAUSES_S = (1.0, 10.0, 60.0)
"""Seconds to wait before each retry."""
Work = Callable[[], Awaitable[Email | None]]


class Outbox:
    """A `Post` that sends with `send`. Tests pass shorter `pauses_s`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        send: Callable[[Email], Awaitable[None]],
        *,
        base_url: str,
        pauses_s: Sequence[float] = PAUSES_S,
    ) -> None:
        self._database = database
        self._clock = clock
        self._send = send
        self._base_url = base_url
        self._pauses_s = pauses_s
        self._waiting: asyncio.Queue[Work] = asyncio.Queue(MAX_WAITING)

    def confirm(self, email: str) -> None:
        self._put(partial(self._write_confirmation, email))

    def tell_taken(self, email: str) -> None:
        self._put(partial(_give, emails.write_taken(email, self._base_url)))

    def reset(self, email: str) -> None:
        self._put(partial(self._write_reset, email))

    def move(self, account_id: str, email: str) -> None:
        self._put(partial(self._write_code, account_id, mail_codes.VERIFY, email))

    def tell_change(self, email: str, what: str) -> None:
        self._put(partial(_give, emails.write_change(email, what, self._base_url)))

    def tell_low_balance(self, email: str, balance: int, threshold: int) -> None:
        self._put(partial(_give, emails.write_low_balance(email, balance, threshold, self._base_url)))

    def tell_webhook_off(self, account_id: str, host: str, reason: str) -> None:
        self._put(partial(self._write_webhook_off, account_id, host, reason))

    async def run(self) -> None:
        """Send emails forever, one after another."""
        while True:
            work = await self._waiting.get()
            try:
                await try_round("mail", self._write_and_send(work))
            finally:
                self._waiting.task_done()

    async def drain(self) -> None:
        """Wait until the outbox is empty."""
        await self._waiting.join()

    def _put(self, work: Work) -> None:
        try:
            self._waiting.put_nowait(work)
        except asyncio.QueueFull:
            log.warning("mail.skipped", reason="too many emails are queued")

    async def _write_and_send(self, work: Work) -> None:
        mail = await work()
        if mail is not None:
            await self._deliver(mail)

    async def _write_confirmation(self, email: str) -> Email | None:
        person = await self._database.read(partial(people_records.find_by_email, email))
        if person is None or person.is_verified or person.is_disabled:
            return None
        return await self._write_code(person.id, mail_codes.VERIFY, person.email)

    async def _write_reset(self, email: str) -> Email | None:
        person = await self._database.read(partial(people_records.find_by_email, email.strip().lower()))
        if person is None or person.is_disabled:
            return None
        return await self._write_code(person.id, mail_codes.RESET, person.email)

    async def _write_webhook_off(self, account_id: str, host: str, reason: str) -> Email | None:
        person = await self._database.read(partial(people_records.find_by_id, account_id))
        if person is None or not person.is_verified or person.is_disabled:
            return None
        return emails.write_webhook_off(person.email, host, reason, self._base_url)

    async def _write_code(self, account_id: str, purpose: str, email: str) -> Email | None:
        code = secrets.token_hex(32)
        add = partial(mail_codes.add, digest(code), account_id, purpose, email, self._clock.now())
        if not await self._database.write(add, account=account_id):
            return None
        write = emails.write_confirmation if purpose == mail_codes.VERIFY else emails.write_reset
        return write(email, code, self._base_url)

    async def _deliver(self, mail: Email) -> None:
        for pause_s in (*self._pauses_s, None):
            try:
                await self._send(mail)
            except MailError as exc:
                pause_s = None if exc.is_final else pause_s
                log.warning("mail.refused", error=str(exc), again_in_s=pause_s)
                if pause_s is None:
                    return
                await asyncio.sleep(pause_s)
            else:
                return


async def _give(mail: Email) -> Email:
    return mail
