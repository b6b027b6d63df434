"""SearXNG: an instance of the operator's own, which asks many engines and answers in JSON.

Wire notes: docs/upstreams/search.md#searxng. Its settings must list `json` under `search.formats`.
"""

from urllib.parse import urlencode

from webquarry.errors import ProviderError
from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.types import Manners, Provider, Wire

TITLE = "The SearXNG instance"
SEARXNG = Provider(
    name="searxng",
    title="SearXNG, an instance of your own",
    manners=Manners(spacing_s=0.5, concurrency=2),
    needs=("searxng_url",),
    unproven=True,
)


async def results(net: Net, query: str, country: Country, language: Language, page: int) -> Wire:
    """The instance's page of results. page: from 0; how many rows it holds depends on the engines asked."""
    fields = {
        "q": query,
        "format": "json",
        "pageno": str(page + 1),
        "language": languages.regional(language, country),
        "safesearch": "0",
        "categories": "general",
    }
    url = f"{net.setting('searxng_url')}/search?{urlencode(fields)}"
    wire = await net.get(
        url, accept="application/json", ok_on=(200, 403), absent_on=(), max_bytes=answers.MAX_ANSWER_BYTES
    )
    if wire.status == 403:
        raise ProviderError(
            "The SearXNG instance refuses to answer in JSON: its settings must list json under search.formats.",
            reason="refused",
        )
    return wire
