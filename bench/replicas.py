"""Cached responses of two servers that share a PostgreSQL and a Redis, compared with one server.

`wrk` loads one server, then both at the same time; rounds take turns. Goal: in the median round, both servers together
answer 1.7 times as many requests as one, on two processors. The processors also run `wrk`, which uses a part of each.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path

from bench.cached import ROUNDS, subject_of, write_page
from bench.table import bar, show
from bench.upstream import upstream
from support.postgres import running_postgres
from support.redis import redis_server
from support.server import Server

LEAST = 1.7


async def measure(folder: Path) -> None:
    async with upstream(write_page().encode()) as target:
        with running_postgres() as postgres, redis_server() as redis_url:
            settings = {
                "rate_limit_per_minute": 1_000_000_000,
                "egress_allow": target,
                "redis_url": redis_url,
                "database_url": await postgres.database(),
            }
            for name in ("a", "b"):
                (folder / name).mkdir()
            async with Server(folder / "a", **settings) as first:
                key = await first.first_key()
                async with Server(folder / "b", **settings) as second:
                    subjects = [await subject_of(server, target, key) for server in (first, second)]
                    for subject in subjects:
                        await subject.warm()
                    rounds = [
                        (await subjects[0].load(), sum(await asyncio.gather(*(each.load() for each in subjects))))
                        for _ in range(ROUNDS)
                    ]
    rows = [(str(number + 1), one, both, both / one) for number, (one, both) in enumerate(rounds)]
    middle = [statistics.median(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    show(
        "Cached responses of two servers, requests a second",
        ("round", "one server", "both", "ratio"),
        [*rows, ("median", *middle)],
        bar(middle[2], LEAST),
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
