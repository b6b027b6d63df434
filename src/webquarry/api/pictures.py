"""`/logos/…`: images in responses, public and without a key.

Only images from earlier responses can be requested, so serving an image never makes a request to a provider. An image's
name is derived from its content, so the image with a given name never changes. Requests are rate-limited per client
address.
"""

import re
from collections.abc import Mapping
from typing import Any

from webquarry.api.addresses import Addresses
from webquarry.api.responses import JSON, Headers, Send, encode_headers, error_body
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import MethodNotAllowed, NotFound, ServiceError
from webquarry.core.metrics import Metrics
from webquarry.core.types import PICTURES_PATH
from webquarry.limits import Limiter
from webquarry.pipeline import Pipeline

PER_MINUTE = 600
"""Maximum requests per minute from one address: enough for a page with about a hundred logos, opened a few times."""
_NAME = re.compile(r"[0-9a-f]{32}\.(?:png|svg)")
_OPEN: Headers = [(b"access-control-allow-origin", b"*"), (b"cross-origin-resource-policy", b"cross-origin")]
_SHOWN: Headers = [
    (b"cache-control", b"public, max-age=31536000, immutable"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox"),
]
_NOT_KEPT = (b"cache-control", b"no-store")


class Pictures:
    """ASGI application for everything below `/logos/`."""

    def __init__(self, pipeline: Pipeline, limiter: Limiter, metrics: Metrics, addresses: Addresses) -> None:
        """`limiter` limits client addresses, separately from keys."""
        self._addresses = addresses
        self._pipeline = pipeline
        self._limiter = limiter
        self._metrics = metrics

    async def __call__(self, scope: Mapping[str, Any], _receive: Any, send: Send) -> None:
        headers: Headers = [*_OPEN]
        body, code = b"", "ok"
        try:
            with ErrorBoundary("picture.failed"):
                status, body = await self._answer(scope, headers)
        except ServiceError as error:
            status, body, code = _refuse(error, headers)
        headers.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
        self._metrics.called("logos", "none", code)

    async def _answer(self, scope: Mapping[str, Any], headers: Headers) -> tuple[int, bytes]:
        if scope["method"] not in ("GET", "HEAD"):
            raise MethodNotAllowed("Images support GET and HEAD only.", ("GET", "HEAD"))
        (await self._limiter.take(f"address:{self._addresses.network_of(scope)}")).check()
        name = scope["path"].removeprefix(PICTURES_PATH)
        if not _NAME.fullmatch(name):
            raise NotFound("Image not found. Use the URL from the response that contains the image.")
        picture = await self._pipeline.picture(name)
        tag = f'"{name.partition(".")[0]}"'.encode()
        headers += [*_SHOWN, (b"etag", tag)]
        if _names(scope["headers"], tag):
            return 304, b""
        headers.append((b"content-type", picture.media_type.encode()))
        return 200, picture.body


def _names(headers: Any, tag: bytes) -> bool:
    """Return whether `If-None-Match` contains the tag."""
    listed = b",".join(value for name, value in headers if name == b"if-none-match")
    return any(one.strip().removeprefix(b"W/") in (tag, b"*") for one in listed.split(b","))


def _refuse(error: ServiceError, headers: Headers) -> tuple[int, bytes, str]:
    headers[:] = [*_OPEN, JSON, _NOT_KEPT, *encode_headers(error)]
    return error.status, error_body(error), error.code
