"""Requests to Google Trends for the list of trending searches.

These requests need no session and are rarely rate-limited. Untested: no complete response is recorded. See
docs/upstreams/trends.md.
"""

from typing import Final

from webquarry.core.types import Provider, Wire
from webquarry.extractors.trends.sources import widgets
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import google

HOURS: Final = 24
"""Number of hours that a list covers."""


def make_provider(name: str, title: str) -> Provider:
    return Provider(
        name=name,
        title=title,
        politeness=widgets.MANNERS,
        browser_headers=widgets.HEADERS,
        keeps_cookies=True,
        unproven=True,
    )


async def get(url: str, net: Net, *, absent: int | None = None) -> Wire:
    """Fetch `url`. Raises ProviderError "refused" or "blocked" for any status except 200 and `absent`."""
    wire = await net.get(url, cookies=google.CONSENT, ok_on=ANY_STATUS, absent_on=(), follow=False)
    if wire.status != absent:
        widgets.check(wire)
    return wire
