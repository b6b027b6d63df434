"""The page at the address that the caller names, fetched unchanged. See docs/upstreams/page.md."""

from collections.abc import Mapping

from webquarry.core.errors import NotModified, ProviderError
from webquarry.core.types import Deadline, Known, Provider, Wire
from webquarry.net import ANY_STATUS, Net, accept_wire, retry_after_s

PROVIDER = Provider(name="page", title="The page", callers_choose=True)
ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.7"
SUCCESS = range(200, 300)
ABSENT = (404, 410)
NOT_MODIFIED = 304
_ANSWERED = frozenset(ANY_STATUS) - frozenset(ABSENT)


async def fetch(url: str, net: Net, known: Known | None = None) -> Wire:
    """Fetch `url`, following redirects, with any media type and any status, because an error may be a block page.

    Raises Absent for 404 and 410, and NotModified if the page is `known` and the site reports that it has not changed.
    robots.txt is respected if the operator enables it (setting `robots`).
    """
    if known is not None and known.headers:
        wire = await _get(url, net, known.headers)
        if wire.status != NOT_MODIFIED:
            return wire
        if wire.url == known.url:
            raise NotModified
    return await _get(url, net, {})


async def _get(url: str, net: Net, headers: Mapping[str, str]) -> Wire:
    return await net.get(url, accept=ACCEPT, headers=headers, ok_on=_ANSWERED, absent_on=ABSENT, robots=True)


async def render(url: str, net: Net, deadline: Deadline) -> Wire:
    """Render the page at `url` in a browser, with any status, until the earlier of the two deadlines."""
    return await net.render(url, deadline)


def accept(wire: Wire) -> None:
    """Accept a successful response. Raises Absent for 404 and 410, and ProviderError "refused" for any other status."""
    accept_wire(wire, SUCCESS, ABSENT)


def make_blocked_error(wire: Wire, message: str) -> ProviderError:
    """Return the error for a block page, with the retry time that the site states."""
    return ProviderError(message, reason="blocked", retry_after_s=retry_after_s(wire))
