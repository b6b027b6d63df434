"""A server to be killed: requests that hold, run for a moment, and settle or refund, until it dies.

Takes the store's settings as JSON; prints a line for every 50 finished requests.
"""

import asyncio
import json
import random
import sys
from datetime import timedelta
from itertools import count

from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger, Receipt
from webquarry.storage import open_database
from webquarry.storage.conversions import Conversion

CALLERS = 32


async def main(settings: Settings, account_ids: list[str]) -> None:
    clock, dice, ended = SystemClock(), random.Random(7), count(1)
    ledger = Ledger(await open_database(settings, migrate=False), clock, "victim")
    await ledger.heartbeat()

    async def call(account_id: str) -> None:
        amount, key_id = dice.randint(1, 6), f"key_{account_id}"
        hold = await ledger.hold(account_id, amount, request_id="r", endpoint="e", key_id=key_id)
        await asyncio.sleep(dice.random() / 20)  # most requests are here, with an open hold, at the time of the kill
        now = clock.now()
        if dice.random() < 0.2:
            await ledger.refund(hold, Receipt("r", account_id, "e", "provider_error", "down", "No.", (), now))
        else:
            expires = now + timedelta(days=30)
            answer = Conversion(hold.id, "e", 1, None, None, now, None, expires, None, None, b"{}", b"x" * 5000)
            await ledger.settle(hold, dice.randint(0, hold.amount), answer)
        if (number := next(ended)) % 50 == 0:
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()

    async def caller(account_id: str) -> None:
        while True:
            await call(account_id)

    await asyncio.gather(*[caller(account_ids[n % len(account_ids)]) for n in range(CALLERS)])


if __name__ == "__main__":
    asyncio.run(main(Settings(**json.loads(sys.argv[1])), sys.argv[2:]))
