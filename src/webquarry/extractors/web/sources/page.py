"""The page at the address that the caller names, fetched unchanged. See docs/upstreams/page.md."""

from webquarry.core.errors import ProviderError
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.net import ANY_STATUS, Net, accept_wire, retry_after_s

PROVIDER = Provider(name="page", title="The page", callers_choose=True)
ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.7"
SUCCESS = range(200, 300)
ABSENT = (404, 410)
_ANSWERED = frozenset(ANY_STATUS) - frozenset(ABSENT)


async def fetch(url: str, net: Net) -> Wire:
    """Fetch `url` and follow redirects. Any media type and status is returned, because an error may be a block page.

    Raises Absent for 404 and 410. robots.txt is respected if the operator enables it (setting `robots`).
    """
    return await net.get(url, accept=ACCEPT, ok_on=_ANSWERED, absent_on=ABSENT, robots=True)


async def render(url: str, net: Net, deadline: Deadline) -> Wire:
    """Render the page at `url` in a browser, with any status, until the earlier of the two deadlines."""
    return await net.render(url, deadline)


def accept(wire: Wire) -> None:
    """Accept a successful response. Raises Absent for 404 and 410, and ProviderError "refused" for any other status."""
    accept_wire(wire, SUCCESS, ABSENT)


def make_blocked_error(wire: Wire, message: str) -> ProviderError:
    """Return the error for a block page, with the retry time that the site states."""
    return ProviderError(message, reason="blocked", retry_after_s=retry_after_s(wire))
