"""Brave Search's page of web results. Wire notes: docs/upstreams/search.md#brave-html."""

from urllib.parse import urlencode

from webquarry.extractors.search.engines import browser
from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.types import Manners, Provider, Wire

TITLE = "Brave Search"
BRAVE_HTML = Provider(
    name="brave_html",
    title=f"{TITLE} (HTML)",
    manners=Manners(spacing_s=2.0, concurrency=1),
    headers=browser.BROWSER_HEADERS,
    keeps_cookies=True,
)
URL = "https://search.brave.com/search"
ROWS = 20
PAGES = 10


async def results(net: Net, query: str, country: Country, language: Language, page: int) -> Wire:
    """A page of results, counted from 0. Country and language travel as cookies."""
    fields = {"q": query, "source": "web", **({"offset": str(page)} if page else {})}
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(language, country)},
        cookies={
            "country": country,
            "ui_lang": languages.regional(language, country).lower(),
            "useLocation": "0",
            "summarizer": "0",
            "safesearch": "off",
        },
        ok_on=(200, 429),
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    if wire.status == 429:
        raise browser.shut(TITLE, wire.status)
    return wire
