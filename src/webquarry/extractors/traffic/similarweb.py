"""Similarweb's estimates: by its API, by a reseller of the same object, or as its browser extension asks for them.

One object in all three, which `estimates` reads. Wire notes: docs/upstreams/similarweb.md.
"""

from datetime import timedelta
from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Manners, Provider, Wire
from webquarry.extractors.traffic.estimates import HasDomain, is_site, make_unknown_error, read_site, site_of
from webquarry.extractors.traffic.result import Traffic
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key, read_message
from webquarry.providers.browser import ACCEPT_DATA, plain_headers
from webquarry.read import json_of
from webquarry.read.fields import to_line
from webquarry.read.walls import is_page

SIMILARWEB_API: Final = Provider(
    name="similarweb_api", title="Similarweb's API", needs=("similarweb_key",), unproven=True
)
RESELLER: Final = Provider(
    name="similarweb_reseller",
    title="the Similarweb reseller",
    needs=("traffic_reseller_url", "traffic_reseller_key"),
    uses=("traffic_reseller_header", "traffic_reseller_pointer"),
    unproven=True,
)
SIMILARWEB: Final = Provider(
    name="similarweb",
    walled=True,
    title="Similarweb",
    manners=Manners(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(
        ACCEPT_DATA,
        language="en-US,en;q=0.9",
        referer="https://www.similarweb.com/",
        origin="https://www.similarweb.com",
    ),
)

REFUSED_FOR: Final = timedelta(hours=1)
"""A refused address is refused for all sites, and for long."""
_API_URL: Final = "https://api.similarweb.com/v1/website/{domain}/general-data/all?format=json"
_PUBLIC_URL: Final = "https://data.similarweb.com/api/v1/data?domain={domain}"
_PLACE: Final = "{domain}"
_CDN_HEADERS: Final = ("server", "via", "x-cache")
_CDN_SAYS: Final = (b"request could not be satisfied", b"request blocked")
_SAID_WITHIN_BYTES: Final = 16 * 1024
_WRAPPERS: Final = ("data", "result", "response")


async def lookup(params: HasDomain, net: Net) -> Wire:
    """What the browser extension is told, without a key.

    EmptyResult when there is no such site; ProviderError: "blocked" for the refusal of the CDN before it, after which
    it is left alone for an hour, "refused" for any other status.
    """
    wire = await net.get(
        _PUBLIC_URL.format(domain=site_of(params.domain)),
        accept=ACCEPT_DATA,
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
        follow=False,
    )
    if wire.status == 200:
        return wire
    if _is_of_cdn(wire):
        raise _blocked(wire)
    if wire.status == 404:
        raise make_unknown_error(params)
    raise ProviderError(
        f"Similarweb rejected the request (status {wire.status}).",
        reason="refused",
        retry_after_s=retry_after_s(wire) or (REFUSED_FOR.total_seconds() if wire.status == 429 else None),
    )


async def lookup_by_key(params: HasDomain, net: Net) -> Wire:
    """Similarweb's API. EmptyResult when it says that it has no such site; ProviderError as `answer_by_key`."""
    wire = await net.get(
        _API_URL.format(domain=site_of(params.domain)),
        accept="application/json",
        secrets={"api_key": net.setting("similarweb_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    if wire.status == 404 and await net.read(says_not_found, wire):
        raise make_unknown_error(params)
    return await answer_by_key(wire, SIMILARWEB_API, net)


async def ask_reseller(params: HasDomain, net: Net) -> tuple[Traffic, Wire]:
    """A reseller's answer, by address, header and place of the object as set. ProviderError as `answer_by_key`."""
    url = net.setting("traffic_reseller_url")
    wire = await net.get(
        url.replace(_PLACE, site_of(params.domain)),
        accept="application/json",
        headers={net.setting("traffic_reseller_header"): net.setting("traffic_reseller_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    wire = await answer_by_key(wire, RESELLER, net)
    return await net.read(read_reseller, wire, params, net.setting("traffic_reseller_pointer")), wire


def read_reseller(wire: Wire, params: HasDomain, pointer: str = "") -> Traffic:
    """pointer: where the object lies (RFC 6901); without one it is looked for at the top and in one usual wrapper."""
    answer = json_of(wire)
    found = _pointed(answer, pointer) if pointer else _unwrapped(answer)
    if not isinstance(found, dict):
        where = f" at {pointer}" if pointer else ""
        raise ProviderError(f"The reseller's answer has no object{where}.", reason="changed")
    return read_site(found, params)


def read(wire: Wire, params: HasDomain) -> Traffic:
    """What is no JSON object is a page that stands before the source: "blocked"."""
    try:
        answer = json_of(wire)
    except ProviderError as exc:
        raise _blocked(wire) from exc
    if not isinstance(answer, dict):
        raise _blocked(wire)
    return read_site(answer, params)


def _pointed(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(name)] if name.isascii() and name.isdigit() and int(name[:9]) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _unwrapped(answer: Any) -> Any:
    """The object itself, or the one in a usual wrapper; a list's first item."""
    if isinstance(answer, list):
        answer = answer[0] if answer else None
    if not isinstance(answer, dict) or is_site(answer):
        return answer
    inner = (answer.get(name) for name in _WRAPPERS)
    wrapped = [item[0] if isinstance(item, list) and item else item for item in inner]
    return next((item for item in wrapped if isinstance(item, dict) and is_site(item)), answer)


def _is_of_cdn(wire: Wire) -> bool:
    """Whether the answer is that of the CDN that stands before Similarweb."""
    head = wire.body[:_SAID_WITHIN_BYTES].lower()
    if any(words in head for words in _CDN_SAYS):
        return True
    headers = " ".join(wire.headers.get(name, "") for name in _CDN_HEADERS).lower()
    return "cloudfront" in headers and (wire.status == 403 or is_page(wire))


def _blocked(wire: Wire) -> ProviderError:
    return ProviderError(
        f"Similarweb rejects this service's address (status {wire.status}): a key of its API, or of a reseller, is "
        "asked elsewhere.",
        reason="blocked",
        retry_after_s=REFUSED_FOR.total_seconds(),
    )


def says_not_found(wire: Wire) -> bool:
    """Whether the API says that it has no such site."""
    try:
        answer = json_of(wire)
    except ProviderError:
        return False
    meta = answer.get("meta") if isinstance(answer, dict) else None
    message = to_line(meta.get("error_message")) if isinstance(meta, dict) else read_message(answer)
    return "not found" in (message or "").lower()
