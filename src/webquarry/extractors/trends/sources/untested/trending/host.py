"""How Google Trends is visited for the list of what is searched for now.

None of the ways needs a session, and they are seldom limited. Unproven: no whole answer of any is recorded. Wire notes:
docs/upstreams/trends.md.
"""

from typing import Final

from webquarry.core.types import Provider, Wire
from webquarry.extractors.trends.sources import widgets
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import google

HOURS: Final = 24
"""That a list covers."""


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
    """ProviderError (refused, blocked) for any status but 200 and `absent`."""
    wire = await net.get(url, cookies=google.CONSENT, ok_on=ANY_STATUS, absent_on=(), follow=False)
    if wire.status != absent:
        widgets.check(wire)
    return wire
