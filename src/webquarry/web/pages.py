"""Documents for programs: OpenAPI schema, robots.txt, health and metrics."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api.openapi import omit_examples
from webquarry.web.health import Health
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

    def __init__(self, document: dict[str, Any], health: Health) -> None:
        """`document` is the OpenAPI document."""
        self._health = health
        self._document = document
        self._openapi: dict[tuple[str, bool], bytes] = {}

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/openapi.json", partial(self.openapi, write=orjson.dumps, media_type="application/json")),
            Route("/openapi.yaml", partial(self.openapi, write=write_yaml, media_type="application/yaml")),
            Route("/robots.txt", self.robots),
            *self._health.routes(),
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
