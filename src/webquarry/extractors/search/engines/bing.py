"""Bing's page of web results: off by default, since plain clients are often given rows that have nothing to do with
the query. Wire notes: docs/upstreams/search.md#bing-html.
"""

from urllib.parse import urlencode

from webquarry.extractors.search.engines import browser
from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.types import Manners, Provider, Wire

TITLE = "Bing"
BING = Provider(
    name="bing_html",
    title=f"{TITLE} (HTML)",
    manners=Manners(spacing_s=2.0, concurrency=1),
    needs=("bing",),
    headers=browser.BROWSER_HEADERS,
    keeps_cookies=True,
)
URL = "https://www.bing.com/search"
ROWS = 10


async def results(net: Net, query: str, country: Country, language: Language) -> Wire:
    """The first page of results; further ones need scripts."""
    fields = {"q": query, "mkt": languages.regional(language, country), "adlt": "off"}
    return await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(language, country)},
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
