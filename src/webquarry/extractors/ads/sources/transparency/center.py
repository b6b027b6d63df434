"""The search engine's Ads Transparency Center, through its page's own RPCs, without a key or a login.

A response is an object whose keys are field numbers; 64-bit numbers are strings. `{}` means "nothing". Response format:
docs/upstreams/ads-searchengine.md.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import partial
from typing import Any, Final, Literal, TypeVar
from urllib.parse import quote

from webquarry.core.errors import Absent, ExtractionError, ProviderError, UnsafeTarget
from webquarry.core.parsed_text import ParsedText
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.net import ANY_STATUS, Kept, Net, retry_after_s
from webquarry.providers import google
from webquarry.providers.browser import plain_headers
from webquarry.read import JsonObject, at, take
from webquarry.read.block_pages import unreadable
from webquarry.read.fields import to_day, to_instant, to_whole
from webquarry.read.framing import unguarded
from webquarry.read.pages import LEAST_S, SPARE_S
from webquarry.read.values import parse_json

T = TypeVar("T")
Format = Literal["text", "image", "video", "unknown"]

HOST_URL: Final = "https://adstransparency.google.com"
NAME: Final = "The ads transparency center"
ADS_TRANSPARENCY: Final = Provider(
    name="ads_transparency",
    walled=True,
    title="Ads Transparency Center",
    politeness=Politeness(spacing_s=1.0, concurrency=1),
    headers={"X-Same-Domain": "1"},
    browser_headers=plain_headers("*/*", language="en-US,en;q=0.9", referer=f"{HOST_URL}/", origin=HOST_URL),
    keeps_cookies=True,
)
TOPIC: Final[Mapping[str, int]] = {"1": 1, "2": 0, "3": 2840}
"""Filter for all topics, in the form that the page sends for users from the United States."""

SESSION_URL: Final = f"{HOST_URL}/?region=anywhere"
SESSION_LASTS_S: Final = 1800.0
_FORMATS: Final[Mapping[int, Format]] = {1: "text", 2: "image", 3: "video"}
_NOT_FOUND: Final = 5
"""The gRPC code for "not found", which errors have at key 9."""
_FIRST_FAULT: Final = 400
_AGAIN: Final = frozenset({429, *range(500, 600)})
_LONGEST_PAUSE_S: Final = 2.0


class AdvertiserId(ParsedText, pattern=r"AR\d+", called="AR and digits", example="AR01", max_length=40):
    """An advertiser's ID."""


class CreativeId(ParsedText, pattern=r"CR\d+", called="CR and digits", example="CR01", max_length=40):
    """A creative's ID."""


async def ask(net: Net, method: str, question: Mapping[str, Any]) -> Wire:
    """Call a method (`SearchService/SearchCreatives`) and return the response, whatever its status.

    A temporary refusal is retried once, unless the response asks for a longer pause. Redirects point to block pages and
    are not followed.
    """
    sessions: Kept[str, bool] = Kept.of(net, "session")
    await sessions.get("", partial(_begin_session, net), lasts_s=SESSION_LASTS_S)
    wire = await _post(net, method, question)
    if await net.read(is_passing, wire):
        wire = await _post(net, method, question)
    return wire


def answer_of(wire: Wire) -> JsonObject:
    """Return the response's object; `{}` is the provider's form of "nothing".

    Raises Absent if the provider reports that the requested item does not exist. Raises ProviderError: "blocked" for a
    block page, "refused" for any other error, "changed" if the body is not an object.
    """
    google.refuse_block_pages(wire, NAME)
    answer = _read_object(wire)
    fault = _read_fault(answer) if answer else None
    if wire.status == 200 and answer is not None and fault is None:
        return answer
    if wire.status == 200 and answer is None:
        raise unreadable(wire, NAME, f"{NAME} sent an invalid response.")
    if fault is not None and at(answer, "9", int) == _NOT_FOUND:
        raise Absent(f"{NAME} reports that this does not exist.")
    raise _make_refusal_error(wire, wire.status if fault is None or wire.status != 200 else fault)


