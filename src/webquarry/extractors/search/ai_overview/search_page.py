"""The search engine's own page of results, as an ordinary browser shows it.

Opt-in: without a session that the engine trusts it is a wall more often than not. Wire notes:
docs/upstreams/ai-overview.md.
"""

from urllib.parse import urlencode, urlsplit

from webquarry.errors import ProviderError
from webquarry.net import Net
from webquarry.read.walls import WALL_WAIT_S
from webquarry.types import Manners, Provider, Wire

SEARCH_PAGE = Provider(
    name="search_page",
    title="the search engine's page in a browser",
    manners=Manners(spacing_s=2.0, concurrency=1),
    needs=("searchengine_browser",),
    unproven=True,
)
_URL = "https://www.google.com/search"


async def rendered(net: Net, query: str, country: str, language: str) -> Wire:
    """The page of results. ProviderError: blocked for a captcha or a consent page, refused for an error's status."""
    asked = urlencode({"q": query, "hl": language, "gl": country, "pws": "0"})
    wire = await net.render(f"{_URL}?{asked}")
    address = urlsplit(wire.url)
    # by the address alone: what is searched for may be the very words of a captcha
    if (address.hostname or "").startswith("consent.") or address.path.startswith("/sorry") or wire.status == 429:
        raise walled()
    if wire.status >= 400:
        raise ProviderError(f"The search engine answered with status {wire.status}.", reason="refused")
    return wire


def walled() -> ProviderError:
    return ProviderError(
        "The search engine asks for a proof that no robot is asking.", reason="blocked", retry_after_s=WALL_WAIT_S
    )
