"""The complete response to an endpoint's example, as the sandbox sends it: headers, envelope, artifacts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from webquarry.endpoints.declare import Extractor
from webquarry.limits import WINDOW_S

_ID = f"cv_{'0' * 32}"
_BALANCE = 1000


@dataclass(frozen=True, slots=True)
class Example:
    """An example response for the documentation.

    `head` is the status line and headers, `body` is the envelope as indented JSON, and `markdown` is only the markdown.
    """

    head: str
    body: str
    markdown: str


def write_example(extractor: Extractor, answer: Mapping[str, Any] | None, limit: int) -> Example | None:
    """Return the response to an endpoint's example.

    `answer` is the sandbox's response with `data` and `markdown`, or None if there is no response. `limit` is the
    number of requests per window.
    """
    if answer is None:
        return None
    charged = extractor.credits
    envelope = {"extractor": extractor.name, "id": _ID, "creditsCharged": charged, "cached": False, **answer}
    head = {
        "x-request-id": "req_5f3a9c1e7b2d4f6a8c0e",
        "x-sandbox": "true",
        "ratelimit-policy": f'"default";q={limit};w={int(WINDOW_S)}',
        "ratelimit": f'"default";r={limit - 1};t={int(WINDOW_S)}',
        "x-ratelimit-limit": limit,
        "x-ratelimit-remaining": limit - 1,
        "x-ratelimit-reset": 1793534460,
        "content-type": "application/json",
        "x-conversion-id": _ID,
        "x-credits-charged": charged,
        "x-credits-remaining": _BALANCE - charged,
        "x-cache": "miss",
        "age": 0,
        "x-fetched-at": "2026-11-01T12:00:00Z",
        "server-timing": "total;dur=412.7",
        "cache-control": "private, no-store",
        "vary": "Accept, Accept-Encoding",
    }
    lines = ["HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in head.items())]
    body = orjson.dumps(envelope, option=orjson.OPT_INDENT_2).decode()
    return Example("\n".join(lines), body, str(answer.get("markdown", "")))
