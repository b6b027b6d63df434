"""Requests to the API in this process, each response checked against the OpenAPI document."""

from typing import Any

import orjson

from webquarry.api.openapi import document
from webquarry.api.responses import NO_SNIFF
from webquarry.service import Service

from .client import Contract, Reply


class Direct:
    """Client of the application in this process, with one account's key. app: used instead of the service's
    application.
    """

    def __init__(self, service: Service, key: str, app: Any = None) -> None:
        self._app = app or service.asgi()
        self._key = key
        self._contract = Contract(document(service.registry, base_url=service.settings.base_url, rate_limit=60))

    async def ask(self, target: str, *, method: str = "GET", json: Any = None, **fields: str) -> Reply:
        """Send a request, with a JSON body unless `json` is None, and return the response."""
        path, _, query = target.partition("?")
        headers = {"x-api-key": self._key, **{name.replace("_", "-"): value for name, value in fields.items()}}
        sent_body = b"" if json is None else orjson.dumps(json)
        if json is not None:
            headers.setdefault("content-type", "application/json")
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent_body, "more_body": False}

        await self._app(scope, receive, send)
        start, body = sent
        answer = {name.decode(): value.decode() for name, value in start["headers"]}
        answer.update([NO_SNIFF])  # like the server
        reply = Reply(start["status"], answer, body["body"])
        self._contract.judge(method, path, reply)
        return reply
