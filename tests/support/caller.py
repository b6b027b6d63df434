"""A client of the running service for many concurrent requests."""

from dataclasses import dataclass
from typing import Any, Self

import aiohttp
import orjson

from .server import Server


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. headers: lower-case names; body: empty unless it was JSON."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


class Caller:
    """Sends requests with a key. A broken connection raises aiohttp's errors."""

    def __init__(self, server: Server, key: str) -> None:
        self._server = server
        self._session = aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def markdown(self, url: str) -> Reply:
        return await self.get("/api/v1/markdown/url", url=url, format="both")

    async def get(self, path: str, **query: str) -> Reply:
        async with self._session.get(f"{self._server.url}{path}", params=query) as answer:
            body = await answer.read()
            headers = {name.lower(): value for name, value in answer.headers.items()}
            is_json = headers["content-type"] == "application/json"
            return Reply(answer.status, headers, orjson.loads(body) if is_json else {})
