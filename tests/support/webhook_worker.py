"""A server process that runs one job and notifies a webhook, until it is killed.

Arguments: data folder, database URL or "", host:port that it may notify.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path

from support.made import Board
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.records import NewItem, NewJob, new_job_id


async def serve(data_dir: str, database_url: str, target: str) -> None:
    settings = Settings(data_dir=Path(data_dir), database_url=database_url or None, egress_allow=(target,))
    async with assemble(settings, serving=True, registry=Board().registry()) as service:
        account, _ = await service.accounts.create("owner@example.com", 1000)
        await service.webhooks.create(account.id, f"http://{target}/hook", ["job.done"])
        now = service.clock.now()
        job = NewJob(new_job_id(now), account.id, "key", BATCH, "made", {}, now, now + timedelta(days=1))

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": f"k{n}"}, "host:one") for n in range(20)]

        await service.workshop.jobs.start(job, inputs())
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
