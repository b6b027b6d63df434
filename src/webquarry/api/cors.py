"""Calls from pages of other origins, where the operator lets them (`WEBQUARRY_CORS_ORIGINS`)."""

from collections.abc import Sequence
from typing import Any

from starlette.middleware.cors import CORSMiddleware

_ASKED = ("Authorization", "X-Api-Key", "X-Request-Id", "Cache-Control", "Content-Type", "Accept")
_SHOWN = (
    *("X-Request-Id", "X-Conversion-Id", "X-Credits-Charged", "X-Credits-Remaining", "X-Cache", "Age", "X-Fetched-At"),
    *("X-Error-Reason", "X-Retryable", "Retry-After", "Link", "Server-Timing", "X-Sandbox", "Content-Disposition"),
    *("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"),
)
_REMEMBERED_S = 600
"""Seconds for which a browser need not ask again."""


def allow_origins(app: Any, origins: Sequence[str]) -> Any:
    """The ASGI application as pages of these origins may call it (`*`: of any); as it is when there are none.

    Keys travel in headers, never in cookies, so no credentials of the browser's are let through.
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
            # an answer that is written whole would go past the middleware's own headers
            await shared({**scope, "extensions": {}}, receive, send)
        else:
            await app(scope, receive, send)

    return answer
