"""Health and metrics, for load balancers and monitoring."""

import hmac
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.api.forwarding import is_direct
from webquarry.api.responses import error_body
from webquarry.core.errors import Unauthorized
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.web.site import respond


class Health:
    """Routes for health and metrics.

    `ready` returns why the process cannot work, or None. `remarks` returns additional notes for operators.
    """

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        ready: Callable[[], Awaitable[str | None]],
        remarks: Callable[[], tuple[str, ...]],
    ) -> None:
        self._settings = settings
        self._metrics = metrics
        self._ready = ready
        self._remarks = remarks

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        )

    async def healthz(self, _request: Request) -> Response:
        """Return ok if the process responds."""
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
