"""Requests to the API in this process, each response checked against the OpenAPI document."""

from typing import Any

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

    async def ask(self, target: str, **fields: str) -> Reply:
        path, _, query = target.partition("?")
        headers = {"x-api-key": self._key, **{name.replace("_", "-"): value for name, value in fields.items()}}
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self._app(scope, None, send)
        start, body = sent
        answer = {name.decode(): value.decode() for name, value in start["headers"]}
        answer.update([NO_SNIFF])  # as the server does
        reply = Reply(start["status"], answer, body["body"])
        self._contract.judge("GET", path, reply)
        return reply
