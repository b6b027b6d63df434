"""Documents for programs: OpenAPI schema, robots.txt, health and metrics."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.api.forwarding import is_direct
from webquarry.api.openapi import omit_examples
from webquarry.api.responses import error_body
from webquarry.core.errors import Unauthorized
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.web.site import respond
from webquarry.web.yaml_text import write_yaml

_PRIVATE = (
    "/account",
    "/admin",
    "/confirm",
    "/forgot",
    "/login",
    "/logout",
    "/oauth/",
    "/playground",
    "/reauthenticate",
    "/reset",
    "/signup",
)
_ROBOTS = "".join(["User-agent: *\n", *(f"Disallow: {path}\n" for path in _PRIVATE), "Allow: /\n"]).encode()


class Pages:
    """Routes for programs."""

    def __init__(
        self,
        document: dict[str, Any],
        settings: Settings,
        metrics: Metrics,
        ready: Callable[[], Awaitable[str | None]],
        remarks: Callable[[], tuple[str, ...]],
    ) -> None:
        """`document` is the OpenAPI document.

        `ready` returns why requests cannot be served, or None. `remarks` returns additional notes for operators.
        """
        self._settings = settings
        self._metrics = metrics
        self._ready = ready
        self._remarks = remarks
        self._document = document
        self._openapi: dict[tuple[str, bool], bytes] = {}

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/openapi.json", partial(self.openapi, write=orjson.dumps, media_type="application/json")),
            Route("/openapi.yaml", partial(self.openapi, write=write_yaml, media_type="application/yaml")),
            Route("/robots.txt", self.robots),
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        )

    async def openapi(self, request: Request, *, write: Callable[[Any], bytes], media_type: str) -> Response:
        """Return the OpenAPI document. `?examples=false` omits the examples of responses."""
        has_examples = request.query_params.get("examples") != "false"
        key = (media_type, has_examples)
        if key not in self._openapi:
            document = self._document if has_examples else omit_examples(self._document)
            self._openapi[key] = await asyncio.to_thread(write, document)
        return await respond(request, self._openapi[key], media_type)

    async def robots(self, request: Request) -> Response:
        """Return robots.txt: crawlers may read the documentation, but no pages that belong to an account."""
        return await respond(request, _ROBOTS, "text/plain; charset=utf-8")

    async def healthz(self, _request: Request) -> Response:
        """Return `ok`, which shows that the process responds."""
        return PlainTextResponse("ok\n")

    async def readyz(self, _request: Request) -> Response:
        """Return whether requests can be served. This includes a check of the store."""
        missing = await self._ready()
        lines = "\n".join((missing or "ready", *self._remarks()))
        return PlainTextResponse(f"{lines}\n", status_code=503 if missing else 200)

    async def metrics(self, request: Request) -> Response:
        """Return the metrics to callers that WEBQUARRY_METRICS allows."""
        if not self._may_read_metrics(request):
            error = Unauthorized("Set WEBQUARRY_METRICS_TOKEN and send it as `Authorization: Bearer <token>`.")
            return Response(
                error_body(error), status_code=error.status, headers=error.headers(), media_type="application/json"
            )
        return await respond(request, self._metrics.text(), "text/plain; version=0.0.4")

    def _may_read_metrics(self, request: Request) -> bool:
        settings = self._settings
        if settings.metrics == "open":
            return True
        if settings.metrics_token is not None:
            given = request.headers.get("authorization", "")
            return hmac.compare_digest(given.encode(), f"Bearer {settings.metrics_token}".encode())
        return settings.metrics == "local" and is_direct(request.scope, settings)
