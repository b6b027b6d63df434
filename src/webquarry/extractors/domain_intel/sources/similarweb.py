"""Similarweb's estimates from its browser extension's request, without a key. `estimates` parses the object.

With a key: `untested.similarweb_api`. Response format: docs/upstreams/similarweb.md.
"""

from datetime import timedelta
from typing import Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.domain_intel.model.traffic_result import Traffic
from webquarry.extractors.domain_intel.sources.estimates import (
    HasDomain,
    find_site,
    make_unknown_error,
    read_site,
)
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers.answers import MAX_ANSWER_BYTES
from webquarry.providers.browser import ACCEPT_DATA, plain_headers
from webquarry.read import json_of
from webquarry.read.block_pages import is_page

SIMILARWEB: Final = Provider(
    name="similarweb",
    walled=True,
    title="Similarweb",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(
        ACCEPT_DATA,
        language="en-US,en;q=0.9",
        referer="https://www.similarweb.com/",
        origin="https://www.similarweb.com",
    ),
)

REFUSED_FOR: Final = timedelta(hours=1)
"""Pause after a refusal. Similarweb refuses an IP address for all sites, and for a long time."""
_PUBLIC_URL: Final = "https://data.similarweb.com/api/v1/data?domain={domain}"
_CDN_HEADERS: Final = ("server", "via", "x-cache")
_CDN_SAYS: Final = (b"request could not be satisfied", b"request blocked")
_SAID_WITHIN_BYTES: Final = 16 * 1024


async def lookup(params: HasDomain, net: Net) -> Wire:
    """Make the browser extension's request, without a key.

    Raises EmptyResult if Similarweb does not know the site. Raises ProviderError: "blocked" if Similarweb's CDN refuses
    the request, after which no request is made for an hour; "refused" for any other status.
    """
    wire = await net.get(
        _PUBLIC_URL.format(domain=find_site(params.domain)),
        accept=ACCEPT_DATA,
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
        follow=False,
    )
    if wire.status == 200:
        return wire
    if _is_of_cdn(wire):
        raise _make_blocked_error(wire)
    if wire.status == 404:
        raise make_unknown_error(params)
    raise ProviderError(
        f"Similarweb refused the request (status {wire.status}).",
        reason="refused",
        retry_after_s=retry_after_s(wire) or (REFUSED_FOR.total_seconds() if wire.status == 429 else None),
    )


def read(wire: Wire, params: HasDomain) -> Traffic:
    """Parse the estimates.

    Raises ProviderError "blocked" if the body is not a JSON object, because such a body is a block page.
    """
    try:
        answer = json_of(wire)
    except ProviderError as exc:
        raise _make_blocked_error(wire) from exc
    if not isinstance(answer, dict):
        raise _make_blocked_error(wire)
    return read_site(answer, params)


def _is_of_cdn(wire: Wire) -> bool:
    """Return whether the response comes from Similarweb's CDN."""
    head = wire.body[:_SAID_WITHIN_BYTES].lower()
    if any(words in head for words in _CDN_SAYS):
        return True
    headers = " ".join(wire.headers.get(name, "") for name in _CDN_HEADERS).lower()
    return "cloudfront" in headers and (wire.status == 403 or is_page(wire))


def _make_blocked_error(wire: Wire) -> ProviderError:
    return ProviderError(
        f"Similarweb blocks this service's address (status {wire.status}). Set an API key for Similarweb or "
        "a reseller.",
        reason="blocked",
        retry_after_s=REFUSED_FOR.total_seconds(),
    )
