"""Requests to YouTube in the form of its own pages and apps, without a key. See docs/upstreams/video-platform.md."""

from collections.abc import Collection, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.net import Net
from webquarry.providers.browser import ACCEPT_DATA, plain_headers
from webquarry.read import json_of, must, take
from webquarry.read.block_pages import WALL_WAIT_S
from webquarry.read.fields import to_line, to_whole

TITLE: Final = "YouTube"
SITE: Final = "https://www.youtube.com"
INNERTUBE: Final = Provider(
    name="innertube",
    walled=True,
    title=TITLE,
    politeness=Politeness(concurrency=4),
    browser_headers=plain_headers(ACCEPT_DATA, language="en-US,en;q=0.9", origin=SITE, referer=SITE),
)
MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
CONSENT: Final = {"SOCS": "CAE="}
"""A cookie that answers the consent question by refusing everything optional."""

Client = dict[str, Any]
WEB: Final[Client] = {
    "clientName": "WEB",
    "clientVersion": "2.20260708.00.00",
    "originalUrl": SITE,
    "platform": "DESKTOP",
}
VISIONOS: Final[Client] = {
    "clientName": "VISIONOS",
    "clientVersion": "1.02",
    "clientScreen": "WATCH",
    "platform": "MOBILE",
    "deviceMake": "Apple",
    "deviceModel": "RealityDevice17,1",
    "osName": "visionOS",
    "osVersion": "26.5.23O471",
}
ANDROID: Final[Client] = {
    "clientName": "ANDROID",
    "clientVersion": "21.26.364",
    "platform": "MOBILE",
    "osName": "Android",
    "osVersion": "16",
    "androidSdkVersion": 36,
}
NUMBERS: Final = {"WEB": "1", "VISIONOS": "101", "ANDROID": "3"}
WATCHED: Final = {"contentCheckOk": True, "racyCheckOk": True}
"""Fields sent with a video's id, so that a video behind a "watch anyway?" question is returned."""


async def call(
    net: Net,
    name: str,
    question: dict[str, Any],
    client: Client = WEB,
    *,
    language: str = "en",
    country: str = "US",
    fields: str = "",
    ok_on: Collection[int] = (200, 400, 404),
) -> Wire:
    """Send the request `name` and return its response.

    Errors in the response body are not raised; `answer_of` detects them. language: English, unless the response's text
    is returned to the caller unparsed. fields: the fields to which the response is limited.
    """
    context = {
        "client": {**client, "hl": language, "gl": country, "utcOffsetMinutes": 0},
        "request": {"internalExperimentFlags": [], "useSsl": True},
        "user": {"lockedSafetyMode": False},
    }
    url = f"{SITE}/youtubei/v1/{name}?prettyPrint=false" + (f"&$fields={fields}" if fields else "")
    return await net.post(
        url,
        body=orjson.dumps({"context": context, **question}),
        content_type="application/json",
        accept="application/json",
        headers={
            "X-YouTube-Client-Name": NUMBERS[client["clientName"]],
            "X-YouTube-Client-Version": client["clientVersion"],
        },
        cookies=CONSENT,
        ok_on=ok_on,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )


def answer_of(wire: Wire) -> dict[str, Any]:
    """Return the response's JSON object.

    Raises Absent, with the provider's message, if the provider reports that the item does not exist. Raises
    ProviderError "blocked" for a block page, "refused" for other errors, and "changed" for an unknown form.
    """
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    error = answer.get("error")
    if error is None:
        return answer
    code = take(error, "code", to_whole)
    words = take(error, "message", to_line) or "no reason given"
    if code == 404:
        raise Absent(f"{TITLE} found nothing with this name: {words}")
    raise ProviderError(f"{TITLE} rejected the request (status {code or wire.status}): {words}", reason="refused")


def make_blocked_error(words: str | None) -> ProviderError:
    """Return the error for a response that demands a login or a bot check."""
    quoted = f' ("{words}")' if words else ""
    return ProviderError(
        f"{TITLE} treats this service as a bot and requires a sign-in{quoted}; requests from other addresses may work.",
        reason="blocked",
        retry_after_s=WALL_WAIT_S,
    )


def is_absent_again(error: ExtractionError, earlier: Iterable[ExtractionError]) -> bool:
    """Return whether this error and an earlier one both report that the video does not exist."""
    return isinstance(error, Absent) and any(isinstance(one, Absent) for one in earlier)


def is_own_address(url: str) -> bool:
    """Return whether an address in a response is one of the provider's addresses for captions."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = parts.hostname or ""
    return (
        parts.scheme == "https"
        and (host == "youtube.com" or host.endswith(".youtube.com"))
        and parts.path == "/api/timedtext"
    )