def format_of(code: int | None) -> Format:
    """Return `text`, `image`, `video` or `unknown`.

    This is the center's own label, which describes some images as text.
    """
    return _FORMATS.get(code or 0, "unknown")


def make_creative_url(advertiser_id: str, creative_id: str) -> str:
    """Return the URL of a creative's page at the center."""
    return f"{make_advertiser_url(advertiser_id).partition('?')[0]}/creative/{creative_id}?region=anywhere"


def make_advertiser_url(advertiser_id: str) -> str:
    """Return the URL of an advertiser's page at the center."""
    return f"{HOST_URL}/advertiser/{advertiser_id}?region=anywhere"


def day_at(node: Any, path: str) -> date | None:
    """Return the UTC day from a timestamp `{"1": seconds, "2": nanoseconds}` or from digits such as `20260920`."""
    return take(node, path, _to_day)


async def attempt(net: Net, further: Callable[[], Awaitable[T]]) -> T | None:
    """Make an optional further request; return None if it fails or times out.

    Use this if a response is already available. A failure still counts against the source.
    """
    if net.deadline.remaining_s < SPARE_S + LEAST_S:
        return None
    try:
        with net:
            async with net.deadline.within(net.deadline.remaining_s - SPARE_S).bound():
                return await further()
    except (TimeoutError, ExtractionError, UnsafeTarget):
        return None


async def _post(net: Net, method: str, question: Mapping[str, Any]) -> Wire:
    written = json.dumps(question, separators=(",", ":"))
    return await net.post(
        f"{HOST_URL}/anji/_/rpc/{method}?authuser=",
        body=f"f.req={quote(written, safe='')}".encode(),
        content_type="application/x-www-form-urlencoded",
        ok_on=ANY_STATUS,
        absent_on=(),
        follow=False,
    )


async def _begin_session(net: Net) -> bool:
    """Visit the page once to get its cookies. Requests without cookies get a captcha sooner.

    The response is only used to detect a captcha.
    """
    try:
        wire = await net.get(
            SESSION_URL,
            ok_on=ANY_STATUS,
            absent_on=(),
            follow=False,
            truncate=True,
            max_wire_bytes=1,
            max_bytes=1,
        )
    except ProviderError:
        return False
    if google.is_captcha(wire):
        google.refuse_block_pages(wire, NAME)
    return True


def is_passing(wire: Wire) -> bool:
    """Return whether a refusal may be temporary, so that a retry could succeed."""
    if google.find_block_page_of(wire, NAME) is not None or (retry_after_s(wire) or 0.0) > _LONGEST_PAUSE_S:
        return False
    answer = _read_object(wire) if wire.status == 200 else None
    return wire.status in _AGAIN or (answer is not None and _read_fault(answer) in _AGAIN)


def _read_object(wire: Wire) -> JsonObject | None:
    """Return the response's object, `{}` for an empty body, and None for any other value."""
    behind = unguarded(wire.body)
    body = (wire.body if behind is None else behind).strip()
    if not body:
        return {}
    try:
        found = parse_json(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _read_fault(answer: Mapping[str, Any]) -> int | None:
    """Return the status of an error `{"5": status, "9": code}`, or None if the object is not an error."""
    status, code = answer.get("5"), answer.get("9")
    if "1" in answer or type(status) is not int or type(code) is not int or status < _FIRST_FAULT:
        return None
    return status


def _make_refusal_error(wire: Wire, status: int) -> ProviderError:
    cause = (
        f"{NAME} is rate-limiting this address." if status == 429 else f"{NAME} rejected the request (status {status})."
    )
    return ProviderError(cause, reason="refused", retry_after_s=retry_after_s(wire))


def _to_day(value: Any) -> date | None:
    if isinstance(value, dict):
        found = to_instant(value.get("1"))
        return found.date() if found is not None else None
    figures = to_whole(value)
    if figures is None or not 1990_01_01 <= figures <= 9999_12_31:
        return to_day(value) if isinstance(value, str) else None
    try:
        return date(figures // 10_000, figures // 100 % 100, figures % 100)
    except ValueError:
        return None
