"""The request log of a real server: requests are stored in the background and when it stops."""

import asyncio
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from support.server import Server
from webquarry.core.settings import Settings
from webquarry.storage import open_database
from webquarry.storage.database import query


def ask(url: str, key: str) -> int:
    try:
        with urlopen(Request(url, headers={"x-api-key": key}), timeout=60) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


async def test_requests_of_the_last_second_are_stored_at_shutdown(tmp_path: Path) -> None:
    async with Server(tmp_path, rate_limit_per_minute=3) as server:
        key = await server.first_key()
        url = f"{server.url}/api/v1/account"
        statuses = [await asyncio.to_thread(ask, f"{url}?n={number}", key) for number in range(2)]
        statuses += [await asyncio.to_thread(ask, url, key) for _ in range(2)]
        assert statuses == [400, 400, 200, 429]
        assert await server.stop() == 0
    database = await open_database(Settings(data_dir=tmp_path), migrate=False)
    rows = await database.read(lambda: query("SELECT status, endpoint, params FROM request_log ORDER BY id", {}))
    assert rows == [(400, "account", "n=…"), (400, "account", "n=…"), (200, "account", ""), (429, "account", "")]
    await database.close()
