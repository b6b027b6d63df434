"""Cross-origin requests, if the operator allows them (`WEBQUARRY_CORS_ORIGINS`)."""

from collections.abc import Sequence
from typing import Any

from starlette.middleware.cors import CORSMiddleware

_ASKED = (
    *("Authorization", "X-Api-Key", "X-Request-Id", "Cache-Control", "Content-Type", "Accept"),
    *("Idempotency-Key", "Last-Event-ID"),
)
_SHOWN = (
    *("X-Request-Id", "X-Conversion-Id", "X-Credits-Charged", "X-Credits-Remaining", "X-Cache", "Age", "X-Fetched-At"),
    *("X-Error-Reason", "X-Retryable", "Retry-After", "Link", "Server-Timing", "X-Sandbox", "Content-Disposition"),
    "Location",
    *("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"),
)
_REMEMBERED_S = 600
"""Seconds for which a browser may cache a preflight response."""


def allow_origins(app: Any, origins: Sequence[str]) -> Any:
    """Return the ASGI application with CORS for these origins (`*` for any), or unchanged if there are none.

    Keys are sent in headers, never in cookies, so browser credentials are not allowed.
    """
    if not origins:
        return app
    shared = CORSMiddleware(
        app,
        allow_origins=list(origins),
        allow_methods=["GET", "POST"],
        allow_headers=_ASKED,
        expose_headers=_SHOWN,
        max_age=_REMEMBERED_S,
    )

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if any(name == b"origin" for name, _ in scope["headers"]):
            # A response sent through the `WHOLE` extension would lack the middleware's headers.
            await shared({**scope, "extensions": {}}, receive, send)
        else:
            await app(scope, receive, send)

    return answer
