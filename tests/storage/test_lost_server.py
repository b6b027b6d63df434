"""The log of a running server whose PostgreSQL crashes and restarts."""

import asyncio
import json
from pathlib import Path

from support.caller import Caller
from support.postgres import Postgres
from support.server import Server

ASKED = "/api/v1/conversions/cv_" + "0" * 32


async def test_every_line_about_a_lost_database_is_json(postgres: Postgres, tmp_path: Path) -> None:
    async with Server(tmp_path, database_url=await postgres.database()) as server:
        async with Caller(server, await server.first_key()) as caller:
            assert (await caller.get(ASKED)).status == 404
            postgres.stop()
            try:
                answers = await asyncio.gather(*(caller.get(ASKED) for _ in range(8)))
                assert {answer.status for answer in answers} == {503}
                async with asyncio.timeout(20):
                    while "asyncpg" not in "".join(_log(tmp_path)):  # noqa: ASYNC110  # another process sets no event
                        await asyncio.sleep(0.05)
            finally:
                postgres.start()
            assert (await caller.get(ASKED)).status == 404
        assert await server.stop() == 0
    lines = _log(tmp_path)
    assert {"storage.unavailable", "library.said"} <= {json.loads(line)["event"] for line in lines}


def _log(folder: Path) -> list[str]:
    return (folder / "serve.log").read_text().splitlines()
