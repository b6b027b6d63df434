"""A process that leads one flight and never lands: `leader.py REDIS_URL KEY LEASE_S`. Prints `leading`, then waits."""

import asyncio
import sys

from webquarry.core.clock import SystemClock
from webquarry.pipeline.flights.flight import Lead
from webquarry.pipeline.flights.redis import redis_flights
from webquarry.storage.redis import connect_redis


async def main(url: str, key: str, lease_s: float) -> None:
    async with connect_redis(url) as redis, redis_flights(redis, SystemClock(), lease_s=lease_s) as flights:
        boarded = await flights.board(key)
        assert isinstance(boarded, Lead)
        sys.stdout.write("leading\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
