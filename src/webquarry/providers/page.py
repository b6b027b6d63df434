"""The page itself: the address that the caller names, fetched as it stands. Wire notes: docs/upstreams/page.md."""

from webquarry.net import Net
from webquarry.types import Provider, Wire

PROVIDER = Provider(name="page", title="The page itself")
ACCEPT = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.7"


async def fetch(url: str, net: Net) -> Wire:
    """What `url` serves, of any media type, after HTTP redirects.

    Absent when it answers 404 or 410, ProviderError (refused) for any other status that is no success. robots.txt is
    asked where the operator wants it (setting `robots`).
    """
    return await net.get(url, accept=ACCEPT, ok_on=range(200, 300), robots=True)
