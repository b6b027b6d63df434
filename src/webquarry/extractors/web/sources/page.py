"""The page itself: the address that the caller names, fetched as it stands. Wire notes: docs/upstreams/page.md."""

from webquarry.core.errors import ProviderError
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.net import ANY_STATUS, Net, accept_wire, retry_after_s

PROVIDER = Provider(name="page", title="The page", callers_choose=True)
ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.7"
SUCCESS = range(200, 300)
ABSENT = (404, 410)
_ANSWERED = frozenset(ANY_STATUS) - frozenset(ABSENT)


async def fetch(url: str, net: Net) -> Wire:
    """What `url` serves, of any media type and with any status, after HTTP redirects: what refuses may be a wall.

    Absent when it answers 404 or 410. robots.txt is asked where the operator wants it (setting `robots`).
    """
    return await net.get(url, accept=ACCEPT, ok_on=_ANSWERED, absent_on=ABSENT, robots=True)


async def render(url: str, net: Net, deadline: Deadline) -> Wire:
    """The page at `url` as a browser makes it, with any status, by the earlier of both deadlines."""
    return await net.render(url, deadline)


def accept(wire: Wire) -> None:
    """Pass a success. Absent for 404 and 410, ProviderError (refused) for any other status."""
    accept_wire(wire, SUCCESS, ABSENT)


def make_blocked_error(wire: Wire, message: str) -> ProviderError:
    """The error for a page that is no content. It tells how long the site asks to stay away for."""
    return ProviderError(message, reason="blocked", retry_after_s=retry_after_s(wire))
