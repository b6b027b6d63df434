"""Routes of shared responses.

    GET  /shared/<id>                             a response, to anyone with the link
    GET  /shared/<id>/<data.json or answer.md>    a complete artifact
    GET  /account/shared                          the account's links
    POST /account/shared                          `conversion`: share this response from the account's history
    POST /account/shared/<id>/end                 end a link

Forms name in `next` the page to return to.
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Caller, Share, Shares, Visitor
from webquarry.api.addresses import Addresses
from webquarry.core.clock import Clock
from webquarry.core.errors import NotFound
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.limits import Limiter
from webquarry.pipeline import Answer, Pipeline
from webquarry.web.gate import Gate, go_to, read_next
from webquarry.web.playground.artifacts import send_artifact
from webquarry.web.playground.form_request import ROOT, describe_question
from webquarry.web.playground.view import PERMITS, Viewer
from webquarry.web.session import Fields

SHARED: Final = "/shared"
LINKS: Final = "/account/shared"
PER_MINUTE: Final = 60
"""Requests for shared responses per minute and address."""
_ANYONE: Final = Caller("", "shared")
_NOT_INDEXED: Final = {"x-robots-tag": "noindex, nofollow, noarchive", "cache-control": "private, no-store"}
_MISSING: Final = "There is no shared response at this link. It may have ended or expired."


class SharedPages:
    """Routes of shared responses. `limiter` limits requests by address."""

    def __init__(
        self,
        gate: Gate,
        registry: Registry,
        pipeline: Pipeline,
        shares: Shares,
        viewer: Viewer,
        limiter: Limiter,
        addresses: Addresses,
        clock: Clock,
    ) -> None:
        self._gate = gate
        self._registry = registry
        self._pipeline = pipeline
        self._shares = shares
        self._viewer = viewer
        self._limiter = limiter
        self._addresses = addresses
        self._clock = clock

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(f"{SHARED}/{{id}}", gate.open_page(self.show)),
            Route(f"{SHARED}/{{id}}/{{artifact}}", gate.open_page(self.artifact)),
            Route(LINKS, gate.page(self.list_links), methods=["GET"]),
            Route(LINKS, gate.form(self.share), methods=["POST"]),
            Route(f"{LINKS}/{{id}}/end", gate.form(self.end), methods=["POST"]),
        )

    async def show(self, request: Request) -> Response:
        share, extractor, answer = await self._open(request)
        view = await self._viewer.show(answer, _ANYONE.key_id, charged=0, is_cached=True)
        visitor = await self._gate.visitors.find(request)
        response = await self._gate.show(
            request,
            "playground/shared.html",
            share=share,
            extractor=extractor,
            answer=answer,
            view=view,
            parameters=parse_qsl(share.question, keep_blank_values=True),
            permits=PERMITS,
            prefix=API_PREFIX,
            root=ROOT,
            address=f"{SHARED}/{share.id}",
            is_owner=visitor is not None and visitor.account_id == share.account_id,
        )
        response.headers.update(_NOT_INDEXED)
        return response

    async def artifact(self, request: Request) -> Response:
        """Return a complete artifact of a shared response as a file."""
        _, extractor, answer = await self._open(request)
        response = send_artifact(answer, request.path_params["artifact"], extractor.name)
        response.headers.update(_NOT_INDEXED)
        return response

    async def list_links(self, request: Request, visitor: Visitor) -> Response:
        return await self._gate.show(
            request,
            "account/shared.html",
            section="shared",
            shares=await self._shares.list_shares(visitor.account_id, self._clock.now()),
            titles={name: extractor.title for name, extractor in self._registry.by_name.items()},
            describe_question=describe_question,
            shared=SHARED,
            links=LINKS,
        )

    async def share(self, _request: Request, visitor: Visitor, fields: Fields) -> Response:
        conversion_id = fields.get("conversion", "")
        if await self._shares.share(visitor.account_id, conversion_id, self._clock.now()) is None:
            raise NotFound("This response can't be shared: it has expired, or it isn't in your playground history.")
        return _return(fields)

    async def end(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        await self._shares.end(visitor.account_id, request.path_params["id"])
        return _return(fields)

    async def _open(self, request: Request) -> tuple[Share, Extractor, Answer]:
        """Return the shared response of a request. Raises NotFound, and RateLimited."""
        (await self._limiter.take(f"shared:{self._addresses.network_of(request.scope)}")).check()
        share = await self._shares.find(request.path_params["id"], self._clock.now())
        extractor = self._registry.by_name.get(share.endpoint) if share else None
        if share is None or extractor is None:
            raise NotFound(_MISSING)
        try:
            return share, extractor, await self._pipeline.conversion(_ANYONE, share.conversion_id, "both")
        except NotFound as gone:
            raise NotFound(_MISSING) from gone


def _return(fields: Fields) -> Response:
    """Redirect to the page that the form names, by default to the list of links."""
    wanted = fields.get("next", "")
    return go_to(wanted if read_next(wanted) == wanted else LINKS)
